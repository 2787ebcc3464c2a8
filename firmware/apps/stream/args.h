/* SPDX-License-Identifier: MIT */
#ifndef STREAM_ARGS_H
#define STREAM_ARGS_H

#include "heddle_args.h"

typedef struct stream_args {
    hd_device_ptr a, b, c; /* uint32_t[n] */
    uint32_t n;
} stream_args;
HD_ARGUMENT_BLOCK(stream_args, 16);

#endif
