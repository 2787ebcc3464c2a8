/* SPDX-License-Identifier: MIT */
#ifndef TSP_ARGS_H
#define TSP_ARGS_H

#include "heddle_args.h"

typedef struct tsp_args {
    hd_device_ptr distance; /* uint32_t[cities * cities] */
    hd_device_ptr tours;    /* uint32_t[cities * climbers]: position by position */
    hd_device_ptr lock;     /* uint32_t, 0 */
    hd_device_ptr best;     /* uint32_t: length of the shortest tour so far */
    uint32_t cities, climbers;
} tsp_args;
HD_ARGUMENT_BLOCK(tsp_args, 24);

#endif
