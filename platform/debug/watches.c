/* SPDX-License-Identifier: MIT */
/*
 * Watchpoints of kernels. A store of a transaction is in global memory when the transaction commits, which the protocols do in many ways:
 * it is looked for in memory until it is there.
 */
#include "debugger_internal.h"
#include "hd_address.h"

#include <stdlib.h>
#include <string.h>

struct deferred_write {
    place_of_thread thread;
    uint64_t address;
    uint32_t bytes;
    uint32_t written, before; /* in the low bytes: what it writes, and what was there when it was looked at last */
    uint32_t has_ended;       /* its thread, which may be another one by now */
};

static uint64_t address_of(const hd_debug_moment *moment, uint32_t lane)
{
    return moment->addresses ? moment->addresses[lane] : moment->address;
}

static uint32_t access_of(const hd_debug_moment *moment)
{
    return (moment->access & HD_DEBUG_READS ? ACCESS_READ : 0) | (moment->access & HD_DEBUG_WRITES ? ACCESS_WRITE : 0);
}

static debug_door *door_of(const debugged *at)
{
    return &at->debugger->doors[at->door];
}

uint64_t watches_ask(void *context, const hd_debug_moment *moment)
{
    const debugged *at = context;
    const debug_stops *stops = &door_of(at)->session.stops;
    uint64_t watched = 0;
    for (uint64_t left = moment->lanes; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left);
        const debug_stop stop = stops_watch(stops, 0, address_of(moment, lane), moment->bytes, access_of(moment), 0);
        watched |= stop.reason != STOP_NONE ? left & -left : 0;
    }
    return watched;
}

/* gdb takes it that a RISC-V stops in front of an access: before it looks at the value, it makes the thread step over that, with all
 * watchpoints removed. The access has been made, so the thread is there at once, and others are not missed meanwhile. */
static void stop_at_access(debugger *self, debug_door *door, const debug_stop *stop, uint32_t is_shown_there)
{
    const debug_stops *stops = &door->session.stops;
    debugger_stop(self, door, stop, 0);
    if (stops->step == STEP_NONE || stops->thread != stop->thread)
        return;
    self->behind = is_shown_there ? stop->thread : 0;
    debugger_stop(self, door, &(debug_stop){.reason = STOP_TRAP, .thread = stop->thread}, 0);
    self->behind = 0;
}

/* ---- Of transactions -------------------------------------------------------------------------------------------------- */

static uint32_t read_word(const debugger *self, const deferred_write *write, uint32_t *value)
{
    *value = 0;
    return debugger_memory(self, write->thread, write->address, value, write->bytes, 0) == write->bytes;
}

/* What the thread's last store there writes. */
static void defer(debugger *self, const deferred_write *write)
{
    uint32_t i = 0;
    while (i < self->deferred_count && (memcmp(&self->deferred[i].thread, &write->thread, sizeof write->thread) != 0 ||
                                        self->deferred[i].address != write->address))
        i++;
    if (i == self->deferred_capacity) {
        self->deferred_capacity = i ? 2 * i : 64;
        self->deferred = realloc(self->deferred, self->deferred_capacity * sizeof *self->deferred);
        if (!self->deferred)
            abort();
    }
    self->deferred_count += i == self->deferred_count;
    self->deferred[i] = *write;
}

static void remove_deferred(debugger *self, uint32_t i)
{
    self->deferred[i] = self->deferred[--self->deferred_count];
}

static uint32_t lives(const place_of_thread *thread)
{
    uint32_t owner;
    return thread->at->ability->live(thread->at->block, thread->group, &owner) >> thread->lane & 1;
}

/* 0: nobody watches it any more. */
static uint32_t is_awaited(const debug_stops *stops, deferred_write *write)
{
    write->has_ended |= !lives(&write->thread);
    return stops_watch(stops, 0, write->address, write->bytes, ACCESS_WRITE, 0).reason != STOP_NONE;
}

/* What is there has changed: by the one that writes this. Returns it, or deferred_count if it was somebody else. */
static uint32_t find_writer(debugger *self, const deferred_write *changed, uint32_t now)
{
    uint32_t writer = self->deferred_count;
    for (uint32_t i = self->deferred_count; i--;) {
        deferred_write *write = &self->deferred[i];
        if (write->address != changed->address || write->bytes != changed->bytes)
            continue;
        write->before = now;
        writer = write->written == now ? i : writer;
    }
    return writer;
}

static void stop_at_writer(debugger *self, uint32_t i)
{
    const deferred_write write = self->deferred[i];
    const place_of_thread *at = &write.thread;
    debug_door *door = door_of(at->at);
    const uint64_t thread = write.has_ended ? TARGET_ANY : thread_of_lane(at->at, at->group, at->lane);
    const debug_stop stop = stops_watch(&door->session.stops, thread, write.address, write.bytes, ACCESS_WRITE, 0);
    remove_deferred(self, i);
    stop_at_access(self, door, &stop, 0);
}

void watches_look(debugger *self)
{
    for (uint32_t i = 0; i < self->deferred_count; i++) {
        deferred_write *write = &self->deferred[i];
        uint32_t now, writer;
        if (!is_awaited(&door_of(write->thread.at)->session.stops, write) || !read_word(self, write, &now))
            remove_deferred(self, i--);
        else if (now != write->before && (writer = find_writer(self, write, now)) < self->deferred_count)
            stop_at_writer(self, writer);
    }
}

/* ---- All others ------------------------------------------------------------------------------------------------------- */

static void tell_lane(const debugged *at, const hd_debug_moment *moment, uint32_t lane)
{
    debug_door *door = door_of(at);
    const uint64_t thread = thread_of_lane(at, moment->group, lane), address = address_of(moment, lane);
    for (uint64_t from = address;; from++) {
        const debug_stop stop =
            stops_watch(&door->session.stops, thread, address, moment->bytes, access_of(moment), from);
        if (stop.reason == STOP_NONE)
            return;
        stop_at_access(at->debugger, door, &stop, 1);
        from = stop.address;
    }
}

/* The memory of a block or a thread is written in place, also by transactions: it is there, or the lane has lost and has written nothing. */
static void tell_transactional_lane(const debugged *at, const hd_debug_moment *moment, uint32_t lane)
{
    deferred_write write = {.thread = {.at = at, .group = moment->group, .lane = lane},
                            .address = address_of(moment, lane),
                            .bytes = moment->bytes};
    memcpy(&write.written, &moment->values[lane], write.bytes);
    if (!read_word(at->debugger, &write, &write.before))
        return;
    if (write.address >= HD_GLOBAL_BASE)
        defer(at->debugger, &write);
    else if (write.before == write.written)
        tell_lane(at, moment, lane);
}

void watches_tell(void *context, const hd_debug_moment *moment)
{
    const debugged *at = context;
    for (uint64_t left = moment->lanes; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left);
        if (moment->access & HD_DEBUG_TRANSACTIONAL)
            tell_transactional_lane(at, moment, lane);
        else
            tell_lane(at, moment, lane);
    }
}
