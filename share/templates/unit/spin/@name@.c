/* SPDX-License-Identifier: MIT */
/* A warp spins when it has taken one backward branch many times in a row. spin.h is the contract. */
#include <stdlib.h>
#include <string.h>

#include "spin_units.h"

#define MANY 16u

typedef struct run {
    uint32_t pc, count;
} run;

typedef struct @name@ {
    uint32_t warps;
    run runs[]; /* [warp] */
} @name@;

static void @name@_reset(spin *unit)
{
    @name@ *s = (@name@ *)unit;
    memset(s->runs, 0, s->warps * sizeof *s->runs);
}

static spin *@name@_create(const spin_parameters *parameters)
{
    @name@ *s = calloc(1, sizeof *s + parameters->warps * sizeof *s->runs);
    if (!s)
        return NULL;
    s->warps = parameters->warps;
    return (spin *)s;
}

static void @name@_destroy(spin *unit)
{
    free(unit);
}

static uint32_t @name@_branched(spin *unit, const path_event *event)
{
    run *r = &((@name@ *)unit)->runs[event->warp];
    if (r->pc != event->pc)
        *r = (run){.pc = event->pc};
    if (r->count < MANY)
        return ++r->count == MANY ? SPIN_FOUND : SPIN_NOT;
    return SPIN_KNOWN;
}

/* For checkpoints: what may have changed since reset, written down or read. */
static void @name@_transfer(spin *unit, const hd_state_stream *stream)
{
    @name@ *s = (@name@ *)unit;
    HD_STATE_ARRAY(stream, s->runs, s->warps);
}

const spin_unit spin_@name@ = {
    .create = @name@_create,
    .destroy = @name@_destroy,
    .reset = @name@_reset,
    .branched = @name@_branched,
    .transfer = @name@_transfer,
};

const hd_unit hd_spin_@name@ = {
    HD_UNIT_HEAD(spin, SPIN, @name@),
    .doc = "a warp spins when it has taken one backward branch many times in a row",
    .source = "heddle new unit",
    .abilities = "spin",
};
