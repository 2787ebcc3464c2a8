/* SPDX-License-Identifier: MIT */
#ifndef FAULTS_ARGS_H
#define FAULTS_ARGS_H

#include "heddle_args.h"

typedef struct faults_args {
    hd_device_ptr data;
    uint32_t first, last; /* threads of a block that make the mistake */
    uint32_t offset;
} faults_args;
HD_ARGUMENT_BLOCK(faults_args, 16);

#endif
