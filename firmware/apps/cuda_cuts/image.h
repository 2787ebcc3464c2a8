/* SPDX-License-Identifier: MIT */
/*
 * What is to be cut: a grid of pixels, each linked to the source or the sink by how much more one label costs than the other,
 * and to its neighbours by what it costs to part them. Drawn from a seed, or read in the format of the published images.
 */
#ifndef CUDA_CUTS_IMAGE_H
#define CUDA_CUTS_IMAGE_H

#include "args.h"
#include "common/transactional.h"

#define IMAGE_SIDE_MAX 4096u
#define IMAGE_COST_MAX 0xFFFFFu

typedef struct image {
    uint32_t width;
    uint32_t height;
    uint32_t *source; /* [pixels], capacity of the link from the source */
    uint32_t *sink;   /* [pixels] */
    uint32_t *right;  /* [pixels], both ways between a pixel and the next; the last of a row has none */
    uint32_t *down;   /* [pixels] */
} image;

static inline uint32_t image_pixels(const image *m)
{
    return m->width * m->height;
}

static inline image image_new(uint32_t width, uint32_t height)
{
    size_t bytes = (size_t)width * height * sizeof(uint32_t);
    return (image){.width = width,
                   .height = height,
                   .source = hd_host_alloc(bytes),
                   .sink = hd_host_alloc(bytes),
                   .right = hd_host_alloc(bytes),
                   .down = hd_host_alloc(bytes)};
}

#endif
