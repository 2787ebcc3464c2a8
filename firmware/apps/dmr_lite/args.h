/* SPDX-License-Identifier: MIT */
#ifndef DMR_LITE_ARGS_H
#define DMR_LITE_ARGS_H

#include "heddle_args.h"

#define DMR_SIDE 16384 /* of the square that the mesh covers: the predicates of mesh.h are exact up to here */
#define DMR_SHORTEST                                                                                                   \
    8 /* triangles with a shorter edge are left as they are: rounded points would not make them better */
#define DMR_NONE 0xFFFFFFFFu /* no triangle: the border of the square; no point */

typedef struct dmr_point {
    int32_t x, y;
} dmr_point;

/* Where a point comes from: around the corners a, b, c of a triangle, or half-way from a to b; all DMR_NONE if it was given. */
typedef struct dmr_origin {
    uint32_t a, b, c;
} dmr_origin;

/* Corners against the clock. Edge i goes from corner i to the next, and beside[i] is the triangle on its other side. */
typedef struct dmr_triangle {
    uint32_t corner[3];
    uint32_t beside[3];
} dmr_triangle;

typedef struct dmr_counts {
    uint32_t points, triangles;
    uint32_t bad;       /* triangles that the last check has found */
    uint32_t refined;   /* cavities that were made anew, in all */
    uint32_t oversized; /* cavities with more triangles than DMR_CAVITY */
} dmr_counts;

typedef struct dmr_args {
    hd_device_ptr points;    /* dmr_point[point_room] */
    hd_device_ptr origins;   /* dmr_origin[point_room] */
    hd_device_ptr triangles; /* dmr_triangle[triangle_room] */
    hd_device_ptr claims;    /* uint32_t[triangle_room]: the highest that anybody has laid on it */
    hd_device_ptr counts;    /* dmr_counts */
    uint32_t triangle_count; /* when the launch begins */
    uint32_t point_room, triangle_room;
    uint32_t round; /* from 1 on */
} dmr_args;
HD_ARGUMENT_BLOCK(dmr_args, 36);

#endif
