/* SPDX-License-Identifier: MIT */
#ifndef MICRO_LAUNCH_ARGS_H
#define MICRO_LAUNCH_ARGS_H

#include "heddle_args.h"

typedef struct micro_launch_args {
    uint32_t unused;
} micro_launch_args;
HD_ARGUMENT_BLOCK(micro_launch_args, 4);

#endif
