/* SPDX-License-Identifier: MIT */
#ifndef WATCHED_SCRATCHPAD_ARGS_H
#define WATCHED_SCRATCHPAD_ARGS_H

#include "heddle_args.h"

typedef struct watched_scratchpad_args {
    hd_device_ptr sum; /* uint32_t: of 1, 2 and 3 */
    uint32_t gives_up; /* 1: lane 1 does at first, when it has stored */
    uint32_t reserved;
} watched_scratchpad_args;
HD_ARGUMENT_BLOCK(watched_scratchpad_args, 12);

#endif
