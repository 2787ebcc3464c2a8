/* SPDX-License-Identifier: MIT */
#ifndef SPIN_LOOPS_ARGS_H
#define SPIN_LOOPS_ARGS_H

#include "heddle_args.h"

typedef struct spin_loops_args {
    hd_device_ptr word;  /* uint32_t: a flag, or the first of a stack: number of a thread + 1, 0: none */
    hd_device_ptr nexts; /* uint32_t[threads]: those behind them */
    uint32_t rounds;
} spin_loops_args;
HD_ARGUMENT_BLOCK(spin_loops_args, 12);

#endif
