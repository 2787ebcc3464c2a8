/* SPDX-License-Identifier: MIT */
#ifndef REDUCE_ARGS_H
#define REDUCE_ARGS_H

#include "heddle_args.h"

typedef struct reduce_args {
    hd_device_ptr values; /* uint32_t[n] */
    hd_device_ptr sum;    /* uint32_t, 0: the sum modulo 2^32 */
    uint32_t n;
} reduce_args;
HD_ARGUMENT_BLOCK(reduce_args, 12);

#endif
