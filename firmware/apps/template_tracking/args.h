/* SPDX-License-Identifier: MIT */
#ifndef TEMPLATE_TRACKING_ARGS_H
#define TEMPLATE_TRACKING_ARGS_H

#include "heddle_args.h"

/* The upper left pixel of a point's surroundings. */
typedef struct template_tracking_point {
    uint32_t x, y;
} template_tracking_point;

/* What the scratchpad has of each thread, or of several. */
typedef struct template_tracking_match {
    uint32_t difference; /* sum over pixels */
    uint32_t place;      /* number among the places, by rows */
} template_tracking_match;

typedef struct template_tracking_args {
    hd_device_ptr last;    /* uint8_t[rows][columns] */
    hd_device_ptr picture; /* uint8_t[rows][columns] */
    hd_device_ptr points;  /* template_tracking_point[]: in the last picture */
    hd_device_ptr matches; /* template_tracking_match[]: the first of the best places of each point */
    uint32_t columns;
    uint32_t size;  /* of a point's surroundings */
    uint32_t reach; /* places are up to so far from the last one in each direction, all of them in the picture */
} template_tracking_args;
HD_ARGUMENT_BLOCK(template_tracking_args, 28);

#endif
