/* SPDX-License-Identifier: MIT */
#include "heddle_args.h"

typedef struct misuse_args {
    uint32_t n;
    hd_device_ptr data;
} misuse_args;
HD_ARGUMENT_BLOCK(misuse_args, 8);

typedef struct misuse_args_of_another {
    uint32_t n[5];
} misuse_args_of_another;
HD_ARGUMENT_BLOCK(misuse_args_of_another, 20);
