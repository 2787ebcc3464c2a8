/* SPDX-License-Identifier: MIT */
/*
 * A Delaunay mesh, and how a point comes into it (Bowyer 1981, Watson 1981): all triangles whose circle has the point inside are its cavity;
 * they go, and each edge around the cavity makes a triangle with the point. Coordinates are whole numbers of 0 to DMR_SIDE, so
 * that no answer is rounded. For both sides: the host makes the mesh by which kernels begin.
 */
#ifndef DMR_LITE_MESH_H
#define DMR_LITE_MESH_H

#include "args.h"

enum { DMR_CAVITY = 48 }; /* triangles of a cavity at most */

typedef struct dmr_mesh {
    dmr_point *points;
    dmr_triangle *triangles;
    uint32_t *claims; /* kernels only */
} dmr_mesh;

/* Kernels share a mesh: what a thread does with each triangle that it comes to. Who is alone puts points in wherever they are. */
typedef enum dmr_turn { DMR_ALONE, DMR_CLAIM, DMR_HELD } dmr_turn;

/* To whom a cavity belongs. */
typedef struct dmr_work {
    dmr_turn turn;
    uint32_t claim;
} dmr_work;

typedef struct dmr_cavity {
    dmr_point point;
    uint32_t count;
    uint32_t triangles[DMR_CAVITY];
    uint32_t split, split_edge; /* the triangle of the border's edge on which the point is, or DMR_NONE */
} dmr_cavity;

typedef enum dmr_growth { DMR_GROWN, DMR_ENCROACHES, DMR_LOST, DMR_OVERSIZED } dmr_growth;

/* May this triangle be worked with? Of who includes this. */
static uint32_t dmr_may_use(const dmr_mesh *mesh, uint32_t triangle, dmr_work work);

static inline uint32_t dmr_next(uint32_t corner)
{
    return corner == 2 ? 0 : corner + 1;
}

