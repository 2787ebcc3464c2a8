/* SPDX-License-Identifier: MIT */
/* One instruction of a path at a time: the next waits until it is done. Lanes that come from another path bring their registers. */
#include "scoreboard_units.h"

static uint32_t waits(const scoreboard *unit, const scoreboard_question *question)
{
    (void)unit;
    if (!question->in_flight)
        return 0;
    return question->memory_in_flight ? PATH_STALL_DATA : PATH_STALL_RESULT;
}

const scoreboard_unit scoreboard_simple = {.always_asked = 1, .by_path = 1, .waits = waits};

const hd_unit hd_scoreboard_simple = {
    HD_UNIT_HEAD(scoreboard, SCOREBOARD, simple),
    .doc = "an instruction waits until none of its path is in flight",
    .source = "Fung 2015 §3",
};
