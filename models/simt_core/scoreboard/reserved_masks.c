/* SPDX-License-Identifier: MIT */
/*
 * A set of entries per warp: a register that is awaited takes one, with a bit for each lane that awaits it. An instruction waits for its
 * registers where they are awaited for lanes of its own, as the core sees to, and for a free entry. ElTantawy 2018 §7.2.2.
 */
#include <stdlib.h>

#include "bits.h"
#include "scoreboard_units.h"

enum { PER_WARP, PARAMETERS };

typedef struct entries {
    const pending_registers *pending;
    uint64_t per_warp;
} entries;

static scoreboard *create(const scoreboard_parameters *parameters)
{
    entries *e = malloc(sizeof *e);
    if (e)
        *e = (entries){.pending = parameters->pending, .per_warp = parameters->share.values[PER_WARP].u};
    return (scoreboard *)e;
}

static void destroy(scoreboard *unit)
{
    free(unit);
}

static uint32_t waits(const scoreboard *unit, const scoreboard_question *question)
{
    const entries *e = (const entries *)unit;
    for (uint64_t left = question->writes ? question->mask : 0; left;) {
        const uint32_t row = homes_take(question->homes, &left).row;
        if (bits_count(e->pending->any[row] | question->writes) > e->per_warp)
            return e->pending->loading[row] ? PATH_STALL_DATA : PATH_STALL_RESULT;
    }
    return 0;
}

const scoreboard_unit scoreboard_reserved_masks = {
    .create = create,
    .destroy = destroy,
    .always_asked = 1, /* about room */
    .revokes = 1,      /* another path of the warp may take the last entry */
    .waits = waits,
};

static const hd_parameter parameters_of_reserved_masks[PARAMETERS] = {
    [PER_WARP] = {.name = "per_warp",
                  .type = HD_TYPE_UNSIGNED,
                  .standard = "8",
                  .minimum = 1,
                  .maximum = 64,
                  .doc = "registers of a warp that may be awaited at once"},
};

const hd_unit hd_scoreboard_reserved_masks = {
    HD_UNIT_HEAD(scoreboard, SCOREBOARD, reserved_masks),
    .doc = "as register_dependence, but a warp has so many entries, one for each register that is awaited",
    .source = "ElTantawy 2018 §7.2.2, §7.5.6",
    .parameter_count = PARAMETERS,
    .parameters = parameters_of_reserved_masks,
};
