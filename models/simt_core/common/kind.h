/* SPDX-License-Identifier: MIT */
/* What makes a block one of the kind simt_core: its ports and messages. */
#ifndef SIMT_CORE_KIND_H
#define SIMT_CORE_KIND_H

#include "deadlock_removal.h"
#include "hd_block.h"
#include "hd_message.h"
#include "hd_tables.h"
#include "reconvergence.h"

enum simt_core_port {
    PORT_REQUEST,
    PORT_REPLY,
    PORT_DISPATCH,
    PORT_EVENT,
    PORT_TRANSACTION_REQUEST,
    PORT_TRANSACTION_REPLY,
    PORT_COUNT
};

#define SIMT_CORE_MESSAGES 9u

/* The messages of every type, as rows of a table. */
#define SIMT_CORE_MESSAGE_ROWS                                                                                         \
    {.name = HD_GLOBAL_LOAD, .direction = HD_MESSAGE_SENT, .port = "request"},                                         \
        {.name = HD_GLOBAL_STORE, .direction = HD_MESSAGE_SENT, .port = "request"},                                    \
        {.name = HD_GLOBAL_ATOMIC, .direction = HD_MESSAGE_SENT, .port = "request"},                                   \
        {.name = HD_GLOBAL_LOAD_REPLY, .direction = HD_MESSAGE_RECEIVED, .port = "reply"},                             \
        {.name = HD_GLOBAL_STORE_ACK, .direction = HD_MESSAGE_RECEIVED, .port = "reply"},                              \
        {.name = HD_GLOBAL_ATOMIC_REPLY, .direction = HD_MESSAGE_RECEIVED, .port = "reply"},                           \
        {.name = HD_BLOCK_LAUNCH, .direction = HD_MESSAGE_RECEIVED, .port = "dispatch"},                               \
        {.name = HD_CORE_CAPACITY, .direction = HD_MESSAGE_SENT, .port = "event"},                                     \
    {                                                                                                                  \
        .name = HD_BLOCK_DONE, .direction = HD_MESSAGE_SENT, .port = "event"                                           \
    }

/* Sends a message of the core that is no memory traffic: its header and a body of `bytes`. Needs a credit. */
void simt_core_send(const hd_services *services, hd_link *link, uint32_t message, uint64_t tag, const void *body,
                    uint32_t bytes, hd_time t);

/* Parameters that every type has: X(identifier, name, type, unit, default, minimum, maximum, choices, doc). */
#define SIMT_CORE_SIZES(X)                                                                                             \
    X(LANES, "lanes", UNSIGNED, UNITLESS, "32", 1, 64, NULL, "threads of a warp")                                      \
    X(WARPS, "warps", UNSIGNED, UNITLESS, "48", 1, MAX_WARPS, NULL, "maximum resident warps")                          \
    X(BLOCKS, "blocks", UNSIGNED, UNITLESS, "8", 1, 64, NULL, "maximum resident thread blocks")                        \
    X(REGISTERS, "registers", UNSIGNED, UNITLESS, "32768", 1, 16777216, NULL,                                          \
      "32-bit registers shared by the threads")                                                                        \
    X(REGISTERS_PER_THREAD, "registers_per_thread", UNSIGNED, UNITLESS, "20", 1, 64, NULL,                             \
      "registers allocated per resident thread")

#define SIMT_CORE_RECONVERGENCE(X)                                                                                     \
    X(RECONVERGENCE, "reconvergence", CHOICE, UNITLESS, "stack", 0, 0, NULL, "how lanes diverge and reconverge")       \
    X(SSDE, "ssde", CHOICE, UNITLESS, "off", 0, 0, DEADLOCK_REMOVALS,                                                  \
      "loops in which lanes would wait for ever for lanes of their own warp are changed when programs are loaded")

extern const hd_port simt_core_ports[PORT_COUNT];
extern const hd_message_use simt_core_messages[SIMT_CORE_MESSAGES];

#endif
