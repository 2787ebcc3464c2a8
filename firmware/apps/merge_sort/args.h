/* SPDX-License-Identifier: MIT */
#ifndef MERGE_SORT_ARGS_H
#define MERGE_SORT_ARGS_H

#include "heddle_args.h"

typedef struct merge_sort_pair {
    uint32_t key, value;
} merge_sort_pair;

typedef struct merge_sort_args {
    hd_device_ptr from; /* merge_sort_pair[count] */
    hd_device_ptr to;
    uint32_t count;
    uint32_t run; /* pairs of a sorted run; merge_sort_tiles does not look at it */
} merge_sort_args;
HD_ARGUMENT_BLOCK(merge_sort_args, 16);

#endif
