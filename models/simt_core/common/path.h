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

#endif
