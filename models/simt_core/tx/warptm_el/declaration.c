/* SPDX-License-Identifier: MIT */
/* What WarpTM-EL says about itself, and requires of the machine. */
#include "hd_tables.h"
#include "tx/ideal/tables.h"
#include "tx/tx_units.h"
#include "tx/warptm_el/warptm_el.h"

static const hd_parameter parameters[WARPTM_EL_PARAMETERS] = {
    [WARPTM_EL_COMPARE] = {.name = "compare",
                           .type = HD_TYPE_CHOICE,
                           .standard = "accesses",
                           .choices = "accesses|end",
                           .doc = "lanes are compared with what others have committed at each access and at the end of "
                                  "the attempt, or at its end alone"},
    [WARPTM_EL_TEST_LAST] = {.name = "test.last",
                             .type = HD_TYPE_CHOICE,
                             .standard = "commit",
                             .choices = "commit|access",
                             .doc = "for tests: what lanes are compared at last before they commit, or at their last "
                                    "access"},
};

static const hd_statistic statistics[WARPTM_EL_STATISTICS] = {
    [WARPTM_EL_ABORTS_ACCESS] =
        HD_COUNTED("tx_aborts_access", "attempts", "aborted: a word that it has read was another at a later access"),
    [WARPTM_EL_ABORTS_OUTDATED] = HD_COUNTED("tx_aborts_outdated", "attempts",
                                             "aborted: a word that it has read was another when it was to commit"),
    [WARPTM_EL_ABORTS_MISTAKE] =
        HD_COUNTED("tx_aborts_mistake", "attempts",
                   "aborted: a mistake, or a full log, where a word that it has read was another"),
    [WARPTM_EL_CHANGED_WORDS] =
        HD_COUNTED("tx_el_changed_words", "words", "words committed by others that an attempt of the warp has read"),
    [WARPTM_EL_SILENT_COMMITS] =
        HD_COUNTED("tx_el_silent_commits", "transactions",
                   "of tx_commits, those without a commit ID: they have only read, and send nothing"),
    [WARPTM_EL_LATE_COMMITS] =
        HD_COUNTED("tx_el_late_commits", "commits",
                   "of warps, asked for again: another has committed what they had read while they asked"),
    [WARPTM_EL_DECISION_CYCLES] =
        HD_COUNTED("tx_el_decision_cycles", "cycles", "of tx_commit_cycles, until the block has given out commit IDs"),
    [WARPTM_EL_SEND_CYCLES] = HD_COUNTED("tx_el_send_cycles", "cycles", "of tx_commit_cycles, logs are being sent"),
    [WARPTM_EL_WRITE_CYCLES] = HD_COUNTED("tx_el_write_cycles", "cycles", "of tx_commit_cycles, until all is written"),
};

static const hd_message_use messages[] = {
    IDEAL_SENT(HD_IDEAL_READ),
    IDEAL_SENT(HD_IDEAL_COMMIT),
    IDEAL_SENT(HD_IDEAL_WRITTEN),
    IDEAL_RECEIVED(HD_IDEAL_WORDS),
    IDEAL_RECEIVED(HD_IDEAL_CHANGED),
    IDEAL_RECEIVED(HD_IDEAL_VERDICT),
    {HD_KILO_WRITE_SET, HD_MESSAGE_SENT, 0, "request"},
    {HD_KILO_DONE_SKIP, HD_MESSAGE_SENT, 0, "request"},
    {HD_KILO_COMMITTED, HD_MESSAGE_RECEIVED, 0, "reply"},
};

static uint64_t none(const hd_value *own, uint64_t sum)
{
    (void)own, (void)sum;
    return 0;
}

static uint64_t by_values(const hd_value *own, uint64_t sum)
{
    (void)own, (void)sum;
    return HD_IDEAL_BY_VALUES;
}

static uint64_t validates_nothing(const hd_value *own, uint64_t sum)
{
    (void)own, (void)sum;
    return HD_KILO_VALIDATE_NOTHING;
}

#define UNITS(what_, result_, sentence_)                                                                               \
    {                                                                                                                  \
        .what = HD_REQUIRES_RESULT, .sentence = (sentence_), .parameter = "tx", .kind = "commit_unit",                 \
        .other = (what_), .result = (result_)                                                                          \
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
    IDEAL_REQUIREMENT_ROWS("knows what all cores have read", by_values,
                           "tells what others have committed, and leaves it to cores to compare"),
    UNITS("validate", validates_nothing,
          "needs commit units that write, and nothing else: lanes are validated in the core"),
    UNITS("entries", none, "needs commit units with room for every commit ID: nobody asks them"),
    UNITS("tcd", none, "has no use for commit units that know when words were written"),
};

#define LENGTH(table) (sizeof(table) / sizeof *(table))

const hd_unit hd_tx_warptm_el = {
    HD_UNIT_HEAD(tx, TX, warptm_el),
    .doc = "WarpTM, eager-lazy: what transactions have read is compared at each access at no cost, and only the write "
           "half of a commit remains; an upper bound",
    .source = "Ren & Lis 2018 §III",
    .abilities = TX_GLOBAL_ABILITY,
    .parameter_count = WARPTM_EL_PARAMETERS,
    .parameters = parameters,
    .statistic_count = WARPTM_EL_STATISTICS,
    .statistics = statistics,
    .profiled_count = WARPTM_EL_REASONS,
    .message_count = LENGTH(messages),
    .messages = messages,
    .requirement_count = LENGTH(requirements),
    .requirements = requirements,
};
