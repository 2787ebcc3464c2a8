/* SPDX-License-Identifier: MIT */
#include "heddle_args.h"

#define ON_TILES_PES 8u

typedef struct on_tiles_args {
    hd_device_ptr words; /* uint32_t[2 * ON_TILES_PES] */
    uint32_t wrong;      /* which mistake; 0: none */
    uint32_t reserved;
} on_tiles_args;
HD_ARGUMENT_BLOCK(on_tiles_args, 12);

enum {
    ON_TILES_NONE,
    ON_TILES_STORE_BEYOND,
    ON_TILES_STORE_TO_NO_REGISTER,
    ON_TILES_ATOMIC_ON_REGISTER,
    ON_TILES_ATOMIC_ON_SCRATCHPAD,
    ON_TILES_BEHIND_WORDS, /* for who checks */
    ON_TILES_WORD_OF_ANOTHER,
    ON_TILES_MISTAKES
};
