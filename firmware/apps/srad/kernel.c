/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "simt.h"

typedef struct pixel {
    uint32_t row, column, thread; /* of the image; in the tile */
} pixel;

SIMT_INLINE pixel own_pixel(void)
{
    return (pixel){simt_block_y() * SRAD_TILE + simt_thread_y(), simt_block_x() * SRAD_TILE + simt_thread_x(),
                   simt_thread_y() * SRAD_TILE + simt_thread_x()};
}

/* What is beyond the tile comes from memory; beyond the image there is the pixel itself. */
SIMT_INLINE srad_cross cross_at(const float *image, const float *tile, uint32_t size, pixel p)
{
    const uint32_t x = simt_thread_x(), y = simt_thread_y();
    const float *at = image + p.row * size + p.column;
    srad_cross cross = {.centre = tile[p.thread]};
    cross.side[0] = y > 0 ? tile[p.thread - SRAD_TILE] : p.row > 0 ? at[-(int32_t)size] : cross.centre;
    cross.side[1] = y + 1 < SRAD_TILE ? tile[p.thread + SRAD_TILE] : p.row + 1 < size ? at[size] : cross.centre;
    cross.side[2] = x > 0 ? tile[p.thread - 1] : p.column > 0 ? at[-1] : cross.centre;
    cross.side[3] = x + 1 < SRAD_TILE ? tile[p.thread + 1] : p.column + 1 < size ? at[1] : cross.centre;
    return cross;
}

SIMT_KERNEL(srad_coefficients, const srad_args *args)
{
    const float *image = HD_POINTER(const float, args->image);
    float *tile = (float *)simt_scratchpad;
    const pixel p = own_pixel();
    tile[p.thread] = image[p.row * args->size + p.column];
    simt_barrier();
    const srad_cross cross = cross_at(image, tile, args->size, p);
    HD_POINTER(float, args->coefficients)[p.row * args->size + p.column] = srad_coefficient(cross, args->speckle);
}

/* Into another image: neighbours in other tiles still read the first. */
SIMT_KERNEL(srad_diffuse, const srad_args *args)
{
    const float *image = HD_POINTER(const float, args->image),
                *coefficients = HD_POINTER(const float, args->coefficients);
    float *tile = (float *)simt_scratchpad;
    const pixel p = own_pixel();
    const uint32_t at = p.row * args->size + p.column;
    tile[p.thread] = image[at];
    simt_barrier();
    const srad_cross cross = cross_at(image, tile, args->size, p);
    const float own = coefficients[at];
    const float below = p.row + 1 < args->size ? coefficients[at + args->size] : own;
    const float right = p.column + 1 < args->size ? coefficients[at + 1] : own;
    HD_POINTER(float, args->result)[at] = srad_diffused(cross, own, below, right);
}
