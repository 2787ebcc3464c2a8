/* SPDX-License-Identifier: MIT */
#ifndef NEAREST_NEIGHBOUR_ARGS_H
#define NEAREST_NEIGHBOUR_ARGS_H

#include "heddle_args.h"

/* In units of 1/64 of a degree. */
typedef struct nearest_neighbour_place {
    int32_t latitude, longitude;
} nearest_neighbour_place;

typedef struct nearest_neighbour_args {
    hd_device_ptr places;    /* nearest_neighbour_place[count] */
    hd_device_ptr distances; /* uint32_t[count], squared */
    hd_device_ptr nearest;   /* uint32_t: the smallest distance */
    uint32_t count;
    nearest_neighbour_place target;
} nearest_neighbour_args;
HD_ARGUMENT_BLOCK(nearest_neighbour_args, 24);

#endif
