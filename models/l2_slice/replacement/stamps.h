/* SPDX-License-Identifier: MIT */
/* A time for each way, as the policies have it that take the oldest. */
#ifndef L2_SLICE_STAMPS_H
#define L2_SLICE_STAMPS_H

#include <stdlib.h>
#include <string.h>

#include "replacement.h"

typedef struct stamps {
    uint32_t sets;
    uint32_t ways;
    uint64_t now;
    uint64_t of[]; /* set by set */
} stamps;

static inline const char *stamps_refuse(uint32_t ways)
{
    (void)ways;
    return NULL;
}

static inline replacement *stamps_create(const replacement_parameters *parameters)
{
    const size_t lines = (size_t)parameters->sets * parameters->ways;
    stamps *s = calloc(1, sizeof *s + lines * sizeof *s->of);
    if (!s)
        return NULL;
    s->sets = parameters->sets;
    s->ways = parameters->ways;
    return (replacement *)s;
}

static inline void stamps_destroy(replacement *unit)
{
    free(unit);
}

static inline void stamps_reset(replacement *unit, uint64_t seed)
{
    stamps *s = (stamps *)unit;
    (void)seed;
    s->now = 0;
    memset(s->of, 0, (size_t)s->sets * s->ways * sizeof *s->of);
}

static inline void stamps_set(replacement *unit, uint32_t set, uint32_t way)
{
    stamps *s = (stamps *)unit;
    s->of[(size_t)set * s->ways + way] = ++s->now;
}

static inline uint32_t stamps_oldest(replacement *unit, uint32_t set)
{
    const stamps *s = (const stamps *)unit;
    const uint64_t *of = &s->of[(size_t)set * s->ways];
    uint32_t oldest = 0;
    for (uint32_t way = 1; way < s->ways; way++)
        oldest = of[way] < of[oldest] ? way : oldest;
    return oldest;
}

#endif
