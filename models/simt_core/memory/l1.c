/* SPDX-License-Identifier: MIT */
/*
 * The L1 data cache: private memory write-back and write-allocate, constant memory read-only, and global memory, where
 * a machine caches it, write-through and not coherent. A line is reserved when its miss is sent.
 */
#include "state.h"

#include <string.h>

static void forget(memory *m, cache_line *line)
{
    cache *l1 = &m->caches[CACHE_L1];
    m->l1.class_lines[cache_class(l1, line)]--;
    cache_forget(l1, line);
}

static void drop(memory *m, cache_line *line)
{
    m->counters->l1_drops += line->state != LINE_PENDING || line->valid != 0;
    forget(m, line);
}

void l1_drop_line(memory *m, uint64_t address)
{
    cache_line *line = cache_find(&m->caches[CACHE_L1], address, HD_CLASS_GLOBAL);
    if (line != NULL)
        drop(m, line);
    if (m->l1.sectored)
        sectors_drop_miss(m, address, HD_CLASS_GLOBAL);
}

void l1_drop_lines(memory *m, const access_slot *slot, const line_group *group)
{
    const uint32_t line_bytes = m->caches[CACHE_L1].parameters.line_bytes;
    const uint64_t base = slot->base[WINDOW_GLOBAL];
    if (m->l1.class_lines[HD_CLASS_GLOBAL] == 0 && !m->l1.sectored)
        return;
    if (line_bytes == HD_LINE_BYTES) {
        l1_drop_line(m, base + group->place);
        return;
    }
    for (line_group left = *group; left.lanes != 0;) {
        line_group line = left;
        coalescer_narrow(m, slot, &line, line_bytes);
        l1_drop_line(m, base + line.place);
        left.lanes &= ~line.lanes;
    }
}

void l1_drop_class(memory *m, uint32_t traffic_class)
{
    cache *l1 = &m->caches[CACHE_L1];
    cache_line *line = l1->lines;
    for (uint32_t i = l1->tags.places; i != 0 && m->l1.class_lines[traffic_class] != 0; i--, line++)
        if (cache_class(l1, line) == traffic_class)
            drop(m, line);
    if (m->l1.sectored)
        sectors_drop_misses(m, traffic_class, MEMORY_ANY_BLOCK);
}

void l1_reserve(memory *m, cache_line *line, uint64_t address, uint32_t traffic_class, uint32_t warp, uint32_t block)
{
    cache *l1 = &m->caches[CACHE_L1];
    if (!cache_is_empty(l1, line)) {
        m->counters->l1_evictions++;
        if (line->state == LINE_DIRTY) {
            m->counters->l1_write_backs++;
            network_write_back(m, line);
        }
        m->l1.class_lines[cache_class(l1, line)]--;
    }
    cache_reserve(l1, line, address, traffic_class);
    line->warp = warp;
    line->block = block;
    m->l1.class_lines[traffic_class]++;
}

static void reserve(memory *m, const access_slot *slot, cache_line *line, uint64_t address, uint32_t traffic_class)
{
    const uint32_t warp = slot->access.warp;
    l1_reserve(m, line, address, traffic_class, warp, m->warps[warp].view.block);
}

void l1_count_mshrs(memory *m)
{
    const uint32_t in_use = m->caches[CACHE_L1].mshrs.in_use;
    if (in_use > m->counters->maximum_mshrs)
        m->counters->maximum_mshrs = in_use;
}

static void move(memory *m)
{
    m->pipe.moved += m->caches[CACHE_L1].parameters.line_bytes;
}

static void hit(memory *m, access_slot *slot, cache_line *line, const line_group *group)
{
    const cache *l1 = &m->caches[CACHE_L1];
    uint8_t *bytes = cache_bytes(l1, line);
    m->counters->l1_hits++;
    ++*m->l1.counters[cache_class(l1, line)].hits;
    cache_touch(l1, line);
    move(m);
    if (slot->kind == KIND_STORE) {
        coalescer_scatter(slot, group->lanes, bytes, group->place);
        line->state = LINE_DIRTY;
        return;
    }
    coalescer_gather(slot, group->lanes, bytes, group->place);
    pipe_give_later(m, &m->values.hits, slot, group->lanes, m->parameters.l1_latency);
}

