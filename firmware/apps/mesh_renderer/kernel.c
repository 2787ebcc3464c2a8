/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "simt.h"

typedef struct hit {
    uint32_t triangle; /* or MESH_NONE */
    float distance;
} hit;

SIMT_INLINE float inverse_of(float value)
{
    return value < 1e-6f && value > -1e-6f ? 1e6f : 1 / value;
}

/* Narrows entry .. leave to the part of the ray that is between two planes. */
SIMT_INLINE void clip(float low, float high, float from, float inverse, float *entry, float *leave)
{
    float to_low = (low - from) * inverse, to_high = (high - from) * inverse;
    float first = to_low < to_high ? to_low : to_high, last = to_low < to_high ? to_high : to_low;
    *entry = first > *entry ? first : *entry;
    *leave = last < *leave ? last : *leave;
}

/* Where the ray enters the box, or MESH_FAR. */
SIMT_INLINE float entry_of(const mesh_box *box, mesh_vector from, mesh_vector inverse)
{
    float entry = 0, leave = MESH_FAR;
    clip(box->low.x, box->high.x, from.x, inverse.x, &entry, &leave);
    clip(box->low.y, box->high.y, from.y, inverse.y, &entry, &leave);
    clip(box->low.z, box->high.z, from.z, inverse.z, &entry, &leave);
    return entry <= leave ? entry : MESH_FAR;
}

SIMT_INLINE void try_leaf(const mesh_args *args, uint32_t leaf, mesh_ray ray, hit *nearest)
{
    uint32_t first = MESH_LEAF_FIRST(leaf), end = first + MESH_LEAF_COUNT(leaf);
#pragma GCC unroll 1
    for (uint32_t i = first; i < end; i++) {
        float distance = mesh_distance(HD_POINTER(const mesh_triangle, args->triangles) + i, ray);
        if (distance < nearest->distance || (distance == nearest->distance && i < nearest->triangle))
            *nearest = (hit){i, distance};
    }
}

/* A ray is at an inner node or at a leaf: two sides of a branch in its loop. */
SIMT_INLINE hit traverse(const mesh_args *args, mesh_ray ray)
{
    mesh_vector inverse = {inverse_of(ray.direction.x), inverse_of(ray.direction.y), inverse_of(ray.direction.z)};
    hit nearest = {MESH_NONE, MESH_FAR};
    uint32_t stack[MESH_STACK], depth = 0, at = 0;
    for (;;) {
        if (at & MESH_LEAF) {
            try_leaf(args, at, ray, &nearest);
        } else {
            const mesh_node *node = HD_POINTER(const mesh_node, args->nodes) + at;
            float left = entry_of(&node->boxes[0], ray.from, inverse);
            float right = entry_of(&node->boxes[1], ray.from, inverse);
            uint32_t is_left = left <= nearest.distance && left < MESH_FAR;
            uint32_t is_right = right <= nearest.distance && right < MESH_FAR;
            if (is_left && is_right)
                stack[depth++] = node->children[left <= right];
            if (is_left || is_right) {
                at = node->children[!is_left || (is_right && right < left)];
                continue;
            }
        }
        if (!depth)
            break;
        at = stack[--depth];
    }
    return nearest;
}

/* A ray per thread, and what mirrors make of it. */
SIMT_KERNEL(mesh_renderer, const mesh_args *args)
{
    uint32_t index = simt_global_index();
    if (index >= args->columns * args->rows)
        return;
    mesh_ray ray = mesh_first_ray(args->eye, index, args->columns, args->rows);
    hit seen;
    for (uint32_t bounce = 0;; bounce++) {
        seen = traverse(args, ray);
        if (seen.triangle == MESH_NONE || bounce == args->bounces)
            break;
        const mesh_triangle *triangle = HD_POINTER(const mesh_triangle, args->triangles) + seen.triangle;
        if (!triangle->is_mirror)
            break;
        ray = mesh_mirrored(ray, seen.distance, triangle);
    }
    HD_POINTER(uint32_t, args->hits)[index] = seen.triangle;
    HD_POINTER(float, args->distances)[index] = seen.distance;
}
