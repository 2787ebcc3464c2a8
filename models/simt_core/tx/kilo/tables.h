/* SPDX-License-Identifier: MIT */
/* Rows that protocols which are Kilo TM, and perhaps more, have in what they say about themselves: the first of each table. */
#ifndef SIMT_CORE_TX_KILO_TABLES_H
#define SIMT_CORE_TX_KILO_TABLES_H

#include "hd_tables.h"
#include "tx/kilo/kilo.h"

#define KILO_PARAMETER_ROWS                                                                                            \
    [KILO_AGGREGATE] =                                                                                                 \
        {.name = "aggregate",                                                                                          \
         .type = HD_TYPE_BOOLEAN,                                                                                      \
         .standard = "false",                                                                                          \
         .doc = "WarpTM: outcomes are told for all lanes of a warp together, when all are known; must equal "          \
                "that of the commit units"},                                                                           \
    [KILO_TCD] = {.name = "tcd",                                                                                       \
                  .type = HD_TYPE_BOOLEAN,                                                                             \
                  .standard = "false",                                                                                 \
                  .doc =                                                                                               \
                      "temporal conflict detection: lanes that have only read commit at once, where replies say that " \
                      "nothing of it was written since their first load; must equal that of the commit units"}

/* Why lanes abort. of: what names of statistics have before the last words, "" or "eapg_". */
#define KILO_REASON_ROWS(of)                                                                                           \
    [KILO_ABORTS_VALIDATION] = HD_COUNTED("tx_aborts_" of "validation", "attempts",                                    \
                                          "aborted: a word that it has read was another when it committed"),           \
    [KILO_ABORTS_DOOMED] =                                                                                             \
        HD_COUNTED("tx_aborts_" of "doomed", "attempts",                                                               \
                   "aborted: a mistake, or a full log, that may come from words that never belonged together")

/* first: number of reasons; of: as above. */
#define KILO_STATISTIC_ROWS(first, of)                                                                                 \
    [(first) +                                                                                                         \
        KILO_SLICE_LOADS] =                                                                                            \
        HD_COUNTED("tx_" of "slice_loads", "packets", "of tx_requests, loads that go to the slices like any other"),   \
        [(first) + KILO_COMMIT_IDS] =                                                                                  \
            HD_COUNTED("tx_" of "commit_ids", "attempts", "attempts that have taken a commit ID"),                     \
        [(first) + KILO_SILENT_COMMITS] =                                                                              \
            HD_COUNTED("tx_" of "silent_commits", "transactions",                                                      \
                       "of tx_commits, those without a commit ID: nobody is asked, nothing is sent"),                  \
        [(first) + KILO_SECOND_CHANCES] = HD_COUNTED("tx_" of "second_chances", "attempts",                            \
                                                     "lanes that have only read, and may not commit silently (tcd)"),  \
        [(first) + KILO_RESENT_WORDS] =                                                                                \
            HD_COUNTED("tx_" of "resent_words", "words", "words of logs that commit units have asked for again"),      \
        [(first) + KILO_ID_CYCLES] =                                                                                   \
            HD_COUNTED("tx_" of "id_cycles", "cycles", "of tx_commit_cycles, waiting for commit IDs"),                 \
        [(first) + KILO_SEND_CYCLES] =                                                                                 \
            HD_COUNTED("tx_" of "send_cycles", "cycles", "of tx_commit_cycles, logs are being sent"),                  \
        [(first) + KILO_VERDICT_CYCLES] = HD_COUNTED(                                                                  \
            "tx_" of "verdict_cycles", "cycles", "of tx_commit_cycles, waiting for what commit units say to a lane"),  \
        [(first) + KILO_WRITE_CYCLES] =                                                                                \
            HD_COUNTED("tx_" of "write_cycles", "cycles",                                                              \
                       "of tx_commit_cycles, outcomes are sent, and lanes wait until all is written")

/* Messages to units and the vendor, and from them. */
#define KILO_SENT(text, way)                                                                                           \
    {                                                                                                                  \
        .name = (text), .direction = HD_MESSAGE_SENT, .port = (way)                                                    \
    }
#define KILO_RECEIVED(text, way)                                                                                       \
    {                                                                                                                  \
        .name = (text), .direction = HD_MESSAGE_RECEIVED, .port = (way)                                                \
    }
