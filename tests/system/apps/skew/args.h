/* SPDX-License-Identifier: MIT */
#ifndef SKEW_ARGS_H
#define SKEW_ARGS_H

#include "heddle_args.h"

typedef struct skew_args {
    hd_device_ptr pairs; /* uint32_t[2 * threads]: words to read and to write */
    hd_device_ptr words; /* uint32_t[words] */
    uint32_t threads;
} skew_args;
HD_ARGUMENT_BLOCK(skew_args, 12);

#endif
