/* SPDX-License-Identifier: MIT */
/* The level of an interrupt line at its source, and the level last sent (HD_INTERRUPT_LEVEL, hd_host.h). */
#ifndef HD_INTERRUPT_LINE_H
#define HD_INTERRUPT_LINE_H

#include "hd_block.h"
#include "hd_host.h"
#include "hd_link.h"
#include "hd_message.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hd_interrupt_line {
    uint32_t number; /* of the hart's line */
    uint32_t level;  /* at the source */
    uint32_t told;   /* last sent */
    uint32_t awaits_credit;
} hd_interrupt_line;

/* Sends a change, if there is a credit. link NULL: not connected. */
static inline void hd_interrupt_line_send(hd_interrupt_line *line, const hd_services *services, hd_link *link,
                                          uint32_t message, hd_time t)
{
    hd_packet *packet;
    line->awaits_credit = 0;
    if (line->level == line->told || !link)
        return;
    if (!hd_link_has_credit(services, link, t)) {
        line->awaits_credit = 1;
        return;
    }
    packet = services->alloc(services->context, 0);
    packet->message = message;
    packet->source = (uint16_t)services->endpoint;
    packet->argument = line->number;
    packet->tag = line->level;
    packet->wire_bytes = HD_HEADER_WIRE_BYTES;
    services->send(services->context, link, packet, t);
    line->told = line->level;
}

/* Whether there is a change to send at the next edge. */
static inline uint32_t hd_interrupt_line_waits(const hd_interrupt_line *line, const hd_link *link)
{
    return link && line->level != line->told && !line->awaits_credit;
}

#ifdef __cplusplus
}
#endif

#endif
