/* SPDX-License-Identifier: MIT */
/*
 * Bit n of a set's tree is node n: 0 = the line that goes lies below 2 n, 1 = below 2 n + 1. The root is node 1. Where the tree
 * points to a line that must stay, the next way goes that need not.
 */
#include <stdlib.h>
#include <string.h>

#include "replacement_units.h"

#define WAYS_MAX 64u /* a tree is a word */

typedef struct plru {
    uint32_t sets;
    uint32_t ways;
    uint32_t way_bits;
    uint64_t trees[];
} plru;

static replacement *plru_create(const replacement_parameters *parameters)
{
    plru *p = calloc(1, sizeof *p + parameters->sets * sizeof *p->trees);
    if (!p)
        return NULL;
    p->sets = parameters->sets;
    p->ways = parameters->ways;
    p->way_bits = (uint32_t)__builtin_ctz(parameters->ways);
    return (replacement *)p;
}

static void plru_destroy(replacement *unit)
{
    free(unit);
}

static void plru_reset(replacement *unit, uint64_t seed)
{
    plru *p = (plru *)unit;
    (void)seed;
    memset(p->trees, 0, p->sets * sizeof *p->trees);
}

static void plru_used(replacement *unit, uint32_t line)
{
    plru *p = (plru *)unit;
    const uint32_t set = line >> p->way_bits, way = line & (p->ways - 1);
    uint64_t tree = p->trees[set];
    uint32_t node = 1;
    for (uint32_t half = p->ways / 2; half; half /= 2) {
        const uint32_t upper = (way & half) != 0;
        tree = (tree & ~(UINT64_C(1) << node)) | (uint64_t)!upper << node;
        node = 2 * node + upper;
    }
    p->trees[set] = tree;
}

static uint32_t plru_victim(const replacement *unit, uint32_t first, const uint8_t *stays)
{
    const plru *p = (const plru *)unit;
    const uint64_t tree = p->trees[first >> p->way_bits];
    uint32_t node = 1;
    while (node < p->ways)
        node = 2 * node + (uint32_t)(tree >> node & 1);
    for (uint32_t i = 0; i < p->ways; i++) {
        const uint32_t way = (node + i) & (p->ways - 1);
        if (!stays[way])
            return first + way;
    }
    return NO_VICTIM;
}

static void plru_transfer(replacement *unit, const hd_state_stream *stream)
{
    plru *p = (plru *)unit;
    HD_STATE_SHAPE(stream, "trees", p->sets);
    HD_STATE_ARRAY(stream, p->trees, p->sets);
}

const replacement_unit replacement_plru = {
    .create = plru_create,
    .destroy = plru_destroy,
    .reset = plru_reset,
    .installed = plru_used,
    .used = plru_used,
    .victim = plru_victim,
    .transfer = plru_transfer,
};

static const hd_requirement requirements[] = {
    {.what = HD_REQUIRES_POWER_OF_TWO,
     .sentence = "needs a number of ways that is a power of two",
     .parameter = "..ways"},
    {.what = HD_REQUIRES_RANGE, .sentence = "needs 64 ways at most", .parameter = "..ways", .maximum = WAYS_MAX},
};

const hd_unit hd_replacement_plru = {
    HD_UNIT_HEAD(replacement, REPLACEMENT, plru),
    .doc = "tree pseudo-LRU: a binary tree per set whose nodes point away from the latest use",
    .source = "Al-Zoubi, Milenkovic and Milenkovic 2004",
    .requirement_count = sizeof requirements / sizeof *requirements,
    .requirements = requirements,
};
