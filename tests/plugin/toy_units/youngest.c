/* SPDX-License-Identifier: MIT */
/* A warp scheduler of a plug-in: the youngest path that is ready, and after so many issues in a row the oldest once. */
#include <stdlib.h>

#include "scheduler.h"

enum { PATIENCE, PARAMETERS };
enum { YIELDS, STATISTICS };

typedef struct youngest {
    hd_unit_share share;
    uint32_t words;
    uint32_t paths;
    uint64_t in_a_row; /* of the youngest */
    uint64_t ages[];   /* [path] */
} youngest;

static void reset(scheduler *unit)
{
    youngest *s = (youngest *)unit;
    s->in_a_row = 0;
    for (uint32_t path = 0; path < s->paths; path++)
        s->ages[path] = 0;
}

static scheduler *create(const scheduler_parameters *parameters)
{
    youngest *s = calloc(1, sizeof *s + parameters->paths * sizeof *s->ages);
    if (!s)
        return NULL;
    s->share = parameters->share;
    s->paths = parameters->paths;
    s->words = (parameters->paths + 63) / 64;
    return (scheduler *)s;
}

static void destroy(scheduler *unit)
{
    free(unit);
}

static void add(scheduler *unit, uint32_t path, uint64_t age)
{
    ((youngest *)unit)->ages[path] = age;
}

static void removed(scheduler *unit, uint32_t path)
{
    (void)unit, (void)path;
}

static uint32_t yields(const youngest *s)
{
    return s->in_a_row >= s->share.values[PATIENCE].u;
}

static uint32_t pick(const scheduler *unit, const uint64_t *ready, uint64_t cycle)
{
    const youngest *s = (const youngest *)unit;
    uint32_t best = NO_PATH;
    (void)cycle;
    for (uint32_t word = 0; word < s->words; word++)
        for (uint64_t left = ready[word]; left; left &= left - 1) {
            const uint32_t path = word * 64 + (uint32_t)__builtin_ctzll(left);
            if (best == NO_PATH || (yields(s) ? s->ages[path] < s->ages[best] : s->ages[path] >= s->ages[best]))
                best = path;
        }
    return best;
}

static uint32_t wants(const scheduler *unit)
{
    (void)unit;
    return PATH_ISSUED;
}

static void event(scheduler *unit, const path_event *event)
{
    youngest *s = (youngest *)unit;
    (void)event;
    s->share.counters[YIELDS] += yields(s);
    s->in_a_row = yields(s) ? 0 : s->in_a_row + 1;
}

static const scheduler_unit functions = {
    .create = create,
    .destroy = destroy,
    .reset = reset,
    .add = add,
    .remove = removed,
    .pick = pick,
    .wants = wants,
    .event = event,
};

static const hd_parameter parameters[PARAMETERS] = {
    [PATIENCE] = {.name = "patience",
                  .type = HD_TYPE_UNSIGNED,
                  .standard = "64",
                  .minimum = 1,
                  .maximum = 1000000,
                  .doc = "issues in a row of the youngest, before the oldest has its turn"},
};

static const hd_statistic statistics[STATISTICS] = {
    [YIELDS] = {.name = "youngest_yields",
                .unit = "instructions",
                .kind = HD_STATISTIC_COUNT,
                .doc = "instructions that issued because the youngest had been patient"},
};

static const hd_requirement requirements[] = {
    {.what = HD_REQUIRES_CHOICE,
     .sentence = "is only for warps with a stack",
     .parameter = "reconvergence",
     .word = "stack"},
};

const hd_unit toy_youngest = {
    .abi_version = HD_ABI_VERSION,
    .struct_bytes = sizeof(hd_unit),
    .kind = "scheduler",
    .name = "youngest",
    .doc = "the youngest first, until it has to yield",
    .source = "an example",
    .interface = SCHEDULER_INTERFACE,
    .functions = &functions,
    .parameter_count = PARAMETERS,
    .parameters = parameters,
    .statistic_count = STATISTICS,
    .statistics = statistics,
    .requirement_count = sizeof requirements / sizeof *requirements,
    .requirements = requirements,
};
