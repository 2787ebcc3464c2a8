/* SPDX-License-Identifier: MIT */
/* Oldest first: of the ready paths, the one that has existed for the longest time. scheduler.h is the contract. */
#include <stdlib.h>

#include "scheduler_units.h"

typedef struct @name@ {
    uint32_t paths;
    uint64_t ages[]; /* by path, as given to add */
} @name@;

static void @name@_reset(scheduler *unit)
{
    @name@ *s = (@name@ *)unit;
    for (uint32_t path = 0; path < s->paths; path++)
        s->ages[path] = 0;
}

static scheduler *@name@_create(const scheduler_parameters *parameters)
{
    @name@ *s = calloc(1, sizeof *s + parameters->paths * sizeof *s->ages);
    if (!s)
        return NULL;
    s->paths = parameters->paths;
    return (scheduler *)s;
}

static void @name@_destroy(scheduler *unit)
{
    free(unit);
}

static void @name@_add(scheduler *unit, uint32_t path, uint64_t age)
{
    ((@name@ *)unit)->ages[path] = age;
}

static void @name@_remove(scheduler *unit, uint32_t path)
{
    (void)unit, (void)path;
}

static uint32_t @name@_pick(const scheduler *unit, const uint64_t *ready, uint64_t cycle)
{
    const @name@ *s = (const @name@ *)unit;
    uint32_t oldest = NO_PATH;
    (void)cycle;
    for (uint32_t word = 0; word < (s->paths + 63) / 64; word++) {
        for (uint64_t left = ready[word]; left; left &= left - 1) {
            uint32_t path = word * 64 + (uint32_t)__builtin_ctzll(left);
            if (oldest == NO_PATH || s->ages[path] < s->ages[oldest])
                oldest = path;
        }
    }
    return oldest;
}

/* For checkpoints: what may have changed since reset, written down or read. */
static void @name@_transfer(scheduler *unit, const hd_state_stream *stream)
{
    @name@ *s = (@name@ *)unit;
    HD_STATE_ARRAY(stream, s->ages, s->paths);
}

const scheduler_unit scheduler_@name@ = {
    .create = @name@_create,
    .destroy = @name@_destroy,
    .reset = @name@_reset,
    .add = @name@_add,
    .remove = @name@_remove,
    .pick = @name@_pick,
    .transfer = @name@_transfer,
};

const hd_unit hd_scheduler_@name@ = {
    HD_UNIT_HEAD(scheduler, SCHEDULER, @name@),
    .doc = "oldest first: the ready path that has existed for the longest time",
    .source = "heddle new unit",
};
