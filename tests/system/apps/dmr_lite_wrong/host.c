/* SPDX-License-Identifier: MIT */
/* dmr_lite, whose mesh is made wrong before it is looked at: each way is one that no bit of an array shows. */
#define dmr_check dmr_check_mesh
#define dmr_given_mesh dmr_given_mesh_of
#include "dmr_lite/check.h"
#include "dmr_lite/given.h"
#undef dmr_check
#undef dmr_given_mesh

/* Read before the first launch, as options have to be. */
static uint64_t plant;

static dmr_given dmr_given_mesh(uint32_t points, uint64_t *random)
{
    plant = hd_option("plant", 0);
    return dmr_given_mesh_of(points, random);
}

/* Nothing has been refined. */
static void leave(dmr_result *result, const dmr_mesh *given, uint32_t given_points)
{
    result->mesh = *given;
    result->points = given_points;
    result->triangles = 2 * (given_points - 3);
}

/* The other diagonal of two triangles, where that leaves both against the clock: a triangulation that is not Delaunay's. */
static void flip(dmr_result *result)
{
    const dmr_mesh *mesh = &result->mesh;
    for (uint32_t i = 0; i < result->triangles; i++) {
        dmr_triangle *a = &mesh->triangles[i];
        const uint32_t other = a->beside[0];
        if (other == DMR_NONE)
            continue;
        dmr_triangle *b = &mesh->triangles[other];
        uint32_t back = 0;
        while (b->corner[back] != a->corner[1])
            back++;
        const uint32_t from = a->corner[0], to = a->corner[1], left = a->corner[2], right = b->corner[(back + 2) % 3];
        const uint32_t from_right = b->beside[(back + 1) % 3], right_to = b->beside[(back + 2) % 3];
        const uint32_t to_left = a->beside[1], left_from = a->beside[2];
        const dmr_point *points = mesh->points;
        if (dmr_area(points[from], points[right], points[left]) <= 0 ||
            dmr_area(points[right], points[to], points[left]) <= 0)
            continue;
        *a = (dmr_triangle){{from, right, left}, {from_right, other, left_from}};
        *b = (dmr_triangle){{right, to, left}, {right_to, to_left, i}};
        if (from_right != DMR_NONE)
            dmr_set_beside(&mesh->triangles[from_right], right, from, i);
        if (to_left != DMR_NONE)
            dmr_set_beside(&mesh->triangles[to_left], left, to, other);
        return;
    }
    hd_fail("no edge can be flipped");
}

/* Every triangle once more, with neighbours of its own: each is right where it is. */
static void cover_twice(dmr_result *result)
{
    dmr_triangle *both = hd_host_alloc(2 * result->triangles * sizeof *both);
    for (uint32_t i = 0; i < 2 * result->triangles; i++) {
        const uint32_t copy = i / result->triangles * result->triangles;
        both[i] = result->mesh.triangles[i - copy];
        for (uint32_t edge = 0; edge < 3; edge++)
            both[i].beside[edge] += both[i].beside[edge] == DMR_NONE ? 0 : copy;
    }
    result->mesh.triangles = both;
    result->triangles *= 2;
}

/* A triangle goes; its neighbours take the gap for the border. */
static void make_a_gap(dmr_result *result)
{
    const uint32_t last = --result->triangles;
    for (uint32_t i = 0; i < last; i++)
        for (uint32_t edge = 0; edge < 3; edge++)
            if (result->mesh.triangles[i].beside[edge] == last)
                result->mesh.triangles[i].beside[edge] = DMR_NONE;
}

/* A point that is in no triangle, said to be half-way from a corner to itself. */
static void add_a_point(dmr_result *result)
{
    dmr_point *points = hd_host_alloc((result->points + 1) * sizeof *points);
    dmr_origin *origins = hd_host_alloc((result->points + 1) * sizeof *origins);
    memcpy(points, result->mesh.points, result->points * sizeof *points);
    memcpy(origins, result->origins, result->points * sizeof *origins);
    points[result->points] = (dmr_point){1, 1};
    origins[result->points] = (dmr_origin){0, 0, DMR_NONE};
    result->mesh.points = points;
    result->origins = origins;
    result->points++;
}

static void dmr_check(dmr_result *result, const dmr_mesh *given, uint32_t given_points)
{
    if (plant == 1)
        leave(result, given, given_points);
    else if (plant == 2)
        flip(result);
    else if (plant == 3)
        cover_twice(result);
    else if (plant == 4)
        make_a_gap(result);
    else if (plant == 5)
        add_a_point(result);
    else if (plant == 6)
        result->mesh.points[result->points - 1].x += 2;
    dmr_check_mesh(result, given, given_points);
}

#include "dmr_lite/host.c"
