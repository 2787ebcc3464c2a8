/* SPDX-License-Identifier: MIT */
/*
 * A scoreboard of a plug-in: a warp has so many entries, one for each register that is awaited, with a bit for each lane; an instruction
 * that needs one more waits until one is free. Source: ElTantawy 2018 §7.2.2, §7.5.6.
 */
#include <stdlib.h>

#include "scoreboard.h"

enum { PER_WARP, PARAMETERS };
enum { MOST, STATISTICS };

typedef struct entries {
    hd_unit_share share;
    const pending_registers *pending;
} entries;

static scoreboard *create(const scoreboard_parameters *parameters)
{
    entries *e = malloc(sizeof *e);
    if (e)
        *e = (entries){.share = parameters->share, .pending = parameters->pending};
    return (scoreboard *)e;
}

static void destroy(scoreboard *unit)
{
    free(unit);
}

/* Whether the set of registers has room for these in the row of each lane. */
static uint32_t has_room(const entries *e, const scoreboard_question *question)
{
    uint32_t room = 1;
    for (uint64_t left = question->mask; left;) {
        const uint32_t row = homes_take(question->homes, &left).row;
        const uint64_t awaited = e->pending->any[row] | question->writes;
        room &= (uint64_t)__builtin_popcountll(awaited) <= e->share.values[PER_WARP].u;
    }
    return room;
}

static uint32_t waits(const scoreboard *unit, const scoreboard_question *question)
{
    return !question->writes || has_room((const entries *)unit, question) ? 0 : PATH_STALL_RESULT;
}

static void reserved(scoreboard *unit, const scoreboard_result *result, uint32_t is_load)
{
    entries *e = (entries *)unit;
    (void)is_load;
    for (uint64_t left = result->mask; left;) {
        const uint32_t row = homes_take(result->homes, &left).row;
        const uint64_t used = (uint64_t)__builtin_popcountll(e->pending->any[row]);
        if (used > e->share.counters[MOST])
            e->share.counters[MOST] = used;
    }
}

static const scoreboard_unit functions = {
    .create = create,
    .destroy = destroy,
    .always_asked = 1, /* about room */
    .revokes = 1,      /* another path of the warp may take the last entry */
    .waits = waits,
    .reserved = reserved,
};

static const hd_parameter parameters[PARAMETERS] = {
    [PER_WARP] = {.name = "per_warp",
                  .type = HD_TYPE_UNSIGNED,
                  .standard = "8",
                  .minimum = 1,
                  .maximum = 64,
                  .doc = "registers of a warp that may be awaited at once"},
};

static const hd_statistic statistics[STATISTICS] = {
    [MOST] = {.name = "most_entries",
              .unit = "registers",
              .kind = HD_STATISTIC_MAXIMUM,
              .doc = "most registers of a warp that were awaited at once"},
};

static const hd_requirement requirements[] = {
    {.what = HD_REQUIRES_RANGE,
     .sentence = "has a mask of 32 bits in an entry: warps must have at most 32 lanes",
     .parameter = "lanes",
     .maximum = 32},
};

const hd_unit toy_entries = {
    .abi_version = HD_ABI_VERSION,
    .struct_bytes = sizeof(hd_unit),
    .kind = "scoreboard",
    .name = "entries",
    .doc = "an instruction waits for its registers, and for an entry among a few",
    .source = "ElTantawy 2018 §7.2.2",
    .interface = SCOREBOARD_INTERFACE,
    .functions = &functions,
    .parameter_count = PARAMETERS,
    .parameters = parameters,
    .statistic_count = STATISTICS,
    .statistics = statistics,
    .requirement_count = sizeof requirements / sizeof *requirements,
    .requirements = requirements,
};
