/* SPDX-License-Identifier: MIT */
#ifndef STACKS_ARGS_H
#define STACKS_ARGS_H

#include "heddle_args.h"

typedef struct stacks_args {
    hd_device_ptr sum; /* uint32_t, of the first thread */
    uint32_t rounds;
} stacks_args;
HD_ARGUMENT_BLOCK(stacks_args, 8);

#endif
