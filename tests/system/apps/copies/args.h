/* SPDX-License-Identifier: MIT */
#include "heddle_args.h"

typedef struct copies_args {
    hd_device_ptr data; /* uint32_t[n] */
    uint32_t n;
    uint32_t rounds;
} copies_args;
HD_ARGUMENT_BLOCK(copies_args, 12);
