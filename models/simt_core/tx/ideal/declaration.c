/* SPDX-License-Identifier: MIT */
/* What ideal transactions say about themselves, and require of the machine. */
#include "tx/ideal/ideal.h"
#include "tx/ideal/tables.h"
#include "tx/tx_units.h"

static const hd_statistic statistics[IDEAL_STATISTICS] = {
    [IDEAL_ABORTS_READ_COMMITTED] = {.name = "tx_aborts_read_committed",
                                     .unit = "attempts",
                                     .kind = HD_STATISTIC_COUNT,
                                     .doc = "aborted: another transaction committed a word that it had read"},
};

static const hd_message_use messages[] = {
    IDEAL_SENT(HD_IDEAL_READ),        IDEAL_SENT(HD_IDEAL_COMMIT),   IDEAL_RECEIVED(HD_IDEAL_WORDS),
    IDEAL_RECEIVED(HD_IDEAL_VERDICT), IDEAL_RECEIVED(HD_IDEAL_DOOM), IDEAL_RECEIVED(HD_IDEAL_SETTLED),
};

static uint64_t by_words(const hd_value *own, uint64_t sum)
{
    (void)own, (void)sum;
    return HD_IDEAL_BY_WORDS;
}

static const hd_requirement requirements[] = {
    IDEAL_REQUIREMENT_ROWS("decides for all cores", by_words, "decides who loses"),
    {.what = HD_REQUIRES_LINKED,
     .sentence = "needs a block that writes what is committed",
     .parameter = "tx",
     .word = "store",
     .kind = "transaction_memory"},
};

#define LENGTH(table) (sizeof(table) / sizeof *(table))

const hd_unit hd_tx_ideal = {
    HD_UNIT_HEAD(tx, TX, ideal),
    .doc = "ideal transactions: one block for all cores knows what each lane has read, and decides on commits at once",
    .source = "Fung 2015 §4.1",
    .abilities = TX_GLOBAL_ABILITY,
    .statistic_count = IDEAL_STATISTICS,
    .statistics = statistics,
    .profiled_count = IDEAL_STATISTICS,
    .message_count = LENGTH(messages),
    .messages = messages,
    .requirement_count = LENGTH(requirements),
    .requirements = requirements,
};
