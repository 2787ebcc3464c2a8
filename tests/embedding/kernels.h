/* SPDX-License-Identifier: MIT */
/* What the kernels of these tests are given. */
#ifndef EMBEDDING_KERNELS_H
#define EMBEDDING_KERNELS_H

#include "heddle_args.h"

typedef struct array_args {
    hd_device_ptr data; /* uint32_t[n] */
    uint32_t n;
    uint32_t value;
} array_args;
HD_ARGUMENT_BLOCK(array_args, 12);

/* Of one PE. Lines of caches have those of several, of other tiles as well. */
typedef struct tile_words {
    uint32_t asked, answer, seen;
} tile_words;

#endif
