/* SPDX-License-Identifier: MIT */
/*
 * Whose lanes they are. A thread keeps its lane, and the row that its warp was given: its registers, its private memory and its
 * reservations are there. The lanes of a path are usually all of one warp. A reconvergence unit that regroups lanes names the
 * row of each.
 */
#ifndef SIMT_CORE_LANE_HOMES_H
#define SIMT_CORE_LANE_HOMES_H

#include <stddef.h>
#include <stdint.h>

#include "path.h"

/* Lanes of one row. */
typedef struct home_part {
    uint64_t lanes;
    uint32_t row;
} home_part;

typedef struct lane_homes {
    const uint32_t *rows; /* [lane]; NULL: all in `row` */
    union {
        const home_part *parts; /* with rows: each row of theirs once, then one without lanes. NULL: not taken apart */
        uint64_t row;           /* as wide as `parts`, or gcc keeps both in memory */
    };
} lane_homes;

static inline lane_homes homes_of_row(uint32_t row)
{
    return (lane_homes){.row = row};
}

static inline uint32_t homes_row_of(lane_homes homes, uint32_t lane)
{
    return homes.rows ? homes.rows[lane] : (uint32_t)homes.row;
}

static inline home_part homes_take_apart(const uint32_t *rows, uint64_t *left)
{
    home_part part = {.row = rows[__builtin_ctzll(*left)]};
    for (uint64_t rest = *left; rest; rest &= rest - 1)
        part.lanes |= rows[__builtin_ctzll(rest)] == part.row ? rest & -rest : 0;
    *left &= ~part.lanes;
    return part;
}
static inline home_part homes_take_part(const home_part *parts, uint64_t *left)
{
    while (!(parts->lanes & *left & -*left))
        parts++;
    const home_part part = {.lanes = parts->lanes & *left, .row = parts->row};
    *left &= ~part.lanes;
    return part;
}
/* Takes from *left, which is not 0, its lowest lane and all others of the same row. */
static inline home_part homes_take(lane_homes homes, uint64_t *left)
{
    if (__builtin_expect(homes.rows != NULL, 0))
        return homes.parts ? homes_take_part(homes.parts, left) : homes_take_apart(homes.rows, left);
    const home_part all = {.lanes = *left, .row = (uint32_t)homes.row};
    *left = 0;
    return all;
}

/* The row of which all of the lanes are, of which there is one at least; HOMES_DIFFER: there is none. */
static inline uint32_t homes_common(const uint32_t *rows, uint64_t lanes)
{
    const uint32_t row = rows[__builtin_ctzll(lanes)];
    for (uint64_t left = lanes; left; left &= left - 1)
        if (rows[__builtin_ctzll(left)] != row)
            return HOMES_DIFFER;
    return row;
}

/* Those of the lanes that are of this row. */
static inline uint64_t homes_lanes_of(lane_homes homes, uint64_t lanes, uint32_t row)
{
    uint64_t found = 0;
    for (uint64_t left = lanes; left;) {
        const home_part part = homes_take(homes, &left);
        found |= part.row == row ? part.lanes : 0;
    }
    return found;
}

#endif
