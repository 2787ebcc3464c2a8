/* SPDX-License-Identifier: MIT */
/* Kernels' access to the octree. */
#ifndef BARNES_HUT_TREE_H
#define BARNES_HUT_TREE_H

#include "args.h"
#include "simt.h"

typedef struct point {
    float x, y, z;
} point;

#define BODY_FIELD(args, field, body) HD_POINTER(volatile float, (args)->body_##field)[(body) * (args)->body_stride]
#define CELL_FIELD(args, type, field, cell) HD_POINTER(volatile type, (args)->field)[(cell) * (args)->cell_stride]

SIMT_INLINE point body_at(const barnes_hut_args *args, uint32_t body)
{
    return (point){BODY_FIELD(args, x, body), BODY_FIELD(args, y, body), BODY_FIELD(args, z, body)};
}

SIMT_INLINE point centre_of(const barnes_hut_args *args, uint32_t cell)
{
    return (point){CELL_FIELD(args, float, x, cell), CELL_FIELD(args, float, y, cell),
                   CELL_FIELD(args, float, z, cell)};
}

SIMT_INLINE uint32_t octant_of(point centre, point p)
{
    return barnes_hut_octant(centre.x, centre.y, centre.z, p.x, p.y, p.z);
}

SIMT_INLINE point octant_centre(point centre, float half, uint32_t octant)
{
    return (point){barnes_hut_octant_centre(centre.x, half, octant, 0),
                   barnes_hut_octant_centre(centre.y, half, octant, 1),
                   barnes_hut_octant_centre(centre.z, half, octant, 2)};
}

SIMT_INLINE volatile uint32_t *children_of(const barnes_hut_args *args, uint32_t cell)
{
    return HD_POINTER(volatile uint32_t, args->child) + cell * args->child_stride;
}

SIMT_INLINE uint32_t is_cell(const barnes_hut_args *args, uint32_t link)
{
    return link > args->bodies;
}

SIMT_INLINE uint32_t cell_of(const barnes_hut_args *args, uint32_t link)
{
    return link - 1 - args->bodies;
}

SIMT_INLINE uint32_t link_to_cell(const barnes_hut_args *args, uint32_t cell)
{
    return 1 + args->bodies + cell;
}

SIMT_INLINE uint32_t take_cell(const barnes_hut_args *args)
{
    return simt_atomic_add(HD_POINTER(volatile uint32_t, args->next_cell), 1);
}

/* What a new cell holds: two bodies; where they are in one octant, the second. */
typedef struct cell_links {
    uint32_t first_octant, first;
    uint32_t second_octant, second;
} cell_links;

/* Thirteen words: a cell below `parent`. */
SIMT_INLINE void write_cell(const barnes_hut_args *args, uint32_t cell, uint32_t parent, point centre, cell_links links)
{
    volatile uint32_t *children = children_of(args, cell);
    for (uint32_t i = 0; i < 8; i++)
        children[i] = i == links.second_octant ? links.second : i == links.first_octant ? links.first : 0;
    CELL_FIELD(args, float, x, cell) = centre.x;
    CELL_FIELD(args, float, y, cell) = centre.y;
    CELL_FIELD(args, float, z, cell) = centre.z;
    CELL_FIELD(args, uint32_t, parent, cell) = link_to_cell(args, parent);
    CELL_FIELD(args, uint32_t, arrived, cell) = 0;
}

#endif
