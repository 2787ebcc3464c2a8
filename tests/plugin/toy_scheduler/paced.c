/* SPDX-License-Identifier: MIT */
/* A warp scheduler of a plug-in that declines: between two instructions of its port there are so many cycles at least. */
#include <stdlib.h>

#include "scheduler.h"

enum { INTERVAL, PARAMETERS };
enum { ON_TIME, STATISTICS };

typedef struct paced {
    hd_unit_share share;
    uint32_t words;
    uint32_t paths;
    uint64_t opens;  /* cycle from which it picks again */
    uint64_t ages[]; /* [path] */
} paced;

static void reset(scheduler *unit)
{
    paced *s = (paced *)unit;
    s->opens = 0;
    for (uint32_t path = 0; path < s->paths; path++)
        s->ages[path] = 0;
}

static scheduler *create(const scheduler_parameters *parameters)
{
    paced *s = calloc(1, sizeof *s + parameters->paths * sizeof *s->ages);
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
    ((paced *)unit)->ages[path] = age;
}

static void removed(scheduler *unit, uint32_t path)
{
    (void)unit, (void)path;
}

/* The oldest. */
static uint32_t pick(const scheduler *unit, const uint64_t *ready, uint64_t cycle)
{
    const paced *s = (const paced *)unit;
    uint32_t oldest = NO_PATH;
    for (uint32_t word = 0; word < s->words && cycle >= s->opens; word++)
        for (uint64_t left = ready[word]; left; left &= left - 1) {
            const uint32_t path = word * 64 + (uint32_t)__builtin_ctzll(left);
            if (oldest == NO_PATH || s->ages[path] < s->ages[oldest])
                oldest = path;
        }
    return oldest;
}

static uint64_t next(const scheduler *unit, uint64_t cycle)
{
    const paced *s = (const paced *)unit;
    return s->opens > cycle ? s->opens : cycle + 1;
}

static uint32_t wants(const scheduler *unit)
{
    (void)unit;
    return PATH_ISSUED;
}

static void event(scheduler *unit, const path_event *event)
{
    paced *s = (paced *)unit;
    s->share.counters[ON_TIME] += event->cycle == s->opens;
    s->opens = event->cycle + s->share.values[INTERVAL].u;
}

static const scheduler_unit functions = {
    .create = create,
    .destroy = destroy,
    .reset = reset,
    .add = add,
    .remove = removed,
    .pick = pick,
    .next = next,
    .wants = wants,
    .event = event,
};

static const hd_parameter parameters[PARAMETERS] = {
    [INTERVAL] = {.name = "interval",
                  .type = HD_TYPE_UNSIGNED,
                  .unit = HD_UNIT_CYCLES,
                  .standard = "4 cycles",
                  .minimum = 1,
                  .maximum = 1000,
                  .doc = "from one instruction of a port to its next, at least"},
};

static const hd_statistic statistics[STATISTICS] = {
    [ON_TIME] = {.name = "paced_on_time",
                 .unit = "instructions",
                 .kind = HD_STATISTIC_COUNT,
                 .doc = "instructions that issued as soon as the interval was over"},
};

static const hd_requirement requirements[] = {
    {.what = HD_REQUIRES_RANGE,
     .sentence = "has one instruction at a time: issue.per_warp must be 1",
     .parameter = "issue.per_warp",
     .minimum = 1,
     .maximum = 1},
};

const hd_unit toy_paced = {
    .abi_version = HD_ABI_VERSION,
    .struct_bytes = sizeof(hd_unit),
    .kind = "scheduler",
    .name = "paced",
    .doc = "the oldest first, and none for some cycles after each instruction",
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
