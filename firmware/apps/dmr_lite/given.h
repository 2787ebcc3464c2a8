/* SPDX-License-Identifier: MIT */
/*
 * The mesh that is given: points of the square by chance, none near another one or the border, put in one by one.
 */
#ifndef DMR_LITE_GIVEN_H
#define DMR_LITE_GIVEN_H

#include "common/host_check.h"
#include "mesh.h"

typedef struct dmr_given {
    dmr_mesh mesh;
    uint32_t points, triangles;
} dmr_given;

/* The host is alone. */
static uint32_t dmr_may_use(const dmr_mesh *mesh, uint32_t triangle, dmr_work work)
{
    (void)mesh, (void)triangle, (void)work;
    return 1;
}

static inline uint32_t dmr_root_of(uint32_t square)
{
    uint32_t root = 0;
    while ((root + 1) * (root + 1) <= square)
        root++;
    return root;
}

/* A quarter of what points of a regular grid would have between them. */
static inline int32_t dmr_distance_of(uint32_t points)
{
    return DMR_SIDE / 4 / (int32_t)(dmr_root_of(points) + 1);
}

static inline uint32_t dmr_is_apart(const dmr_given *given, dmr_point point, int32_t distance)
{
    for (uint32_t i = 4; i < given->points; i++)
        if (dmr_squared_length(given->mesh.points[i], point) < distance * distance)
            return 0;
    return 1;
}

static inline dmr_point dmr_draw(const dmr_given *given, int32_t distance, uint64_t *random)
{
    const uint32_t inner = (uint32_t)(DMR_SIDE - 2 * distance);
    for (;;) {
        const int32_t x = (int32_t)host_random_below(random, inner), y = (int32_t)host_random_below(random, inner);
        const dmr_point point = {distance + x, distance + y};
        if (dmr_is_apart(given, point, distance))
            return point;
    }
}

/* Walks towards the point. */
static inline uint32_t dmr_triangle_of(const dmr_mesh *mesh, uint32_t from, dmr_point point)
{
    for (uint32_t edge = 0; edge < 3;) {
        const dmr_triangle *t = &mesh->triangles[from];
        if (dmr_area(mesh->points[t->corner[edge]], mesh->points[t->corner[dmr_next(edge)]], point) < 0) {
            from = t->beside[edge];
            edge = 0;
        } else {
            edge++;
        }
    }
    return from;
}

static inline void dmr_put(dmr_given *given, dmr_point point)
{
    dmr_cavity cavity = {.point = point, .split = DMR_NONE};
    dmr_rim rim[DMR_CAVITY + 2];
    const uint32_t at = dmr_triangle_of(&given->mesh, given->triangles - 1, point);
    const dmr_growth growth = dmr_grow(&given->mesh, at, (dmr_work){.turn = DMR_ALONE}, &cavity);
    hd_check(growth == DMR_GROWN, "a point of the given mesh has more than %u triangles around it",
             (unsigned)DMR_CAVITY);
    const uint32_t rims = dmr_rim_of(&given->mesh, &cavity, rim);
    given->mesh.points[given->points] = point;
    dmr_fill(&given->mesh, &cavity, rim, rims, given->points++, given->triangles);
    given->triangles += rims - cavity.count;
}

/* Four corners and two triangles, then the others. */
static inline dmr_given dmr_given_mesh(uint32_t points, uint64_t *random)
{
    dmr_given given = {.points = 4, .triangles = 2};
    given.mesh.points = hd_host_alloc((4 + points) * sizeof(dmr_point));
    given.mesh.triangles = hd_host_alloc((2 + 2 * points) * sizeof(dmr_triangle));
    for (int32_t i = 0; i < 4; i++)
        given.mesh.points[i] = (dmr_point){i % 2 * DMR_SIDE, i / 2 * DMR_SIDE};
    given.mesh.triangles[0] = (dmr_triangle){{0, 1, 3}, {DMR_NONE, DMR_NONE, 1}};
    given.mesh.triangles[1] = (dmr_triangle){{0, 3, 2}, {0, DMR_NONE, DMR_NONE}};
    const int32_t distance = dmr_distance_of(points);
    for (uint32_t i = 0; i < points; i++)
        dmr_put(&given, dmr_draw(&given, distance, random));
    return given;
}

#endif
