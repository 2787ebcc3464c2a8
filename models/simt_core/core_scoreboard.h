/* SPDX-License-Identifier: MIT */
/* The scoreboard of a core (scoreboard/scoreboard.h): what issues reserves its register there, what has come releases it. */
#ifndef SIMT_CORE_CORE_SCOREBOARD_H
#define SIMT_CORE_CORE_SCOREBOARD_H

#include "scoreboard/scoreboard.h"

typedef struct core_scoreboard {
    const scoreboard_unit *unit;
    scoreboard *state;
    const uint64_t *pending; /* [row]: the unit's */
} core_scoreboard;

/* Nothing in flight will write the row. */
static inline uint32_t scoreboard_is_idle(const core_scoreboard *board, uint32_t row)
{
    return !board->pending[row];
}

static inline void scoreboard_reserve(const core_scoreboard *board, uint32_t path, lane_homes homes, uint32_t number,
                                      uint64_t mask, uint32_t is_load)
{
    const scoreboard_result result = {.path = path, .number = number, .homes = homes, .mask = mask};
    board->unit->reserve(board->state, &result, is_load);
}

/* The lanes for which the register is still awaited, of any row of those of mask. */
static inline uint64_t scoreboard_release(const core_scoreboard *board, uint32_t path, lane_homes homes,
                                          uint32_t number, uint64_t mask)
{
    const scoreboard_result result = {.path = path, .number = number, .homes = homes, .mask = mask};
    return board->unit->release(board->state, &result);
}

#endif
