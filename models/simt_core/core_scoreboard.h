/* SPDX-License-Identifier: MIT */
/* Registers that instructions in flight will write, and the scoreboard (scoreboard/scoreboard.h) that is told of them and asked. */
#ifndef SIMT_CORE_CORE_SCOREBOARD_H
#define SIMT_CORE_CORE_SCOREBOARD_H

#include "scoreboard/scoreboard.h"

typedef struct core_scoreboard {
    pending_registers pending;
    const scoreboard_unit *unit;
    scoreboard *state;
} core_scoreboard;

/* Nothing in flight will write the row. */
static inline uint32_t scoreboard_is_idle(const core_scoreboard *board, uint32_t row)
{
    return !board->pending.any[row];
}

static inline void scoreboard_reserve(core_scoreboard *board, uint32_t path, lane_homes homes, uint32_t number,
                                      uint64_t mask, uint32_t is_load)
{
    pending_reserve(&board->pending, homes, number, mask, is_load);
    if (__builtin_expect(board->unit->reserved != NULL, 0)) {
        const scoreboard_result result = {.path = path, .number = number, .homes = homes, .mask = mask};
        board->unit->reserved(board->state, &result, is_load);
    }
}

/* The lanes for which the register is still awaited, of any row of those of mask. */
static inline uint64_t scoreboard_release(core_scoreboard *board, uint32_t path, lane_homes homes, uint32_t number,
                                          uint64_t mask)
{
    const uint64_t awaited = pending_release(&board->pending, homes, number, mask);
    if (__builtin_expect(board->unit->released != NULL, 0)) {
        const scoreboard_result result = {.path = path, .number = number, .homes = homes, .mask = mask};
        board->unit->released(board->state, &result);
    }
    return awaited;
}

#endif
