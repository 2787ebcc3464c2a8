/* SPDX-License-Identifier: MIT */
#ifndef DEVICES_ARGS_H
#define DEVICES_ARGS_H

#include "heddle_args.h"

typedef struct devices_args {
    uint32_t unused;
} devices_args;
HD_ARGUMENT_BLOCK(devices_args, 4);

#endif
