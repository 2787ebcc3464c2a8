/* SPDX-License-Identifier: MIT */
/* What EAPG says about itself, and requires of the machine. */
#include "tx/eapg/eapg.h"
#include "tx/kilo/tables.h"
#include "tx/tx_units.h"

static const hd_parameter parameters[EAPG_PARAMETERS] = {
    KILO_PARAMETER_ROWS,
    [EAPG_EARLY_ABORT] = {.name = "early_abort",
                          .type = HD_TYPE_BOOLEAN,
                          .standard = "true",
                          .doc = "lanes that conflict with what is being committed abort at their commit, before their "
                                 "logs are sent"},
    [EAPG_PAUSE] = {.name = "pause",
                    .type = HD_TYPE_CHOICE,
                    .standard = "stack",
                    .choices = "stack|wait|off",
                    .doc = "lanes that are about to use a word that is being committed stand aside on the warp's stack "
                           "until the others have committed or aborted; or the warp waits until the word is not any "
                           "more; or nobody does"},
    [EAPG_PAUSE_REPEATS] = {.name = "pause.repeats",
                            .type = HD_TYPE_BOOLEAN,
                            .standard = "true",
                            .doc = "stack: lanes pause before the access, which they make when they go on; or behind "
                                   "it, with what they have loaded"},
    [EAPG_PAUSE_IN_BRANCH] = {.name = "pause.in_branch",
                              .type = HD_TYPE_BOOLEAN,
                              .standard = "true",
                              .doc = "lanes also pause where lanes of the attempt are apart"},
    [EAPG_PAUSE_TIME_OUT] = {.name = "pause.time_out",
                             .type = HD_TYPE_UNSIGNED,
                             .unit = HD_UNIT_CYCLES,
                             .standard = "10000 cycles",
                             .doc = "wait: a warp waits no longer for an access; 0: it waits for ever"},
    [EAPG_STORE_HITS] = {.name = "store_hits",
                         .type = HD_TYPE_CHOICE,
                         .standard = "any",
                         .choices = "any|read",
                         .doc = "a store conflicts with words that are read or written by transactions that are being "
                                "committed, or that are read"},
    [EAPG_TABLE] = {.name = "table",
                    .type = HD_TYPE_CHOICE,
                    .standard = "words",
                    .choices = "words|signatures",
                    .doc =
                        "what a core knows of words that are being committed: which they are; or, of each partition, "
                        "64 bits in which they are, with others"},
    [EAPG_TABLE_ENTRIES] = {.name = "table.entries",
                            .type = HD_TYPE_UNSIGNED,
                            .standard = "3072",
                            .minimum = 1,
                            .maximum = 1048576,
                            .doc = "words that a core knows to be in commits; of others it knows nothing"},
    [EAPG_TABLE_COST] = {.name = "table.cost",
                         .type = HD_TYPE_CHOICE,
                         .standard = "nothing",
                         .choices = "nothing|blocks",
                         .doc = "time of a look-up: none; or an access waits for a cycle, and one more for each four "
                                "further blocks of 128 B, and addresses of logs are read twice to resolve conflicts "
                                "within the warp"},
    [EAPG_TEST_REPRIEVE] = {.name = "test.reprieve",
                            .type = HD_TYPE_CHOICE,
                            .standard = "yes",
                            .choices = "yes|no",
                            .doc = "for tests: of lanes that would all abort early one does not, or they all do"},
    [EAPG_TEST_LOGS] = {.name = "test.logs",
                        .type = HD_TYPE_CHOICE,
                        .standard = "keep",
                        .choices = "keep|lose",
                        .doc = "for tests: lanes that pause keep what they have logged, or lose it"},
    [EAPG_TEST_ORDER] = {.name = "test.order",
                         .type = HD_TYPE_CHOICE,
                         .standard = "keep",
                         .choices = "keep|lose",
                         .doc = "for tests: messages are taken in as they come; or one that words are being committed "
                                "when the next one comes, though that they are not any more may come before"},
    [EAPG_TEST_WAIT] = {.name = "test.wait",
                        .type = HD_TYPE_CHOICE,
                        .standard = "warp",
                        .choices = "warp|pipe",
                        .doc = "for tests: a warp waits by itself; or keeps logs and outcomes of others from leaving"},
};

