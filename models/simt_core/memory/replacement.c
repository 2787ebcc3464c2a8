/* SPDX-License-Identifier: MIT */
#include "replacement.h"

static void stamp(cache *c, cache_line *line)
{
    line->used = ++c->clock;
}

static void ignore(cache *c, cache_line *line)
{
    (void)c;
    (void)line;
}

static cache_line *oldest(cache *c, cache_line *set)
{
    cache_line *victim = NULL;
    for (cache_line *line = set; line != set + c->parameters.ways; ++line)
        if (line->state != LINE_PENDING && (victim == NULL || line->used < victim->used))
            victim = line;
    return victim;
}

static uint64_t *tree_of(cache *c, const cache_line *line)
{
    return &c->trees[(size_t)(line - c->lines) / c->parameters.ways];
}

/* Bit n of a tree is node n; the children of node n are 2 n and 2 n + 1, the root is node 1. */
static void point_away(cache *c, cache_line *line)
{
    uint64_t *tree = tree_of(c, line);
    const uint32_t way = (uint32_t)(line - c->lines) % c->parameters.ways;
    uint32_t node = 1;
    for (uint32_t half = c->parameters.ways / 2; half != 0; half /= 2) {
        const uint32_t upper = (way & half) != 0;
        *tree = (*tree & ~(UINT64_C(1) << node)) | (uint64_t)!upper << node;
        node = 2 * node + upper;
    }
}

static cache_line *first_settled(cache *c, cache_line *set, uint32_t way)
{
    for (uint32_t i = 0; i < c->parameters.ways; ++i) {
        cache_line *line = &set[(way + i) % c->parameters.ways];
        if (line->state != LINE_PENDING)
            return line;
    }
    return NULL;
}

static cache_line *pointed_at(cache *c, cache_line *set)
{
    const uint64_t tree = *tree_of(c, set);
    uint32_t node = 1;
    while (node < c->parameters.ways)
        node = 2 * node + (uint32_t)(tree >> node & 1);
    return first_settled(c, set, node - c->parameters.ways);
}

/* The stream goes on with each line that is reserved: to ask for a victim twice gives the same. */
static void next_draw(cache *c, cache_line *line)
{
    (void)line;
    c->random += UINT64_C(0x9E3779B97F4A7C15);
}

static uint64_t draw(const cache *c)
{
    uint64_t z = c->random;
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

static cache_line *any(cache *c, cache_line *set)
{
    uint32_t settled = 0;
    for (uint32_t way = 0; way < c->parameters.ways; ++way)
        settled += set[way].state != LINE_PENDING;
    if (settled == 0)
        return NULL;
    uint32_t left = (uint32_t)(draw(c) % settled);
    cache_line *line = set;
    while (line->state == LINE_PENDING || left-- != 0)
        ++line;
    return line;
}

const cache_replacement *cache_replacement_of(uint32_t number)
{
    static const cache_replacement policies[] = {
        [CACHE_LRU] = {"lru", stamp, stamp, oldest},
        [CACHE_PLRU] = {"plru", point_away, point_away, pointed_at},
        [CACHE_RANDOM] = {"random", next_draw, ignore, any},
        [CACHE_FIFO] = {"fifo", stamp, ignore, oldest},
    };
    return &policies[number];
}
