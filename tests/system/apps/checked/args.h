/* SPDX-License-Identifier: MIT */
#ifndef CHECKED_ARGS_H
#define CHECKED_ARGS_H

#include "heddle_args.h"

typedef struct checked_args {
    hd_device_ptr in;        /* a word for each thread and one more, written */
    hd_device_ptr out;       /* a word for each thread, not written */
    hd_device_ptr flags;     /* 64 words, 0 */
    hd_device_ptr short_one; /* 10 bytes */
    hd_device_ptr gone;      /* has been freed */
    uint32_t distance;
} checked_args;
HD_ARGUMENT_BLOCK(checked_args, 24);

#endif
