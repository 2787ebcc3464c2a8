/* SPDX-License-Identifier: MIT */
/*
 * Issue policies of dynamic warp formation, by where the ready paths stand. A path enters the pool when it is added and each time that
 * it has issued: among equals the first that entered issues. Source: Fung 2015 §2.4, §3.2.
 */
#include <stdlib.h>
#include <string.h>

#include "bits.h"
#include "point_set.h"
#include "scheduler_units.h"

enum { POLICY, PARAMETERS };
enum { MAJORITY, MINORITY, TIME, PDPRI, PC };
static const hd_parameter parameters_of_dwf[PARAMETERS] = {
    [POLICY] = {.name = "policy",
                .type = HD_TYPE_CHOICE,
                .standard = "majority",
                .choices = "majority|minority|time|pdpri|pc",
                .doc = "the pc of most threads until none is there, or of fewest; the first that came; the fewest "
                       "reconvergence points passed; the lowest pc"},
};

/* The points that paths have passed are of all ports of the core: who parts may go on at another one. */
struct scheduler_shared {
    uint32_t paths;
    uint32_t *passed; /* [path] */
    uint64_t *blocks; /* [path]: number of its block */
    uint32_t last_passed;
    uint64_t last_block; /* of the path of the last event; paths of it that are added now have come from there */
    point_set points;
};

typedef struct dwf_scheduler {
    uint64_t policy;
    uint32_t words;
    const path *standing;
    scheduler_shared *shared;
    uint64_t *entered; /* [path]: by number */
    uint64_t number;
    uint32_t pc;             /* of the last that issued: majority stays there */
    uint32_t *pcs, *threads; /* of the ready, while one is picked */
    uint32_t paths;
} dwf_scheduler;

static void destroy_shared(scheduler_shared *shared)
{
    free(shared->passed);
    free(shared->blocks);
    free(shared);
}

static void reset_shared(scheduler_shared *shared)
{
    memset(shared->passed, 0, shared->paths * sizeof *shared->passed);
    memset(shared->blocks, 0, shared->paths * sizeof *shared->blocks);
    shared->last_passed = 0;
    shared->last_block = UINT64_MAX;
    shared->points.count = 0;
}

static scheduler_shared *create_shared(const scheduler_parameters *parameters)
{
    scheduler_shared *shared = calloc(1, sizeof *shared);
    if (!shared)
        return NULL;
    shared->paths = parameters->paths;
    shared->passed = calloc(shared->paths, sizeof *shared->passed);
    shared->blocks = calloc(shared->paths, sizeof *shared->blocks);
    if (!shared->passed || !shared->blocks) {
        destroy_shared(shared);
        return NULL;
    }
    reset_shared(shared);
    return shared;
}

static void dwf_destroy(scheduler *unit)
{
    dwf_scheduler *s = (dwf_scheduler *)unit;
    free(s->entered);
    free(s->pcs);
    free(s->threads);
    free(s);
}

static void dwf_reset(scheduler *unit)
{
    dwf_scheduler *s = (dwf_scheduler *)unit;
    memset(s->entered, 0, s->paths * sizeof *s->entered);
    s->number = 0;
    s->pc = UINT32_MAX;
}

static scheduler *dwf_create(const scheduler_parameters *parameters)
{
    dwf_scheduler *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->policy = parameters->share.values[POLICY].u;
    s->paths = parameters->paths;
    s->words = (parameters->paths + 63) / 64;
    s->standing = parameters->standing;
    s->shared = parameters->shared;
    s->entered = calloc(s->paths, sizeof *s->entered);
    s->pcs = calloc(s->paths, sizeof *s->pcs);
    s->threads = calloc(s->paths, sizeof *s->threads);
    if (!s->entered || !s->pcs || !s->threads) {
        dwf_destroy((scheduler *)s);
        return NULL;
    }
    dwf_reset((scheduler *)s);
    return (scheduler *)s;
}

static void dwf_add(scheduler *unit, uint32_t path, uint64_t age)
{
    dwf_scheduler *s = (dwf_scheduler *)unit;
    scheduler_shared *shared = s->shared;
    s->entered[path] = ++s->number;
    shared->blocks[path] = age >> 16;
    shared->passed[path] = shared->blocks[path] == shared->last_block ? shared->last_passed : 0;
}

static void dwf_remove(scheduler *unit, uint32_t path)
{
    (void)unit, (void)path;
}

/* ---- Which one -------------------------------------------------------------------------------------------------------------- */

static uint32_t threads_of(const dwf_scheduler *s, uint32_t path)
{
    return bits_count(s->standing[path].mask);
}

/* The pc with most threads, or fewest, of those that are ready; equal: the lower one. */
static uint32_t pc_by_threads(const dwf_scheduler *s, const uint64_t *ready, uint32_t most)
{
    uint32_t count = 0, chosen = 0;
    for (uint32_t w = 0; w < s->words; w++) {
        for (uint64_t left = ready[w]; left; left &= left - 1) {
            const uint32_t path = w * 64 + (uint32_t)__builtin_ctzll(left);
            uint32_t i = 0;
            while (i < count && s->pcs[i] != s->standing[path].pc)
                i++;
            if (i == count) {
                s->pcs[count] = s->standing[path].pc;
                s->threads[count++] = 0;
            }
            s->threads[i] += threads_of(s, path);
        }
    }
    for (uint32_t i = 1; i < count; i++) {
        const uint32_t more = s->threads[i] > s->threads[chosen], fewer = s->threads[i] < s->threads[chosen];
        if ((most ? more : fewer) || (!more && !fewer && s->pcs[i] < s->pcs[chosen]))
            chosen = i;
    }
    return s->pcs[chosen];
}

