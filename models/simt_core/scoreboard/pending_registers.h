/* SPDX-License-Identifier: MIT */
/*
 * Registers that an instruction in flight will write, by (register row, register, lanes): what scoreboards are made of. A summary
 * bit per register answers almost every question; lanes are looked at only when it is set.
 */
#ifndef SIMT_CORE_PENDING_REGISTERS_H
#define SIMT_CORE_PENDING_REGISTERS_H

#include <stdlib.h>
#include <string.h>

#include "hd_state.h"
#include "lane_homes.h"

typedef struct pending_registers {
    uint32_t rows;
    uint64_t *any;     /* [row]: registers with any pending lane */
    uint64_t *loading; /* [row]: those of them that a load will write */
    uint64_t *lanes;   /* [row * 64 + register]: pending lanes */
} pending_registers;

static inline int pending_create(pending_registers *pending, uint32_t rows)
{
    pending->rows = rows;
    pending->any = calloc(rows, sizeof *pending->any);
    pending->loading = calloc(rows, sizeof *pending->loading);
    pending->lanes = calloc((size_t)rows * 64, sizeof *pending->lanes);
    return pending->any && pending->loading && pending->lanes ? 0 : -1;
}

static inline void pending_destroy(pending_registers *pending)
{
    free(pending->any);
    free(pending->loading);
    free(pending->lanes);
}

static inline void pending_reset(pending_registers *pending)
{
    memset(pending->any, 0, pending->rows * sizeof *pending->any);
    memset(pending->loading, 0, pending->rows * sizeof *pending->loading);
    memset(pending->lanes, 0, (size_t)pending->rows * 64 * sizeof *pending->lanes);
}

static inline void pending_transfer(pending_registers *pending, const hd_state_stream *stream)
{
    HD_STATE_ARRAY(stream, pending->any, pending->rows);
    HD_STATE_ARRAY(stream, pending->loading, pending->rows);
    for (uint32_t row = 0; row < pending->rows; row++)
        for (uint64_t left = pending->any[row]; left; left &= left - 1)
            HD_STATE_VALUE(stream, pending->lanes[row * 64 + (uint32_t)__builtin_ctzll(left)]);
}

/* ---- Lanes of one row ------------------------------------------------------------------------------------------------- */

static inline uint64_t pending_row_conflicts(const pending_registers *pending, uint32_t row, uint64_t registers,
                                             uint64_t mask)
{
    uint64_t conflicts = 0;
    for (uint64_t suspects = registers & pending->any[row]; suspects; suspects &= suspects - 1) {
        const uint32_t number = (uint32_t)__builtin_ctzll(suspects);
        if (pending->lanes[row * 64 + number] & mask)
            conflicts |= UINT64_C(1) << number;
    }
    return conflicts;
}

static inline void pending_row_reserve(pending_registers *pending, uint32_t row, uint32_t number, uint64_t mask,
                                       uint32_t is_load)
{
    pending->any[row] |= UINT64_C(1) << number;
    if (is_load)
        pending->loading[row] |= UINT64_C(1) << number;
    pending->lanes[row * 64 + number] |= mask;
}

static inline uint64_t pending_row_release(pending_registers *pending, uint32_t row, uint32_t number, uint64_t mask)
{
    const uint64_t left = pending->lanes[row * 64 + number] &= ~mask;
    if (!left) {
        pending->any[row] &= ~(UINT64_C(1) << number);
        pending->loading[row] &= ~(UINT64_C(1) << number);
    }
    return left;
}

/* ---- Lanes of any rows -------------------------------------------------------------------------------------------------- */

/* Those that something in flight will write in the row of some lane of mask. */
static inline uint64_t pending_any(const pending_registers *pending, const uint32_t *rows, uint64_t mask)
{
    uint64_t any = 0;
    for (uint64_t left = mask; left; left &= left - 1)
        any |= pending->any[rows[__builtin_ctzll(left)]];
    return any;
}

/* Those of the registers that some lane of mask must wait for. */
static inline uint64_t pending_conflicts(const pending_registers *pending, lane_homes homes, uint64_t registers,
                                         uint64_t mask)
{
    if (__builtin_expect(!homes.rows, 1))
        return pending_row_conflicts(pending, homes.row, registers, mask);
    uint64_t conflicts = 0;
    for (uint64_t left = homes.parts || registers & pending_any(pending, homes.rows, mask) ? mask : 0; left;) {
        const home_part part = homes_take(homes, &left);
        conflicts |= pending_row_conflicts(pending, part.row, registers, part.lanes);
    }
    return conflicts;
}

/* Of these conflicts, those with a register that a load will write in the row of some lane that waits for it. */
static inline uint64_t pending_loads(const pending_registers *pending, lane_homes homes, uint64_t conflicts,
                                     uint64_t mask)
{
    if (__builtin_expect(!homes.rows, 1))
        return conflicts & pending->loading[homes.row];
    uint64_t loads = 0;
    for (uint64_t left = mask; left;) {
        const home_part part = homes_take(homes, &left);
        loads |= pending_row_conflicts(pending, part.row, conflicts & pending->loading[part.row], part.lanes);
    }
    return loads;
}

static inline void pending_reserve(pending_registers *pending, lane_homes homes, uint32_t number, uint64_t mask,
                                   uint32_t is_load)
{
    if (__builtin_expect(!homes.rows, 1)) {
        pending_row_reserve(pending, homes.row, number, mask, is_load);
        return;
    }
    for (uint64_t left = mask; left;) {
        const home_part part = homes_take(homes, &left);
        pending_row_reserve(pending, part.row, number, part.lanes, is_load);
    }
}

/* The lanes that are still pending, of any row of those of mask. */
static inline uint64_t pending_release(pending_registers *pending, lane_homes homes, uint32_t number, uint64_t mask)
{
    if (__builtin_expect(!homes.rows, 1))
        return pending_row_release(pending, homes.row, number, mask);
    uint64_t waiting = 0;
    for (uint64_t left = mask; left;) {
        const home_part part = homes_take(homes, &left);
        waiting |= pending_row_release(pending, part.row, number, part.lanes);
    }
    return waiting;
}

#endif
