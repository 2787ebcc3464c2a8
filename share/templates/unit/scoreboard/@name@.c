/* SPDX-License-Identifier: MIT */
/*
 * By warps: an instruction waits for the registers that it reads or writes, where one in flight will write them, for whichever lanes
 * of its warp. scoreboard.h is the contract; register_dependence is by lanes.
 */
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

static uint32_t waits(const scoreboard *unit, const scoreboard_question *question)
{
    const pending_registers *pending = (const pending_registers *)unit;
    uint64_t conflicts = 0, loads = 0;
    for (uint64_t left = question->mask; left;) {
        const uint32_t row = homes_take(question->homes, &left).row;
        conflicts |= (question->reads | question->writes) & pending->any[row];
        loads |= (question->reads | question->writes) & pending->loading[row];
    }
    return loads ? PATH_STALL_DATA : conflicts ? PATH_STALL_RESULT : 0;
}

static void reserve(scoreboard *unit, const scoreboard_result *result, uint32_t is_load)
{
    pending_reserve((pending_registers *)unit, result->homes, result->number, result->mask, is_load);
}

static uint64_t release(scoreboard *unit, const scoreboard_result *result)
{
    return pending_release((pending_registers *)unit, result->homes, result->number, result->mask);
}

const scoreboard_unit scoreboard_@name@ = {
    .create = create,
    .destroy = destroy,
    .reset = reset,
    .pending = pending_of,
    .revokes = 1, /* another path of the warp may reserve a register that this one reads */
    .waits = waits,
    .reserve = reserve,
    .release = release,
};

const hd_unit hd_scoreboard_@name@ = {
    HD_UNIT_HEAD(scoreboard, SCOREBOARD, @name@),
    .doc = "an instruction waits for its registers, for whichever lanes of its warp they are awaited",
    .source = "heddle new unit",
};
