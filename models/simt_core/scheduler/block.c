/* SPDX-License-Identifier: MIT */
/*
 * Which thread block issues, and of its ready paths the next one after that which issued last. Blocks are known by their number,
 * from the age of their paths: the order in which they came. A block whose paths have all ended for now has no turn, and begins with
 * its first path when it has some again. Source: Fung 2015 §3.6.2.
 */
#include <stdlib.h>
#include <string.h>

#include "scheduler_units.h"

#define NO_BLOCK UINT64_MAX

enum { POLICY, PARAMETERS };
enum { AGE, ROUND_ROBIN, STICKY_ROUND_ROBIN };
static const hd_parameter parameters_of_block[PARAMETERS] = {
    [POLICY] = {.name = "policy",
                .type = HD_TYPE_CHOICE,
                .standard = "age",
                .choices = "age|round_robin|sticky_round_robin",
                .doc =
                    "the block that came first; each in its turn, which is a cycle long; one until none of its paths "
                    "is ready, then the next"},
};

typedef struct block_turn {
    uint64_t number;
    uint64_t *paths; /* a bit each */
    uint32_t count;  /* of paths */
    uint32_t last;   /* that issued last */
} block_turn;

typedef struct block_scheduler {
    uint64_t policy;
    uint32_t paths, words;
    uint64_t *numbers; /* [path]: of its block */
    uint64_t *bits;    /* what turns have their paths in */
    block_turn *turns; /* of blocks with paths, by number */
    uint32_t count;
    uint64_t issued; /* number of the block that issued last */
} block_scheduler;

static void block_destroy(scheduler *unit)
{
    block_scheduler *s = (block_scheduler *)unit;
    free(s->numbers);
    free(s->bits);
    free(s->turns);
    free(s);
}

static void block_reset(scheduler *unit)
{
    block_scheduler *s = (block_scheduler *)unit;
    memset(s->bits, 0, (size_t)s->paths * s->words * sizeof *s->bits);
    for (uint32_t i = 0; i < s->paths; i++)
        s->turns[i] = (block_turn){.paths = s->bits + (size_t)i * s->words};
    s->count = 0;
    s->issued = NO_BLOCK;
}

static scheduler *block_create(const scheduler_parameters *parameters)
{
    block_scheduler *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->policy = parameters->share.values[POLICY].u;
    s->paths = parameters->paths;
    s->words = (parameters->paths + 63) / 64;
    s->numbers = calloc(s->paths, sizeof *s->numbers);
    s->bits = calloc((size_t)s->paths * s->words, sizeof *s->bits);
    s->turns = calloc(s->paths, sizeof *s->turns);
    if (!s->numbers || !s->bits || !s->turns) {
        block_destroy((scheduler *)s);
        return NULL;
    }
    block_reset((scheduler *)s);
    return (scheduler *)s;
}

/* Place of the first block that is not before this one; count: all are. */
static uint32_t place_of(const block_scheduler *s, uint64_t number)
{
    uint32_t place = 0;
    while (place < s->count && s->turns[place].number < number)
        place++;
    return place;
}

static void block_add(scheduler *unit, uint32_t path, uint64_t age)
{
    block_scheduler *s = (block_scheduler *)unit;
    const uint64_t number = age >> 16;
    const uint32_t place = place_of(s, number);
    if (place == s->count || s->turns[place].number != number) {
        const block_turn free = s->turns[s->count];
        memmove(s->turns + place + 1, s->turns + place, (s->count++ - place) * sizeof *s->turns);
        s->turns[place] = (block_turn){.number = number, .paths = free.paths, .last = s->paths - 1};
    }
    s->numbers[path] = number;
    s->turns[place].paths[path / 64] |= UINT64_C(1) << path % 64;
    s->turns[place].count++;
}

static void block_remove(scheduler *unit, uint32_t path)
{
    block_scheduler *s = (block_scheduler *)unit;
    const uint32_t place = place_of(s, s->numbers[path]);
    const block_turn turn = s->turns[place];
    turn.paths[path / 64] &= ~(UINT64_C(1) << path % 64);
    if (--s->turns[place].count)
        return;
    memmove(s->turns + place, s->turns + place + 1, (--s->count - place) * sizeof *s->turns);
    s->turns[s->count] = turn;
}

/* Of these words the first path from this one on; NO_PATH. */
static uint32_t ready_from(const block_scheduler *s, const block_turn *turn, const uint64_t *ready, uint32_t from)
{
    for (uint32_t w = from / 64; w < s->words; w++) {
        const uint64_t left = ready[w] & turn->paths[w] & (w == from / 64 ? UINT64_MAX << from % 64 : UINT64_MAX);
        if (left)
            return w * 64 + (uint32_t)__builtin_ctzll(left);
    }
    return NO_PATH;
}

static uint32_t next_of(const block_scheduler *s, const block_turn *turn, const uint64_t *ready)
{
    const uint32_t behind = ready_from(s, turn, ready, turn->last + 1);
    return behind != NO_PATH ? behind : ready_from(s, turn, ready, 0);
}

/* Place of the block that is asked first. */
static uint32_t first_of(const block_scheduler *s, uint64_t cycle)
{
    switch (s->policy) {
    case ROUND_ROBIN: return (uint32_t)(cycle % s->count);
    case STICKY_ROUND_ROBIN: return s->issued == NO_BLOCK ? 0 : place_of(s, s->issued) % s->count;
    default: return 0;
    }
}

static uint32_t block_pick(const scheduler *unit, const uint64_t *ready, uint64_t cycle)
{
    const block_scheduler *s = (const block_scheduler *)unit;
    const uint32_t first = s->count ? first_of(s, cycle) : 0;
    for (uint32_t i = 0; i < s->count; i++) {
        const uint32_t path = next_of(s, &s->turns[(first + i) % s->count], ready);
        if (path != NO_PATH)
            return path;
    }
    return NO_PATH;
}

static uint32_t block_wants(const scheduler *unit)
{
    (void)unit;
    return PATH_ISSUED;
}

static void block_event(scheduler *unit, const path_event *event)
{
    block_scheduler *s = (block_scheduler *)unit;
    s->issued = s->numbers[event->path];
    s->turns[place_of(s, s->issued)].last = event->path;
}

static void block_transfer(scheduler *unit, const hd_state_stream *stream)
{
    block_scheduler *s = (block_scheduler *)unit;
    HD_STATE_ARRAY(stream, s->numbers, s->paths);
    HD_STATE_ARRAY(stream, s->bits, (size_t)s->paths * s->words);
    HD_STATE_VALUE(stream, s->count);
    HD_STATE_VALUE(stream, s->issued);
    for (uint32_t i = 0; i < s->paths; i++) {
        block_turn *turn = &s->turns[i];
        HD_STATE_VALUE(stream, turn->number);
        HD_STATE_PLACE(stream, turn->paths, s->bits);
        HD_STATE_VALUE(stream, turn->count);
        HD_STATE_VALUE(stream, turn->last);
    }
}

const scheduler_unit scheduler_block = {
    .create = block_create,
    .destroy = block_destroy,
    .reset = block_reset,
    .add = block_add,
    .remove = block_remove,
    .pick = block_pick,
    .wants = block_wants,
    .event = block_event,
    .transfer = block_transfer,
};

const hd_unit hd_scheduler_block = {
    HD_UNIT_HEAD(scheduler, SCHEDULER, block),
    .doc = "priority to thread blocks: the oldest, or each in turn; loose round robin among the paths of one",
    .source = "Fung 2015 §3.6.2",
    .parameter_count = PARAMETERS,
    .parameters = parameters_of_block,
};
