/* SPDX-License-Identifier: MIT */
#ifndef MESH_RENDERER_ARGS_H
#define MESH_RENDERER_ARGS_H

#include "heddle_args.h"

enum { MESH_STACK = 40, MESH_LEAF_TRIANGLES = 4 };

#define MESH_NONE 0xFFFFFFFFu
#define MESH_LEAF 0x80000000u /* in a child: a leaf; its triangles in the low bits, from the first in those above */
#define MESH_LEAF_COUNT(child) ((child)&7)
#define MESH_LEAF_FIRST(child) ((child) >> 3 & 0xFFFFFFF)

#define MESH_NEAREST (1.0f / 64) /* what is closer is the surface that the ray leaves */
#define MESH_FAR 1e9f
#define MESH_MISSED 2e9f /* a distance beyond all others */

typedef struct mesh_vector {
    float x, y, z;
} mesh_vector;

typedef struct mesh_triangle {
    mesh_vector corner, edge_1, edge_2;
    mesh_vector normal; /* of length 1 */
    uint32_t is_mirror;
} mesh_triangle;

typedef struct mesh_box {
    mesh_vector low, high;
} mesh_box;

typedef struct mesh_node {
    mesh_box boxes[2]; /* of its children */
    uint32_t children[2];
} mesh_node;

typedef struct mesh_args {
    hd_device_ptr triangles; /* mesh_triangle[], in the order of leaves */
    hd_device_ptr nodes;     /* mesh_node[], the root the first */
    hd_device_ptr hits;      /* uint32_t[rows][columns]: the triangle that is seen, or MESH_NONE */
    hd_device_ptr distances; /* float[rows][columns], of the last piece of the way to it */
    uint32_t columns, rows, bounces;
    mesh_vector eye;
} mesh_args;
HD_ARGUMENT_BLOCK(mesh_args, 40);

typedef struct mesh_ray {
    mesh_vector from, direction;
} mesh_ray;

static inline float mesh_dot(mesh_vector a, mesh_vector b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline mesh_vector mesh_cross(mesh_vector a, mesh_vector b)
{
    return (mesh_vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/* a + factor * b */
static inline mesh_vector mesh_along(mesh_vector a, float factor, mesh_vector b)
{
    return (mesh_vector){a.x + factor * b.x, a.y + factor * b.y, a.z + factor * b.z};
}

static inline mesh_ray mesh_first_ray(mesh_vector eye, uint32_t index, uint32_t columns, uint32_t rows)
{
    return (mesh_ray){eye,
                      {((float)(index % columns) - 0.5f * (float)columns + 0.25f) / (float)columns,
                       (0.5f * (float)rows - (float)(index / columns) - 0.125f) / (float)columns, 1}};
}

static inline mesh_ray mesh_mirrored(mesh_ray ray, float distance, const mesh_triangle *triangle)
{
    return (mesh_ray){mesh_along(ray.from, distance, ray.direction),
                      mesh_along(ray.direction, -2 * mesh_dot(ray.direction, triangle->normal), triangle->normal)};
}

/* How far it is to the triangle, or MESH_MISSED. */
static inline float mesh_distance(const mesh_triangle *triangle, mesh_ray ray)
{
    mesh_vector edge_1 = triangle->edge_1, edge_2 = triangle->edge_2;
    mesh_vector p = mesh_cross(ray.direction, edge_2);
    float determinant = mesh_dot(edge_1, p);
    if (determinant < 1e-6f && determinant > -1e-6f)
        return MESH_MISSED;
    float inverse = 1 / determinant;
    mesh_vector from = mesh_along(ray.from, -1, triangle->corner);
    float u = mesh_dot(from, p) * inverse;
    if (u < 0 || u > 1)
        return MESH_MISSED;
    mesh_vector q = mesh_cross(from, edge_1);
    float v = mesh_dot(ray.direction, q) * inverse;
    if (v < 0 || u + v > 1)
        return MESH_MISSED;
    float distance = mesh_dot(edge_2, q) * inverse;
    return distance < MESH_NEAREST ? MESH_MISSED : distance;
}

#endif