#define KILO_MESSAGE_ROWS                                                                                              \
    KILO_SENT(HD_KILO_READ_SET, "request"), KILO_SENT(HD_KILO_WRITE_SET, "request"),                                   \
        KILO_SENT(HD_KILO_DONE_SKIP, "request"), KILO_SENT(HD_KILO_OUTCOME, "request"),                                \
        KILO_SENT(HD_KILO_RESENT, "request"), KILO_RECEIVED(HD_KILO_VERDICT, "reply"),                                 \
        KILO_RECEIVED(HD_KILO_COMMITTED, "reply"), KILO_RECEIVED(HD_KILO_RESEND, "reply"),                             \
        KILO_SENT(HD_KILO_TAKE_IDS, "transaction_request"), KILO_RECEIVED(HD_KILO_IDS, "transaction_reply")

/* What a parameter of commit units has to be (hd_requirement.result). */
static inline uint64_t kilo_reads_sets(const hd_value *own, uint64_t sum)
{
    (void)own, (void)sum;
    return HD_KILO_VALIDATE_READ_SETS;
}
static inline uint64_t kilo_nothing(const hd_value *own, uint64_t sum)
{
    (void)own, (void)sum;
    return 0;
}

/* Lanes of a warp that are told or written together must not be in each other's way (Fung 2015 §6.2). */
#define KILO_ONLY_RESOLVED(what_)                                                                                      \
    {                                                                                                                  \
        .what = HD_REQUIRES_RESULT,                                                                                    \
        .sentence = "needs conflicts within the warp to be resolved in the core, where commit units take lanes "       \
                    "together",                                                                                        \
        .parameter = "tx.intra_warp", .kind = "commit_unit", .other = (what_), .result = kilo_nothing,                 \
        .when = "tx.intra_warp", .when_word = "protocol"                                                               \
    }
#define KILO_REQUIREMENT_ROWS                                                                                          \
    {.what = HD_REQUIRES_RANGE,                                                                                        \
     .sentence = "is defined for warps of at most 32 lanes",                                                           \
     .parameter = "lanes",                                                                                             \
     .maximum = 32},                                                                                                   \
        {.what = HD_REQUIRES_PER_PARTITION,                                                                            \
         .sentence = "needs a commit unit at each memory partition",                                                   \
         .kind = "commit_unit",                                                                                        \
         .type = "kilo"},                                                                                              \
        {.what = HD_REQUIRES_BLOCK,                                                                                    \
         .sentence = "needs one block that gives out commit IDs",                                                      \
         .kind = "commit_id_vendor",                                                                                   \
         .type = "contiguous"},                                                                                        \
        {.what = HD_REQUIRES_LINK,                                                                                     \
         .sentence = "needs a link from port transaction_request of every core to that block",                         \
         .word = "transaction_request",                                                                                \
         .kind = "commit_id_vendor"},                                                                                  \
        {.what = HD_REQUIRES_LINK,                                                                                     \
         .sentence = "needs a link from that block to port transaction_reply of every core",                           \
         .word = "transaction_reply",                                                                                  \
         .kind = "commit_id_vendor"},                                                                                  \
        {.what = HD_REQUIRES_EQUAL,                                                                                    \
         .sentence = "needs commit units that tell verdicts as the core tells outcomes",                               \
         .parameter = ".aggregate",                                                                                    \
         .kind = "commit_unit",                                                                                        \
         .other = "aggregate"},                                                                                        \
        {.what = HD_REQUIRES_EQUAL,                                                                                    \
         .sentence = "needs commit units that know when words were written, if and only if it asks for that",          \
         .parameter = ".tcd",                                                                                          \
         .kind = "commit_unit",                                                                                        \
         .other = "tcd"},                                                                                              \
        {.what = HD_REQUIRES_RESULT,                                                                                   \
         .sentence = "needs commit units that validate",                                                               \
         .parameter = "tx",                                                                                            \
         .kind = "commit_unit",                                                                                        \
         .other = "validate",                                                                                          \
         .result = kilo_reads_sets},                                                                                   \
        KILO_ONLY_RESOLVED("aggregate"), KILO_ONLY_RESOLVED("coalesce"),                                               \
        {.what = HD_REQUIRES_LINKED,                                                                                   \
         .sentence = "needs commit units that listen to their slices",                                                 \
         .parameter = ".tcd",                                                                                          \
         .word = "tap",                                                                                                \
         .kind = "commit_unit",                                                                                        \
         .when = ".tcd",                                                                                               \
         .when_word = "true"},                                                                                         \
    {                                                                                                                  \
        .what = HD_REQUIRES_ONE_CLOCK, .sentence = "needs commit units with one clock, for they compare times",        \
        .parameter = ".tcd", .kind = "commit_unit", .when = ".tcd", .when_word = "true"                                \
    }

