/* SPDX-License-Identifier: MIT */
/* Where the bytes of memory are that cores access without timing, and who is in front of them. */
#include <stdlib.h>

#include "engine.h"
#include "hd_address.h"
#include "sampling.h"

static uint32_t range(void *context, uint64_t address, hd_direct_range *found)
{
    const sampling_memory *m = context;
    for (uint32_t i = 0; i < m->holder_count; i++)
        if (m->holders[i].holder->range(m->holders[i].block, address, found))
            return 1;
    return 0;
}

static uint8_t *find(void *context, uint64_t address)
{
    sampling_memory *m = context;
    const uint64_t number = address >> m->fast.range_shift, first = number << m->fast.range_shift;
    hd_direct_range found;
    if (!range(m, first, &found))
        return NULL;
    uint8_t *bytes = found.bytes + (first - found.address);
    m->fast.ranges[number % HD_FAST_RANGES] = (hd_fast_range){.number = number, .bytes = bytes};
    return bytes + (address - first);
}

static void touch(void *context, uint64_t line, uint32_t parts, uint32_t is_write)
{
    const sampling_memory *m = context;
    const struct memory_front *front = &m->fronts[m->map ? hd_partition_of(m->map, line) : 0];
    if (front->ability && front->ability->touch)
        front->ability->touch(front->block, line, parts, is_write);
}

void sampling_memory_init(sampling_memory *m)
{
    m->fast = (hd_fast_memory){.context = m, .range = range, .touch = touch, .find = find};
    m->fast.ranges = malloc(HD_FAST_RANGES * sizeof *m->fast.ranges);
    if (!m->fast.ranges)
        abort();
    for (uint32_t i = 0; i < HD_FAST_RANGES; i++)
        m->fast.ranges[i].number = UINT64_MAX;
}

static void find_holders(sampling_memory *m)
{
    const uint32_t count = hd_engine_block_count(m->engine);
    m->holders = calloc(count, sizeof *m->holders);
    for (uint32_t i = 0; m->holders && i < count; i++) {
        hd_block *block = hd_engine_block(m->engine, i);
        const hd_block_class *type = hd_engine_block_class(m->engine, i);
        const hd_holder *holder = type->extension ? type->extension(block, HD_EXTENSION_HOLDER) : NULL;
        if (holder)
            m->holders[m->holder_count++] = (struct memory_holder){.block = block, .holder = holder};
    }
}

static void find_fronts(sampling_memory *m)
{
    m->fronts = calloc(m->map ? m->map->partitions : 1, sizeof *m->fronts);
    for (uint32_t i = 0; m->fronts && m->map && i < m->map->partitions; i++) {
        const uint32_t endpoint = m->map->endpoints[i];
        const hd_block_class *type = hd_engine_block_class(m->engine, endpoint);
        struct memory_front *front = &m->fronts[i];
        front->block = hd_engine_block(m->engine, endpoint);
        front->ability = type->extension ? type->extension(front->block, HD_EXTENSION_FAST_FORWARD) : NULL;
    }
}

uint32_t sampling_memory_bind(sampling_memory *m, hd_engine *engine, const hd_address_map *map)
{
    hd_direct_range found;
    m->engine = engine;
    m->map = map;
    find_holders(m);
    find_fronts(m);
    if (!m->holders || !m->fronts)
        abort();
    if (!range(m, HD_GLOBAL_BASE, &found))
        return 0;
    m->fast.range_shift = (uint32_t)__builtin_ctz(found.length);
    return 1;
}

void sampling_memory_free(sampling_memory *m)
{
    free(m->fast.ranges);
    free(m->holders);
    free(m->fronts);
}
