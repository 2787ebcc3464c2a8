/* SPDX-License-Identifier: MIT */
/* Loose round robin, and the same behind a greedy step. */
#include <stdlib.h>

#include "scheduler_units.h"

typedef struct lrr {
    uint32_t paths;
    uint32_t last;   /* issued last: the turn is behind it */
    uint32_t greedy; /* the same while it is there, or NO_PATH */
} lrr;

static void lrr_reset(scheduler *unit)
{
    lrr *s = (lrr *)unit;
    s->last = s->paths - 1;
    s->greedy = NO_PATH;
}

static scheduler *lrr_create(const scheduler_parameters *parameters)
{
    lrr *s = calloc(1, sizeof *s);
    if (!s) {
        return NULL;
    }
    s->paths = parameters->paths;
    lrr_reset((scheduler *)s);
    return (scheduler *)s;
}

static void lrr_destroy(scheduler *unit)
{
    free(unit);
}

static void lrr_add(scheduler *unit, uint32_t path, uint64_t age)
{
    (void)unit;
    (void)path;
    (void)age;
}

static void lrr_remove(scheduler *unit, uint32_t path)
{
    lrr *s = (lrr *)unit;
    if (s->greedy == path)
        s->greedy = NO_PATH;
}

static uint32_t lrr_pick(const scheduler *unit, const uint64_t *ready, uint64_t cycle)
{
    const lrr *s = (const lrr *)unit;
    (void)cycle;
    const uint32_t words = (s->paths + 63) / 64;
    const uint32_t first = s->last / 64;
    const uint64_t behind = ~UINT64_C(0) << (s->last % 64) << 1;
    if (ready[first] & behind) {
        return first * 64 + (uint32_t)__builtin_ctzll(ready[first] & behind);
    }
    /* The last word looked at is the first one again, for the ids up to `last`. */
    for (uint32_t i = 1; i <= words; i++) {
        const uint32_t w = (first + i) % words;
        if (ready[w]) {
            return w * 64 + (uint32_t)__builtin_ctzll(ready[w]);
        }
    }
    return NO_PATH;
}

static uint32_t glrr_pick(const scheduler *unit, const uint64_t *ready, uint64_t cycle)
{
    const uint32_t greedy = ((const lrr *)unit)->greedy;
    if (greedy != NO_PATH && (ready[greedy / 64] >> (greedy % 64)) & 1)
        return greedy;
    return lrr_pick(unit, ready, cycle);
}

static uint32_t lrr_wants(const scheduler *unit)
{
    (void)unit;
    return PATH_ISSUED;
}

static void lrr_event(scheduler *unit, const path_event *event)
{
    lrr *s = (lrr *)unit;
    s->last = event->path;
    s->greedy = event->path;
}

static void lrr_transfer(scheduler *unit, const hd_state_stream *stream)
{
    lrr *s = (lrr *)unit;
    HD_STATE_VALUE(stream, s->last);
    HD_STATE_VALUE(stream, s->greedy);
}

const scheduler_unit scheduler_lrr = {
    .create = lrr_create,
    .destroy = lrr_destroy,
    .reset = lrr_reset,
    .add = lrr_add,
    .remove = lrr_remove,
    .pick = lrr_pick,
    .wants = lrr_wants,
    .event = lrr_event,
    .transfer = lrr_transfer,
};

const hd_unit hd_scheduler_lrr = {
    HD_UNIT_HEAD(scheduler, SCHEDULER, lrr),
    .doc = "loose round robin: the first ready path after the last one that issued",
    .source = "Fung 2015 §2.3.3",
};

const scheduler_unit scheduler_glrr = {
    .create = lrr_create,
    .destroy = lrr_destroy,
    .reset = lrr_reset,
    .add = lrr_add,
    .remove = lrr_remove,
    .pick = glrr_pick,
    .wants = lrr_wants,
    .event = lrr_event,
    .transfer = lrr_transfer,
};

const hd_unit hd_scheduler_glrr = {
    HD_UNIT_HEAD(scheduler, SCHEDULER, glrr),
    .doc = "greedy, then loose round robin: the path that issued last, else the first ready one after it",
    .source = "ElTantawy 2018 §5.6",
};
