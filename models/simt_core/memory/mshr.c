/* SPDX-License-Identifier: MIT */
/*
 * Miss status holding registers: one per line in flight, with the accesses that wait for it in order. Stores to private
 * memory wait too: a store that wrote at once would be seen by an earlier load of the same thread.
 */
#include "state.h"

static mshr_waiter *waiter_of(memory *m, uint32_t index, uint32_t position)
{
    return &m->waiters[(size_t)index * m->parameters.l1_mshr_merges + position];
}

static void wait_for(memory *m, access_slot *slot, uint32_t index, uint64_t lanes)
{
    mshr *miss = &m->mshrs[index];
    *waiter_of(m, index, miss->waiting++) = (mshr_waiter){.lanes = lanes, .ticket = ticket_of(m, slot)};
    slot->parts++;
}

uint32_t mshr_merge(memory *m, access_slot *slot, l1_line *line, uint64_t lanes)
{
    if (m->mshrs[line->mshr].waiting == m->parameters.l1_mshr_merges)
        return WAIT_MSHR;
    m->counters->l1_misses++;
    m->counters->l1_mshr_merges++;
    wait_for(m, slot, line->mshr, lanes);
    return STARTED;
}

void mshr_open(memory *m, access_slot *slot, l1_line *line, uint64_t lanes)
{
    const uint32_t index = m->free_mshrs[--m->free_mshr_count];
    const uint32_t used = m->parameters.l1_mshrs - m->free_mshr_count;
    m->mshrs[index] = (mshr){.address = line->address,
                             .traffic_class = line->traffic_class,
                             .line = (uint32_t)(line - m->lines),
                             .install = 1};
    line->state = LINE_PENDING;
    line->mshr = index;
    if (used > m->counters->maximum_mshrs)
        m->counters->maximum_mshrs = used;
    wait_for(m, slot, index, lanes);
    network_fetch(m, index);
}

/* The access's place of a line; places are offsets of less than 4 GiB from a base. */
static uint32_t place_of(const access_slot *slot, const mshr *miss)
{
    static const uint32_t windows[HD_CLASS_COUNT] = {
        [HD_CLASS_PRIVATE] = WINDOW_PRIVATE, [HD_CLASS_CONSTANT] = WINDOW_CONSTANT, [HD_CLASS_GLOBAL] = WINDOW_GLOBAL};
    return (uint32_t)(miss->address - slot->base[windows[miss->traffic_class]]);
}

static void serve(memory *m, const mshr *miss, const mshr_waiter *waiter, const uint8_t *bytes)
{
    access_slot *slot = &m->slots[waiter->ticket];
    if (slot->kind == KIND_LOAD) {
        coalescer_gather(slot, waiter->lanes, miss->install ? line_bytes(m, miss->line) : bytes, place_of(slot, miss));
        pipe_give(m, slot, waiter->lanes, slot->access.data);
        return;
    }
    if (miss->install) {
        coalescer_scatter(slot, waiter->lanes, line_bytes(m, miss->line), place_of(slot, miss));
        m->lines[miss->line].state = LINE_DIRTY;
    }
    pipe_give(m, slot, 0, slot->access.data);
}

void mshr_fill(memory *m, uint32_t index, const uint8_t *bytes)
{
    const mshr miss = m->mshrs[index];
    if (miss.install) {
        __builtin_memcpy(line_bytes(m, miss.line), bytes, HD_LINE_BYTES);
        m->lines[miss.line].state = LINE_CLEAN;
    } else {
        m->counters->l1_no_installs++;
    }
    for (uint32_t i = 0; i < miss.waiting; ++i)
        serve(m, &miss, waiter_of(m, index, i), bytes);
    m->free_mshrs[m->free_mshr_count++] = index;
    pipe_retry(m);
}