/* Twice the area of a, b, c; more than 0 if they are against the clock. */
static inline int32_t dmr_area(dmr_point a, dmr_point b, dmr_point c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/* Of vectors from the point: less than 0 if a and b are seen from it at more than a right angle. */
static inline int32_t dmr_view(dmr_point from, dmr_point a, dmr_point b)
{
    return (a.x - from.x) * (b.x - from.x) + (a.y - from.y) * (b.y - from.y);
}

static inline int32_t dmr_squared_length(dmr_point a, dmr_point b)
{
    return dmr_view(a, b, b);
}

/* Is the point inside the circle through a, b, c, not on it? Each factor is at most 2^29. */
static inline uint32_t dmr_is_in_circle(dmr_point a, dmr_point b, dmr_point c, dmr_point point)
{
    const int64_t at_a = (int64_t)dmr_squared_length(point, a) * dmr_area(point, b, c);
    const int64_t at_b = (int64_t)dmr_squared_length(point, b) * dmr_area(point, c, a);
    const int64_t at_c = (int64_t)dmr_squared_length(point, c) * dmr_area(point, a, b);
    return at_a + at_b + at_c > 0;
}

static inline uint32_t dmr_circle_has(const dmr_mesh *mesh, uint32_t triangle, dmr_point point)
{
    const uint32_t *corner = mesh->triangles[triangle].corner;
    return dmr_is_in_circle(mesh->points[corner[0]], mesh->points[corner[1]], mesh->points[corner[2]], point);
}

static inline uint32_t dmr_is_in_cavity(const dmr_cavity *cavity, uint32_t triangle)
{
    for (uint32_t i = 0; i < cavity->count; i++)
        if (cavity->triangles[i] == triangle)
            return 1;
    return 0;
}

/* A point that is beyond an edge of the border, or so near that it would make it bad, is no good: the edge is to be split instead. */
static inline uint32_t dmr_encroaches(const dmr_mesh *mesh, uint32_t triangle, uint32_t edge, dmr_point point)
{
    const dmr_triangle *t = &mesh->triangles[triangle];
    const dmr_point a = mesh->points[t->corner[edge]], b = mesh->points[t->corner[dmr_next(edge)]];
    return dmr_view(point, a, b) < 0 || dmr_area(a, b, point) <= 0;
}

/* From a triangle whose circle has the point inside. Every triangle that is looked at, those around the cavity too, is claimed or held. */
static inline dmr_growth dmr_grow(const dmr_mesh *mesh, uint32_t first, dmr_work work, dmr_cavity *cavity)
{
    if (!dmr_may_use(mesh, first, work))
        return DMR_LOST;
    cavity->triangles[0] = first;
    cavity->count = 1;
    for (uint32_t i = 0; i < cavity->count; i++)
        for (uint32_t edge = 0; edge < 3; edge++) {
            const uint32_t inside = cavity->triangles[i], beside = mesh->triangles[inside].beside[edge];
            if (beside == DMR_NONE) {
                if (work.turn != DMR_ALONE && cavity->split == DMR_NONE &&
                    dmr_encroaches(mesh, inside, edge, cavity->point)) {
                    cavity->split = inside;
                    cavity->split_edge = edge;
                    return DMR_ENCROACHES;
                }
                continue;
            }
            if (!dmr_may_use(mesh, beside, work))
                return DMR_LOST;
            if (dmr_is_in_cavity(cavity, beside) || !dmr_circle_has(mesh, beside, cavity->point))
                continue;
            if (cavity->count == DMR_CAVITY)
                return DMR_OVERSIZED;
            cavity->triangles[cavity->count++] = beside;
        }
    return DMR_GROWN;
}

/* An edge around a cavity, and what is on its other side. */
typedef struct dmr_rim {
    uint32_t from, to, beside;
} dmr_rim;

/* How many, in any order. An edge of the border that is split is none. */
static inline uint32_t dmr_rim_of(const dmr_mesh *mesh, const dmr_cavity *cavity, dmr_rim rim[DMR_CAVITY + 2])
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < cavity->count; i++)
        for (uint32_t edge = 0; edge < 3; edge++) {
            const uint32_t inside = cavity->triangles[i];
            const dmr_triangle *t = &mesh->triangles[inside];
            const uint32_t beside = t->beside[edge];
            const uint32_t is_split = inside == cavity->split && edge == cavity->split_edge;
            if (!is_split && (beside == DMR_NONE || !dmr_is_in_cavity(cavity, beside)))
                rim[count++] = (dmr_rim){t->corner[edge], t->corner[dmr_next(edge)], beside};
        }
    return count;
}

/* Triangles of a cavity are used again, then new ones are taken, one after the other. */
static inline uint32_t dmr_place(const dmr_cavity *cavity, uint32_t i, uint32_t first_new)
{
    return i < cavity->count ? cavity->triangles[i] : first_new + i - cavity->count;
}

/* The edge that goes from `from` to `to`. */
static inline void dmr_set_beside(dmr_triangle *triangle, uint32_t from, uint32_t to, uint32_t beside)
{
    for (uint32_t edge = 0; edge < 3; edge++)
        if (triangle->corner[edge] == from && triangle->corner[dmr_next(edge)] == to)
            triangle->beside[edge] = beside;
}

/* The point has this number; `first_new` and those behind it are free. */
static inline void dmr_fill(const dmr_mesh *mesh, const dmr_cavity *cavity, const dmr_rim *rim, uint32_t rims,
                            uint32_t point, uint32_t first_new)
{
    for (uint32_t i = 0; i < rims; i++) {
        const uint32_t place = dmr_place(cavity, i, first_new);
        dmr_triangle made = {.corner = {rim[i].from, rim[i].to, point}, .beside = {rim[i].beside, DMR_NONE, DMR_NONE}};
        for (uint32_t other = 0; other < rims; other++) {
            if (rim[other].from == rim[i].to)
                made.beside[1] = dmr_place(cavity, other, first_new);
            if (rim[other].to == rim[i].from)
                made.beside[2] = dmr_place(cavity, other, first_new);
        }
        mesh->triangles[place] = made;
        if (rim[i].beside != DMR_NONE)
            dmr_set_beside(&mesh->triangles[rim[i].beside], rim[i].to, rim[i].from, place);
    }
}

#endif
