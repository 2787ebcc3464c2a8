/* SPDX-License-Identifier: MIT */
/* What Kilo TM says about itself, and requires of the machine. */
#include "hd_tables.h"
#include "tx/kilo/kilo.h"
#include "tx/tx_units.h"

static const hd_parameter parameters[KILO_PARAMETERS] = {
    [KILO_AGGREGATE] =
        {.name = "aggregate",
         .type = HD_TYPE_BOOLEAN,
         .standard = "false",
         .doc = "WarpTM: outcomes are told for all lanes of a warp together, when all are known; must equal "
                "that of the commit units"},
    [KILO_TCD] = {.name = "tcd",
                  .type = HD_TYPE_BOOLEAN,
                  .standard = "false",
                  .doc =
                      "temporal conflict detection: lanes that have only read commit at once, where replies say that "
                      "nothing of it was written since their first load; must equal that of the commit units"},
};

static const hd_statistic statistics[KILO_STATISTICS] = {
    [KILO_ABORTS_VALIDATION] = HD_COUNTED("tx_aborts_validation", "attempts",
                                          "aborted: a word that it has read was another when it committed"),
    [KILO_ABORTS_DOOMED] =
        HD_COUNTED("tx_aborts_doomed", "attempts",
                   "aborted: a mistake, or a full log, that may come from words that never belonged together"),
    [KILO_SLICE_LOADS] =
        HD_COUNTED("tx_slice_loads", "packets", "of tx_requests, loads that go to the slices like any other"),
    [KILO_COMMIT_IDS] = HD_COUNTED("tx_commit_ids", "attempts", "attempts that have taken a commit ID"),
    [KILO_SILENT_COMMITS] = HD_COUNTED("tx_silent_commits", "transactions",
                                       "of tx_commits, those without a commit ID: nobody is asked, nothing is sent"),
    [KILO_SECOND_CHANCES] = HD_COUNTED("tx_second_chances", "attempts",
                                       "lanes that have only read, and may not commit silently (tx.kilo.tcd)"),
    [KILO_RESENT_WORDS] =
        HD_COUNTED("tx_resent_words", "words", "words of logs that commit units have asked for again"),
    [KILO_ID_CYCLES] = HD_COUNTED("tx_id_cycles", "cycles", "of tx_commit_cycles, waiting for commit IDs"),
    [KILO_SEND_CYCLES] = HD_COUNTED("tx_send_cycles", "cycles", "of tx_commit_cycles, logs are being sent"),
    [KILO_VERDICT_CYCLES] =
        HD_COUNTED("tx_verdict_cycles", "cycles", "of tx_commit_cycles, waiting for what commit units say to a lane"),
    [KILO_WRITE_CYCLES] = HD_COUNTED("tx_write_cycles", "cycles",
                                     "of tx_commit_cycles, outcomes are sent, and lanes wait until all is written"),
};

#define SENT(text, way)                                                                                                \
    {                                                                                                                  \
        .name = (text), .direction = HD_MESSAGE_SENT, .port = (way)                                                    \
    }
#define RECEIVED(text, way)                                                                                            \
    {                                                                                                                  \
        .name = (text), .direction = HD_MESSAGE_RECEIVED, .port = (way)                                                \
    }

static const hd_message_use messages[] = {
    SENT(HD_KILO_READ_SET, "request"),
    SENT(HD_KILO_WRITE_SET, "request"),
    SENT(HD_KILO_DONE_SKIP, "request"),
    SENT(HD_KILO_OUTCOME, "request"),
    SENT(HD_KILO_RESENT, "request"),
    RECEIVED(HD_KILO_VERDICT, "reply"),
    RECEIVED(HD_KILO_COMMITTED, "reply"),
    RECEIVED(HD_KILO_RESEND, "reply"),
    SENT(HD_KILO_TAKE_IDS, "transaction_request"),
    RECEIVED(HD_KILO_IDS, "transaction_reply"),
};

static uint64_t nothing(const hd_value *own, uint64_t sum)
{
    (void)own, (void)sum;
    return 0;
}

