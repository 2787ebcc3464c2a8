/* SPDX-License-Identifier: MIT */
/*
 * What a refined mesh has to be, whatever the order: a triangulation of the square (all triangles against the clock, neighbours of each other,
 * as large together as the square, around a border that goes around it once), with the Delaunay property, no bad triangle, all points that
 * were given, and no others than the centres of circles and of edges of the border.
 */
#ifndef DMR_LITE_CHECK_H
#define DMR_LITE_CHECK_H

#include "common/host_check.h"
#include "mesh.h"

typedef struct dmr_result {
    dmr_mesh mesh;
    const dmr_origin *origins;
    uint32_t points, triangles;
} dmr_result;

static inline uint32_t dmr_is_on_border(dmr_point a, dmr_point b)
{
    return (a.x == b.x && (a.x == 0 || a.x == DMR_SIDE)) || (a.y == b.y && (a.y == 0 || a.y == DMR_SIDE));
}

/* The edge of the neighbour that goes the other way, from whose third corner the circle is looked at. */
static inline void dmr_check_neighbour(const dmr_result *result, uint32_t triangle, uint32_t edge)
{
    const dmr_triangle *t = &result->mesh.triangles[triangle];
    hd_check(t->beside[edge] < result->triangles, "triangle %u has the neighbour %u, which there is not", triangle,
             t->beside[edge]);
    const dmr_triangle *other = &result->mesh.triangles[t->beside[edge]];
    for (uint32_t back = 0; back < 3; back++) {
        if (other->beside[back] != triangle || other->corner[back] != t->corner[dmr_next(edge)] ||
            other->corner[dmr_next(back)] != t->corner[edge])
            continue;
        const uint32_t across = other->corner[dmr_next(dmr_next(back))];
        hd_check(across < result->points && !dmr_circle_has(&result->mesh, triangle, result->mesh.points[across]),
                 "point %u is in the circle of triangle %u", across, triangle);
        return;
    }
    hd_fail("triangle %u is not beside its neighbour %u", triangle, t->beside[edge]);
}

/* Ruppert's: no angle below 20 degrees, unless an edge is as short as points are rounded; no edge of the border seen at more than a right angle. */
static inline void dmr_check_shape(const dmr_mesh *mesh, uint32_t triangle)
{
    const dmr_triangle *t = &mesh->triangles[triangle];
    double lengths[3], product = 1;
    for (uint32_t edge = 0; edge < 3; edge++) {
        const dmr_point a = mesh->points[t->corner[edge]], b = mesh->points[t->corner[dmr_next(edge)]];
        lengths[edge] = (double)dmr_squared_length(a, b);
        product *= lengths[edge];
        hd_check(t->beside[edge] != DMR_NONE || lengths[edge] < 4 * DMR_SHORTEST * DMR_SHORTEST ||
                     dmr_view(mesh->points[t->corner[dmr_next(dmr_next(edge))]], a, b) >= 0,
                 "the edge of triangle %u at the border is to be split", triangle);
    }
    const double area =
        (double)dmr_area(mesh->points[t->corner[0]], mesh->points[t->corner[1]], mesh->points[t->corner[2]]);
    for (uint32_t edge = 0; edge < 3; edge++) /* sin^2 = area^2 / product of the squared lengths at that corner */
        hd_check(lengths[edge] < DMR_SHORTEST * DMR_SHORTEST || area * area * lengths[edge] >= product * 0.11696,
                 "triangle %u has an angle below 20 degrees", triangle);
}

static inline void dmr_check_triangles(const dmr_result *result)
{
    const dmr_mesh *mesh = &result->mesh;
    int64_t area = 0, border = 0;
    uint8_t *is_used = hd_host_alloc(result->points);
    for (uint32_t i = 0; i < result->points; i++)
        is_used[i] = 0;
    for (uint32_t i = 0; i < result->triangles; i++) {
        const dmr_triangle *t = &mesh->triangles[i];
        for (uint32_t edge = 0; edge < 3; edge++) {
            hd_check(t->corner[edge] < result->points, "triangle %u has point %u, which there is not", i,
                     t->corner[edge]);
            is_used[t->corner[edge]] = 1;
        }
        const dmr_point *points = mesh->points;
        const int32_t own = dmr_area(points[t->corner[0]], points[t->corner[1]], points[t->corner[2]]);
        hd_check(own > 0, "triangle %u is not against the clock", i);
        area += own;
        for (uint32_t edge = 0; edge < 3; edge++) {
            if (t->beside[edge] != DMR_NONE) {
                dmr_check_neighbour(result, i, edge);
                continue;
            }
            const dmr_point a = points[t->corner[edge]], b = points[t->corner[dmr_next(edge)]];
            hd_check(dmr_is_on_border(a, b), "triangle %u has no neighbour, and is not at the border", i);
            border += b.x - a.x + b.y - a.y > 0 ? b.x - a.x + b.y - a.y : a.x - b.x + a.y - b.y;
        }
        dmr_check_shape(mesh, i);
    }
    hd_check(area == 2 * (int64_t)DMR_SIDE * DMR_SIDE, "triangles cover %lld of %lld", (long long)area,
             2 * (long long)DMR_SIDE * DMR_SIDE);
    hd_check(border == 4 * DMR_SIDE, "the border is %lld long", (long long)border);
    for (uint32_t i = 0; i < result->points; i++)
        hd_check(is_used[i], "point %u is in no triangle", i);
    hd_host_free(is_used);
}

static inline uint32_t dmr_is_near(double value, int32_t rounded)
{
    return value > rounded - 0.53 && value < rounded + 0.53;
}

/* Where the circle through a, b, c has its centre, in numbers that hold it better than the kernel's; half-way from a to b without c. */
static inline void dmr_check_origin(const dmr_result *result, uint32_t point)
{
    const dmr_origin *origin = &result->origins[point];
    const dmr_point *points = result->mesh.points, own = points[point];
    hd_check(origin->a < point && origin->b < point && (origin->c < point || origin->c == DMR_NONE),
             "point %u is of points that came later", point);
    const dmr_point a = points[origin->a], b = points[origin->b];
    if (origin->c == DMR_NONE) {
        hd_check(own.x == (a.x + b.x) / 2 && own.y == (a.y + b.y) / 2, "point %u is not between %u and %u", point,
                 origin->a, origin->b);
        return;
    }
    const dmr_point c = points[origin->c];
    const double bx = b.x - a.x, by = b.y - a.y, cx = c.x - a.x, cy = c.y - a.y, twice = 2 * (double)dmr_area(a, b, c);
    const double b2 = bx * bx + by * by, c2 = cx * cx + cy * cy;
    hd_check(twice > 0 && dmr_is_near(a.x + (cy * b2 - by * c2) / twice, own.x) &&
                 dmr_is_near(a.y + (bx * c2 - cx * b2) / twice, own.y),
             "point %u is not the centre of the circle through %u, %u, %u", point, origin->a, origin->b, origin->c);
}

static inline void dmr_check(const dmr_result *result, const dmr_mesh *given, uint32_t given_points)
{
    for (uint32_t i = 0; i < given_points; i++) {
        hd_check(result->mesh.points[i].x == given->points[i].x && result->mesh.points[i].y == given->points[i].y,
                 "point %u, which was given, has moved", i);
        host_check_word("origins", 3 * i, result->origins[i].a & result->origins[i].b & result->origins[i].c, DMR_NONE);
    }
    for (uint32_t i = given_points; i < result->points; i++)
        dmr_check_origin(result, i);
    dmr_check_triangles(result);
}

#endif
