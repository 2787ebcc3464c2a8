/* SPDX-License-Identifier: MIT */
/*
 * Address units: where a core has one per scheduler, each with a queue of its own. An access waits there for its turn, one
 * every `interval` cycles, and is ready for the pipe that all schedulers share `latency` cycles after that; until the pipe takes
 * it, it has its place in the queue. The units take turns at the pipe, so accesses of warps of several schedulers are carried out
 * in another order than that of their issue: who orders warps waits until theirs have left the units. So does a thread that goes on
 * in a warp of another scheduler.
 * Source: Huerta et al. 2025.
 */
#include "state.h"

#include <stdlib.h>
#include <string.h>

static uint32_t places(const memory *m)
{
    return m->parameters.queue + 1; /* those that wait, and the one in the unit */
}

static uint32_t unit_of(const memory *m, uint32_t slot)
{
    return slot % m->parameters.schedulers;
}

static size_t threads(const memory *m)
{
    return (size_t)m->parameters.warps * m->parameters.lanes;
}

static uint32_t create_threads(memory *m)
{
    if (m->parameters.homes != NULL)
        m->outstanding.thread_queued = calloc(threads(m), sizeof *m->outstanding.thread_queued);
    return m->parameters.homes == NULL || m->outstanding.thread_queued != NULL;
}

uint32_t address_units_create(memory *m)
{
    if (m->parameters.address_interval == 0)
        return 1;
    m->addresses.units = calloc(m->parameters.schedulers, sizeof *m->addresses.units);
    m->outstanding.path_queued = calloc(m->parameters.paths, sizeof *m->outstanding.path_queued);
    for (uint32_t i = 0; m->addresses.units != NULL && i < m->parameters.schedulers; i++)
        if ((m->addresses.units[i].tickets = calloc(places(m), sizeof(uint32_t))) == NULL)
            return 0;
    return create_threads(m) && m->addresses.units != NULL && m->outstanding.path_queued != NULL;
}

void address_units_destroy(memory *m)
{
    for (uint32_t i = 0; m->addresses.units != NULL && i < m->parameters.schedulers; i++)
        free(m->addresses.units[i].tickets);
    free(m->addresses.units);
    free(m->outstanding.path_queued);
    free(m->outstanding.thread_queued);
}

void address_units_reset(memory *m)
{
    for (uint32_t i = 0; m->addresses.units != NULL && i < m->parameters.schedulers; i++)
        m->addresses.units[i] = (address_unit){.tickets = m->addresses.units[i].tickets, .waiting.capacity = places(m)};
    if (m->outstanding.path_queued != NULL)
        memset(m->outstanding.path_queued, 0, m->parameters.paths * sizeof *m->outstanding.path_queued);
    if (m->outstanding.thread_queued != NULL)
        memset(m->outstanding.thread_queued, 0, threads(m) * sizeof *m->outstanding.thread_queued);
    m->addresses.turn = 0;
}

static queued_accesses *queued_of(const memory *m, uint32_t row, uint32_t lane)
{
    return &m->outstanding.thread_queued[row * m->parameters.lanes + lane];
}

static void begin_threads(memory *m, const access_slot *slot)
{
    const uint32_t unit = unit_of(m, slot->access.warp);
    const lane_homes homes = homes_of(m, slot);
    for (uint64_t left = slot->access.mask; left != 0; left &= left - 1) {
        queued_accesses *queued = queued_of(m, homes_row_of(homes, lowest_lane(left)), lowest_lane(left));
        queued->count++;
        queued->unit = unit;
    }
}

/* Is it the last of one of its threads? */
static uint32_t end_threads(memory *m, const access_slot *slot)
{
    const lane_homes homes = homes_of(m, slot);
    uint32_t last = 0;
    for (uint64_t left = slot->access.mask; left != 0; left &= left - 1)
        last |= --queued_of(m, homes_row_of(homes, lowest_lane(left)), lowest_lane(left))->count == 0;
    return last;
}

void address_units_enqueue(memory *m, access_slot *slot)
{
    address_unit *unit = &m->addresses.units[unit_of(m, slot->access.warp)];
    if (m->outstanding.thread_queued != NULL)
        begin_threads(m, slot);
    unit->tickets[hd_ring_push(&unit->waiting)] = ticket_of(m, slot);
    m->outstanding.path_queued[slot->access.path]++;
    const uint64_t begin = slot->ready > unit->free ? slot->ready : unit->free;
    m->counters->address_wait_cycles += begin - slot->ready;
    unit->free = begin + m->parameters.address_interval;
    slot->ready = begin + m->parameters.address_latency;
}

/* Edge at which its first access can enter the pipe. */
static uint64_t ready_edge(const memory *m, const address_unit *unit)
{
    return unit->waiting.count != 0 ? m->slots[unit->tickets[unit->waiting.first]].ready : NO_EDGE;
}

uint64_t address_units_edge(const memory *m)
{
    uint64_t first = NO_EDGE;
    for (uint32_t i = 0; i < m->parameters.schedulers; i++) {
        const uint64_t edge = ready_edge(m, &m->addresses.units[i]);
        first = edge < first ? edge : first;
    }
    return first;
}

static void leave_unit(memory *m, uint32_t ticket)
{
    const memory_access *access = &m->slots[ticket].access;
    const uint32_t threads_go_on = m->outstanding.thread_queued != NULL && end_threads(m, &m->slots[ticket]);
    m->pipe.queue[hd_ring_push(&m->pipe.waiting)] = ticket;
    if (--m->outstanding.path_queued[access->path] == 0 || threads_go_on)
        m->events.drained(m->events.context, access->warp, m->cursor.t);
}

void address_units_advance(memory *m)
{
    for (uint32_t i = 0; m->pipe.waiting.count == 0 && i < m->parameters.schedulers; i++) {
        const uint32_t number = (m->addresses.turn + i) % m->parameters.schedulers;
        address_unit *unit = &m->addresses.units[number];
        if (ready_edge(m, unit) > m->cursor.n)
            continue;
        leave_unit(m, unit->tickets[hd_ring_pop(&unit->waiting)]);
        m->addresses.turn = number + 1;
    }
}

uint32_t address_units_room(const memory *m)
{
    uint32_t room = 0;
    for (uint32_t i = 0; i < m->parameters.schedulers; i++)
        room |= (uint32_t)(m->addresses.units[i].waiting.count < places(m)) << i;
    return room == (1u << m->parameters.schedulers) - 1 ? UINT32_MAX : room;
}

uint32_t memory_awaits_pipe(const memory *m, uint32_t path)
{
    return m->outstanding.path_queued != NULL ? m->outstanding.path_queued[path] : 0;
}

static uint32_t waits_elsewhere(const memory *m, const home_part *part, uint32_t unit)
{
    for (uint64_t left = part->lanes; left != 0; left &= left - 1) {
        const queued_accesses *queued = queued_of(m, part->row, lowest_lane(left));
        if (queued->count != 0 && queued->unit != unit)
            return 1;
    }
    return 0;
}

uint32_t memory_would_overtake(const memory *m, lane_homes homes, uint64_t lanes, uint32_t slot)
{
    if (m->outstanding.thread_queued == NULL)
        return 0;
    for (uint64_t left = lanes; left != 0;) {
        const home_part part = homes_take(homes, &left);
        if (waits_elsewhere(m, &part, unit_of(m, slot)))
            return 1;
    }
    return 0;
}
