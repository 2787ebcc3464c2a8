/* SPDX-License-Identifier: MIT */
#ifndef BOUNDING_VOLUMES_ARGS_H
#define BOUNDING_VOLUMES_ARGS_H

#include "heddle_args.h"

enum { BOUNDING_VOLUMES_BLOCK_X = 32, BOUNDING_VOLUMES_BLOCK_Y = 6 };

#define BOUNDING_VOLUMES_NONE 0xFFFFFFFFu
#define BOUNDING_VOLUMES_FAR 1e30f

enum { BOUNDING_VOLUMES_LEAF = 4 }; /* boxes of a leaf, at most */

typedef struct bounding_box {
    float low[3], high[3];
} bounding_box;

/* A node of the hierarchy. Its children follow it, each with all that is below. */
typedef struct bounding_volume {
    bounding_box bounds;
    uint32_t next;  /* the node behind all that is below this one */
    uint32_t first; /* box of a leaf; or BOUNDING_VOLUMES_NONE */
} bounding_volume;

typedef struct bounding_volumes_hit {
    uint32_t box; /* or BOUNDING_VOLUMES_NONE */
    float distance;
} bounding_volumes_hit;

typedef struct bounding_volumes_args {
    hd_device_ptr nodes; /* bounding_volume[node_count] */
    hd_device_ptr boxes; /* bounding_box[], those of a leaf beside each other */
    hd_device_ptr hits;  /* bounding_volumes_hit[rows][columns] */
    hd_device_ptr taken; /* uint32_t: rays that warps have taken */
    uint32_t node_count, leaf_boxes, columns, rows;
    float eye[3];
} bounding_volumes_args;
HD_ARGUMENT_BLOCK(bounding_volumes_args, 44);

/* A ray has the eye in common, and 1 over its direction, which is nowhere 0. */
typedef struct bounding_volumes_ray {
    float inverse[3];
} bounding_volumes_ray;

static inline bounding_volumes_ray bounding_volumes_ray_of(uint32_t index, uint32_t columns, uint32_t rows)
{
    float x = (float)(index % columns) - 0.5f * (float)columns + 0.25f;
    float y = 0.25f * (float)rows - (float)(index / columns) - 0.125f;
    return (bounding_volumes_ray){{1 / x, 1 / y, 1 / (float)columns}};
}

#endif
