/* SPDX-License-Identifier: MIT */
/* Loads that were answered, but by a mistake of the program (HD_GLOBAL_MISTAKE): who made it, and of which address. */
#include "state.h"

#include <stdio.h>
#include <string.h>

static uint32_t is_wrong(const hd_mistake *mistake, uint32_t first, uint32_t bytes)
{
    for (uint32_t i = first; i < first + bytes; i++)
        if (mistake->byte_mask[i / 32] >> i % 32 & 1)
            return 1;
    return 0;
}

void refused_report(memory *m, const access_slot *slot, uint64_t lanes, const hd_packet *packet)
{
    const uint32_t begin = place_of_line(slot, lanes, HD_LINE_BYTES) + packet->address % HD_LINE_BYTES;
    hd_mistake mistake;
    memcpy(&mistake, (const uint8_t *)hd_body_const(packet) + packet->argument, sizeof mistake);
    for (uint64_t left = lanes; left; left &= left - 1) {
        const uint32_t lane = lowest_lane(left);
        char text[256];
        if (!is_wrong(&mistake, slot->place[lane] - begin, slot->bytes))
            continue;
        snprintf(text, sizeof text, "load of 0x%08x: %.*s", slot->access.address[lane], (int)sizeof mistake.what - 1,
                 mistake.what);
        m->events.fault(m->events.context, &slot->access, lane, m->cursor.t, text);
        return;
    }
}
