/* SPDX-License-Identifier: MIT */
#ifndef REG_PATTERNS_ARGS_H
#define REG_PATTERNS_ARGS_H

#include "heddle_args.h"

typedef struct reg_patterns_args {
    hd_device_ptr results; /* uint32_t[threads of the grid] */
    uint32_t rounds;
} reg_patterns_args;
HD_ARGUMENT_BLOCK(reg_patterns_args, 8);

#define REG_PATTERNS_NUMBERS 8u
#define REG_PATTERNS_WARP 32u

/* Number i of a thread: the same in all lanes of a warp; one more, or four more, from lane to lane, in a warp or in each half of one; and
 * three that are no pattern. */
static inline uint32_t reg_patterns_number(uint32_t i, uint32_t block, uint32_t thread)
{
    const uint32_t lane = thread % REG_PATTERNS_WARP, half = lane / (REG_PATTERNS_WARP / 2);
    const uint32_t within = lane % (REG_PATTERNS_WARP / 2), random = (block * 1024 + thread) * 2654435761u;
    switch (i) {
    case 0: return block * 77;
    case 1: return block * 1000 + thread;
    case 2: return block * 4096 + 4 * thread;
    case 3: return half * 5000 + within;
    case 4: return half * 5000 + 4 * within;
    default: return random ^ random >> (i + 8);
    }
}

#endif
