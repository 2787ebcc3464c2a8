/* SPDX-License-Identifier: MIT */
/* What makes a block one of the kind simt_core: its ports and messages. */
#ifndef SIMT_CORE_KIND_H
#define SIMT_CORE_KIND_H

#include "hd_block.h"

enum simt_core_port { PORT_REQUEST, PORT_REPLY, PORT_DISPATCH, PORT_EVENT, PORT_COUNT };

#define SIMT_CORE_MESSAGES 9u

/* Sends a message of the core that is no memory traffic: its header and a body of `bytes`. Needs a credit. */
void simt_core_send(const hd_services *services, hd_link *link, uint32_t message, uint64_t tag, const void *body,
                    uint32_t bytes, hd_time t);

extern const hd_port simt_core_ports[PORT_COUNT];
extern const hd_message_use simt_core_messages[SIMT_CORE_MESSAGES];

#endif
