/* SPDX-License-Identifier: MIT */
/* An instruction waits for the registers that it reads or writes, where one in flight will write them for some lane of its own. */
#include "pending_registers.h"
#include "scoreboard_units.h"

static void destroy(scoreboard *unit)
{
    pending_destroy((pending_registers *)unit);
    free(unit);
}

static scoreboard *create(const scoreboard_parameters *parameters)
{
    pending_registers *pending = calloc(1, sizeof *pending);
    if (pending && pending_create(pending, parameters->rows)) {
        destroy((scoreboard *)pending);
        return NULL;
    }
    return (scoreboard *)pending;
}

static void reset(scoreboard *unit)
{
    pending_reset((pending_registers *)unit);
}

static const uint64_t *pending_of(const scoreboard *unit)
{
    return ((const pending_registers *)unit)->any;
}

static uint32_t waits(const scoreboard *unit, const scoreboard_question *q)
{
    const pending_registers *pending = (const pending_registers *)unit;
    const uint64_t conflicts = pending_conflicts(pending, q->homes, q->reads | q->writes, q->mask);
    if (!conflicts)
        return 0;
    return pending_loads(pending, q->homes, conflicts, q->mask) ? PATH_STALL_DATA : PATH_STALL_RESULT;
}

static void reserve(scoreboard *unit, const scoreboard_result *result, uint32_t is_load)
{
    pending_reserve((pending_registers *)unit, result->homes, result->number, result->mask, is_load);
}

static uint64_t release(scoreboard *unit, const scoreboard_result *result)
{
    return pending_release((pending_registers *)unit, result->homes, result->number, result->mask);
}

const scoreboard_unit scoreboard_register_dependence = {
    .create = create,
    .destroy = destroy,
    .reset = reset,
    .pending = pending_of,
    .waits = waits,
    .reserve = reserve,
    .release = release,
};

const hd_unit hd_scoreboard_register_dependence = {
    HD_UNIT_HEAD(scoreboard, SCOREBOARD, register_dependence),
    .doc = "an instruction waits for its registers, of its own lanes: several of a warp are in flight",
    .source = "Fung 2015 §2.3.3; ElTantawy 2018 §7.2.2",
};
