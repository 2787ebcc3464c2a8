/* SPDX-License-Identifier: MIT */
#ifndef MICRO_CONSTANTS_ARGS_H
#define MICRO_CONSTANTS_ARGS_H

#include "heddle_args.h"

#define MICRO_CONSTANTS_LOADS 128 /* of a round, of one word for all lanes */

typedef struct micro_constants_args {
    hd_device_ptr result; /* a word of each thread that nobody looks at */
    uint32_t rounds;
    uint32_t word;
} micro_constants_args;
HD_ARGUMENT_BLOCK(micro_constants_args, 12);

#endif
