/* SPDX-License-Identifier: MIT */
#ifndef MICRO_CHAIN_ARGS_H
#define MICRO_CHAIN_ARGS_H

#include "heddle_args.h"

#define MICRO_CHAIN_TIMED 32 /* loads between the two readings of the cycle counter */

/* One chain per lane, the same in every warp. Element k of lane i lies at start + i * lane_stride + k * step and holds
 * the address of element (k + 1) % length. */
typedef struct micro_chain_args {
    hd_device_ptr start;  /* null: the scratchpad, where the kernel makes the chains itself */
    hd_device_ptr result; /* two readings of the cycle counter by thread 0: in front of the first timed load,
                           * after the value of the last; then the last pointer of every thread */
    uint32_t lane_stride;
    uint32_t step;
    uint32_t length;
    uint32_t warm;
    uint32_t offset;
} micro_chain_args;
HD_ARGUMENT_BLOCK(micro_chain_args, 28);

#endif
