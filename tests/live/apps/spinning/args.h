/* SPDX-License-Identifier: MIT */
#ifndef SPINNING_ARGS_H
#define SPINNING_ARGS_H

#include "heddle_args.h"

typedef struct spinning_args {
    hd_device_ptr locks; /* uint32_t[2], and behind them how often each has been taken */
    uint32_t rounds;
} spinning_args;
HD_ARGUMENT_BLOCK(spinning_args, 8);

#endif
