/* SPDX-License-Identifier: MIT */
#ifndef SUFFIX_ARRAY_ARGS_H
#define SUFFIX_ARRAY_ARGS_H

#include "heddle_args.h"

typedef struct suffix_array_args {
    hd_device_ptr text;     /* uint8_t[text_length] */
    hd_device_ptr suffixes; /* uint32_t[text_length]: where each begins, in ascending order of the suffixes */
    hd_device_ptr queries;  /* uint8_t[count][length] */
    hd_device_ptr matches; /* uint32_t[count]: bases of the longest one, times 2^16, and where in the query it begins */
    uint32_t text_length;
    uint32_t count;
    uint32_t length;
} suffix_array_args;
HD_ARGUMENT_BLOCK(suffix_array_args, 28);

#endif
