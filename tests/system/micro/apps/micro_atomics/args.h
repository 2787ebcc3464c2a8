/* SPDX-License-Identifier: MIT */
#ifndef MICRO_ATOMICS_ARGS_H
#define MICRO_ATOMICS_ARGS_H

#include "heddle_args.h"

#define MICRO_ATOMICS_CHAIN 32 /* additions of a chain, each of what the one before returned */

/* Lane i of warp w adds 1 to the word at start + w % places * place_stride + i * lane_stride, four times in each round. */
typedef struct micro_atomics_args {
    hd_device_ptr start;
    hd_device_ptr result; /* of a chain: two readings of the cycle counter by thread 0 */
    uint32_t lane_stride;
    uint32_t places;
    uint32_t place_stride;
    uint32_t lanes;  /* of a warp */
    uint32_t rounds; /* 0: the chain, of words that hold 0 */
} micro_atomics_args;
HD_ARGUMENT_BLOCK(micro_atomics_args, 28);

#endif
