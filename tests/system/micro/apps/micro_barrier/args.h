/* SPDX-License-Identifier: MIT */
#ifndef MICRO_BARRIER_ARGS_H
#define MICRO_BARRIER_ARGS_H

#include "heddle_args.h"

#define MICRO_BARRIERS 16 /* of a round */

typedef struct micro_barrier_args {
    uint32_t rounds;
} micro_barrier_args;
HD_ARGUMENT_BLOCK(micro_barrier_args, 4);

#endif
