/* SPDX-License-Identifier: MIT */
#ifndef SCAN_ARGS_H
#define SCAN_ARGS_H

#include "heddle_args.h"

/* Inclusive prefix sums modulo 2^32, in three launches: inside each block, over the sums of the blocks, and these added. */
typedef struct scan_args {
    hd_device_ptr values; /* uint32_t[n] */
    hd_device_ptr sums;   /* uint32_t[n], the result */
    hd_device_ptr totals; /* uint32_t[blocks], of each block */
    uint32_t n;
    uint32_t blocks;
} scan_args;
HD_ARGUMENT_BLOCK(scan_args, 20);

#endif