static uint32_t writes_whole_line(const cache *l1, const access_slot *slot, const line_group *group)
{
    return slot->kind == KIND_STORE && slot->consecutive && lane_count(group->lanes) == l1->parameters.line_bytes / 4;
}

static uint32_t miss(memory *m, access_slot *slot, uint32_t traffic_class, uint64_t address, const line_group *group)
{
    cache *l1 = &m->caches[CACHE_L1];
    const uint32_t whole = writes_whole_line(l1, slot, group);
    if (!whole && cache_mshrs_is_full(&l1->mshrs))
        return WAIT_MSHR;
    cache_line *line = cache_victim(l1, address);
    if (line == NULL)
        return WAIT_WAY;
    if ((!whole || line->state == LINE_DIRTY) && !network_is_free(m))
        return WAIT_NETWORK;
    m->counters->l1_misses++;
    ++*m->l1.counters[traffic_class].misses;
    reserve(m, slot, line, address, traffic_class);
    if (whole) {
        move(m);
        coalescer_scatter(slot, group->lanes, cache_bytes(l1, line), group->place);
        line->state = LINE_DIRTY;
        return STARTED;
    }
    mshr_open(m, l1, slot, line, group->lanes);
    l1_count_mshrs(m);
    return STARTED;
}

static uint32_t merge(memory *m, access_slot *slot, const cache_line *line, const line_group *group)
{
    cache *l1 = &m->caches[CACHE_L1];
    const uint32_t result = mshr_merge(m, l1, slot, line, group->lanes);
    const l1_counters *counters = &m->l1.counters[cache_class(l1, line)];
    m->counters->l1_misses += result == STARTED;
    m->counters->l1_mshr_merges += result == STARTED;
    *counters->misses += result == STARTED;
    *counters->merges += result == STARTED;
    return result;
}

static uint32_t start_line(memory *m, access_slot *slot, uint32_t window, const line_group *group)
{
    static const uint32_t classes[WINDOWS] = {
        [WINDOW_PRIVATE] = HD_CLASS_PRIVATE, [WINDOW_CONSTANT] = HD_CLASS_CONSTANT, [WINDOW_GLOBAL] = HD_CLASS_GLOBAL};
    const uint64_t address = place_address(m, slot, window, group->place);
    if (m->l1.sectored)
        return sectors_start(m, slot, address, classes[window], group);
    cache_line *line = cache_find(&m->caches[CACHE_L1], address, classes[window]);
    if (line == NULL)
        return miss(m, slot, classes[window], address, group);
    if (line->state == LINE_PENDING)
        return merge(m, slot, line, group);
    hit(m, slot, line, group);
    return STARTED;
}

static uint32_t log_miss(memory *m, access_slot *slot, uint64_t address, uint32_t writes)
{
    cache *l1 = &m->caches[CACHE_L1];
    if (!writes && cache_mshrs_is_full(&l1->mshrs))
        return WAIT_MSHR;
    cache_line *line = cache_victim(l1, address);
    if (line == NULL)
        return WAIT_WAY;
    if ((!writes || line->state == LINE_DIRTY) && !network_is_free(m))
        return WAIT_NETWORK;
    reserve(m, slot, line, address, HD_CLASS_PRIVATE);
    if (writes) {
        m->counters->log_hits++;
        move(m);
        memset(cache_bytes(l1, line), 0, l1->parameters.line_bytes); /* words of logs are kept elsewhere */
        line->state = LINE_DIRTY;
        return STARTED;
    }
    m->counters->log_misses++;
    mshr_open(m, l1, slot, line, 0);
    l1_count_mshrs(m);
    return STARTED;
}