/* Trace events, on the tracks of warps, all that whoever is built upon Kilo TM has to have. of: what their names begin with. */
#define KILO_EVENT_ROWS(of)                                                                                            \
    [KILO_EVENT_IDS] = {.name = of "ids",                                                                              \
                        .form = HD_TRACE_SPAN,                                                                         \
                        .values = "0xlanes",                                                                           \
                        .doc = "within tx.commit: lanes wait for commit IDs"},                                         \
    [KILO_EVENT_SEND] = {.name = of "send",                                                                            \
                         .form = HD_TRACE_SPAN,                                                                        \
                         .values = "id|0xlanes",                                                                       \
                         .doc =                                                                                        \
                             "within tx.commit: logs of lanes, which have the IDs from this one on, are being sent"},  \
    [KILO_EVENT_VERDICTS] = {.name = of "verdicts",                                                                    \
                             .form = HD_TRACE_SPAN,                                                                    \
                             .doc = "within tx.commit: the warp waits for what commit units say to a lane"},           \
    [KILO_EVENT_WRITE] = {.name = of "write",                                                                          \
                          .form = HD_TRACE_SPAN,                                                                       \
                          .doc = "within tx.commit: outcomes are sent, and lanes wait until all is written"},          \
    [KILO_EVENT_VERDICT] = {.name = of "verdict",                                                                      \
                            .form = HD_TRACE_INSTANT,                                                                  \
                            .values = "partition|0xlanes|0xpass",                                                      \
                            .doc = "a unit lets lanes pass, or not"},                                                  \
    [KILO_EVENT_OUTCOME] =                                                                                             \
        {.name = of "outcome",                                                                                         \
         .form = HD_TRACE_INSTANT,                                                                                     \
         .values = "id|0xcommit|0xabort",                                                                              \
         .doc = "it is known what becomes of lanes: all units have spoken; id: the first of the warp's"},              \
    [KILO_EVENT_SILENT] = {.name = of "silent",                                                                        \
                           .form = HD_TRACE_INSTANT,                                                                   \
                           .values = "0xcommit|0xordinary",                                                            \
                           .doc = "lanes commit without being seen; and readers that have to go the ordinary way "     \
                                  "(tcd)"},                                                                            \
    [KILO_EVENT_SUSPECTS] = {.name = of "suspects",                                                                    \
                             .form = HD_TRACE_INSTANT,                                                                 \
                             .values = "0xpc|0xlanes",                                                                 \
                             .doc = "lanes make a mistake, and are validated at the end of the attempt"}

/* What it costs. */
#define KILO_TIME_BYTES 8 /* of a thread's first load */

static inline double kilo_first_load_bytes(const hd_structure_use *use)
{
    return use->values[KILO_TCD].u ? (double)(use->parameter * 32 * KILO_TIME_BYTES * use->count) : 0;
}
#define KILO_FIRST_LOADS_ROW(source_, process_, area, power)                                                           \
    {                                                                                                                  \
        .name = "times of first loads", .source = source_, .process = process_,                                        \
        .reference_bytes = 15 * 1536 * KILO_TIME_BYTES, .square_millimetres = area, .milliwatts = power,               \
        .megahertz = 1400, .parameter = "warps", .bytes = kilo_first_load_bytes                                        \
    }
#define KILO_STRUCTURE_ROWS                                                                                            \
    KILO_FIRST_LOADS_ROW("Fung 2015, Table 6.3", "40 nm", 15 * 0.034, 15 * 25.5),                                      \
        KILO_FIRST_LOADS_ROW("Ren & Lis 2018, Table V", "32 nm", 0.375, 113.25)

#endif
