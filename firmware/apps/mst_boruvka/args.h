/* SPDX-License-Identifier: MIT */
#ifndef MST_BORUVKA_ARGS_H
#define MST_BORUVKA_ARGS_H

#include "heddle_args.h"

#define MST_NONE 0xFFFFFFFFu

/* Weights are positive floats, whose bits are in the same order as they, and no two edges weigh the same. */
typedef struct mst_args {
    hd_device_ptr first_edge; /* uint32_t[vertices + 1] */
    hd_device_ptr targets;    /* uint32_t[edges] */
    hd_device_ptr weights;    /* float[edges]: the same for an edge and the one back */
    hd_device_ptr component;  /* uint32_t[vertices]: the vertex that its component is named after */
    hd_device_ptr parent;     /* uint32_t[vertices], of components: the one that it has joined, or itself */
    hd_device_ptr lightest;   /* uint32_t[vertices], of components: bits of the lightest edge that leaves it */
    hd_device_ptr choice;     /* uint32_t[vertices]: the lightest edge of this vertex that leaves its component */
    hd_device_ptr in_forest;  /* uint32_t[edges]: 1 if it has been chosen, from this side */
    hd_device_ptr joined;     /* uint32_t: edges that were chosen */
    uint32_t vertices;
} mst_args;
HD_ARGUMENT_BLOCK(mst_args, 40);

#endif