uint32_t l1_log(memory *m, access_slot *slot, uint64_t address, uint32_t writes)
{
    if (m->l1.sectored)
        return sectors_log(m, slot, address, writes);
    cache *l1 = &m->caches[CACHE_L1];
    cache_line *line = cache_find(l1, address, HD_CLASS_PRIVATE);
    if (line == NULL)
        return log_miss(m, slot, address, writes);
    if (line->state == LINE_PENDING) {
        const uint32_t result = mshr_merge(m, l1, slot, line, 0);
        m->counters->log_misses += result == STARTED;
        return result;
    }
    m->counters->log_hits++;
    cache_touch(l1, line);
    move(m);
    line->state = writes ? LINE_DIRTY : line->state;
    return STARTED;
}

/* A wide access is one line, or several where lines are short. */
uint32_t l1_start(memory *m, access_slot *slot, uint32_t window, line_group *group)
{
    const uint32_t line_bytes = m->caches[CACHE_L1].parameters.line_bytes;
    if (line_bytes == HD_LINE_BYTES)
        return start_line(m, slot, window, group);
    uint64_t left = group->lanes;
    uint32_t result = STARTED;
    for (uint32_t i = 0; i < m->parameters.l1_lookups && left != 0; i++) {
        line_group line = {.lanes = left};
        coalescer_narrow(m, slot, &line, line_bytes);
        result = start_line(m, slot, window, &line);
        if (result != STARTED)
            break;
        left &= ~line.lanes;
    }
    if (left != group->lanes)
        result = STARTED;
    group->lanes &= ~left;
    return result;
}

void memory_acquire(memory *m)
{
    l1_drop_class(m, HD_CLASS_GLOBAL);
}

void memory_begin_grid(memory *m)
{
    l1_drop_class(m, HD_CLASS_GLOBAL);
    l1_drop_class(m, HD_CLASS_CONSTANT);
    read_only_caches_forget(m);
    code_drop(m);
    pipe_wake_head(m);
}

void memory_drop_shared(memory *m)
{
    l1_drop_class(m, HD_CLASS_GLOBAL);
    cache_forget_all(m->textures.lines);
    pipe_wake_head(m);
}

void memory_end_block(memory *m, uint32_t block)
{
    cache *l1 = &m->caches[CACHE_L1];
    cache_line *line = l1->lines;
    for (uint32_t i = l1->tags.places; i != 0 && m->l1.class_lines[HD_CLASS_PRIVATE] != 0; i--, line++)
        if (cache_class(l1, line) == HD_CLASS_PRIVATE && line->block == block)
            forget(m, line);
    if (m->l1.sectored)
        sectors_drop_misses(m, HD_CLASS_PRIVATE, block);
    pipe_wake_head(m);
}

void memory_flush_block(memory *m, uint32_t block)
{
    m->l1.flush.blocks |= UINT64_C(1) << block;
    m->l1.flush.place = 0;
    pipe_update_status(m);
}

uint32_t memory_is_flushing(const memory *m, uint32_t block)
{
    return m->l1.flush.blocks >> block & 1;
}

static uint32_t is_flushed(const memory *m, const cache_line *line)
{
    return cache_class(&m->caches[CACHE_L1], line) == HD_CLASS_PRIVATE && m->l1.flush.blocks >> line->block & 1;
}

/* One write-back per cycle, before other accesses: however busy the rest of the core is, the block does not wait for it. */
void l1_flush(memory *m)
{
    const cache *l1 = &m->caches[CACHE_L1];
    if (!m->l1.flush.blocks || !network_is_free(m))
        return;
    while (m->l1.flush.place < l1->tags.places) {
        cache_line *line = &l1->lines[m->l1.flush.place++];
        if (!is_flushed(m, line))
            continue;
        const uint32_t dirty = line->state == LINE_DIRTY;
        if (dirty) {
            m->counters->l1_write_backs++;
            m->counters->l1_evictions++; /* it gives its place up */
            network_write_back(m, line);
        }
        forget(m, line);
        if (dirty)
            return;
    }
    m->l1.flush.blocks = 0;
}
