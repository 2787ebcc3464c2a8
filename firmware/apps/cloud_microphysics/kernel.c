/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "simt.h"

SIMT_INLINE int32_t smaller(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

/* Vapour beyond what air holds becomes cloud; dry air takes it back, then rain, slowly. */
SIMT_INLINE void condense(cloud_microphysics_layer *layer)
{
    int32_t excess = layer->vapour - cloud_microphysics_saturation(layer->temperature);
    if (excess > 0) {
        int32_t condensed = excess / 2;
        layer->vapour -= condensed;
        layer->cloud += condensed;
        layer->temperature += condensed / CLOUD_MICROPHYSICS_HEAT;
        return;
    }
    int32_t from_cloud = smaller(-excess / 2, layer->cloud);
    int32_t from_rain = 0;
    if (layer->cloud == from_cloud && layer->rain > 0)
        from_rain = smaller((-excess - from_cloud) / 8, layer->rain);
    layer->cloud -= from_cloud;
    layer->rain -= from_rain;
    layer->vapour += from_cloud + from_rain;
    layer->temperature -= (from_cloud + from_rain) / CLOUD_MICROPHYSICS_HEAT;
}

/* Cloud becomes rain where there is much, and where rain falls through it. It takes longer if it is cold. */
SIMT_INLINE void collect(cloud_microphysics_layer *layer)
{
    int32_t collected = 0;
    if (layer->cloud > CLOUD_MICROPHYSICS_CLOUD_HOLDS)
        collected = (layer->cloud - CLOUD_MICROPHYSICS_CLOUD_HOLDS) / 4;
    if (layer->rain > 0)
        collected += smaller(layer->rain / 16, (layer->cloud - collected) / 2);
    if (layer->temperature < CLOUD_MICROPHYSICS_FREEZING)
        collected /= 2;
    layer->cloud -= collected;
    layer->rain += collected;
}

/* A column per thread: from the highest layer down, with the rain that falls out of each. */
SIMT_KERNEL(cloud_microphysics, const cloud_microphysics_args *args)
{
    uint32_t x = simt_block_x() * CLOUD_MICROPHYSICS_BLOCK_X + simt_thread_x();
    uint32_t y = simt_block_y() * CLOUD_MICROPHYSICS_BLOCK_Y + simt_thread_y();
    if (x >= args->columns || y >= args->rows)
        return;
    uint32_t column = y * args->columns + x, area = args->columns * args->rows;
    int32_t fallen = 0;
#pragma GCC unroll 1
    for (uint32_t step = 0; step < args->steps; step++) {
        cloud_microphysics_layer *at = HD_POINTER(cloud_microphysics_layer, args->layers) + column;
        int32_t falling = 0;
#pragma GCC unroll 1
        for (uint32_t i = 0; i < args->layer_count; i++) {
            cloud_microphysics_layer layer = *at;
            layer.rain += falling;
            condense(&layer);
            collect(&layer);
            falling = layer.temperature < CLOUD_MICROPHYSICS_FREEZING ? layer.rain / 4 : layer.rain / 2;
            layer.rain -= falling;
            *at = layer;
            at += area;
        }
        fallen += falling;
    }
    HD_POINTER(int32_t, args->fallen)[column] = fallen;
}
