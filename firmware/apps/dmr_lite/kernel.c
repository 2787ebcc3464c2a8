/* SPDX-License-Identifier: MIT */
/*
 * Refinement by Ruppert 1995: a triangle with an angle below 20 degrees goes when the centre of its circle becomes a point of the mesh; if that
 * comes too near to an edge of the border, the edge is split instead. Kernels take turns. dmr_check finds triangles that are bad, and lays
 * a claim on each triangle that the cavity of their point touches; the highest claim stays. dmr_refine makes those cavities anew that have
 * kept all of theirs: no two have a triangle in common, and the highest claim of all is always one of them.
 */
#include "simt.h"
#include "simt_synchronization.h"

#include "mesh.h"

static uint32_t dmr_may_use(const dmr_mesh *mesh, uint32_t triangle, dmr_work work)
{
    if (work.turn == DMR_HELD)
        return mesh->claims[triangle] == work.claim;
    return simt_atomic_maxu(&mesh->claims[triangle], work.claim) <= work.claim;
}

static dmr_mesh mesh_of(const dmr_args *args)
{
    return (dmr_mesh){.points = HD_POINTER(dmr_point, args->points),
                      .triangles = HD_POINTER(dmr_triangle, args->triangles),
                      .claims = HD_POINTER(uint32_t, args->claims)};
}

/* Higher than any of a round before. Within a round the order is by chance, so that no row of neighbours waits for its end. */
static uint32_t claim_of(const dmr_args *args, uint32_t triangle)
{
    return args->round << 20 | (triangle * 0x9E3B5u & 0xFFFFFu);
}

static int32_t squared(int32_t value)
{
    return value * value;
}

/* An edge of the border that is too long for the third corner, which sees it at more than a right angle; or 3. */
static uint32_t edge_to_split(const dmr_mesh *mesh, const dmr_triangle *t)
{
    for (uint32_t edge = 0; edge < 3; edge++) {
        if (t->beside[edge] != DMR_NONE)
            continue;
        const dmr_point a = mesh->points[t->corner[edge]], b = mesh->points[t->corner[dmr_next(edge)]];
        const dmr_point across = mesh->points[t->corner[dmr_next(dmr_next(edge))]];
        if (dmr_view(across, a, b) < 0 && dmr_squared_length(a, b) >= squared(2 * DMR_SHORTEST))
            return edge;
    }
    return 3;
}

/* The circle's radius is at least 1 / (2 sin 20 degrees) = 1.462 times the shortest edge: radius^2 = product of the squared lengths / (4 area^2),
 * for twice the area, and the shortest goes out on both sides. */
static uint32_t is_sharp(dmr_point a, dmr_point b, dmr_point c)
{
    const float ab = (float)dmr_squared_length(a, b), bc = (float)dmr_squared_length(b, c);
    const float ca = (float)dmr_squared_length(c, a), area = (float)dmr_area(a, b, c);
    const float shortest = ab < bc ? (ab < ca ? ab : ca) : (bc < ca ? bc : ca);
    const float others = shortest == ab ? bc * ca : shortest == bc ? ca * ab : ab * bc;
    return shortest >= DMR_SHORTEST * DMR_SHORTEST && others > 4 * 2.1371f * (area * area);
}

/* The nearest whole numbers to the centre of the circle, if it is in the square. */
static uint32_t centre_of(dmr_point a, dmr_point b, dmr_point c, dmr_point *centre)
{
    const float bx = (float)(b.x - a.x), by = (float)(b.y - a.y), cx = (float)(c.x - a.x), cy = (float)(c.y - a.y);
    const float half = 0.5f / (float)dmr_area(a, b, c), b2 = bx * bx + by * by, c2 = cx * cx + cy * cy;
    const float x = (float)a.x + (cy * b2 - by * c2) * half, y = (float)a.y + (bx * c2 - cx * b2) * half;
    if (!(x >= 0 && x <= DMR_SIDE && y >= 0 && y <= DMR_SIDE))
        return 0;
    *centre = (dmr_point){(int32_t)(x + 0.5f), (int32_t)(y + 0.5f)};
    return 1;
}

