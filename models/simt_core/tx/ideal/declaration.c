/* SPDX-License-Identifier: MIT */
/* What ideal transactions say about themselves, and require of the machine. */
#include "tx/ideal/ideal.h"
#include "tx/tx_units.h"

static const hd_statistic statistics[IDEAL_STATISTICS] = {
    [IDEAL_ABORTS_READ_COMMITTED] = {.name = "tx_aborts_read_committed",
                                     .unit = "attempts",
                                     .kind = HD_STATISTIC_COUNT,
                                     .doc = "aborted: another transaction committed a word that it had read"},
};

#define SENT(text)                                                                                                     \
    {                                                                                                                  \
        .name = (text), .direction = HD_MESSAGE_SENT, .port = "transaction_request"                                    \
    }
#define RECEIVED(text)                                                                                                 \
    {                                                                                                                  \
        .name = (text), .direction = HD_MESSAGE_RECEIVED, .port = "transaction_reply"                                  \
    }

static const hd_message_use messages[] = {
    SENT(HD_IDEAL_READ),        SENT(HD_IDEAL_COMMIT),   RECEIVED(HD_IDEAL_WORDS),
    RECEIVED(HD_IDEAL_VERDICT), RECEIVED(HD_IDEAL_DOOM), RECEIVED(HD_IDEAL_SETTLED),
};

static uint64_t by_words(const hd_value *own, uint64_t sum)
{
    (void)own, (void)sum;
    return HD_IDEAL_BY_WORDS;
}

static const hd_requirement requirements[] = {
    {.what = HD_REQUIRES_BLOCK,
     .sentence = "needs one block that decides for all cores",
     .kind = "transaction_memory",
     .type = "ideal"},
    {.what = HD_REQUIRES_LINK,
     .sentence = "needs a link from port transaction_request of every core to that block",
     .word = "transaction_request",
     .kind = "transaction_memory"},
    {.what = HD_REQUIRES_LINK,
     .sentence = "needs a link from that block to port transaction_reply of every core",
     .word = "transaction_reply",
     .kind = "transaction_memory"},
    {.what = HD_REQUIRES_RESULT,
     .sentence = "needs a block that decides who loses",
     .parameter = "tx",
     .kind = "transaction_memory",
     .other = "conflicts",
     .result = by_words},
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
    .statistic_count = IDEAL_STATISTICS,
    .statistics = statistics,
    .profiled_count = IDEAL_STATISTICS,
    .message_count = LENGTH(messages),
    .messages = messages,
    .requirement_count = LENGTH(requirements),
    .requirements = requirements,
};
