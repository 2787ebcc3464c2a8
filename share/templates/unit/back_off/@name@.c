/* SPDX-License-Identifier: MIT */
/* A path that spins issues after all others, until its next instruction. back_off.h is the contract. */
#include <stdlib.h>
#include <string.h>

#include "back_off_units.h"

typedef struct @name@ {
    scheduler_base base;
    uint32_t base_wants;
    uint32_t words;
    uint64_t *others;     /* scratch of pick */
    uint64_t backed_off[]; /* set of paths */
} @name@;

static void @name@_reset(scheduler *unit)
{
    @name@ *s = (@name@ *)unit;
    memset(s->backed_off, 0, s->words * sizeof *s->backed_off);
}

static scheduler *@name@_create(const scheduler_parameters *parameters)
{
    const uint32_t words = (parameters->paths + 63) / 64;
    @name@ *s = calloc(1, sizeof *s + words * sizeof *s->backed_off);
    if (!s || !(s->others = calloc(words, sizeof *s->others))) {
        free(s);
        return NULL;
    }
    s->words = words;
    s->base = parameters->base;
    s->base_wants = s->base.unit->wants ? s->base.unit->wants(s->base.instance) : 0;
    return (scheduler *)s;
}

static void @name@_destroy(scheduler *unit)
{
    free(((@name@ *)unit)->others);
    free(unit);
}

static void @name@_add(scheduler *unit, uint32_t path, uint64_t age)
{
    @name@ *s = (@name@ *)unit;
    s->base.unit->add(s->base.instance, path, age);
}

static void @name@_remove(scheduler *unit, uint32_t path)
{
    @name@ *s = (@name@ *)unit;
    s->backed_off[path / 64] &= ~(UINT64_C(1) << path % 64);
    s->base.unit->remove(s->base.instance, path);
}

static uint32_t @name@_pick(const scheduler *unit, const uint64_t *ready, uint64_t cycle)
{
    const @name@ *s = (const @name@ *)unit;
    uint64_t any = 0;
    for (uint32_t word = 0; word < s->words; word++)
        any |= s->others[word] = ready[word] & ~s->backed_off[word];
    return s->base.unit->pick(s->base.instance, any ? s->others : ready, cycle);
}

static uint64_t @name@_next(const scheduler *unit, uint64_t cycle)
{
    const @name@ *s = (const @name@ *)unit;
    return s->base.unit->next ? s->base.unit->next(s->base.instance, cycle) : UINT64_MAX;
}

static uint32_t @name@_wants(const scheduler *unit)
{
    return ((const @name@ *)unit)->base_wants | PATH_ISSUED | PATH_SPUN;
}

static void @name@_event(scheduler *unit, const path_event *event)
{
    @name@ *s = (@name@ *)unit;
    if (event->kind == PATH_SPUN)
        s->backed_off[event->path / 64] |= UINT64_C(1) << event->path % 64;
    else if (event->kind == PATH_ISSUED)
        s->backed_off[event->path / 64] &= ~(UINT64_C(1) << event->path % 64);
    if (s->base_wants & event->kind)
        s->base.unit->event(s->base.instance, event);
}

/* For checkpoints: what may have changed since reset, written down or read. */
static void @name@_transfer(scheduler *unit, const hd_state_stream *stream)
{
    @name@ *s = (@name@ *)unit;
    HD_STATE_ARRAY(stream, s->backed_off, s->words);
}

const back_off_unit back_off_@name@ = {
    .create = @name@_create,
    .destroy = @name@_destroy,
    .reset = @name@_reset,
    .add = @name@_add,
    .remove = @name@_remove,
    .pick = @name@_pick,
    .next = @name@_next,
    .wants = @name@_wants,
    .event = @name@_event,
    .transfer = @name@_transfer,
};

static const hd_requirement requirements[] = {
    {.what = HD_REQUIRES_ABILITY,
     .sentence = "is told of spinning by a detector: core.spin must not be none",
     .parameter = "spin",
     .word = "spin"},
};

const hd_unit hd_back_off_@name@ = {
    HD_UNIT_HEAD(back_off, BACK_OFF, @name@),
    .doc = "a path that spins issues after all others, until its next instruction",
    .source = "heddle new unit",
    .requirement_count = 1,
    .requirements = requirements,
};
