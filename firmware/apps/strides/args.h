/* SPDX-License-Identifier: MIT */
#ifndef STRIDES_ARGS_H
#define STRIDES_ARGS_H

#include "heddle_args.h"

typedef struct strides_args {
    hd_device_ptr words; /* uint32_t[STRIDES_WORDS] */
    hd_device_ptr sums;  /* uint32_t, one for each thread */
    uint32_t count;      /* words that a thread adds up */
    uint32_t step;
} strides_args;
HD_ARGUMENT_BLOCK(strides_args, 16);

#define STRIDES_WORDS 4096u

/* Index i of a thread; a number of its loop is spread over the words. */
static inline uint32_t strides_place(uint32_t thread, uint32_t i)
{
    return (thread + (i ^ i >> 12)) % STRIDES_WORDS;
}

#endif
