/* SPDX-License-Identifier: MIT */
/*
 * Back-off warp spinning. A path that is about to repeat a spin loop is backed off: it issues only when the scheduler has
 * nothing else, those that have been so for longest first. With its next instruction it is as all others again, and a delay begins:
 * if it is backed off before that is over, it waits for the rest of it.
 */
#include <stdlib.h>
#include <string.h>

#include "back_off_units.h"
#include "bows.h"
#include "bows_limit.h"

/* Of a core. */
typedef struct bows_core {
    bows_rules rules;
    bows_limit limit;
    uint32_t paths; /* that there are */
} bows_core;

typedef struct bows {
    bows_core *core;
    scheduler_base base;
    uint32_t base_wants;
    uint32_t paths, words;
    uint64_t *counters;
    uint64_t patience;
    uint64_t *backed_off; /* set of paths */
    uint64_t *others;     /* scratch of pick */
    uint64_t *since;      /* [path]: backed off */
    uint64_t *pending;    /* [path]: first cycle after its delay */
    uint32_t *queue;      /* those backed off, the longest first */
    uint32_t queued;
} bows;

static bows_rules rules_of(const hd_value *values)
{
    const uint64_t most = values[BOWS_MINIMUM].u + values[BOWS_RANGE].u;
    return (bows_rules){.window = values[BOWS_WINDOW].u,
                        .minimum = values[BOWS_MINIMUM].u,
                        .maximum = most < BOWS_PENDING_MAX ? most : BOWS_PENDING_MAX,
                        .step = values[BOWS_STEP].u,
                        .share = values[BOWS_SHARE].u,
                        .decline = values[BOWS_DECLINE].u,
                        .zero_is_infinite = values[BOWS_EMPTY_WINDOW].u == BOWS_EMPTY_INFINITE};
}

static void bows_reset_shared(scheduler_shared *shared)
{
    bows_core *core = (bows_core *)shared;
    core->limit.number = 0;
    core->paths = 0;
    bows_limit_reset(&core->limit, &core->rules);
}

static scheduler_shared *bows_create_shared(const scheduler_parameters *parameters)
{
    bows_core *core = calloc(1, sizeof *core);
    if (!core)
        return NULL;
    core->rules = rules_of(parameters->share.values);
    bows_reset_shared((scheduler_shared *)core);
    return (scheduler_shared *)core;
}

static void bows_destroy_shared(scheduler_shared *shared)
{
    free(shared);
}

static void bows_destroy(scheduler *unit)
{
    bows *s = (bows *)unit;
    free(s->backed_off);
    free(s->others);
    free(s->since);
    free(s->pending);
    free(s->queue);
    free(s);
}

static void bows_reset(scheduler *unit)
{
    bows *s = (bows *)unit;
    memset(s->backed_off, 0, s->words * sizeof *s->backed_off);
    s->queued = 0;
}

static scheduler *bows_create(const scheduler_parameters *parameters)
{
    bows *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->core = (bows_core *)parameters->shared;
    s->base = parameters->base;
    s->base_wants = s->base.unit->wants ? s->base.unit->wants(s->base.instance) : 0;
    s->paths = parameters->paths;
    s->words = (parameters->paths + 63) / 64;
    s->counters = parameters->share.counters;
    s->patience = parameters->share.values[BOWS_PATIENCE].u;
    s->backed_off = calloc(s->words, sizeof *s->backed_off);
    s->others = calloc(s->words, sizeof *s->others);
    s->since = calloc(parameters->paths, sizeof *s->since);
    s->pending = calloc(parameters->paths, sizeof *s->pending);
    s->queue = calloc(parameters->paths, sizeof *s->queue);
    if (!s->backed_off || !s->others || !s->since || !s->pending || !s->queue) {
        bows_destroy((scheduler *)s);
        return NULL;
    }
    return (scheduler *)s;
}

static uint32_t has(const uint64_t *set, uint32_t path)
{
    return set[path / 64] >> path % 64 & 1;
}

static void leave_queue(bows *s, uint32_t path)
{
    uint32_t at = 0;
    while (s->queue[at] != path)
        at++;
    memmove(s->queue + at, s->queue + at + 1, (--s->queued - at) * sizeof *s->queue);
    s->backed_off[path / 64] &= ~(UINT64_C(1) << path % 64);
}

static void bows_add(scheduler *unit, uint32_t path, uint64_t age)
{
    bows *s = (bows *)unit;
    s->pending[path] = 0;
    s->core->paths++;
    s->base.unit->add(s->base.instance, path, age);
}

static void bows_remove(scheduler *unit, uint32_t path)
{
    bows *s = (bows *)unit;
    if (has(s->backed_off, path))
        leave_queue(s, path);
    if (--s->core->paths == 0)
        bows_limit_reset(&s->core->limit, &s->core->rules);
    s->base.unit->remove(s->base.instance, path);
}

static uint32_t pick_other(const bows *s, const uint64_t *ready, uint64_t cycle)
{
    uint64_t any = 0;
    for (uint32_t w = 0; w < s->words; w++)
        any |= s->others[w] = ready[w] & ~s->backed_off[w];
    return any ? s->base.unit->pick(s->base.instance, s->others, cycle) : NO_PATH;
}

