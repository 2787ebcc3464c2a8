/* SPDX-License-Identifier: MIT */
#include "kilo_shapes.h"

#include <stdio.h>
#include <stdlib.h>

uint32_t kilo_pick(uint64_t *seed, uint32_t least, uint32_t most)
{
    return least + (uint32_t)(kit_random(seed) % (most - least + 1));
}

static void draw_unit(shape *shape, uint64_t *seed, uint32_t is_aggregate, uint32_t block, uint32_t is_tiny,
                      const char *unit)
{
    static const char *const histories[] = {"lwh5k", "lwh512", "lwh", "lwh", "perfect", "bfarray"};
    static const uint32_t limits[] = {0, 0, 64, 80};
    static const uint32_t words[] = {0, 0, 1, 2, 8};
    static const uint32_t signatures[] = {512, 512, 4, 32};
    const uint32_t ways = kilo_pick(seed, 1, 2);
    uint32_t count = 0;
    KILO_SET(shape->unit, "entries=%u", KILO_ONE_OF(seed, limits));
    KILO_SET(shape->unit, "buffer.words=%u", KILO_ONE_OF(seed, words));
    KILO_SET(shape->unit, "dual_issue=%s", kilo_pick(seed, 0, 1) ? "true" : "false");
    KILO_SET(shape->unit, "aggregate=%s", is_aggregate ? "true" : "false");
    KILO_SET(shape->unit, "coalesce=%u B", block);
    KILO_SET(shape->unit, "hazard.rate=%u", kilo_pick(seed, 1, 2));
    KILO_SET(shape->unit, "history=%s", is_tiny ? "lwh" : KILO_ONE_OF(seed, histories));
    KILO_SET(shape->unit, "history.ways=%u", ways);
    KILO_SET(shape->unit, "history.entries=%u", ways * kilo_pick(seed, 1, 4 / ways));
    KILO_SET(shape->unit, "history.filter=%u", kilo_pick(seed, 1, 4));
    KILO_SET(shape->unit, "history.subarrays=%u", kilo_pick(seed, 1, 2));
    KILO_SET(shape->unit, "history.signature=%u", KILO_ONE_OF(seed, signatures));
    KILO_SET(shape->unit, "hash_seed=%u", kilo_pick(seed, 0, 1000));
    KILO_SET(shape->unit, "tcd=%s", shape->is_silent ? "true" : "false");
    KILO_SET(shape->unit, "tcd.entries=%u", kilo_pick(seed, 1, 64));
    KILO_SET(shape->unit, "tcd.subarrays=%u", kilo_pick(seed, 1, 4));
    KILO_SET(shape->unit, "tcd.granularity=%u B", kilo_pick(seed, 0, 1) ? 4 : 128);
    KILO_SET(shape->unit, "tcd.writes=%s", kilo_pick(seed, 0, 1) ? "transactions" : "all");
    if (unit)
        KILO_SET(shape->unit, "%s", unit);
}

void kilo_draw_partitions(shape *shape, uint64_t *seed, uint32_t is_aggregate, uint32_t block, uint32_t is_tiny,
                          const char *unit)
{
    uint32_t count = 0;
    draw_unit(shape, seed, is_aggregate, block, is_tiny, unit);
    KILO_SET(shape->slice, "bytes=%u B", 256 * kilo_pick(seed, 1, 4));
    KILO_SET(shape->slice, "ways=2");
    KILO_SET(shape->slice, "latency=%u cycles", kilo_pick(seed, 1, 40));
    KILO_SET(shape->slice, "mshrs=%u", kilo_pick(seed, 1, 3));
    count = 0;
    KILO_SET(shape->vendor, "latency=%u cycles", kilo_pick(seed, 0, 1) * kilo_pick(seed, 1, 30));
    KILO_SET(shape->vendor, "rate=%u", kilo_pick(seed, 0, 2));
}

uint64_t kilo_number_of(const char *variable, uint64_t standard)
{
    const char *text = getenv(variable);
    return text ? strtoull(text, NULL, 0) : standard;
}

uint32_t kilo_happened(const uint64_t *counts, uint32_t count)
{
    uint32_t bits = 0;
    for (uint32_t i = 0; i < count; i++)
        bits |= counts[i] ? UINT32_C(1) << i : 0;
    return bits;
}
