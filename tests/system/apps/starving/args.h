/* SPDX-License-Identifier: MIT */
#ifndef STARVING_ARGS_H
#define STARVING_ARGS_H

#include "heddle_args.h"

typedef struct starving_args {
    hd_device_ptr words;   /* uint32_t[word_count]: what makes a block heavy */
    hd_device_ptr results; /* uint32_t[threads] */
    hd_device_ptr shared;  /* uint32_t[3]: blocks that have arrived, lock, how often it has been taken */
    uint32_t word_count;
    uint32_t rounds;
    uint32_t loads; /* of a thread in a round */
} starving_args;
HD_ARGUMENT_BLOCK(starving_args, 24);

static inline uint32_t starving_place(uint32_t thread, uint32_t round, uint32_t load, uint32_t word_count)
{
    return (thread * 97 + round * 31 + load * 1031) % word_count;
}

#endif
