/* SPDX-License-Identifier: MIT */
/*
 * Criticality-aware: the path that issued last, else the one that is expected to end last. What a path still has to do is
 * reckoned in instructions, from the length of its kernel on: each that issues takes off the way from the one before it, so that going
 * back puts some on; times its cycles per instruction, and the cycles that it has not issued in. Not the part of CAWA that
 * manages the cache. Source: ElTantawy 2018 §6.1.
 */
#include <stdlib.h>

#include "paths_of.h"
#include "scheduler_units.h"

#define NOT_BEGUN UINT64_MAX

enum { STALLS, PARAMETERS };
enum { STALLS_COUNTED, STALLS_TRIANGULAR };
static const hd_parameter parameters_of_cawa[PARAMETERS] = {
    [STALLS] = {.name = "stalls",
                .type = HD_TYPE_CHOICE,
                .standard = "cycles",
                .choices = "cycles|triangular",
                .doc =
                    "what a path's cycle without an instruction counts: 1, or the cycles since its last instruction"},
};

typedef struct progress {
    uint64_t age;
    uint64_t begun;   /* cycle; NOT_BEGUN */
    uint64_t last;    /* cycle in which it issued last, or began */
    uint64_t issued;  /* instructions */
    uint64_t stalled; /* up to `last` */
    uint64_t left;    /* instructions */
    uint32_t pc;      /* of the last that issued */
    uint32_t reserved;
} progress;

typedef struct cawa {
    uint64_t stalls;
    uint32_t paths, paths_per_warp;
    const path *standing;
    uint32_t greedy;
    progress of[]; /* [path] */
} cawa;

static void cawa_reset(scheduler *unit)
{
    cawa *s = (cawa *)unit;
    s->greedy = NO_PATH;
    for (uint32_t path = 0; path < s->paths; path++)
        s->of[path] = (progress){.begun = NOT_BEGUN};
}

static scheduler *cawa_create(const scheduler_parameters *parameters)
{
    cawa *s = calloc(1, sizeof *s + parameters->paths * sizeof *s->of);
    if (!s)
        return NULL;
    s->stalls = parameters->share.values[STALLS].u;
    s->paths = parameters->paths;
    s->paths_per_warp = parameters->paths_per_warp;
    s->standing = parameters->standing;
    cawa_reset((scheduler *)s);
    return (scheduler *)s;
}

static void cawa_destroy(scheduler *unit)
{
    free(unit);
}

static void cawa_add(scheduler *unit, uint32_t path, uint64_t age)
{
    cawa *s = (cawa *)unit;
    s->of[path] = (progress){.age = age, .begun = NOT_BEGUN, .pc = s->standing[path].pc};
}

static void cawa_remove(scheduler *unit, uint32_t path)
{
    cawa *s = (cawa *)unit;
    if (s->greedy == path)
        s->greedy = NO_PATH;
}

/* Of cycles without an instruction since the last one. */
static uint64_t stalled_since(const cawa *s, const progress *p, uint64_t cycle)
{
    const uint64_t cycles = cycle > p->last ? cycle - p->last - 1 : 0;
    return s->stalls == STALLS_TRIANGULAR ? cycles * (cycles + 1) / 2 : cycles;
}

static uint64_t criticality(const cawa *s, uint32_t path, uint64_t cycle)
{
    const progress *p = &s->of[path];
    if (p->begun == NOT_BEGUN)
        return p->left;
    return p->left * (cycle - p->begun) / (p->issued ? p->issued : 1) + p->stalled + stalled_since(s, p, cycle);
}

static uint32_t is_older(const cawa *s, uint32_t a, uint32_t b)
{
    return s->of[a].age != s->of[b].age ? s->of[a].age < s->of[b].age : a < b;
}

static uint32_t cawa_pick(const scheduler *unit, const uint64_t *ready, uint64_t cycle)
{
    const cawa *s = (const cawa *)unit;
    uint32_t best = NO_PATH;
    uint64_t most = 0;
    if (s->greedy != NO_PATH && ready[s->greedy / 64] >> s->greedy % 64 & 1)
        return s->greedy;
    for (uint32_t w = 0; w < (s->paths + 63) / 64; w++)
        for (uint64_t left = ready[w]; left; left &= left - 1) {
            const uint32_t path = w * 64 + (uint32_t)__builtin_ctzll(left);
            const uint64_t now = criticality(s, path, cycle);
            if (best == NO_PATH || now > most || (now == most && is_older(s, path, best))) {
                best = path;
                most = now;
            }
        }
    return best;
}

static void launch(cawa *s, const path_event *event)
{
    const path_range paths = paths_of(event->warp, s->paths_per_warp);
    for (uint32_t path = paths.first; path < paths.end; path++) {
        s->of[path].begun = s->of[path].last = event->cycle;
        s->of[path].left = event->instructions;
    }
}

static void issue(cawa *s, const path_event *event)
{
    progress *p = &s->of[event->path];
    const int64_t left = (int64_t)p->left - ((int64_t)event->pc - p->pc) / 4;
    if (p->begun == NOT_BEGUN)
        p->begun = p->last = event->cycle;
    p->stalled += stalled_since(s, p, event->cycle);
    p->left = left > 0 ? (uint64_t)left : 0;
    p->pc = event->pc;
    p->last = event->cycle;
    p->issued++;
    s->greedy = event->path;
}

static uint32_t cawa_wants(const scheduler *unit)
{
    (void)unit;
    return PATH_LAUNCHED | PATH_ISSUED;
}

static void cawa_event(scheduler *unit, const path_event *event)
{
    if (event->kind == PATH_LAUNCHED)
        launch((cawa *)unit, event);
    else
        issue((cawa *)unit, event);
}

static void cawa_transfer(scheduler *unit, const hd_state_stream *stream)
{
    cawa *s = (cawa *)unit;
    HD_STATE_VALUE(stream, s->greedy);
    HD_STATE_ARRAY(stream, s->of, s->paths);
}

const scheduler_unit scheduler_cawa = {
    .create = cawa_create,
    .destroy = cawa_destroy,
    .reset = cawa_reset,
    .add = cawa_add,
    .remove = cawa_remove,
    .pick = cawa_pick,
    .wants = cawa_wants,
    .event = cawa_event,
    .transfer = cawa_transfer,
};

const hd_unit hd_scheduler_cawa = {
    HD_UNIT_HEAD(scheduler, SCHEDULER, cawa),
    .doc = "criticality-aware: the path that issued last, else the one that is expected to end last",
    .source = "ElTantawy 2018 §6.1",
    .parameter_count = PARAMETERS,
    .parameters = parameters_of_cawa,
};
