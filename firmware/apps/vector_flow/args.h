/* SPDX-License-Identifier: MIT */
#ifndef VECTOR_FLOW_ARGS_H
#define VECTOR_FLOW_ARGS_H

#include "heddle_args.h"

enum { VECTOR_FLOW_ONE = 1024 }; /* values are multiples of 1/1024 */

typedef struct vector_flow_args {
    hd_device_ptr edges;  /* int32_t[cells][size][size]: how much of an edge is there, 0 .. 1 */
    hd_device_ptr fields; /* int32_t[cells][size][size]: at last */
    hd_device_ptr turns;  /* uint32_t[cells]: that a cell has taken */
    uint32_t size;
    uint32_t most_turns;
    uint32_t still; /* sum of changes below which a cell is done */
} vector_flow_args;
HD_ARGUMENT_BLOCK(vector_flow_args, 24);

#endif
