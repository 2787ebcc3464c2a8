/* SPDX-License-Identifier: MIT */
#ifndef LIVE_ARGS_H
#define LIVE_ARGS_H

#include "heddle_args.h"

#define LIVE_BYTES (32u << 10) /* of data */
#define LIVE_TABLE 256u        /* constants; a power of two */

typedef struct live_args {
    hd_device_ptr data;
    uint32_t rounds;
    uint32_t stride; /* bytes from one thread's word to the next one's */
    uint32_t table[LIVE_TABLE];
} live_args;
HD_ARGUMENT_BLOCK(live_args, 12 + LIVE_TABLE * 4);

#endif
