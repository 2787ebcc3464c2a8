/* SPDX-License-Identifier: MIT */
/*
 * An image from a seed. Costs lie in space as smooth noise does, and are distributed as in the published image of 200 x 150
 * pixels: the tables are its quantiles.
 */
#ifndef CUDA_CUTS_IMAGE_DRAW_H
#define CUDA_CUTS_IMAGE_DRAW_H

#include "image.h"

#define NOISE_BITS 14u

/* Of what the first label costs more than the second, of what it costs less, and of links between neighbours, by 1/16. */
static const int32_t image_more_quantiles[] = {1,    138,  338,  551,  709,  851,  983,   1116, 1275,
                                               1467, 1711, 1997, 2472, 3381, 5701, 16384, 16384};
static const int32_t image_less_quantiles[] = {1,   142, 243, 326,  385,  423,  455,  490,  540,
                                               615, 723, 859, 1040, 1272, 1580, 9721, 16384};
static const int32_t image_link_quantiles[] = {170, 518, 617, 683, 735, 777, 815, 846, 872,
                                               894, 913, 928, 941, 952, 961, 970, 981};
#define INTERVALS 16u
static const int32_t image_percentiles[] = {0, 100};

#define IMAGE_MORE_PERCENT 23 /* of the pixels: the first label costs more */

/* One octave: random values `cell` pixels apart, linear in between. */
static inline void noise_add(uint32_t *noise, uint32_t width, uint32_t height, uint32_t cell, uint32_t weight,
                             uint64_t *random)
{
    uint32_t columns = width / cell + 2, rows = height / cell + 2;
    uint32_t *values = hd_host_alloc((size_t)columns * rows * sizeof(uint32_t));
    for (uint32_t i = 0; i < columns * rows; i++)
        values[i] = host_random_below(random, 1u << 10);
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++) {
            const uint32_t *corner = &values[y / cell * columns + x / cell];
            uint32_t right = x % cell, down = y % cell;
            uint32_t above = corner[0] * (cell - right) + corner[1] * right;
            uint32_t below = corner[columns] * (cell - right) + corner[columns + 1] * right;
            noise[y * width + x] += weight * ((above * (cell - down) + below * down) / (cell * cell));
        }
    hd_host_free(values);
}

/* Replaces each value of the noise by the quantile of its rank. Values stay below 1 << NOISE_BITS. */
static inline void noise_to_quantiles(uint32_t *noise, uint32_t count, const int32_t *quantiles, uint32_t intervals,
                                      int32_t *costs)
{
    uint32_t *below = hd_host_alloc(((1u << NOISE_BITS) + 1) * sizeof(uint32_t));
    for (uint32_t i = 0; i < count; i++)
        below[noise[i] + 1]++;
    for (uint32_t value = 0; value < 1u << NOISE_BITS; value++)
        below[value + 1] += below[value];
    for (uint32_t i = 0; i < count; i++) {
        uint64_t place = (uint64_t)below[noise[i]]++ * intervals; /* equal values: in the order of pixels */
        uint32_t interval = (uint32_t)(place / count), rest = (uint32_t)(place % count);
        int64_t step = quantiles[interval + 1] - quantiles[interval];
        costs[i] = quantiles[interval] + (int32_t)(step * rest / count);
    }
    hd_host_free(below);
}

typedef struct octave {
    uint32_t cell;
    uint32_t weight;
} octave;

/* Weights of all octaves: at most 1 << (NOISE_BITS - 10). */
static inline int32_t *noise_draw(uint32_t width, uint32_t height, const octave *octaves, uint32_t octave_count,
                                  const int32_t *quantiles, uint32_t intervals, uint64_t *random)
{
    uint32_t pixels = width * height;
    uint32_t *noise = hd_host_alloc(pixels * sizeof(uint32_t));
    int32_t *costs = hd_host_alloc(pixels * sizeof(int32_t));
    for (uint32_t i = 0; i < octave_count; i++)
        noise_add(noise, width, height, octaves[i].cell, octaves[i].weight, random);
    noise_to_quantiles(noise, pixels, quantiles, intervals, costs);
    hd_host_free(noise);
    return costs;
}

static inline image image_draw(uint32_t width, uint32_t height, uint64_t *random)
{
    static const octave side_octaves[] = {{64, 14}, {12, 2}}, cost_octaves[] = {{16, 6}, {4, 4}, {1, 6}};
    static const octave link_octaves[] = {{16, 4}, {4, 4}, {1, 8}};
    image m = image_new(width, height);
    int32_t *side = noise_draw(width, height, side_octaves, 2, image_percentiles, 1, random);
    int32_t *more = noise_draw(width, height, cost_octaves, 3, image_more_quantiles, INTERVALS, random);
    int32_t *less = noise_draw(width, height, cost_octaves, 3, image_less_quantiles, INTERVALS, random);
    int32_t *right = noise_draw(width, height, link_octaves, 3, image_link_quantiles, INTERVALS, random);
    int32_t *down = noise_draw(width, height, link_octaves, 3, image_link_quantiles, INTERVALS, random);
    for (uint32_t i = 0; i < width * height; i++) {
        uint32_t is_more = side[i] >= 100 - IMAGE_MORE_PERCENT;
        m.source[i] = is_more ? (uint32_t)more[i] : 0;
        m.sink[i] = is_more ? 0 : (uint32_t)less[i];
        m.right[i] = i % width + 1 < width ? (uint32_t)right[i] : 0;
        m.down[i] = i / width + 1 < height ? (uint32_t)down[i] : 0;
    }
    hd_host_free(side);
    hd_host_free(more);
    hd_host_free(less);
    hd_host_free(right);
    hd_host_free(down);
    return m;
}

#endif
