/* SPDX-License-Identifier: MIT */
/* Rows that protocols with a block that knows what all cores have read (hd_ideal.h) have in what they say about themselves. */
#ifndef SIMT_CORE_TX_IDEAL_TABLES_H
#define SIMT_CORE_TX_IDEAL_TABLES_H

#include "hd_ideal.h"
#include "hd_unit.h"

/* Messages to the block, and from it. */
#define IDEAL_SENT(text)                                                                                               \
    {                                                                                                                  \
        .name = (text), .direction = HD_MESSAGE_SENT, .port = "transaction_request"                                    \
    }
#define IDEAL_RECEIVED(text)                                                                                           \
    {                                                                                                                  \
        .name = (text), .direction = HD_MESSAGE_RECEIVED, .port = "transaction_reply"                                  \
    }

/* Requirements. role: what the block is needed for, as part of a sentence; way: how the block has to find conflicts, a result(), and
 * why. */
#define IDEAL_REQUIREMENT_ROWS(role, way, why)                                                                         \
    {.what = HD_REQUIRES_BLOCK,                                                                                        \
     .sentence = "needs one block that " role,                                                                         \
     .kind = "transaction_memory",                                                                                     \
     .type = "ideal"},                                                                                                 \
        {.what = HD_REQUIRES_LINK,                                                                                     \
         .sentence = "needs a link from port transaction_request of every core to that block",                         \
         .word = "transaction_request",                                                                                \
         .kind = "transaction_memory"},                                                                                \
        {.what = HD_REQUIRES_LINK,                                                                                     \
         .sentence = "needs a link from that block to port transaction_reply of every core",                           \
         .word = "transaction_reply",                                                                                  \
         .kind = "transaction_memory"},                                                                                \
    {                                                                                                                  \
        .what = HD_REQUIRES_RESULT, .sentence = "needs a block that " why, .parameter = "tx",                          \
        .kind = "transaction_memory", .other = "conflicts", .result = (way)                                            \
    }

#endif
