/* SPDX-License-Identifier: MIT */
#ifndef BARNES_HUT_ARGS_H
#define BARNES_HUT_ARGS_H

#include "heddle_args.h"

/*
 * The octree. A link is 0, 1 + a body, or 1 + bodies + a cell; cell 0 is the root. Each field of the bodies and of the
 * cells is an array of its own, or all fields of one are side by side: the strides say which, in words from one to the
 * next.
 */
typedef struct barnes_hut_args {
    hd_device_ptr body_x, body_y, body_z; /* float; distinct points, inside the root */
    hd_device_ptr body_mass;              /* float */
    hd_device_ptr child;                  /* uint32_t[8] of each cell: links, by octant */
    hd_device_ptr x, y, z;                /* float: centre of the cell */
    hd_device_ptr parent;  /* uint32_t: link of the cell above; 0 of the root, and of cells that are not in the tree */
    hd_device_ptr arrived; /* uint32_t: cells right below that are summarised */
    hd_device_ptr summary; /* barnes_hut_summary[cells] */
    hd_device_ptr sorted;  /* uint32_t[bodies]: bodies in the order of the tree */
    hd_device_ptr acceleration; /* float[bodies * 3] */
    hd_device_ptr next_cell;    /* uint32_t: the next that nobody has */
    hd_device_ptr lock;         /* uint32_t, 0: one for all */
    uint32_t body_stride, child_stride, cell_stride;
    uint32_t bodies, cells;
    uint32_t forces; /* accelerations to compute, from the first of the sorted bodies on */
    float radius;    /* of the root: half its side, a power of two */
    float opening;   /* square of the opening angle: the side of a cell by its distance */
    float softening; /* square of the distance that is added to all */
    hd_device_ptr
        start; /* uint32_t[cells], barnes_hut_sort_signals: first place of what is below; BARNES_HUT_UNKNOWN */
} barnes_hut_args;
HD_ARGUMENT_BLOCK(barnes_hut_args, 100);

/* What is below a cell. */
typedef struct barnes_hut_summary {
    float x, y, z; /* centre of mass */
    float mass;
    uint32_t bodies;
} barnes_hut_summary;

#define BARNES_HUT_UNKNOWN 0xFFFFFFFFu
#define BARNES_HUT_LOCKED 0xFFFFFFFFu /* instead of a link: somebody is putting one there */

/* Of a cell with this centre, in which the point lies. */
static inline uint32_t barnes_hut_octant(float centre_x, float centre_y, float centre_z, float x, float y, float z)
{
    return (uint32_t)(centre_x <= x) | (uint32_t)(centre_y <= y) << 1 | (uint32_t)(centre_z <= z) << 2;
}

/* A coordinate of the centre of an octant; shift selects the axis, half is half the cell's radius. */
static inline float barnes_hut_octant_centre(float centre, float half, uint32_t octant, uint32_t shift)
{
    return octant >> shift & 1 ? centre + half : centre - half;
}

#endif
