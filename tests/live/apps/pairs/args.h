/* SPDX-License-Identifier: MIT */
#ifndef PAIRS_ARGS_H
#define PAIRS_ARGS_H

#include "heddle_args.h"

#define PAIRS_MAX 1024u

typedef struct pairs_args {
    hd_device_ptr first, second; /* words */
    hd_device_ptr torn;          /* pairs that somebody has seen differ */
    hd_device_ptr zero;          /* a word that is 0 */
    uint32_t mask;               /* pairs in use - 1 */
    uint32_t rounds;
    uint32_t writers; /* one thread of so many writes */
    uint32_t looks;   /* pairs that a reader looks at in a transaction */
} pairs_args;
HD_ARGUMENT_BLOCK(pairs_args, 32);

#endif
