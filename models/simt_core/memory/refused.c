/* SPDX-License-Identifier: MIT */
/*
 * Accesses that were answered, but by a mistake of the program (HD_GLOBAL_MISTAKE): who made it, and of which address. A store has
 * left the pipe by then, so whose it was is noted: of so many at a time that the oldest is answered before its place is needed.
 */
#include "state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Stores ------------------------------------------------------------------------------------------------------- */

uint32_t refused_create(memory *m)
{
    m->refused.origins = calloc(STORE_ORIGINS, sizeof *m->refused.origins);
    return m->refused.origins != NULL;
}

void refused_destroy(memory *m)
{
    free(m->refused.origins);
}

void refused_reset(memory *m)
{
    m->refused.serial = 0;
}

uint32_t refused_note(memory *m, const access_slot *slot, uint64_t lanes)
{
    const uint32_t serial = m->refused.serial % STORE_SERIALS + 1, lane = lowest_lane(lanes);
    m->refused.serial = serial;
    m->refused.origins[serial % STORE_ORIGINS] = (store_origin){.pc = slot->access.pc,
                                                                .path = slot->access.path,
                                                                .homes = slot->access.homes,
                                                                .lane = lane,
                                                                .address = slot->access.address[lane],
                                                                .serial = serial};
    return serial;
}

/* ---- What is wrong ------------------------------------------------------------------------------------------------ */

static hd_mistake mistake_in(const hd_packet *packet)
{
    hd_mistake mistake;
    memcpy(&mistake, (const uint8_t *)hd_body_const(packet) + packet->body_bytes - sizeof mistake, sizeof mistake);
    return mistake;
}

static void report(memory *m, const memory_access *access, uint32_t lane, const char *what, const hd_mistake *mistake)
{
    char text[256];
    snprintf(text, sizeof text, "%s 0x%08x: %.*s", what, access->address[lane], (int)sizeof mistake->what - 1,
             mistake->what);
    m->events.fault(m->events.context, access, lane, m->cursor.t, text);
}

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
    const hd_mistake mistake = mistake_in(packet);
    for (uint64_t left = lanes; left; left &= left - 1) {
        const uint32_t lane = lowest_lane(left);
        if (!is_wrong(&mistake, slot->place[lane] - begin, slot->bytes))
            continue;
        report(m, &slot->access, lane, slot->kind == KIND_ATOMIC ? "atomic on" : "load of", &mistake);
        return;
    }
}

void refused_report_store(memory *m, uint32_t serial, const hd_packet *packet)
{
    const store_origin *origin = &m->refused.origins[serial % STORE_ORIGINS];
    const hd_mistake mistake = mistake_in(packet);
    memory_access access = {.pc = origin->pc, .path = origin->path, .homes = origin->homes};
    if (!serial || origin->serial != serial) {
        m->services->fault(m->services->context, m->cursor.t, "%s: store of 0x%08x: %.*s", m->services->name,
                           (uint32_t)packet->address, (int)sizeof mistake.what - 1, mistake.what);
        return;
    }
    access.address[origin->lane] = origin->address;
    report(m, &access, origin->lane, "store to", &mistake);
}
