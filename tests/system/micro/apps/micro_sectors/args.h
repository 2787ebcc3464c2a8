/* SPDX-License-Identifier: MIT */
#ifndef MICRO_SECTORS_ARGS_H
#define MICRO_SECTORS_ARGS_H

#include "heddle_args.h"

typedef struct micro_sectors_args {
    hd_device_ptr start; /* thread i has the word at start + i * step, and `count` more, each all threads' steps further */
    uint32_t step;
    uint32_t count;
    uint32_t stores; /* each is written */
    uint32_t loads;  /* and then each is read */
} micro_sectors_args;
HD_ARGUMENT_BLOCK(micro_sectors_args, 20);

#endif
