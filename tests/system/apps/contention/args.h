/* SPDX-License-Identifier: MIT */
#ifndef CONTENTION_ARGS_H
#define CONTENTION_ARGS_H

#include "heddle_args.h"

typedef struct contention_args {
    hd_device_ptr data; /* uint32_t[words] */
    uint32_t words;
    uint32_t loads;
    uint32_t stores;
    uint32_t attempts;
} contention_args;
HD_ARGUMENT_BLOCK(contention_args, 20);

#endif
