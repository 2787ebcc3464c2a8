/* SPDX-License-Identifier: MIT */
#ifndef STENCIL_ARGS_H
#define STENCIL_ARGS_H

#include "heddle_args.h"

/* One step: each inner cell becomes the mean of itself and its four neighbours, those of the border stay. Row by row:
 * float[n * n]. */
typedef struct stencil_args {
    hd_device_ptr from, to;
    uint32_t n;
} stencil_args;
HD_ARGUMENT_BLOCK(stencil_args, 12);

#endif
