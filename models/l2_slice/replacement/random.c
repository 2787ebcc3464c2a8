/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "replacement.h"

typedef struct any {
    uint32_t ways;
    uint64_t state; /* of the generator (splitmix64) */
} any;

static const char *any_refuses(uint32_t ways)
{
    (void)ways;
    return NULL;
}

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

static void any_ignores(replacement *unit, uint32_t set, uint32_t way)
{
    (void)unit;
    (void)set;
    (void)way;
}

static uint32_t any_victim(replacement *unit, uint32_t set)
{
    any *a = (any *)unit;
    uint64_t z = a->state += UINT64_C(0x9E3779B97F4A7C15);
    (void)set;
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    z ^= z >> 31;
    return (uint32_t)((z >> 32) * a->ways >> 32);
}

const replacement_unit replacement_random = {
    .name = "random",
    .source = "Smith 1982 §2.4",
    .refuses = any_refuses,
    .create = any_create,
    .destroy = any_destroy,
    .reset = any_reset,
    .installed = any_ignores,
    .used = any_ignores,
    .victim = any_victim,
};
