/* SPDX-License-Identifier: MIT */
#ifndef CALLS_ARGS_H
#define CALLS_ARGS_H

#include "heddle_args.h"

typedef struct calls_args {
    hd_device_ptr in;  /* uint32_t[n] */
    hd_device_ptr out; /* uint32_t[n] */
    uint32_t n;
} calls_args;
HD_ARGUMENT_BLOCK(calls_args, 12);

#endif
