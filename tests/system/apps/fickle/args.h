/* SPDX-License-Identifier: MIT */
#ifndef FICKLE_ARGS_H
#define FICKLE_ARGS_H

#include "heddle_args.h"

typedef struct fickle_args {
    hd_device_ptr word;
    uint32_t times;
} fickle_args;
HD_ARGUMENT_BLOCK(fickle_args, 8);

#endif
