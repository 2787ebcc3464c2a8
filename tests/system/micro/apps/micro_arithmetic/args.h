/* SPDX-License-Identifier: MIT */
#ifndef MICRO_ARITHMETIC_ARGS_H
#define MICRO_ARITHMETIC_ARGS_H

#include "heddle_args.h"

#define MICRO_ARITHMETIC_CHAIN 256       /* operations between the readings of the counter, each on the result before */
#define MICRO_ARITHMETIC_INDEPENDENT 192 /* of a round, on twelve registers in turn */

enum micro_arithmetic_operation {
    MICRO_ADD,
    MICRO_FMA,
    MICRO_MULTIPLY,
    MICRO_SHIFT,
    MICRO_COMPARE,
    MICRO_DIVIDE,
    MICRO_FLOAT_ADD,
    MICRO_FLOAT_DIVIDE,
    MICRO_RECIPROCAL_ROOT,
    MICRO_OPERATIONS
};

typedef struct micro_arithmetic_args {
    hd_device_ptr result; /* the two readings by thread 0, then a word of each thread that nobody looks at */
    uint32_t operation;   /* one of those */
    uint32_t rounds;      /* of independent operations; 0: the chain */
} micro_arithmetic_args;
HD_ARGUMENT_BLOCK(micro_arithmetic_args, 12);

#endif
