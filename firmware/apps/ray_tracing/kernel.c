/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "simt.h"

typedef struct vector {
    float x, y, z;
} vector;

SIMT_INLINE float dot(vector a, vector b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/* a + factor * b */
SIMT_INLINE vector along(vector a, float factor, vector b)
{
    return (vector){a.x + factor * b.x, a.y + factor * b.y, a.z + factor * b.z};
}

/* Way to the sphere, or RAY_TRACING_FAR. */
SIMT_INLINE float distance_to(const ray_tracing_sphere *sphere, vector from, vector direction)
{
    vector centre = {sphere->centre[0], sphere->centre[1], sphere->centre[2]};
    vector to_centre = along(centre, -1, from);
    float middle = dot(to_centre, direction);
    float square = middle * middle - (dot(to_centre, to_centre) - sphere->radius_squared);
    if (square <= 0)
        return RAY_TRACING_FAR;
    float distance = middle - square * inverse_root(square);
    return distance < RAY_TRACING_NEAREST ? RAY_TRACING_FAR : distance;
}

/* A pixel per thread. What a sphere does not reflect it scatters, by how far its surface faces up. */
SIMT_KERNEL(ray_tracing, const ray_tracing_args *args)
{
    uint32_t column = simt_block_x() * RAY_TRACING_BLOCK_X + simt_thread_x();
    uint32_t row = simt_block_y() * RAY_TRACING_BLOCK_Y + simt_thread_y();
    if (column >= args->columns || row >= args->rows)
        return;
    const ray_tracing_sphere *spheres = HD_POINTER(const ray_tracing_sphere, args->spheres);
    vector from = {0, 0, 0}, origin = {0, 0, 0};
    vector direction = {(float)column - 0.5f * (float)args->columns, 0.5f * (float)args->rows - (float)row,
                        (float)args->columns};
    direction = along(origin, inverse_root(dot(direction, direction)), direction);

    float brightness = 0, weight = 1;
#pragma GCC unroll 1
    for (uint32_t bounce = 0; bounce <= args->bounces; bounce++) {
        float nearest = RAY_TRACING_FAR;
        const ray_tracing_sphere *hit = 0;
#pragma GCC unroll 1
        for (uint32_t i = 0; i < args->count; i++) {
            float distance = distance_to(spheres + i, from, direction);
            if (distance < nearest) {
                nearest = distance;
                hit = spheres + i;
            }
        }
        if (!hit) {
            float squares = 0;
            if (direction.y < 0) {
                float distance = (RAY_TRACING_FLOOR - from.y) / direction.y;
                vector at = along(from, distance, direction);
                squares = ((int32_t)at.x ^ (int32_t)at.z) & 1 ? 1 : 0.5f;
            }
            brightness += weight * (RAY_TRACING_SKY + squares);
            break;
        }
        from = along(from, nearest, direction);
        vector normal = along(from, -1, (vector){hit->centre[0], hit->centre[1], hit->centre[2]});
        normal = along(origin, hit->inverse_radius, normal);
        if (normal.y > 0)
            brightness += weight * (1 - hit->mirror) * normal.y;
        weight *= hit->mirror;
        direction = along(direction, -2 * dot(direction, normal), normal);
    }
    HD_POINTER(float, args->brightness)[row * args->columns + column] = brightness;
}
