/* SPDX-License-Identifier: MIT */
/*
 * The constant cache: read-only lines of the launch's arguments. One look-up gives one word to all lanes that ask for it.
 * Source: Fung 2015 §2.1.4, §2.3.3.
 */
#include "state.h"

static void hit(memory *m, access_slot *slot, cache_line *line, uint64_t lanes, uint32_t place)
{
    cache *c = &m->caches[CACHE_CONSTANT];
    m->counters->constant_hits++;
    cache_touch(c, line);
    coalescer_gather(slot, lanes, cache_bytes(c, line), place);
    pipe_give_later(m, &m->values.constants, slot, lanes, m->parameters.constant_latency);
}

static uint32_t miss(memory *m, access_slot *slot, uint64_t lanes, uint64_t address)
{
    cache *c = &m->caches[CACHE_CONSTANT];
    cache_line *line = cache_victim(c, address);
    if (cache_mshrs_is_full(&c->mshrs))
        return WAIT_MSHR;
    if (line == NULL)
        return WAIT_WAY;
    if (!network_is_free(m))
        return WAIT_NETWORK;
    m->counters->constant_misses++;
    m->counters->constant_evictions += !cache_is_empty(c, line);
    cache_reserve(c, line, address, HD_CLASS_CONSTANT);
    mshr_open(m, c, slot, line, lanes);
    return STARTED;
}

uint32_t constant_start(memory *m, access_slot *slot, const line_group *group)
{
    cache *c = &m->caches[CACHE_CONSTANT];
    const uint32_t place = slot->place[lowest_lane(group->lanes)] & ~(c->parameters.line_bytes - 1);
    const uint64_t address = slot->base[WINDOW_CONSTANT] + place;
    cache_line *line = cache_find(c, address, HD_CLASS_CONSTANT);
    if (line == NULL)
        return miss(m, slot, group->lanes, address);
    if (line->state == LINE_PENDING) {
        const uint32_t result = mshr_merge(m, c, slot, line, group->lanes);
        m->counters->constant_misses += result == STARTED;
        m->counters->constant_mshr_merges += result == STARTED;
        return result;
    }
    hit(m, slot, line, group->lanes, place);
    return STARTED;
}
