/* SPDX-License-Identifier: MIT */
#ifndef LOCAL_ARGS_H
#define LOCAL_ARGS_H

#include "heddle_args.h"

#define WORDS_MAX 512u

typedef struct local_args {
    hd_device_ptr sums; /* [block] */
    uint32_t words;     /* in use, a power of two */
    uint32_t rounds;
    uint32_t accesses; /* of a transaction */
    uint32_t reads;    /* words that all read, behind those */
    uint32_t aborts;   /* one thread of so many gives attempts up; 0: none */
    uint32_t attempts; /* that such a thread gives up */
    uint32_t blind;    /* 1: all write the word behind them, and none reads it */
} local_args;
HD_ARGUMENT_BLOCK(local_args, 32);

#endif
