/* SPDX-License-Identifier: MIT */
#ifndef NW_WAVEFRONT_ARGS_H
#define NW_WAVEFRONT_ARGS_H

#include "heddle_args.h"

enum { NW_TILE = 16, NW_GAP = 10 }; /* a block is a row of a tile */

/* Scores of (n + 1) x (n + 1) cells, n = 16 tiles, whose first row and column are given; row by row. */
typedef struct nw_wavefront_args {
    hd_device_ptr scores; /* int32_t */
    hd_device_ptr match;  /* int32_t[n][n] */
    uint32_t tiles;
    uint32_t first_row, first_column; /* of the diagonal: its tile at the top */
} nw_wavefront_args;
HD_ARGUMENT_BLOCK(nw_wavefront_args, 20);

static inline int32_t nw_score(int32_t diagonal, int32_t above, int32_t beside)
{
    const int32_t gap = (above > beside ? above : beside) - NW_GAP;
    return diagonal > gap ? diagonal : gap;
}

#endif
