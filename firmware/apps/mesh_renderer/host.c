/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/host_check.h"
#include "common/inverse_root.h"

#define MARGIN (1.0f / 16) /* of boxes: what floats leave out does not matter */

static mesh_vector random_vector(float length, uint64_t *random)
{
    return (mesh_vector){length * host_random_float(random), length * host_random_float(random),
                         length * host_random_float(random)};
}

/* One in three is a mirror. */
static void random_triangles(mesh_triangle *triangles, uint32_t count, uint64_t *random)
{
    for (uint32_t i = 0; i < count; i++) {
        mesh_triangle *t = &triangles[i];
        *t = (mesh_triangle){.corner = random_vector(1, random), .is_mirror = host_random_below(random, 3) == 0};
        do {
            t->edge_1 = random_vector(0.375f, random);
            t->edge_2 = random_vector(0.375f, random);
            t->normal = mesh_cross(t->edge_1, t->edge_2);
        } while (mesh_dot(t->normal, t->normal) < 0.0625f);
        t->normal = mesh_along((mesh_vector){0, 0, 0}, inverse_root(mesh_dot(t->normal, t->normal)), t->normal);
    }
}

static float along_axis(mesh_vector v, uint32_t axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static void include(mesh_box *box, mesh_vector v)
{
    box->low = (mesh_vector){v.x - MARGIN < box->low.x ? v.x - MARGIN : box->low.x,
                             v.y - MARGIN < box->low.y ? v.y - MARGIN : box->low.y,
                             v.z - MARGIN < box->low.z ? v.z - MARGIN : box->low.z};
    box->high = (mesh_vector){v.x + MARGIN > box->high.x ? v.x + MARGIN : box->high.x,
                              v.y + MARGIN > box->high.y ? v.y + MARGIN : box->high.y,
                              v.z + MARGIN > box->high.z ? v.z + MARGIN : box->high.z};
}

static mesh_box box_of(const mesh_triangle *triangles, uint32_t count)
{
    mesh_box box = {{MESH_FAR, MESH_FAR, MESH_FAR}, {-MESH_FAR, -MESH_FAR, -MESH_FAR}};
    for (uint32_t i = 0; i < count; i++) {
        include(&box, triangles[i].corner);
        include(&box, mesh_along(triangles[i].corner, 1, triangles[i].edge_1));
        include(&box, mesh_along(triangles[i].corner, 1, triangles[i].edge_2));
    }
    return box;
}

/* Those with their corner below the middle of the longest side go to the front: how many. */
static uint32_t split(mesh_triangle *triangles, uint32_t count)
{
    mesh_box box = box_of(triangles, count);
    uint32_t axis = 0, front = 0;
    for (uint32_t i = 1; i < 3; i++)
        if (along_axis(box.high, i) - along_axis(box.low, i) > along_axis(box.high, axis) - along_axis(box.low, axis))
            axis = i;
    float middle = 0.5f * (along_axis(box.low, axis) + along_axis(box.high, axis));
    for (uint32_t i = 0; i < count; i++)
        if (along_axis(triangles[i].corner, axis) < middle) {
            mesh_triangle moved = triangles[i];
            triangles[i] = triangles[front];
            triangles[front++] = moved;
        }
    return front && front < count ? front : count / 2;
}

typedef struct tree {
    mesh_triangle *triangles;
    mesh_node *nodes;
    uint32_t node_count;
} tree;

/* The child that has these triangles. */
static uint32_t build(tree *t, uint32_t first, uint32_t count, uint32_t depth)
{
    hd_check(depth < MESH_STACK, "the tree is too deep%s", "");
    if (depth && count <= MESH_LEAF_TRIANGLES)
        return MESH_LEAF | first << 3 | count;
    uint32_t at = t->node_count++, half = split(t->triangles + first, count);
    mesh_node *node = &t->nodes[at];
    *node =
        (mesh_node){.boxes = {box_of(t->triangles + first, half), box_of(t->triangles + first + half, count - half)}};
    node->children[0] = build(t, first, half, depth + 1);
    node->children[1] = build(t, first + half, count - half, depth + 1);
    return at;
}

/* Tries every triangle. */
static uint32_t reference(const mesh_args *args, const mesh_triangle *triangles, uint32_t count, uint32_t index,
                          float *distance)
{
    mesh_ray ray = mesh_first_ray(args->eye, index, args->columns, args->rows);
    for (uint32_t bounce = 0;; bounce++) {
        uint32_t seen = MESH_NONE;
        *distance = MESH_FAR;
        for (uint32_t i = 0; i < count; i++) {
            float here = mesh_distance(&triangles[i], ray);
            if (here < *distance) {
                *distance = here;
                seen = i;
            }
        }
        if (seen == MESH_NONE || bounce == args->bounces || !triangles[seen].is_mirror)
            return seen;
        ray = mesh_mirrored(ray, *distance, &triangles[seen]);
    }
}

int hd_app_main(void)
{
    uint32_t columns = host_option("columns", 32, 1, 2048);
    uint32_t rows = host_option("rows", 24, 1, 2048);
    uint32_t count = host_option("triangles", 128, 1, 1u << 16);
    uint32_t frames = host_option("frames", 1, 1, 64);
    uint32_t bounces = host_option("bounces", 2, 0, 64);
    uint32_t block = host_option("block", 64, 1, 1024);
    uint64_t random = hd_option("seed", 1);

    uint32_t rays = columns * rows;
    tree t = {.triangles = hd_host_alloc(count * sizeof *t.triangles), .nodes = hd_host_alloc(count * sizeof *t.nodes)};
    random_triangles(t.triangles, count, &random);
    build(&t, 0, count, 0);

    mesh_args args = {.triangles = host_upload(t.triangles, count * sizeof *t.triangles),
                      .nodes = host_upload(t.nodes, t.node_count * sizeof *t.nodes),
                      .columns = columns,
                      .rows = rows,
                      .bounces = bounces};
    uint64_t seen = 0;
    for (uint32_t frame = 0; frame < frames; frame++) {
        args.eye = (mesh_vector){(float)frame * 0.25f, (float)frame * 0.125f, -7};
        args.hits = host_poisoned(rays * sizeof(uint32_t));
        args.distances = host_poisoned(rays * sizeof(float));
        host_launch("mesh_renderer", host_blocks(rays, block), hd_1d(block), 0, &args, sizeof args);
        const uint32_t *hits = host_download(args.hits, rays * sizeof *hits);
        const float *distances = host_download(args.distances, rays * sizeof *distances);
        for (uint32_t i = 0; i < rays; i++) {
            float distance;
            host_check_word("hits", i, hits[i], reference(&args, t.triangles, count, i, &distance));
            host_check_float("distances", i, distances[i], distance);
            seen += hits[i] != MESH_NONE;
        }
    }
    hd_report("rays", (uint64_t)rays * frames);
    hd_report("hits", seen);
    return HD_PASS;
}
