/* SPDX-License-Identifier: MIT */
/*
 * By warps: an instruction waits for the registers that it reads or writes, where one in flight will write them, for whichever lanes
 * of its warp. scoreboard.h is the contract; of its own lanes the core takes care.
 */
#include <stdlib.h>

#include "scoreboard_units.h"

typedef struct by_warp {
    const pending_registers *pending;
} by_warp;

static scoreboard *create(const scoreboard_parameters *parameters)
{
    by_warp *board = malloc(sizeof *board);
    if (board)
        board->pending = parameters->pending;
    return (scoreboard *)board;
}

static void destroy(scoreboard *unit)
{
    free(unit);
}

static uint32_t waits(const scoreboard *unit, const scoreboard_question *question)
{
    const pending_registers *pending = ((const by_warp *)unit)->pending;
    uint64_t conflicts = 0, loads = 0;
    for (uint64_t left = question->mask; left;) {
        const uint32_t row = homes_take(question->homes, &left).row;
        conflicts |= (question->reads | question->writes) & pending->any[row];
        loads |= (question->reads | question->writes) & pending->loading[row];
    }
    return loads ? PATH_STALL_DATA : conflicts ? PATH_STALL_RESULT : 0;
}

const scoreboard_unit scoreboard_@name@ = {
    .create = create,
    .destroy = destroy,
    .revokes = 1, /* another path of the warp may reserve a register that this one reads */
    .waits = waits,
};

const hd_unit hd_scoreboard_@name@ = {
    HD_UNIT_HEAD(scoreboard, SCOREBOARD, @name@),
    .doc = "an instruction waits for its registers, for whichever lanes of its warp they are awaited",
    .source = "heddle new unit",
};
