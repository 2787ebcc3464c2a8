/* SPDX-License-Identifier: MIT */
/*
 * Greedy then oldest. Paths stand in a list from the oldest to the youngest. A rotation gives every path the age of
 * the one before it and the first one that of the last, so the list moves by one place under fixed ages.
 *
 * Rotations fall due at multiples of age_rotation_cycles. pick reckons those that are due from the cycle it is asked
 * for; the list itself moves when a path issues, which is the next time that anything depends on it. A list that was
 * empty begins unrotated: what ran before, and when, does not show in the order of new paths.
 *
 * Paths of one warp are of one age. With splits: round_robin it is the warp that is greedy, and its ready paths take turns.
 */
#include <stdlib.h>
#include <string.h>

#include "paths_of.h"
#include "scheduler_units.h"

#define NOT_BEGUN UINT64_MAX

enum { AGE_ROTATION, SPLITS, PARAMETERS };
enum { SPLITS_GREEDY, SPLITS_ROUND_ROBIN };
static const hd_parameter parameters_of_gto[PARAMETERS] = {
    [AGE_ROTATION] = {.name = "age_rotation",
                      .type = HD_TYPE_UNSIGNED,
                      .unit = HD_UNIT_CYCLES,
                      .standard = "50000 cycles",
                      .doc = "cycles between rotations of the ages, against livelock; 0 = never"},
    [SPLITS] = {.name = "splits",
                .type = HD_TYPE_CHOICE,
                .standard = "greedy",
                .choices = "greedy|round_robin",
                .doc =
                    "of the paths of a warp whose lanes have parted: the one that issued last, then the first; or in "
                    "turn, while the warp has one that is ready (ElTantawy 2018 §7.4)"},
};

typedef struct gto {
    uint32_t paths, paths_per_warp;
    uint32_t words;
    uint32_t take_turns; /* those of one warp */
    uint64_t rotation_cycles;
    uint64_t next_rotation; /* cycle; NOT_BEGUN: nothing has issued since the list was empty */
    uint32_t greedy;        /* issued last, and is in the list */
    uint32_t count;
    uint32_t *issued;  /* by warp: path that issued last */
    uint32_t *order;   /* path of each place, the oldest first */
    uint64_t *ages;    /* of each place, ascending */
    uint32_t *place;   /* by path; NO_PATH: not in the list */
    uint32_t *scratch; /* order while it moves */
} gto;

static void gto_destroy(scheduler *unit)
{
    gto *s = (gto *)unit;
    if (!s) {
        return;
    }
    free(s->order);
    free(s->ages);
    free(s->place);
    free(s->scratch);
    free(s->issued);
    free(s);
}

static void gto_reset(scheduler *unit)
{
    gto *s = (gto *)unit;
    s->next_rotation = NOT_BEGUN;
    s->greedy = NO_PATH;
    s->count = 0;
    for (uint32_t p = 0; p < s->paths; p++) {
        s->place[p] = NO_PATH;
        s->issued[warp_slot_of(p, s->paths_per_warp)] = p;
    }
}

static scheduler *gto_create(const scheduler_parameters *parameters)
{
    gto *s = calloc(1, sizeof *s);
    if (!s) {
        return NULL;
    }
    s->paths = parameters->paths;
    s->paths_per_warp = parameters->paths_per_warp;
    s->take_turns = parameters->share.values[SPLITS].u == SPLITS_ROUND_ROBIN;
    s->words = (parameters->paths + 63) / 64;
    s->rotation_cycles = parameters->share.values[AGE_ROTATION].u;
    s->order = calloc(s->paths, sizeof *s->order);
    s->ages = calloc(s->paths, sizeof *s->ages);
    s->place = calloc(s->paths, sizeof *s->place);
    s->scratch = calloc(s->paths, sizeof *s->scratch);
    s->issued = calloc(s->paths / s->paths_per_warp, sizeof *s->issued);
    if (!s->order || !s->ages || !s->place || !s->scratch || !s->issued) {
        gto_destroy((scheduler *)s);
        return NULL;
    }
    gto_reset((scheduler *)s);
    return (scheduler *)s;
}

