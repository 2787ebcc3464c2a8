/* SPDX-License-Identifier: MIT */
#ifndef VECADD_ARGS_H
#define VECADD_ARGS_H

#include "heddle_args.h"

typedef struct vecadd_args {
    hd_device_ptr a, b, c; /* float[n] */
    uint32_t n;
} vecadd_args;
HD_ARGUMENT_BLOCK(vecadd_args, 16);

#endif
