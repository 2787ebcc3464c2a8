/* SPDX-License-Identifier: MIT */
/* A time for each line, as the policies have it that take the oldest. */
#ifndef CACHE_STAMPS_H
#define CACHE_STAMPS_H

#include <stdlib.h>
#include <string.h>

#include "replacement_units.h"

typedef struct stamps {
    uint32_t sets;
    uint32_t ways;
    uint64_t now;
    uint64_t of[]; /* by line */
} stamps;

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

static inline void stamps_set(replacement *unit, uint32_t line)
{
    stamps *s = (stamps *)unit;
    s->of[line] = ++s->now;
}

static inline void stamps_transfer(replacement *unit, const hd_state_stream *stream)
{
    stamps *s = (stamps *)unit;
    HD_STATE_SHAPE(stream, "lines with a time", (uint64_t)s->sets * s->ways);
    HD_STATE_VALUE(stream, s->now);
    HD_STATE_ARRAY(stream, s->of, (size_t)s->sets * s->ways);
}

static inline uint32_t stamps_oldest(const replacement *unit, uint32_t first, const uint8_t *stays)
{
    const stamps *s = (const stamps *)unit;
    const uint64_t *of = &s->of[first];
    uint32_t oldest = NO_VICTIM;
    for (uint32_t way = 0; way < s->ways; way++)
        if (!stays[way] && (oldest == NO_VICTIM || of[way] < of[oldest]))
            oldest = way;
    return oldest == NO_VICTIM ? NO_VICTIM : first + oldest;
}

#endif