static const hd_statistic statistics[EAPG_REASONS + EAPG_STATISTICS] = {
    KILO_REASON_ROWS("eapg_"),
    [EAPG_ABORTS_EARLY] = HD_COUNTED("tx_aborts_early", "attempts",
                                     "aborted: a word that it has used was being committed when it was to commit"),
    KILO_STATISTIC_ROWS(EAPG_REASONS, "eapg_"),
    [EAPG_REASONS + EAPG_REPRIEVES] =
        HD_COUNTED("tx_eapg_reprieves", "attempts", "lanes that go on because all of their warp would have aborted"),
    [EAPG_REASONS + EAPG_PAUSES] =
        HD_COUNTED("tx_eapg_pauses", "partings", "times that some lanes of a warp pause, and others go on"),
    [EAPG_REASONS + EAPG_PAUSED_LANES] = HD_COUNTED("tx_eapg_paused_lanes", "lanes", "that pause there, summed"),
    [EAPG_REASONS + EAPG_PAUSED_TRANSACTIONS] =
        HD_COUNTED("tx_eapg_paused_transactions", "transactions", "transactions of lanes that have ever paused"),
    [EAPG_REASONS + EAPG_TABLE_MAXIMUM] = {.name = "tx_eapg_table_maximum",
                                           .unit = "words",
                                           .kind = HD_STATISTIC_MAXIMUM,
                                           .doc = "most words that the core knew to be in commits"},
    [EAPG_REASONS + EAPG_TABLE_DROPS] =
        HD_COUNTED("tx_eapg_table_drops", "words", "words that found no room in the table"),
    [EAPG_REASONS + EAPG_WAITS] = HD_COUNTED("tx_eapg_waits", "accesses",
                                             "accesses before which a warp waits until words are not being committed"),
    [EAPG_REASONS + EAPG_WAIT_CYCLES] = HD_COUNTED("tx_eapg_wait_cycles", "cycles", "for which warps wait there"),
    [EAPG_REASONS + EAPG_TIME_OUTS] =
        HD_COUNTED("tx_eapg_time_outs", "accesses", "of tx_eapg_waits, those that took too long (pause.time_out)"),
    [EAPG_REASONS + EAPG_LOOK_UP_CYCLES] = HD_COUNTED("tx_eapg_look_up_cycles", "cycles",
                                                      "for which accesses wait for look-ups in the table (table.cost)"),
};

static const hd_message_use messages[] = {
    KILO_MESSAGE_ROWS,
    KILO_RECEIVED(HD_KILO_ENTER, "reply"),
    KILO_RECEIVED(HD_KILO_LEAVE, "reply"),
    KILO_RECEIVED(HD_KILO_SIGNATURE, "reply"),
};

/* `words` or `signatures`, of `broadcast` of commit units: behind `nothing`. */
static uint64_t what_is_known(const hd_value *own, uint64_t sum)
{
    (void)sum;
    return 1 + own[EAPG_TABLE].u;
}

#define NEEDS_BROADCASTS(switch_, word_)                                                                               \
    {                                                                                                                  \
        .what = HD_REQUIRES_RESULT, .sentence = "needs commit units that tell which words are being committed",        \
        .parameter = ".table", .kind = "commit_unit", .other = "broadcast", .result = what_is_known,                   \
        .when = (switch_), .when_word = (word_)                                                                        \
    }

static const hd_requirement requirements[] = {
    KILO_REQUIREMENT_ROWS,
    NEEDS_BROADCASTS(".early_abort", "true"),
    NEEDS_BROADCASTS(".pause", "stack"),
    NEEDS_BROADCASTS(".pause", "wait"),
    {.what = HD_REQUIRES_ABILITY,
     .sentence = "needs a reconvergence unit by which lanes of a transaction can pause",
     .parameter = "reconvergence",
     .word = "pauses",
     .when = ".pause",
     .when_word = "stack"},
};

static const hd_trace_event trace_events[EAPG_EVENTS] = {
    KILO_EVENT_ROWS("eapg."),
    [EAPG_EVENT_PAUSE] = {.name = "eapg.pause",
                          .form = HD_TRACE_INSTANT,
                          .values = "0xpc|0xlanes|0xothers",
                          .doc = "lanes pause at pc, because words that they are about to use, or have just used, are "
                                 "being committed; others go on"},
    [EAPG_EVENT_EARLY] = {.name = "eapg.early",
                          .form = HD_TRACE_INSTANT,
                          .values = "0xabort|0xothers",
                          .doc = "lanes abort because words that they have used are being committed; others commit"},
};

#define ENTRY_BYTES 4 /* an address of 30 bits, and 2 flags */

static double table_bytes(const hd_structure_use *use)
{
    return (double)(use->values[EAPG_TABLE_ENTRIES].u * ENTRY_BYTES * use->count);
}

static const hd_structure structures[] = {
    KILO_STRUCTURE_ROWS,
    {.name = "conflict address tables",
     .source = "Ren & Lis 2018, Table V",
     .process = "32 nm",
     .reference_bytes = 15 * 3072 * ENTRY_BYTES,
     .square_millimetres = 0.6,
     .milliwatts = 153.3,
     .megahertz = 1400,
     .bytes = table_bytes},
};

#define LENGTH(table) (sizeof(table) / sizeof *(table))

const hd_unit hd_tx_eapg = {
    HD_UNIT_HEAD(tx, TX, eapg),
    .doc = "EAPG: WarpTM whose lanes abort at their commit, or pause before an access, where they would conflict with "
           "what is being committed",
    .source = "Ren & Lis 2018 §VI",
    .abilities = TX_GLOBAL_ABILITY "|" INTRA_WARP_ABILITY,
    .parameter_count = EAPG_PARAMETERS,
    .parameters = parameters,
    .statistic_count = EAPG_REASONS + EAPG_STATISTICS,
    .statistics = statistics,
    .trace_event_count = EAPG_EVENTS,
    .trace_events = trace_events,
    .profiled_count = EAPG_REASONS,
    .message_count = LENGTH(messages),
    .messages = messages,
    .requirement_count = LENGTH(requirements),
    .requirements = requirements,
    .structure_count = LENGTH(structures),
    .structures = structures,
};
