/* SPDX-License-Identifier: MIT */
/* The stream goes on with each line that is installed: until then the draw is the same. */
#include <stdlib.h>

#include "replacement_units.h"

typedef struct any {
    uint32_t ways;
    uint64_t state; /* of the generator (splitmix64) */
} any;

static replacement *any_create(const replacement_parameters *parameters)
{
    any *a = calloc(1, sizeof *a);
    if (!a)
        return NULL;
    a->ways = parameters->ways;
    return (replacement *)a;
}

static void any_destroy(replacement *unit)
{
    free(unit);
}

static void any_reset(replacement *unit, uint64_t seed)
{
    ((any *)unit)->state = seed;
}

static void any_installed(replacement *unit, uint32_t line)
{
    (void)line;
    ((any *)unit)->state += UINT64_C(0x9E3779B97F4A7C15);
}

static void any_ignores(replacement *unit, uint32_t line)
{
    (void)unit;
    (void)line;
}

static uint64_t draw(const any *a)
{
    uint64_t z = a->state;
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

static uint32_t any_victim(const replacement *unit, uint32_t first, const uint8_t *stays)
{
    const any *a = (const any *)unit;
    uint32_t choices = 0;
    for (uint32_t way = 0; way < a->ways; way++)
        choices += !stays[way];
    if (!choices)
        return NO_VICTIM;
    uint32_t before = (uint32_t)(draw(a) % choices), way = 0;
    while (stays[way] || before--)
        way++;
    return first + way;
}

static void any_transfer(replacement *unit, const hd_state_stream *stream)
{
    HD_STATE_SHAPE(stream, "streams of draws", 1);
    HD_STATE_VALUE(stream, ((any *)unit)->state);
}

const replacement_unit replacement_random = {
    .draws = 1,
    .create = any_create,
    .destroy = any_destroy,
    .reset = any_reset,
    .installed = any_installed,
    .used = any_ignores,
    .victim = any_victim,
    .transfer = any_transfer,
};

const hd_unit hd_replacement_random = {
    HD_UNIT_HEAD(replacement, REPLACEMENT, random),
    .doc = "any line, from a stream that starts anew when the cache is reset or aligned",
    .source = "Smith 1982 §2.4",
};
