/* SPDX-License-Identifier: MIT */
#include "watched.h"

#include "core_lanes.h"
#include "debug_lanes.h"

#include <stdlib.h>
#include <string.h>

/* Of lanes of one row. */
struct watched_access {
    watched_access *next;
    const isa_instruction *instruction;
    hd_debug_moment moment; /* .lanes: those that have not been told of */
    uint64_t shown;         /* that are being told of */
    uint64_t loading;       /* registers that loads in flight were to write, and in which lanes: */
    uint64_t loading_lanes[ISA_REGISTER_COUNT];
    uint32_t ticket;
    uint32_t address[MAX_LANES], values[MAX_LANES];
    uint8_t fcsr[MAX_LANES];
    uint32_t registers[]; /* [64][lane] */
};

static uint32_t access_of(const memory_access *access, const uint32_t *address)
{
    const uint32_t is_store = access->instruction->instruction_class == ISA_CLASS_STORE;
    return debug_access_of(access->instruction) |
           (is_store && core_access_is_transactional(access, address) ? HD_DEBUG_TRANSACTIONAL : 0);
}

/* What the threads of the row are now. */
static void keep_threads(const simt_core *core, watched_access *watched, uint32_t row)
{
    const uint32_t lanes = core->lane_count;
    const pending_registers *pending = &core->scoreboard.pending;
    memcpy(watched->registers, core->registers.rows[row].registers,
           (size_t)ISA_REGISTER_COUNT * lanes * sizeof *watched->registers);
    memcpy(watched->fcsr, core->registers.fcsr + (size_t)row * lanes, lanes);
    watched->loading = pending->loading[row];
    memcpy(watched->loading_lanes, pending->lanes + (size_t)row * ISA_REGISTER_COUNT, sizeof watched->loading_lanes);
}

static void keep(simt_core *core, const memory_access *access, const hd_debug_moment *moment, uint32_t ticket)
{
    const size_t lanes = core->lane_count;
    watched_access *watched = malloc(sizeof *watched + (size_t)ISA_REGISTER_COUNT * lanes * sizeof *watched->registers);
    if (!watched)
        abort();
    watched->next = core->debugging.watched;
    watched->instruction = access->instruction;
    watched->moment = *moment;
    watched->shown = 0;
    watched->ticket = ticket;
    memcpy(watched->address, moment->addresses, lanes * sizeof *watched->address);
    watched->moment.addresses = watched->address;
    if (moment->values) {
        memcpy(watched->values, moment->values, lanes * sizeof *watched->values);
        watched->moment.values = watched->values;
    }
    keep_threads(core, watched, moment->group);
    core->debugging.watched = watched;
    core->tickets[ticket].told |= TICKET_WATCHED;
}

void watched_submit(simt_core *core, const memory_access *access, const uint32_t *address, uint32_t ticket)
{
    const hd_debug_listener *listener = &core->debugging.listener;
    const lane_homes homes = homes_at(&core->kept, access->homes);
    for (uint64_t left = *listener->watching ? access->mask : 0; left;) {
        const home_part part = homes_take(homes, &left);
        hd_debug_moment moment = {.t = core->now.t,
                                  .pc = access->pc,
                                  .lanes = part.lanes,
                                  .group = part.row,
                                  .access = access_of(access, address),
                                  .bytes = debug_access_bytes(access->instruction),
                                  .addresses = address};
        if (moment.access & HD_DEBUG_TRANSACTIONAL)
            moment.values = access->data;
        moment.lanes = listener->watches(listener->context, &moment);
        if (moment.lanes)
            keep(core, access, &moment, ticket);
    }
}

static void tell(simt_core *core, watched_access *watched, uint64_t lanes)
{
    const hd_debug_listener *listener = &core->debugging.listener;
    hd_debug_moment moment = watched->moment;
    watched->moment.lanes &= ~lanes;
    watched->shown = moment.lanes = lanes;
    moment.t = core->now.t;
    core->debugging.shown = watched;
    if (lanes && listener->accessed)
        listener->accessed(listener->context, &moment);
    core->debugging.shown = NULL;
}

void watched_done(simt_core *core, uint32_t ticket, uint64_t mask, uint32_t last)
{
    for (watched_access **at = &core->debugging.watched; *at;) {
        watched_access *watched = *at;
        if (watched->ticket != ticket) {
            at = &watched->next;
            continue;
        }
        tell(core, watched, watched->moment.lanes & (last ? UINT64_MAX : mask));
        if (watched->moment.lanes) {
            at = &watched->next;
            continue;
        }
        *at = watched->next;
        free(watched);
    }
}

void watched_forget(simt_core *core)
{
    while (core->debugging.watched) {
        watched_access *watched = core->debugging.watched;
        core->debugging.watched = watched->next;
        free(watched);
    }
    core->debugging.shown = NULL;
}

uint64_t watched_shown_lanes(const simt_core *core, uint32_t row)
{
    const watched_access *shown = core->debugging.shown;
    return shown && shown->moment.group == row ? shown->shown : 0;
}

uint32_t watched_has_loaded(const simt_core *core, uint32_t number)
{
    return number < ISA_REGISTER_COUNT && core->debugging.shown->instruction->writes >> number & 1;
}

uint32_t watched_read(const simt_core *core, uint32_t lane, uint32_t number, uint64_t *value)
{
    const watched_access *shown = core->debugging.shown;
    if (number == HD_DEBUG_PC) {
        *value = shown->moment.pc;
        return 1;
    }
    *value = shown->registers[number * core->lane_count + lane];
    return !(shown->loading >> number & 1 && shown->loading_lanes[number] >> lane & 1);
}

uint8_t watched_fcsr(const simt_core *core, uint32_t lane)
{
    return core->debugging.shown->fcsr[lane];
}
