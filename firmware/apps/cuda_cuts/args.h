/* SPDX-License-Identifier: MIT */
#ifndef CUDA_CUTS_ARGS_H
#define CUDA_CUTS_ARGS_H

#include "heddle_args.h"

/* Directions from a pixel to its neighbours. */
enum { CUTS_LEFT, CUTS_UP, CUTS_RIGHT, CUTS_DOWN, CUTS_DIRECTIONS };

static inline uint32_t cuts_opposite(uint32_t direction)
{
    return direction ^ 2;
}

/*
 * The words of a pixel that others write, too: the flow that has come to it and not yet left, what its link to the sink and the
 * links to its neighbours still carry, and how often each neighbour had nothing for it.
 */
enum {
    CUTS_EXCESS,
    CUTS_SINK,
    CUTS_RESIDUAL,                                   /* [CUTS_DIRECTIONS] */
    CUTS_DECLINED = CUTS_RESIDUAL + CUTS_DIRECTIONS, /* [CUTS_DIRECTIONS]: by the neighbour in that direction */
    CUTS_FIELDS = CUTS_DECLINED + CUTS_DIRECTIONS
};

#define CUTS_UNREACHED 0x3FFFFFFFu /* height of a pixel from which no path leads to the sink */

typedef struct cuda_cuts_args {
    hd_device_ptr words;        /* field f of pixel i: words[field_words[f] + i * pixel_words] */
    hd_device_ptr heights;      /* uint32_t[pixels], at most the length of the shortest path to the sink */
    hd_device_ptr next_heights; /* uint32_t[pixels] */
    hd_device_ptr declines;     /* uint32_t[pixels], how often a pixel had nothing for a neighbour */
    hd_device_ptr locks;        /* uint32_t[pixels], 0; coarse: the first is everybody's */
    hd_device_ptr progress;     /* uint32_t: a height was found; a pixel is still active */
    uint32_t width;
    uint32_t height;
    uint32_t level; /* cuda_cuts_distance: finds the pixels of this height */
    uint32_t pixel_words;
    uint32_t field_words[CUTS_FIELDS];
} cuda_cuts_args;
HD_ARGUMENT_BLOCK(cuda_cuts_args, 80);

#endif
