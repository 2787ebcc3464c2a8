/* SPDX-License-Identifier: MIT */
#ifndef BLOCK_COUNTERS_ARGS_H
#define BLOCK_COUNTERS_ARGS_H

#include "heddle_args.h"

#define COUNTERS_MAX 2048u

typedef struct block_counters_args {
    hd_device_ptr indices; /* [block][update] */
    hd_device_ptr values;  /* [block][update] */
    hd_device_ptr results; /* [block][counter] */
    uint32_t counters;     /* in the scratchpad, before as many locks */
    uint32_t updates;
} block_counters_args;
HD_ARGUMENT_BLOCK(block_counters_args, 20);

#endif