static void renumber(gto *s, uint32_t from)
{
    for (uint32_t i = from; i < s->count; i++) {
        s->place[s->order[i]] = i;
    }
}

static void gto_add(scheduler *unit, uint32_t path, uint64_t age)
{
    gto *s = (gto *)unit;
    uint32_t at = s->count;
    while (at > 0 && (s->ages[at - 1] > age || (s->ages[at - 1] == age && s->order[at - 1] > path))) {
        at--;
    }
    memmove(s->order + at + 1, s->order + at, (s->count - at) * sizeof *s->order);
    memmove(s->ages + at + 1, s->ages + at, (s->count - at) * sizeof *s->ages);
    s->order[at] = path;
    s->ages[at] = age;
    s->count++;
    renumber(s, at);
}

/* Another one of the warp that is in the list. */
static uint32_t other_of_warp(const gto *s, uint32_t path)
{
    const path_range paths = paths_of(warp_slot_of(path, s->paths_per_warp), s->paths_per_warp);
    for (uint32_t other = paths.first; other < paths.end; other++) {
        if (s->place[other] != NO_PATH) {
            return other;
        }
    }
    return NO_PATH;
}

static void gto_remove(scheduler *unit, uint32_t path)
{
    gto *s = (gto *)unit;
    const uint32_t at = s->place[path];
    s->count--;
    memmove(s->order + at, s->order + at + 1, (s->count - at) * sizeof *s->order);
    memmove(s->ages + at, s->ages + at + 1, (s->count - at) * sizeof *s->ages);
    s->place[path] = NO_PATH;
    renumber(s, at);
    if (s->greedy == path) {
        s->greedy = s->take_turns ? other_of_warp(s, path) : NO_PATH;
    }
    if (s->count == 0) {
        s->next_rotation = NOT_BEGUN;
    }
}

/* Place of the path that is the oldest at this cycle. */
static uint32_t oldest_place(const gto *s, uint64_t cycle)
{
    if (s->rotation_cycles == 0 || cycle < s->next_rotation) {
        return 0;
    }
    return (uint32_t)((1 + (cycle - s->next_rotation) / s->rotation_cycles) % s->count);
}

static int is_ready(const uint64_t *ready, uint32_t path)
{
    return (ready[path / 64] >> (path % 64)) & 1;
}

static uint32_t oldest_of_ready(const gto *s, const uint64_t *ready, uint32_t oldest)
{
    uint32_t best = NO_PATH;
    uint32_t best_rank = UINT32_MAX;
    for (uint32_t w = 0; w < s->words; w++) {
        for (uint64_t rest = ready[w]; rest; rest &= rest - 1) {
            const uint32_t path = w * 64 + (uint32_t)__builtin_ctzll(rest);
            const uint32_t place = s->place[path];
            const uint32_t rank = place >= oldest ? place - oldest : place + s->count - oldest;
            if (rank < best_rank) {
                best = path;
                best_rank = rank;
            }
        }
    }
    return best;
}

/* The oldest ones are looked at first, one after the other, but only so many: few of all are ready, or one of these is. */
#define LOOKED_AT 4u

static uint32_t oldest_ready(const gto *s, const uint64_t *ready, uint64_t cycle)
{
    if (s->count == 0) {
        return NO_PATH;
    }
    const uint32_t oldest = oldest_place(s, cycle);
    uint32_t at = oldest;
    for (uint32_t i = 0; i < LOOKED_AT; i++) {
        if (is_ready(ready, s->order[at])) {
            return s->order[at];
        }
        at = at + 1 == s->count ? 0 : at + 1;
    }
    return oldest_of_ready(s, ready, oldest);
}

/* The next ready one after the path of its warp that issued last; NO_PATH: the warp has none. */
static uint32_t next_of_warp(const gto *s, const uint64_t *ready, uint32_t path)
{
    const uint32_t warp = warp_slot_of(path, s->paths_per_warp);
    const path_range paths = paths_of(warp, s->paths_per_warp);
    uint32_t next = s->issued[warp];
    for (uint32_t i = 0; i < s->paths_per_warp; i++) {
        next = next + 1 == paths.end ? paths.first : next + 1;
        if (is_ready(ready, next)) {
            return next;
        }
    }
    return NO_PATH;
}

