/* SPDX-License-Identifier: MIT */
#include "kind.h"

#include <string.h>

#include "hd_message.h"

void simt_core_send(const hd_services *services, hd_link *link, uint32_t message, uint64_t tag, const void *body,
                    uint32_t bytes, hd_time t)
{
    hd_packet *packet = services->alloc(services->context, bytes);
    packet->message = message;
    packet->source = (uint16_t)services->endpoint;
    packet->tag = tag;
    packet->wire_bytes = HD_HEADER_WIRE_BYTES;
    packet->body_bytes = bytes;
    if (bytes)
        memcpy(hd_body(packet), body, bytes);
    services->send(services->context, link, packet, t);
}

const hd_port simt_core_ports[PORT_COUNT] = {
    [PORT_REQUEST] = {.name = "request",
                      .direction = HD_PORT_SEND,
                      .minimum_count = 1,
                      .maximum_count = 1,
                      .latency_cycles = 8,
                      .credits = 1,
                      .doc = "loads, stores and atomics to the memory partitions"},
    [PORT_REPLY] = {.name = "reply",
                    .direction = HD_PORT_RECEIVE,
                    .minimum_count = 1,
                    .maximum_count = 1,
                    .latency_cycles = 1,
                    .credits = 32,
                    .doc = "replies from the memory partitions; always accepted on arrival"},
    [PORT_DISPATCH] = {.name = "dispatch",
                       .direction = HD_PORT_RECEIVE,
                       .minimum_count = 1,
                       .maximum_count = 1,
                       .latency_cycles = 1,
                       .credits = 8,
                       .doc = "thread blocks to run"},
    [PORT_EVENT] = {.name = "event",
                    .direction = HD_PORT_SEND,
                    .minimum_count = 1,
                    .maximum_count = 1,
                    .latency_cycles = 8,
                    .credits = 1,
                    .doc = "capacity at start, then finished blocks"},
    [PORT_TRANSACTION_REQUEST] = {.name = "transaction_request",
                                  .direction = HD_PORT_SEND,
                                  .minimum_count = 0,
                                  .maximum_count = 1,
                                  .latency_cycles = 1,
                                  .credits = 1,
                                  .doc = "to the central block of a transactional memory protocol that has one"},
    [PORT_TRANSACTION_REPLY] = {.name = "transaction_reply",
                                .direction = HD_PORT_RECEIVE,
                                .minimum_count = 0,
                                .maximum_count = 1,
                                .latency_cycles = 1,
                                .credits = 64,
                                .doc = "its replies; always accepted on arrival"},
};

const hd_message_use simt_core_messages[SIMT_CORE_MESSAGES] = {SIMT_CORE_MESSAGE_ROWS};