static uint32_t pick_queued(const bows *s, const uint64_t *ready, uint64_t cycle)
{
    for (uint32_t i = 0; i < s->queued; i++)
        if (has(ready, s->queue[i]) && cycle >= s->pending[s->queue[i]])
            return s->queue[i];
    return NO_PATH;
}

/* Else others that always find something to issue, because they wait for it, would keep it for ever. */
static uint32_t has_waited_long(const bows *s, uint32_t path, uint64_t cycle)
{
    return path != NO_PATH && s->patience && cycle - s->since[path] >= s->patience;
}

static uint32_t bows_pick(const scheduler *unit, const uint64_t *ready, uint64_t cycle)
{
    const bows *s = (const bows *)unit;
    if (!s->queued)
        return s->base.unit->pick(s->base.instance, ready, cycle);
    const uint32_t queued = pick_queued(s, ready, cycle);
    const uint32_t other = has_waited_long(s, queued, cycle) ? NO_PATH : pick_other(s, ready, cycle);
    return other == NO_PATH ? queued : other;
}

static uint64_t bows_next(const scheduler *unit, uint64_t cycle)
{
    const bows *s = (const bows *)unit;
    uint64_t next = s->base.unit->next ? s->base.unit->next(s->base.instance, cycle) : UINT64_MAX;
    for (uint32_t i = 0; i < s->queued; i++) {
        const uint64_t pending = s->pending[s->queue[i]];
        if (pending > cycle && pending < next)
            next = pending;
    }
    return next;
}

static uint32_t bows_wants(const scheduler *unit)
{
    return ((const bows *)unit)->base_wants | PATH_ISSUED | PATH_SPUN;
}

static void go_on(bows *s, const path_event *event)
{
    const uint64_t limit = s->core->limit.cycles, cycles = event->cycle - s->since[event->path];
    leave_queue(s, event->path);
    s->counters[BOWS_BACKED_OFF_CYCLES] += cycles;
    hd_raise_maximum(&s->counters[BOWS_BACKED_OFF_MAXIMUM], cycles);
    s->counters[BOWS_DELAYED] += s->pending[event->path] > s->since[event->path];
    s->counters[BOWS_DELAYS] += limit != 0;
    s->counters[BOWS_DELAY_CYCLES] += limit;
    hd_raise_maximum(&s->counters[BOWS_LIMIT_MAXIMUM], limit);
    s->pending[event->path] = event->cycle + limit;
}

static void back_off(bows *s, const path_event *event)
{
    s->queue[s->queued++] = event->path;
    s->backed_off[event->path / 64] |= UINT64_C(1) << event->path % 64;
    s->since[event->path] = event->cycle;
    s->counters[BOWS_BACKED_OFF]++;
}

/* Windows, in which the limit was so many cycles. */
static void count_windows(bows *s, uint64_t cycles, uint64_t windows)
{
    static const uint16_t most[] = {
#define MOST(cycles, more_than) cycles,
        BOWS_LIMIT_BUCKETS(MOST)
#undef MOST
    };
    uint32_t bucket = 0;
    while (cycles > most[bucket])
        bucket++;
    s->counters[BOWS_LIMIT_0 + bucket] += windows;
}

static void advance_limit(bows *s, uint64_t cycle)
{
    const uint64_t before = s->core->limit.cycles;
    const uint64_t windows = bows_limit_advance(&s->core->limit, &s->core->rules, cycle);
    if (!windows)
        return;
    count_windows(s, before, 1);
    count_windows(s, s->core->limit.cycles, windows - 1);
}

static void bows_event(scheduler *unit, const path_event *event)
{
    bows *s = (bows *)unit;
    if (event->kind & (PATH_ISSUED | PATH_SPUN))
        advance_limit(s, event->cycle);
    if (event->kind == PATH_ISSUED) {
        s->core->limit.now.total++;
        if (has(s->backed_off, event->path))
            go_on(s, event);
    } else if (event->kind == PATH_SPUN) {
        s->core->limit.now.spins++;
        if (!has(s->backed_off, event->path))
            back_off(s, event);
    }
    if (s->base_wants & event->kind)
        s->base.unit->event(s->base.instance, event);
}

static void bows_transfer(scheduler *unit, const hd_state_stream *stream)
{
    bows *s = (bows *)unit;
    HD_STATE_ARRAY(stream, s->backed_off, s->words);
    HD_STATE_ARRAY(stream, s->since, s->paths);
    HD_STATE_ARRAY(stream, s->pending, s->paths);
    HD_STATE_VALUE(stream, s->queued);
    HD_STATE_ARRAY(stream, s->queue, s->queued);
}

static void bows_transfer_shared(scheduler_shared *shared, const hd_state_stream *stream)
{
    bows_core *core = (bows_core *)shared;
    HD_STATE_VALUE(stream, core->limit);
    HD_STATE_VALUE(stream, core->paths);
}

const back_off_unit back_off_bows = {
    .create_shared = bows_create_shared,
    .destroy_shared = bows_destroy_shared,
    .reset_shared = bows_reset_shared,
    .create = bows_create,
    .destroy = bows_destroy,
    .reset = bows_reset,
    .add = bows_add,
    .remove = bows_remove,
    .pick = bows_pick,
    .next = bows_next,
    .wants = bows_wants,
    .event = bows_event,
    .transfer = bows_transfer,
    .transfer_shared = bows_transfer_shared,
};
