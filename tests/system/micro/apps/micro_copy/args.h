/* SPDX-License-Identifier: MIT */
#ifndef MICRO_COPY_ARGS_H
#define MICRO_COPY_ARGS_H

#include "heddle_args.h"

#define MICRO_COPY_UNROLLED 4

enum micro_copy_operation { MICRO_READ, MICRO_WRITE, MICRO_COPY, MICRO_TRIAD, MICRO_COPY_OPERATIONS };

/* A block has a part of the arrays of its own, which its threads go over side by side. Blocks start in order, so that what is in
 * progress lies together. */
typedef struct micro_copy_args {
    hd_device_ptr a, b, c; /* uint32_t[words]; read: a; write: c; copy: c = a; triad: c = a + 3 b */
    hd_device_ptr sums;    /* uint32_t[threads]: keeps what is read, but only what is not 0 */
    uint32_t operation;
} micro_copy_args;
HD_ARGUMENT_BLOCK(micro_copy_args, 20);

#endif
