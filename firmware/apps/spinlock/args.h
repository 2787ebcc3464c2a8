/* SPDX-License-Identifier: MIT */
#ifndef SPINLOCK_ARGS_H
#define SPINLOCK_ARGS_H

#include "heddle_args.h"

typedef struct spinlock_args {
    hd_device_ptr lock;    /* uint32_t, 0 */
    hd_device_ptr counter; /* uint32_t: one up per thread */
} spinlock_args;
HD_ARGUMENT_BLOCK(spinlock_args, 8);

#endif
