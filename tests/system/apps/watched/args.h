/* SPDX-License-Identifier: MIT */
#ifndef WATCHED_ARGS_H
#define WATCHED_ARGS_H

#include "heddle_args.h"

enum { WATCHED_STORED, WATCHED_COUNTED, WATCHED_BYTES, WATCHED_SUM, WATCHED_CHANGED, WATCHED_READ };
enum { WATCHED_FAR = 1024, WATCHED_WORDS }; /* at another partition of the memory */

typedef struct watched_args {
    hd_device_ptr words; /* uint32_t[WATCHED_WORDS]; those by name, and from WATCHED_READ on one of each lane */
    uint32_t waits;      /* 1: no lane ends before all transactions have committed */
    uint32_t gives_up;   /* 1: lane 1 does at first */
} watched_args;
HD_ARGUMENT_BLOCK(watched_args, 12);

#endif
