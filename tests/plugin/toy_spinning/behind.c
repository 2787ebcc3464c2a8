/* SPDX-License-Identifier: MIT */
/* A back-off of a plug-in, without delays: paths that spin issue when the scheduler below has nothing else. */
#include <stdlib.h>

#include "back_off.h"

enum { PATHS, STATISTICS };

typedef struct behind {
    scheduler_base base;
    uint32_t base_wants;
    uint64_t *counters;
    uint32_t words;
    uint64_t *held;   /* set of paths */
    uint64_t *others; /* scratch of pick */
    uint64_t sets[];  /* both */
} behind;

static uint64_t bit_of(uint32_t path)
{
    return UINT64_C(1) << path % 64;
}

static void reset(scheduler *unit)
{
    behind *s = (behind *)unit;
    for (uint32_t w = 0; w < s->words; w++)
        s->held[w] = 0;
}

static scheduler *create(const scheduler_parameters *parameters)
{
    const uint32_t words = (parameters->paths + 63) / 64;
    behind *s = calloc(1, sizeof *s + 2 * words * sizeof *s->sets);
    if (!s)
        return NULL;
    s->base = parameters->base;
    s->base_wants = s->base.unit->wants ? s->base.unit->wants(s->base.instance) : 0;
    s->counters = parameters->share.counters;
    s->words = words;
    s->held = s->sets;
    s->others = s->sets + words;
    return (scheduler *)s;
}

static void destroy(scheduler *unit)
{
    free(unit);
}

static void add(scheduler *unit, uint32_t path, uint64_t age)
{
    behind *s = (behind *)unit;
    s->base.unit->add(s->base.instance, path, age);
}

static void removed(scheduler *unit, uint32_t path)
{
    behind *s = (behind *)unit;
    s->held[path / 64] &= ~bit_of(path);
    s->base.unit->remove(s->base.instance, path);
}

/* What the scheduler below picks of those that are held, or of the others. */
static uint32_t pick_of(const behind *s, const uint64_t *ready, uint64_t which, uint64_t cycle)
{
    uint64_t any = 0;
    for (uint32_t w = 0; w < s->words; w++)
        any |= s->others[w] = ready[w] & (s->held[w] ^ which);
    return any ? s->base.unit->pick(s->base.instance, s->others, cycle) : NO_PATH;
}

static uint32_t pick(const scheduler *unit, const uint64_t *ready, uint64_t cycle)
{
    const behind *s = (const behind *)unit;
    const uint32_t other = pick_of(s, ready, UINT64_MAX, cycle);
    return other == NO_PATH ? pick_of(s, ready, 0, cycle) : other;
}

static uint64_t next(const scheduler *unit, uint64_t cycle)
{
    const behind *s = (const behind *)unit;
    return s->base.unit->next ? s->base.unit->next(s->base.instance, cycle) : UINT64_MAX;
}

static uint32_t wants(const scheduler *unit)
{
    return ((const behind *)unit)->base_wants | PATH_ISSUED | PATH_SPUN;
}

static void event(scheduler *unit, const path_event *event)
{
    behind *s = (behind *)unit;
    if (event->kind == PATH_SPUN) {
        s->held[event->path / 64] |= bit_of(event->path);
        s->counters[PATHS]++;
    } else if (event->kind == PATH_ISSUED)
        s->held[event->path / 64] &= ~bit_of(event->path);
    if (event->kind & s->base_wants)
        s->base.unit->event(s->base.instance, event);
}

static const back_off_unit functions = {
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

static const hd_statistic statistics[STATISTICS] = {
    [PATHS] = {.name = "behind_paths",
               .unit = "times",
               .kind = HD_STATISTIC_COUNT,
               .doc = "how often a path has gone behind the others"},
};

static const hd_requirement requirements[] = {
    {.what = HD_REQUIRES_ABILITY,
     .sentence = "is told of spinning by a detector: core.spin must not be none",
     .parameter = "spin",
     .word = "spin"},
};

const hd_unit toy_behind = {
    .abi_version = HD_ABI_VERSION,
    .struct_bytes = sizeof(hd_unit),
    .kind = "back_off",
    .name = "behind",
    .doc = "who spins goes behind the others, without delay",
    .source = "an example",
    .interface = BACK_OFF_INTERFACE,
    .functions = &functions,
    .statistic_count = STATISTICS,
    .statistics = statistics,
    .requirement_count = sizeof requirements / sizeof *requirements,
    .requirements = requirements,
};
