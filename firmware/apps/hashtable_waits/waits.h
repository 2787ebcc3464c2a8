/* SPDX-License-Identifier: MIT */
#ifndef HASHTABLE_WAITS_H
#define HASHTABLE_WAITS_H

#include "hashtable/args.h"

typedef struct hashtable_waits_args {
    hashtable_args table; /* packed */
    uint32_t delay;       /* hashtable_delayed: cycles between tries, times the number of the thread's block */
} hashtable_waits_args;
HD_ARGUMENT_BLOCK(hashtable_waits_args, 32);

#endif