static uint32_t stands_at(const dwf_scheduler *s, const uint64_t *ready, uint32_t pc)
{
    for (uint32_t w = 0; w < s->words; w++)
        for (uint64_t left = ready[w]; left; left &= left - 1)
            if (s->standing[w * 64 + (uint32_t)__builtin_ctzll(left)].pc == pc)
                return 1;
    return 0;
}

/* What of a path is to be lowest first, then its threads to be most. */
static uint32_t rank_of(const dwf_scheduler *s, uint32_t path)
{
    switch (s->policy) {
    case PDPRI: return s->shared->passed[path];
    case PC: return s->standing[path].pc;
    default: return 0;
    }
}

static uint32_t precedes(const dwf_scheduler *s, uint32_t path, uint32_t other)
{
    if (rank_of(s, path) != rank_of(s, other))
        return rank_of(s, path) < rank_of(s, other);
    if ((s->policy == PDPRI || s->policy == PC) && threads_of(s, path) != threads_of(s, other))
        return threads_of(s, path) > threads_of(s, other);
    return s->entered[path] < s->entered[other];
}

static uint32_t is_empty(const dwf_scheduler *s, const uint64_t *ready)
{
    uint64_t any = 0;
    for (uint32_t w = 0; w < s->words; w++)
        any |= ready[w];
    return !any;
}

static uint32_t dwf_pick(const scheduler *unit, const uint64_t *ready, uint64_t cycle)
{
    const dwf_scheduler *s = (const dwf_scheduler *)unit;
    const uint32_t by_threads = s->policy == MAJORITY || s->policy == MINORITY;
    uint32_t best = NO_PATH, pc = s->pc;
    (void)cycle;
    if (by_threads && !is_empty(s, ready) && (s->policy == MINORITY || !stands_at(s, ready, pc)))
        pc = pc_by_threads(s, ready, s->policy == MAJORITY);
    for (uint32_t w = 0; w < s->words; w++) {
        for (uint64_t left = ready[w]; left; left &= left - 1) {
            const uint32_t path = w * 64 + (uint32_t)__builtin_ctzll(left);
            if ((!by_threads || s->standing[path].pc == pc) && (best == NO_PATH || precedes(s, path, best)))
                best = path;
        }
    }
    return best;
}

/* ---- What happens ----------------------------------------------------------------------------------------------------------- */

static uint32_t dwf_wants(const scheduler *unit)
{
    return PATH_ISSUED | (((const dwf_scheduler *)unit)->policy == PDPRI ? PATH_BRANCHED | PATH_ARRIVED : 0);
}

/* Control goes to a point, or straight-line code has come to one. */
static void pass(scheduler_shared *shared, const path_event *event)
{
    const uint32_t parts = event->kind == PATH_BRANCHED && path_event_is_divergent(event);
    if (parts)
        point_set_add(&shared->points, event->reconvergence_pc);
    else if (event->kind == PATH_ARRIVED || point_set_has(&shared->points, event->target))
        shared->passed[event->path]++;
    shared->last_passed = shared->passed[event->path];
    shared->last_block = shared->blocks[event->path];
}

static void dwf_event(scheduler *unit, const path_event *event)
{
    dwf_scheduler *s = (dwf_scheduler *)unit;
    if (event->kind != PATH_ISSUED) {
        pass(s->shared, event);
        return;
    }
    s->pc = event->pc;
    s->entered[event->path] = ++s->number;
}

static void transfer_shared(scheduler_shared *shared, const hd_state_stream *stream)
{
    HD_STATE_ARRAY(stream, shared->passed, shared->paths);
    HD_STATE_ARRAY(stream, shared->blocks, shared->paths);
    HD_STATE_VALUE(stream, shared->last_passed);
    HD_STATE_VALUE(stream, shared->last_block);
    point_set_transfer(&shared->points, stream);
}

static void dwf_transfer(scheduler *unit, const hd_state_stream *stream)
{
    dwf_scheduler *s = (dwf_scheduler *)unit;
    HD_STATE_ARRAY(stream, s->entered, s->paths);
    HD_STATE_VALUE(stream, s->number);
    HD_STATE_VALUE(stream, s->pc);
}

const scheduler_unit scheduler_dwf = {
    .create_shared = create_shared,
    .destroy_shared = destroy_shared,
    .reset_shared = reset_shared,
    .create = dwf_create,
    .destroy = dwf_destroy,
    .reset = dwf_reset,
    .add = dwf_add,
    .remove = dwf_remove,
    .pick = dwf_pick,
    .wants = dwf_wants,
    .event = dwf_event,
    .transfer = dwf_transfer,
    .transfer_shared = transfer_shared,
};

const hd_unit hd_scheduler_dwf = {
    HD_UNIT_HEAD(scheduler, SCHEDULER, dwf),
    .doc = "policies of dynamic warp formation: by how many threads are ready at a pc, by age, or by progress",
    .source = "Fung 2015 §2.4, §3.2",
    .parameter_count = PARAMETERS,
    .parameters = parameters_of_dwf,
};
