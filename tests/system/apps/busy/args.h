/* SPDX-License-Identifier: MIT */
#ifndef BUSY_ARGS_H
#define BUSY_ARGS_H

#include "heddle_args.h"

typedef struct busy_args {
    hd_device_ptr data;   /* one word per thread and one more */
    uint32_t times;       /* how often a loop goes round */
    uint32_t first, last; /* threads of a block that do it */
    hd_device_ptr table;  /* words, all 1 */
    uint32_t words;
} busy_args;
HD_ARGUMENT_BLOCK(busy_args, 24);

#endif
