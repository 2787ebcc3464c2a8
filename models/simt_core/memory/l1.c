/* SPDX-License-Identifier: MIT */
/*
 * The L1 data cache: private memory write-back and write-allocate, constant memory read-only, and global memory, where
 * a machine caches it, write-through and not coherent. A line is reserved when its miss is sent.
 */
#include "state.h"

#include <string.h>

/*
 * The same word of all warps' private memories lies powers of two apart: a hash of the upper bits spreads it over the
 * sets, and leaves consecutive lines in different sets.
 */
static uint32_t set_of(const memory *m, uint64_t address)
{
    const uint64_t number = address / HD_LINE_BYTES;
    if (m->set_bits == 0)
        return (uint32_t)(number % m->sets);
    const uint64_t hash = (number >> m->set_bits) * UINT64_C(0x9E3779B97F4A7C15) >> (64 - m->set_bits);
    return (uint32_t)((number ^ hash) & (m->sets - 1));
}

l1_line *l1_find(memory *m, uint64_t address, uint32_t traffic_class)
{
    l1_line *line = &m->lines[(size_t)set_of(m, address) * m->parameters.l1_ways];
    for (uint32_t way = 0; way < m->parameters.l1_ways; ++way, ++line)
        if (line->address == address && line->state != LINE_INVALID && line->traffic_class == traffic_class)
            return line;
    return NULL;
}

l1_line *l1_victim(memory *m, uint64_t address)
{
    l1_line *line = &m->lines[(size_t)set_of(m, address) * m->parameters.l1_ways];
    l1_line *victim = NULL;
    for (uint32_t way = 0; way < m->parameters.l1_ways; ++way, ++line) {
        if (line->state == LINE_INVALID)
            return line;
        if (line->state != LINE_PENDING && (victim == NULL || line->used < victim->used))
            victim = line;
    }
    return victim;
}

void l1_forget(memory *m, l1_line *line)
{
    if (line->state == LINE_PENDING)
        m->mshrs[line->mshr].install = 0;
    line->state = LINE_INVALID;
    m->class_lines[line->traffic_class]--;
}

static void drop(memory *m, l1_line *line)
{
    m->counters->l1_drops += line->state != LINE_PENDING;
    l1_forget(m, line);
}

void l1_drop_line(memory *m, uint64_t address)
{
    l1_line *line = m->class_lines[HD_CLASS_GLOBAL] != 0 ? l1_find(m, address, HD_CLASS_GLOBAL) : NULL;
    if (line != NULL)
        drop(m, line);
}

void l1_drop_class(memory *m, uint32_t traffic_class)
{
    l1_line *line = m->lines;
    for (uint32_t i = m->sets * m->parameters.l1_ways; i != 0 && m->class_lines[traffic_class] != 0; --i, ++line)
        if (line->state != LINE_INVALID && line->traffic_class == traffic_class)
            drop(m, line);
}

static void reserve(memory *m, const access_slot *slot, l1_line *line, uint64_t address, uint32_t traffic_class)
{
    if (line->state != LINE_INVALID) {
        m->counters->l1_evictions++;
        if (line->state == LINE_DIRTY) {
            m->counters->l1_write_backs++;
            network_write_back(m, line);
        }
        m->class_lines[line->traffic_class]--;
    }
    line->address = address;
    line->traffic_class = traffic_class;
    line->used = ++m->l1_clock;
    line->warp = slot->access.warp;
    line->block = m->warps[slot->access.warp].view.block;
    m->class_lines[traffic_class]++;
}

static void hit(memory *m, access_slot *slot, l1_line *line, const line_group *group)
{
    uint8_t *bytes = line_bytes(m, (uint32_t)(line - m->lines));
    m->counters->l1_hits++;
    line->used = ++m->l1_clock;
    if (slot->kind == KIND_STORE) {
        coalescer_scatter(slot, group->lanes, bytes, group->place);
        line->state = LINE_DIRTY;
        return;
    }
    coalescer_gather(slot, group->lanes, bytes, group->place);
    pipe_give_later(m, &m->hits, slot, group->lanes, m->parameters.l1_latency);
}

static uint32_t writes_whole_line(const access_slot *slot, const line_group *group)
{
    return slot->kind == KIND_STORE && slot->consecutive && lane_count(group->lanes) == HD_LINE_BYTES / 4;
}

static uint32_t miss(memory *m, access_slot *slot, uint32_t traffic_class, uint64_t address, const line_group *group)
{
    const uint32_t whole = writes_whole_line(slot, group);
    l1_line *line = l1_victim(m, address);
    if (line == NULL || (!whole && m->free_mshr_count == 0))
        return WAIT_MSHR;
    if ((!whole || line->state == LINE_DIRTY) && !network_is_free(m))
        return WAIT_NETWORK;
    m->counters->l1_misses++;
    reserve(m, slot, line, address, traffic_class);
    if (whole) {
        coalescer_scatter(slot, group->lanes, line_bytes(m, (uint32_t)(line - m->lines)), group->place);
        line->state = LINE_DIRTY;
        return STARTED;
    }
    mshr_open(m, slot, line, group->lanes);
    return STARTED;
}

uint32_t l1_start(memory *m, access_slot *slot, uint32_t window, const line_group *group)
{
    static const uint32_t classes[WINDOWS] = {
        [WINDOW_PRIVATE] = HD_CLASS_PRIVATE, [WINDOW_CONSTANT] = HD_CLASS_CONSTANT, [WINDOW_GLOBAL] = HD_CLASS_GLOBAL};
    const uint64_t address = slot->base[window] + group->place;
    l1_line *line = l1_find(m, address, classes[window]);
    if (line == NULL)
        return miss(m, slot, classes[window], address, group);
    if (line->state == LINE_PENDING)
        return mshr_merge(m, slot, line, group->lanes);
    hit(m, slot, line, group);
    return STARTED;
}

void memory_acquire(memory *m)
{
    l1_drop_class(m, HD_CLASS_GLOBAL);
}

void memory_begin_grid(memory *m)
{
    l1_drop_class(m, HD_CLASS_GLOBAL);
    l1_drop_class(m, HD_CLASS_CONSTANT);
}

void memory_end_block(memory *m, uint32_t block)
{
    l1_line *line = m->lines;
    for (uint32_t i = m->sets * m->parameters.l1_ways; i != 0 && m->class_lines[HD_CLASS_PRIVATE] != 0; --i, ++line)
        if (line->state != LINE_INVALID && line->traffic_class == HD_CLASS_PRIVATE && line->block == block)
            l1_forget(m, line);
}
