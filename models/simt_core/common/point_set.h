/* SPDX-License-Identifier: MIT */
/* Reconvergence points of a program, as a unit learns them from its divergent branches. */
#ifndef SIMT_CORE_POINT_SET_H
#define SIMT_CORE_POINT_SET_H

#include <stdint.h>
#include <string.h>

#include "hd_state.h"

#define POINTS_MAX 256u

typedef struct point_set {
    uint32_t count;
    uint32_t pcs[POINTS_MAX]; /* ascending */
} point_set;

/* Index of the first point that is not before pc. */
static inline uint32_t point_set_find(const point_set *points, uint32_t pc)
{
    uint32_t low = 0, high = points->count;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (points->pcs[middle] < pc)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static inline uint32_t point_set_has(const point_set *points, uint32_t pc)
{
    const uint32_t at = point_set_find(points, pc);
    return at < points->count && points->pcs[at] == pc;
}

/* Is it in the set now? A full set takes no more. */
static inline uint32_t point_set_add(point_set *points, uint32_t pc)
{
    const uint32_t at = point_set_find(points, pc);
    if (at < points->count && points->pcs[at] == pc)
        return 1;
    if (points->count == POINTS_MAX)
        return 0;
    memmove(points->pcs + at + 1, points->pcs + at, (points->count - at) * sizeof *points->pcs);
    points->pcs[at] = pc;
    points->count++;
    return 1;
}

static inline void point_set_transfer(point_set *points, const hd_state_stream *stream)
{
    HD_STATE_VALUE(stream, points->count);
    HD_STATE_ARRAY(stream, points->pcs, points->count);
}

/* The first one behind pc, or `none`. */
static inline uint32_t point_set_after(const point_set *points, uint32_t pc, uint32_t none)
{
    const uint32_t at = point_set_find(points, pc + 1);
    return at < points->count ? points->pcs[at] : none;
}

#endif
