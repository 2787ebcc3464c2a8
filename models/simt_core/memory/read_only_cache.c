/* SPDX-License-Identifier: MIT */
/*
 * Caches of what nobody writes while a grid runs. The constant cache has the launch's arguments: one look-up gives one word to all
 * lanes that ask for it. The texture cache has lines of global memory: one look-up gives their words to all lanes that ask for one of
 * them. Source: Fung 2015 §2.1.4, §2.3.3, Table 3.2.
 */
#include "state.h"

#include <stdlib.h>

static void hit(memory *m, read_only_cache *c, access_slot *slot, cache_line *line, uint64_t lanes, uint32_t place)
{
    ++*c->hits;
    cache_touch(c->lines, line);
    coalescer_gather(slot, lanes, cache_bytes(c->lines, line), place);
    pipe_give_later(m, &c->values, slot, lanes, c->latency);
}

static uint32_t miss(memory *m, read_only_cache *c, access_slot *slot, uint64_t lanes, uint64_t address)
{
    cache_line *line = cache_victim(c->lines, address);
    if (cache_mshrs_is_full(&c->lines->mshrs))
        return WAIT_MSHR;
    if (line == NULL)
        return WAIT_WAY;
    if (!network_is_free(m))
        return WAIT_NETWORK;
    ++*c->misses;
    *c->evictions += !cache_is_empty(c->lines, line);
    cache_reserve(c->lines, line, address, c->traffic_class);
    mshr_open(m, c->lines, slot, line, lanes);
    return STARTED;
}

static uint32_t merge(memory *m, read_only_cache *c, access_slot *slot, const cache_line *line, uint64_t lanes)
{
    const uint32_t result = mshr_merge(m, c->lines, slot, line, lanes);
    *c->misses += result == STARTED;
    *c->merges += result == STARTED;
    return result;
}

static uint32_t start(memory *m, read_only_cache *c, access_slot *slot, uint32_t window, uint64_t lanes)
{
    const uint32_t place = place_of_line(slot, lanes, c->lines->parameters.line_bytes);
    const uint64_t address = slot->base[window] + place;
    cache_line *line = cache_find(c->lines, address, c->traffic_class);
    if (line == NULL)
        return miss(m, c, slot, lanes, address);
    if (line->state == LINE_PENDING)
        return merge(m, c, slot, line, lanes);
    hit(m, c, slot, line, lanes, place);
    return STARTED;
}

uint32_t constant_start(memory *m, access_slot *slot, const line_group *group)
{
    return start(m, &m->constants, slot, WINDOW_CONSTANT, group->lanes);
}

uint32_t texture_start(memory *m, access_slot *slot, line_group *group)
{
    group->lanes = slot->remaining[WINDOW_GLOBAL];
    coalescer_narrow(m, slot, group, m->textures.lines->parameters.line_bytes);
    return start(m, &m->textures, slot, WINDOW_GLOBAL, group->lanes);
}

/* 0: out of memory. A value is on its way for each cycle of the latency, at most. */
static uint32_t create(read_only_cache *c)
{
    c->values.ring.capacity = c->latency + 2;
    c->values.entries = calloc(c->values.ring.capacity, sizeof *c->values.entries);
    return c->values.entries != NULL;
}

uint32_t read_only_caches_create(memory *m)
{
    memory_counters *n = m->counters;
    m->constants = (read_only_cache){.lines = &m->caches[CACHE_CONSTANT],
                                     .traffic_class = HD_CLASS_CONSTANT,
                                     .latency = m->parameters.constant_latency,
                                     .hits = &n->constant_hits,
                                     .misses = &n->constant_misses,
                                     .merges = &n->constant_mshr_merges,
                                     .evictions = &n->constant_evictions};
    m->textures = (read_only_cache){.lines = &m->caches[CACHE_TEXTURE],
                                    .traffic_class = HD_CLASS_TEXTURE,
                                    .latency = m->parameters.texture_latency,
                                    .hits = &n->texture_hits,
                                    .misses = &n->texture_misses,
                                    .merges = &n->texture_mshr_merges,
                                    .evictions = &n->texture_evictions};
    return create(&m->constants) && create(&m->textures);
}

void read_only_caches_destroy(memory *m)
{
    free(m->constants.values.entries);
    free(m->textures.values.entries);
}

void read_only_caches_reset(memory *m)
{
    hd_ring_clear(&m->constants.values.ring);
    hd_ring_clear(&m->textures.values.ring);
}

void read_only_caches_forget(memory *m)
{
    cache_forget_all(m->constants.lines);
    cache_forget_all(m->textures.lines);
}
