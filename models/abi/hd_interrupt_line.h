/* SPDX-License-Identifier: MIT */
/* The level of an interrupt line as its source wants it and as it has been told (HD_INTERRUPT_LEVEL, hd_host.h). */
#ifndef HD_INTERRUPT_LINE_H
#define HD_INTERRUPT_LINE_H

#include "hd_block.h"
#include "hd_host.h"
#include "hd_message.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hd_interrupt_line {
    uint32_t number; /* of the hart's line */
    uint32_t level;  /* wanted */
    uint32_t told;
    uint32_t awaits_credit;
} hd_interrupt_line;

/* Tells a change, if there is a credit for it. link NULL: nobody listens. */
static inline void hd_interrupt_line_tell(hd_interrupt_line *line, const hd_services *services, hd_link *link,
                                          uint32_t message, hd_time t)
{
    hd_packet *packet;
    line->awaits_credit = 0;
    if (line->level == line->told || !link)
        return;
    if (!services->credits(services->context, link, t)) {
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

/* Is there a change to tell at the next edge? */
static inline uint32_t hd_interrupt_line_waits(const hd_interrupt_line *line, const hd_link *link)
{
    return link && line->level != line->told && !line->awaits_credit;
}

#ifdef __cplusplus
}
#endif

#endif