/* Half-way along the edge of the border. */
static dmr_growth grow_at_edge(const dmr_mesh *mesh, dmr_work work, dmr_cavity *cavity, dmr_origin *origin)
{
    const dmr_triangle *t = &mesh->triangles[cavity->split];
    *origin = (dmr_origin){t->corner[cavity->split_edge], t->corner[dmr_next(cavity->split_edge)], DMR_NONE};
    const dmr_point a = mesh->points[origin->a], b = mesh->points[origin->b];
    cavity->point = (dmr_point){(a.x + b.x) / 2, (a.y + b.y) / 2};
    return dmr_grow(mesh, cavity->split, work, cavity);
}

/* The cavity to make anew instead of a bad triangle. DMR_ENCROACHES: not before other edges of the border have been split. */
static dmr_growth grow_for(const dmr_mesh *mesh, uint32_t triangle, uint32_t edge, dmr_work work, dmr_cavity *cavity,
                           dmr_origin *origin)
{
    const dmr_triangle *t = &mesh->triangles[triangle];
    cavity->split = edge < 3 ? triangle : DMR_NONE;
    cavity->split_edge = edge;
    if (edge == 3) {
        *origin = (dmr_origin){t->corner[0], t->corner[1], t->corner[2]};
        if (!centre_of(mesh->points[origin->a], mesh->points[origin->b], mesh->points[origin->c], &cavity->point))
            return DMR_ENCROACHES;
        const dmr_growth growth = dmr_grow(mesh, triangle, work, cavity);
        if (growth != DMR_ENCROACHES)
            return growth;
    }
    return grow_at_edge(mesh, work, cavity, origin);
}

static uint32_t is_bad(const dmr_mesh *mesh, const dmr_triangle *t, uint32_t *edge)
{
    *edge = edge_to_split(mesh, t);
    return *edge < 3 || is_sharp(mesh->points[t->corner[0]], mesh->points[t->corner[1]], mesh->points[t->corner[2]]);
}

SIMT_KERNEL(dmr_check, const dmr_args *args)
{
    const dmr_mesh mesh = mesh_of(args);
    uint32_t bad = 0, oversized = 0;
    for (uint32_t i = simt_global_index(); i < args->triangle_count; i += simt_global_size()) {
        uint32_t edge;
        if (!is_bad(&mesh, &mesh.triangles[i], &edge))
            continue;
        bad++;
        dmr_cavity cavity;
        dmr_origin origin;
        oversized +=
            grow_for(&mesh, i, edge, (dmr_work){DMR_CLAIM, claim_of(args, i)}, &cavity, &origin) == DMR_OVERSIZED;
    }
    dmr_counts *counts = HD_POINTER(dmr_counts, args->counts);
    if (bad)
        simt_atomic_add(&counts->bad, bad);
    if (oversized)
        simt_atomic_add(&counts->oversized, oversized);
}

/* Claims and counts are written, the mesh is read: other arrays. */
SIMT_NO_ALIAS(dmr_check);

/* Makes room first: the mesh stays as it is if there is none, which the host sees. */
static void refine(const dmr_args *args, const dmr_mesh *mesh, const dmr_cavity *cavity, dmr_origin origin)
{
    dmr_counts *counts = HD_POINTER(dmr_counts, args->counts);
    dmr_rim rim[DMR_CAVITY + 2];
    const uint32_t rims = dmr_rim_of(mesh, cavity, rim), more = rims - cavity->count;
    const uint32_t point = simt_atomic_add(&counts->points, 1);
    const uint32_t first_new = simt_atomic_add(&counts->triangles, more);
    if (point >= args->point_room || first_new + more > args->triangle_room)
        return;
    mesh->points[point] = cavity->point;
    HD_POINTER(dmr_origin, args->origins)[point] = origin;
    dmr_fill(mesh, cavity, rim, rims, point, first_new);
    simt_atomic_add(&counts->refined, 1);
}

/* Only triangles that are held are read: others may be changing. */
SIMT_KERNEL(dmr_refine, const dmr_args *args)
{
    const dmr_mesh mesh = mesh_of(args);
    for (uint32_t i = simt_global_index(); i < args->triangle_count; i += simt_global_size()) {
        const dmr_work work = {DMR_HELD, claim_of(args, i)};
        if (!dmr_may_use(&mesh, i, work))
            continue;
        dmr_cavity cavity;
        dmr_origin origin;
        if (grow_for(&mesh, i, edge_to_split(&mesh, &mesh.triangles[i]), work, &cavity, &origin) == DMR_GROWN)
            refine(args, &mesh, &cavity, origin);
    }
}