static __attribute__((noinline)) uint32_t pick_in_turn(const gto *s, const uint64_t *ready, uint64_t cycle)
{
    const uint32_t greedy = s->greedy == NO_PATH ? NO_PATH : next_of_warp(s, ready, s->greedy);
    if (greedy != NO_PATH) {
        return greedy;
    }
    const uint32_t oldest = oldest_ready(s, ready, cycle);
    return oldest == NO_PATH ? NO_PATH : next_of_warp(s, ready, oldest);
}

static __attribute__((noinline)) uint32_t pick_oldest(const gto *s, const uint64_t *ready, uint64_t cycle)
{
    return oldest_ready(s, ready, cycle);
}

static inline uint32_t only_one(uint64_t ready)
{
    return ready != 0 ? (uint32_t)__builtin_ctzll(ready) : NO_PATH;
}

/* Nothing but a jump to the others, so that the greedy one costs no saved registers. */
static uint32_t gto_pick(const scheduler *unit, const uint64_t *ready, uint64_t cycle)
{
    const gto *s = (const gto *)unit;
    if (s->words == 1 && (ready[0] & (ready[0] - 1)) == 0) {
        return only_one(ready[0]);
    }
    if (s->take_turns) {
        return pick_in_turn(s, ready, cycle);
    }
    return s->greedy != NO_PATH && is_ready(ready, s->greedy) ? s->greedy : pick_oldest(s, ready, cycle);
}

static uint32_t rotates(const gto *s, uint64_t cycle)
{
    return s->rotation_cycles != 0 && (cycle >= s->next_rotation || s->next_rotation == NOT_BEGUN);
}

/* One of the paths in the list issues, and rotates. */
static __attribute__((noinline)) void rotate_to(gto *s, uint64_t cycle)
{
    const uint32_t oldest = oldest_place(s, cycle);
    s->next_rotation = (cycle / s->rotation_cycles + 1) * s->rotation_cycles;
    if (oldest == 0) {
        return;
    }
    memcpy(s->scratch, s->order, s->count * sizeof *s->order);
    memcpy(s->order, s->scratch + oldest, (s->count - oldest) * sizeof *s->order);
    memcpy(s->order + (s->count - oldest), s->scratch, oldest * sizeof *s->order);
    renumber(s, 0);
}

static uint32_t gto_wants(const scheduler *unit)
{
    (void)unit;
    return PATH_ISSUED;
}

static void gto_event(scheduler *unit, const path_event *event)
{
    gto *s = (gto *)unit;
    s->greedy = event->path;
    if (s->take_turns) {
        s->issued[warp_slot_of(event->path, s->paths_per_warp)] = event->path;
    }
    if (rotates(s, event->cycle)) {
        rotate_to(s, event->cycle);
    }
}

static void gto_transfer(scheduler *unit, const hd_state_stream *stream)
{
    gto *s = (gto *)unit;
    HD_STATE_VALUE(stream, s->next_rotation);
    HD_STATE_VALUE(stream, s->greedy);
    HD_STATE_VALUE(stream, s->count);
    HD_STATE_ARRAY(stream, s->order, s->count);
    HD_STATE_ARRAY(stream, s->ages, s->count);
    HD_STATE_ARRAY(stream, s->place, s->paths);
    HD_STATE_ARRAY(stream, s->issued, s->paths / s->paths_per_warp);
}

const scheduler_unit scheduler_gto = {
    .create = gto_create,
    .destroy = gto_destroy,
    .reset = gto_reset,
    .add = gto_add,
    .remove = gto_remove,
    .pick = gto_pick,
    .wants = gto_wants,
    .event = gto_event,
    .transfer = gto_transfer,
};

const hd_unit hd_scheduler_gto = {
    HD_UNIT_HEAD(scheduler, SCHEDULER, gto),
    .doc = "greedy, then oldest: the path that issued last, else the oldest, whose ages are rotated against livelock",
    .source = "ElTantawy 2018 §2.3.2, §6.3.3",
    .parameter_count = PARAMETERS,
    .parameters = parameters_of_gto,
};
