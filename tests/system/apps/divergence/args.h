/* SPDX-License-Identifier: MIT */
#ifndef DIVERGENCE_ARGS_H
#define DIVERGENCE_ARGS_H

#include "heddle_args.h"

typedef struct divergence_args {
    hd_device_ptr in;     /* a random word for each thread, */
    hd_device_ptr out;    /* and what comes of it */
    hd_device_ptr table;  /* DIVERGENCE_TABLE random words */
    hd_device_ptr shared; /* words that threads share: all 0 */
    uint32_t threads;
    uint32_t share; /* of 1024: how many threads take the first side */
    uint32_t rounds;
    uint32_t ways;
} divergence_args;
HD_ARGUMENT_BLOCK(divergence_args, 32);

#define DIVERGENCE_TABLE 1024u
#define DIVERGENCE_SHARED 4096u

#endif
