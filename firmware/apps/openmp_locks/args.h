/* SPDX-License-Identifier: MIT */
#ifndef OPENMP_LOCKS_ARGS_H
#define OPENMP_LOCKS_ARGS_H

#include "heddle_args.h"

/* A lock beside what it protects, as programs have it. */
typedef struct guarded {
    uint32_t lock; /* 0: free */
    uint32_t value;
} guarded;

typedef struct openmp_locks_args {
    hd_device_ptr guarded; /* guarded[count] */
    hd_device_ptr array;   /* uint32_t[elements]; element i belongs to guarded i mod count */
    uint32_t count;
    uint32_t elements;
    uint32_t delay; /* cycles between two tries, of who backs off */
} openmp_locks_args;
HD_ARGUMENT_BLOCK(openmp_locks_args, 20);

#endif
