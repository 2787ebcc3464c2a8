/* SPDX-License-Identifier: MIT */
/* A spin detector of a plug-in that counts: a loop is taken for spinning while a warp goes round it more often than `repeats`. */
#include <stdlib.h>

#include "spin.h"

enum { REPEATS, PARAMETERS };
enum { LOOPS, STATISTICS };

typedef struct rounds {
    uint32_t pc; /* of the backward branch that the warp took last */
    uint64_t count;
} rounds;

typedef struct repeats {
    hd_unit_share share;
    uint32_t warps;
    rounds of[]; /* [warp] */
} repeats;

static void reset(spin *unit)
{
    repeats *s = (repeats *)unit;
    for (uint32_t warp = 0; warp < s->warps; warp++)
        s->of[warp] = (rounds){0};
}

static spin *create(const spin_parameters *parameters)
{
    repeats *s = calloc(1, sizeof *s + parameters->warps * sizeof *s->of);
    if (!s)
        return NULL;
    s->share = parameters->share;
    s->warps = parameters->warps;
    return (spin *)s;
}

static void destroy(spin *unit)
{
    free(unit);
}

static void launch(spin *unit, uint32_t warp, const isa_program *program, uint32_t entry_pc)
{
    (void)program, (void)entry_pc;
    ((repeats *)unit)->of[warp] = (rounds){0};
}

static uint32_t branched(spin *unit, const path_event *event)
{
    repeats *s = (repeats *)unit;
    rounds *r = &s->of[event->warp];
    if (r->pc != event->pc)
        *r = (rounds){.pc = event->pc};
    r->count++;
    if (r->count < s->share.values[REPEATS].u)
        return SPIN_NOT;
    if (r->count > s->share.values[REPEATS].u)
        return SPIN_KNOWN;
    s->share.counters[LOOPS]++;
    return SPIN_FOUND;
}

static const spin_unit functions = {
    .create = create,
    .destroy = destroy,
    .reset = reset,
    .launch = launch,
    .branched = branched,
};

static const hd_parameter parameters[PARAMETERS] = {
    [REPEATS] = {.name = "repeats",
                 .type = HD_TYPE_UNSIGNED,
                 .standard = "64",
                 .minimum = 1,
                 .maximum = 1000000,
                 .doc = "times in a row that a warp takes a backward branch until it is taken for spinning"},
};

static const hd_statistic statistics[STATISTICS] = {
    [LOOPS] = {.name = "repeats_loops",
               .unit = "times",
               .kind = HD_STATISTIC_COUNT,
               .doc = "how often a warp has gone round a loop so often"},
};

const hd_unit toy_repeats = {
    .abi_version = HD_ABI_VERSION,
    .struct_bytes = sizeof(hd_unit),
    .kind = "spin",
    .name = "repeats",
    .doc = "whoever has gone round a loop often spins",
    .source = "an example",
    .interface = SPIN_INTERFACE,
    .functions = &functions,
    .abilities = "spin",
    .parameter_count = PARAMETERS,
    .parameters = parameters,
    .statistic_count = STATISTICS,
    .statistics = statistics,
};
