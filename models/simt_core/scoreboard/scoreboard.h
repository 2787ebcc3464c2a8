/* SPDX-License-Identifier: MIT */
/*
 * The scoreboard: registers that an instruction in flight will write, by (register row, register, lanes). A summary bit
 * per register answers almost every question; lanes are looked at only when it is set. Source: Fung 2015 §2.3.3.
 */
#ifndef SIMT_CORE_SCOREBOARD_H
#define SIMT_CORE_SCOREBOARD_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "registers/homes.h"

typedef struct scoreboard {
    uint32_t rows;
    uint64_t *pending; /* [row]: registers with any pending lane */
    uint64_t *loading; /* [row]: those of them that a load will write */
    uint64_t *lanes;   /* [row * 64 + register]: pending lanes */
} scoreboard;

static inline int scoreboard_create(scoreboard *board, uint32_t rows)
{
    board->rows = rows;
    board->pending = calloc(rows, sizeof *board->pending);
    board->loading = calloc(rows, sizeof *board->loading);
    board->lanes = calloc((size_t)rows * 64, sizeof *board->lanes);
    return board->pending && board->loading && board->lanes ? 0 : -1;
}

static inline void scoreboard_destroy(scoreboard *board)
{
    free(board->pending);
    free(board->loading);
    free(board->lanes);
}

static inline void scoreboard_reset(scoreboard *board)
{
    memset(board->pending, 0, board->rows * sizeof *board->pending);
    memset(board->loading, 0, board->rows * sizeof *board->loading);
    memset(board->lanes, 0, (size_t)board->rows * 64 * sizeof *board->lanes);
}

/* Nothing in flight will write the row. */
static inline int scoreboard_is_idle(const scoreboard *board, uint32_t row)
{
    return !board->pending[row];
}

/* Lanes of several rows: for the functions below only. */
uint64_t scoreboard_conflicts_apart(const scoreboard *board, lane_homes homes, uint64_t registers, uint64_t mask);
uint64_t scoreboard_loads_apart(const scoreboard *board, lane_homes homes, uint64_t registers, uint64_t mask);
void scoreboard_reserve_apart(scoreboard *board, lane_homes homes, uint32_t number, uint64_t mask, int is_load);
uint64_t scoreboard_release_apart(scoreboard *board, lane_homes homes, uint32_t number, uint64_t mask);

/* Those of the registers that some lane of mask must wait for. */
static inline uint64_t scoreboard_conflicts(const scoreboard *board, lane_homes homes, uint64_t registers,
                                            uint64_t mask)
{
    if (__builtin_expect(homes.rows != NULL, 0))
        return scoreboard_conflicts_apart(board, homes, registers, mask);
    const uint32_t row = homes.row;
    uint64_t suspects = registers & board->pending[row];
    uint64_t conflicts = 0;
    for (; suspects; suspects &= suspects - 1) {
        uint32_t number = (uint32_t)__builtin_ctzll(suspects);
        if (board->lanes[row * 64 + number] & mask)
            conflicts |= UINT64_C(1) << number;
    }
    return conflicts;
}

/* Of these conflicts, those with a register that a load will write, for whatever lanes. */
static inline uint64_t scoreboard_loads(const scoreboard *board, lane_homes homes, uint64_t conflicts, uint64_t mask)
{
    if (__builtin_expect(homes.rows != NULL, 0))
        return scoreboard_loads_apart(board, homes, conflicts, mask);
    return conflicts & board->loading[homes.row];
}

static inline void scoreboard_reserve(scoreboard *board, lane_homes homes, uint32_t number, uint64_t mask, int is_load)
{
    if (__builtin_expect(homes.rows != NULL, 0)) {
        scoreboard_reserve_apart(board, homes, number, mask, is_load);
        return;
    }
    const uint32_t row = homes.row;
    board->pending[row] |= UINT64_C(1) << number;
    if (is_load)
        board->loading[row] |= UINT64_C(1) << number;
    board->lanes[row * 64 + number] |= mask;
}

/* The lanes that are still pending, of any row of those of mask. */
static inline uint64_t scoreboard_release(scoreboard *board, lane_homes homes, uint32_t number, uint64_t mask)
{
    if (__builtin_expect(homes.rows != NULL, 0))
        return scoreboard_release_apart(board, homes, number, mask);
    const uint32_t row = homes.row;
    const uint64_t left = board->lanes[row * 64 + number] &= ~mask;
    if (!left) {
        board->pending[row] &= ~(UINT64_C(1) << number);
        board->loading[row] &= ~(UINT64_C(1) << number);
    }
    return left;
}

#endif
