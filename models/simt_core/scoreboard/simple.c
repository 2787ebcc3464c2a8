/* SPDX-License-Identifier: MIT */
/* One instruction of a path at a time: the next waits until it is done. Lanes that come from another path bring their registers. */
#include "scoreboard_units.h"

static scoreboard *create(const scoreboard_parameters *parameters)
{
    return scoreboard_register_dependence.create(parameters);
}

static void destroy(scoreboard *unit)
{
    scoreboard_register_dependence.destroy(unit);
}

static void reset(scoreboard *unit)
{
    scoreboard_register_dependence.reset(unit);
}

static const uint64_t *pending_of(const scoreboard *unit)
{
    return scoreboard_register_dependence.pending(unit);
}

static uint32_t waits(const scoreboard *unit, const scoreboard_question *question)
{
    const uint32_t registers = scoreboard_register_dependence.waits(unit, question);
    if (registers || !question->in_flight)
        return registers;
    return question->memory_in_flight ? PATH_STALL_DATA : PATH_STALL_RESULT;
}

static void reserve(scoreboard *unit, const scoreboard_result *result, uint32_t is_load)
{
    scoreboard_register_dependence.reserve(unit, result, is_load);
}

static uint64_t release(scoreboard *unit, const scoreboard_result *result)
{
    return scoreboard_register_dependence.release(unit, result);
}

const scoreboard_unit scoreboard_simple = {
    .create = create,
    .destroy = destroy,
    .reset = reset,
    .pending = pending_of,
    .always_asked = 1,
    .waits = waits,
    .reserve = reserve,
    .release = release,
};

const hd_unit hd_scoreboard_simple = {
    HD_UNIT_HEAD(scoreboard, SCOREBOARD, simple),
    .doc = "an instruction waits until none of its path is in flight",
    .source = "Fung 2015 §3",
};
