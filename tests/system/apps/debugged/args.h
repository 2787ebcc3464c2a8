/* SPDX-License-Identifier: MIT */
#include "heddle_args.h"

typedef struct debugged_args {
    hd_device_ptr in;  /* uint32_t[64] */
    hd_device_ptr out; /* uint32_t[64] */
} debugged_args;
HD_ARGUMENT_BLOCK(debugged_args, 8);
