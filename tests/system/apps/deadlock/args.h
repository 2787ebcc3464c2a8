/* SPDX-License-Identifier: MIT */
#ifndef DEADLOCK_ARGS_H
#define DEADLOCK_ARGS_H

#include "heddle_args.h"

#define DEADLOCK_POINTERS 5u

typedef struct deadlock_args {
    hd_device_ptr pointers[DEADLOCK_POINTERS];
    uint32_t numbers[4];
} deadlock_args;
HD_ARGUMENT_BLOCK(deadlock_args, 36);

#endif
