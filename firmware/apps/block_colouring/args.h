/* SPDX-License-Identifier: MIT */
#ifndef BLOCK_COLOURING_ARGS_H
#define BLOCK_COLOURING_ARGS_H

#include "heddle_args.h"

#define VERTICES_MAX 256u
#define NEARBY_MAX 16u /* a vertex and its neighbours */
#define NEARBY_WORDS (NEARBY_MAX / 4)

/* In the scratchpad: colours of vertices from 1, 0 is none; then their locks. */
typedef struct block_colouring_args {
    hd_device_ptr nearby;  /* [NEARBY_WORDS][block][vertex]: bytes, ascending, the vertex among them */
    hd_device_ptr counts;  /* [block][vertex]: of them */
    hd_device_ptr results; /* [block][vertex] */
    uint32_t vertices;
    uint32_t rounds;
} block_colouring_args;
HD_ARGUMENT_BLOCK(block_colouring_args, 20);

#endif
