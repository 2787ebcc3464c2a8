/* SPDX-License-Identifier: MIT */
#ifndef PTA_LITE_ARGS_H
#define PTA_LITE_ARGS_H

#include "heddle_args.h"

typedef struct pta_constraint {
    uint32_t p, q;
} pta_constraint;

/* A thread has one word of the sets of a constraint. */
typedef struct pta_args {
    hd_device_ptr sets;        /* uint32_t[variables][words]: bit a of p's: p may point to a */
    hd_device_ptr constraints; /* pta_constraint[count] */
    hd_device_ptr grown;       /* uint32_t: not 0 if a set has grown */
    uint32_t count;
    uint32_t words;
} pta_args;
HD_ARGUMENT_BLOCK(pta_args, 20);

#endif
