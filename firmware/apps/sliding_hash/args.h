/* SPDX-License-Identifier: MIT */
#ifndef SLIDING_HASH_ARGS_H
#define SLIDING_HASH_ARGS_H

#include "heddle_args.h"

typedef struct sliding_hash_args {
    hd_device_ptr stream; /* uint32_t[words + window - 1] */
    hd_device_ptr hashes; /* uint32_t[words] */
    uint32_t words;
    uint32_t window;
} sliding_hash_args;
HD_ARGUMENT_BLOCK(sliding_hash_args, 16);

static inline uint32_t sliding_hash_of(const uint32_t *words, uint32_t window)
{
    uint32_t hash = window;
    for (uint32_t i = 0; i < window; i++) {
        hash = (hash ^ words[i]) * 0x85ebca6b;
        hash ^= hash >> 13;
    }
    return hash;
}

#endif
