/* SPDX-License-Identifier: MIT */
#include "heddle_args.h"

typedef struct host_speed_args {
    hd_device_ptr data; /* uint32_t[n] */
    uint32_t n;
    uint32_t rounds;
} host_speed_args;
HD_ARGUMENT_BLOCK(host_speed_args, 12);
