/* SPDX-License-Identifier: MIT */
#ifndef HISTOGRAM_ARGS_H
#define HISTOGRAM_ARGS_H

#include "heddle_args.h"

typedef struct histogram_args {
    hd_device_ptr values; /* uint32_t[n], each < bins */
    hd_device_ptr counts; /* uint32_t[bins], 0 */
    uint32_t n;
    uint32_t bins;
} histogram_args;
HD_ARGUMENT_BLOCK(histogram_args, 16);

#endif
