/* SPDX-License-Identifier: MIT */
#ifndef PATHFINDER_ARGS_H
#define PATHFINDER_ARGS_H

#include "heddle_args.h"

/* The cheapest way to each column of row `row`, and from there to those of row `row + steps`. */
typedef struct pathfinder_args {
    hd_device_ptr costs; /* uint32_t[rows][columns] */
    hd_device_ptr from;  /* uint32_t[columns] */
    hd_device_ptr to;    /* uint32_t[columns] */
    uint32_t columns;
    uint32_t row;
    uint32_t steps;
} pathfinder_args;
HD_ARGUMENT_BLOCK(pathfinder_args, 24);

#endif
