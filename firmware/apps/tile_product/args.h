/* SPDX-License-Identifier: MIT */
#ifndef TILE_PRODUCT_ARGS_H
#define TILE_PRODUCT_ARGS_H

#include "heddle_args.h"

/* What is left out, so that the machine has to find it. */
#define TILE_PRODUCT_NOTHING 0u
#define TILE_PRODUCT_WRITE_BACK 1u
#define TILE_PRODUCT_INVALIDATE 2u
#define TILE_PRODUCT_MODE 3u  /* the banks are flushed before their mode changes */
#define TILE_PRODUCT_SPARE 4u /* to flush spare words, whose values nobody uses */
#define TILE_PRODUCT_SPARE_WORDS 64u
#define TILE_PRODUCT_ADDING 48u /* which of them counts the PEs that add */

typedef struct tile_product_args {
    hd_device_ptr a, b, products, sums; /* uint32_t[n], [n], [n + spare words], [chunks] */
    uint32_t n;
    uint32_t chunk; /* elements of an item of work */
    uint32_t forgets;
    uint32_t rounds;
} tile_product_args;
HD_ARGUMENT_BLOCK(tile_product_args, 32);

#endif