/* Lanes of a warp that are told or written together must not be in each other's way (Fung 2015 §6.2). */
#define ONLY_RESOLVED(what_)                                                                                           \
    {                                                                                                                  \
        .what = HD_REQUIRES_RESULT,                                                                                    \
        .sentence = "needs conflicts within the warp to be resolved in the core, where commit units take lanes "       \
                    "together",                                                                                        \
        .parameter = "tx.intra_warp", .kind = "commit_unit", .other = (what_), .result = nothing,                      \
        .when = "tx.intra_warp", .when_word = "protocol"                                                               \
    }

static const hd_requirement requirements[] = {
    {.what = HD_REQUIRES_RANGE,
     .sentence = "is defined for warps of at most 32 lanes",
     .parameter = "lanes",
     .maximum = 32},
    {.what = HD_REQUIRES_PER_PARTITION,
     .sentence = "needs a commit unit at each memory partition",
     .kind = "commit_unit",
     .type = "kilo"},
    {.what = HD_REQUIRES_BLOCK,
     .sentence = "needs one block that gives out commit IDs",
     .kind = "commit_id_vendor",
     .type = "contiguous"},
    {.what = HD_REQUIRES_LINK,
     .sentence = "needs a link from port transaction_request of every core to that block",
     .word = "transaction_request",
     .kind = "commit_id_vendor"},
    {.what = HD_REQUIRES_LINK,
     .sentence = "needs a link from that block to port transaction_reply of every core",
     .word = "transaction_reply",
     .kind = "commit_id_vendor"},
    {.what = HD_REQUIRES_EQUAL,
     .sentence = "needs commit units that tell verdicts as the core tells outcomes",
     .parameter = ".aggregate",
     .kind = "commit_unit",
     .other = "aggregate"},
    {.what = HD_REQUIRES_EQUAL,
     .sentence = "needs commit units that know when words were written, if and only if it asks for that",
     .parameter = ".tcd",
     .kind = "commit_unit",
     .other = "tcd"},
    {.what = HD_REQUIRES_RESULT,
     .sentence = "needs commit units that validate",
     .parameter = "tx",
     .kind = "commit_unit",
     .other = "validate",
     .result = nothing},
    ONLY_RESOLVED("aggregate"),
    ONLY_RESOLVED("coalesce"),
    {.what = HD_REQUIRES_LINKED,
     .sentence = "needs commit units that listen to their slices",
     .parameter = ".tcd",
     .word = "tap",
     .kind = "commit_unit",
     .when = ".tcd",
     .when_word = "true"},
    {.what = HD_REQUIRES_ONE_CLOCK,
     .sentence = "needs commit units with one clock, for they compare times",
     .parameter = ".tcd",
     .kind = "commit_unit",
     .when = ".tcd",
     .when_word = "true"},
};

#define TIME_BYTES 8 /* of a thread's first load */

static double first_read_bytes(const hd_structure_use *use)
{
    return use->values[KILO_TCD].u ? (double)(use->parameter * 32 * TIME_BYTES * use->count) : 0;
}

static const hd_structure structures[] = {
    {.name = "times of first loads",
     .source = "Fung 2015, Table 6.3",
     .process = "40 nm",
     .reference_bytes = 15 * 1536 * TIME_BYTES,
     .square_millimetres = 15 * 0.034,
     .milliwatts = 15 * 25.5,
     .megahertz = 700,
     .parameter = "warps",
     .bytes = first_read_bytes},
};

#define LENGTH(table) (sizeof(table) / sizeof *(table))

const hd_unit hd_tx_kilo = {
    HD_UNIT_HEAD(tx, TX, kilo),
    .doc =
        "Kilo TM: transactions are compared with memory by value when they commit, in the order of commit IDs; WarpTM "
        "and temporal conflict detection by parameters",
    .source = "Fung 2015 §4.2, §6.2, §6.4",
    .abilities = INTRA_WARP_ABILITY,
    .parameter_count = KILO_PARAMETERS,
    .parameters = parameters,
    .statistic_count = KILO_STATISTICS,
    .statistics = statistics,
    .trace_event_count = KILO_EVENTS,
    .trace_events = kilo_trace_events,
    .profiled_count = KILO_REASONS,
    .message_count = LENGTH(messages),
    .messages = messages,
    .requirement_count = LENGTH(requirements),
    .requirements = requirements,
    .structure_count = LENGTH(structures),
    .structures = structures,
};
