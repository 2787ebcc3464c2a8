/* SPDX-License-Identifier: MIT */
#ifndef CLOUD_MICROPHYSICS_ARGS_H
#define CLOUD_MICROPHYSICS_ARGS_H

#include "heddle_args.h"

enum {
    CLOUD_MICROPHYSICS_BLOCK_X = 8,
    CLOUD_MICROPHYSICS_BLOCK_Y = 8,
    CLOUD_MICROPHYSICS_FREEZING = 2732,   /* K / 10 */
    CLOUD_MICROPHYSICS_HEAT = 8,          /* water that condenses to warm the air by K / 10 */
    CLOUD_MICROPHYSICS_CLOUD_HOLDS = 500, /* cloud water of which no rain forms */
};

/* Of a layer, in K / 10 and in mg of water per kg of air. */
typedef struct cloud_microphysics_layer {
    int32_t temperature;
    int32_t vapour, cloud, rain;
} cloud_microphysics_layer;

typedef struct cloud_microphysics_args {
    hd_device_ptr layers; /* cloud_microphysics_layer[layers][rows][columns], the highest first */
    hd_device_ptr fallen; /* int32_t[rows][columns]: rain on the ground */
    uint32_t columns, rows, layer_count;
    uint32_t steps;
} cloud_microphysics_args;
HD_ARGUMENT_BLOCK(cloud_microphysics_args, 24);

/* Vapour that air holds: doubles with each 10 K, in between by a line. */
static inline int32_t cloud_microphysics_saturation(int32_t temperature)
{
    int32_t above = temperature > 2332 ? temperature - 2332 : 0;
    int32_t doublings = above / 100;
    if (doublings > 12)
        return 300 << 12;
    return (300 << doublings) + 3 * (above % 100) * (1 << doublings);
}

#endif
