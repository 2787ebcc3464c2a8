/* SPDX-License-Identifier: MIT */
/* A path: lanes that run together (reconvergence.h). */
#ifndef SIMT_CORE_PATH_H
#define SIMT_CORE_PATH_H

#include <stdint.h>

#define NO_STOP UINT32_C(0xFFFFFFFE)      /* path.stop_pc: no reconvergence point ahead */
#define HOMES_DIFFER UINT32_C(0xFFFFFFFF) /* path.home: see reconvergence_unit.homes */

typedef struct path {
    uint32_t pc;      /* next instruction; the pipeline advances it between calls */
    uint32_t depth;   /* calls that have not returned */
    uint64_t mask;    /* active mask; 0 = this path does not exist now, or its transaction has no lane left that runs */
    uint32_t stop_pc; /* reconvergence point, or NO_STOP */
    uint32_t stop_depth;
    uint32_t warp; /* slot in which it runs; fixed */
    uint32_t home; /* slot of the warp of which all its lanes are, or HOMES_DIFFER; without `homes` it is `warp` */
} path;

/* It stops at this point and at another one of the same depth, NO_STOP if there is none: straight-line code comes first to the nearer one
 * ahead, which is its stop point from here. To be said anew where it goes elsewhere. */
static inline void path_stop_at(path *p, uint32_t point, uint32_t other, uint32_t depth)
{
    const uint32_t next = p->pc + 1;
    p->stop_pc = other != NO_STOP && other - next < point - next ? other : point;
    p->stop_depth = depth;
}

#endif
