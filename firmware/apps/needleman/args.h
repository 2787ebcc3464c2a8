/* SPDX-License-Identifier: MIT */
#ifndef NEEDLEMAN_ARGS_H
#define NEEDLEMAN_ARGS_H

#include "heddle_args.h"

/* Scores of a matrix of (n + 2) x (n + 2) cells, n = tiles * side, whose border is given; row by row. */
typedef struct needleman_args {
    hd_device_ptr scores; /* int32_t */
    hd_device_ptr match;  /* int32_t[n * n]: what it is worth that two letters meet */
    hd_device_ptr
        order; /* uint32_t[tiles * tiles]: row << 16 | column, so that none comes before one that it waits for */
    hd_device_ptr flags; /* uint32_t[tiles * tiles], 0: the tile is not there yet */
    uint32_t tiles, side;
} needleman_args;
HD_ARGUMENT_BLOCK(needleman_args, 24);

#define NEEDLEMAN_GAP 10

static inline int32_t needleman_score(int32_t diagonal, int32_t above, int32_t beside)
{
    const int32_t gap = (above > beside ? above : beside) - NEEDLEMAN_GAP;
    return diagonal > gap ? diagonal : gap;
}

#endif
