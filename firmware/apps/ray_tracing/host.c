/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/host_check.h"

static float product(const float *a, const float *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void move(float *point, float factor, const float *direction)
{
    for (uint32_t axis = 0; axis < 3; axis++)
        point[axis] += factor * direction[axis];
}

static uint32_t nearest_sphere(const ray_tracing_sphere *spheres, uint32_t count, const float *from,
                               const float *direction, float *distance)
{
    uint32_t nearest = count;
    *distance = RAY_TRACING_FAR;
    for (uint32_t i = 0; i < count; i++) {
        float centre[3];
        memcpy(centre, spheres[i].centre, sizeof centre);
        move(centre, -1, from);
        float middle = product(centre, direction);
        float square = middle * middle - (product(centre, centre) - spheres[i].radius_squared);
        float way = square > 0 ? middle - square * inverse_root(square) : 0;
        if (way < RAY_TRACING_NEAREST || way >= *distance)
            continue;
        *distance = way;
        nearest = i;
    }
    return nearest;
}

static float background(const float *from, const float *direction)
{
    if (!(direction[1] < 0))
        return RAY_TRACING_SKY;
    float at[3] = {from[0], from[1], from[2]};
    move(at, (RAY_TRACING_FLOOR - from[1]) / direction[1], direction);
    uint32_t is_bright = (uint32_t)(int32_t)at[0] % 2 != (uint32_t)(int32_t)at[2] % 2;
    return RAY_TRACING_SKY + (is_bright ? 1 : 0.5f);
}

static float reference(const ray_tracing_sphere *spheres, const ray_tracing_args *args, uint32_t column, uint32_t row)
{
    float from[3] = {0, 0, 0}, brightness = 0, weight = 1, distance;
    float direction[3] = {(float)column - 0.5f * (float)args->columns, 0.5f * (float)args->rows - (float)row,
                          (float)args->columns};
    float scale = inverse_root(product(direction, direction));
    for (uint32_t axis = 0; axis < 3; axis++)
        direction[axis] *= scale;
    for (uint32_t bounce = 0; bounce <= args->bounces; bounce++) {
        uint32_t hit = nearest_sphere(spheres, args->count, from, direction, &distance);
        if (hit == args->count)
            return brightness + weight * background(from, direction);
        move(from, distance, direction);
        float normal[3] = {from[0], from[1], from[2]};
        move(normal, -1, spheres[hit].centre);
        for (uint32_t axis = 0; axis < 3; axis++)
            normal[axis] *= spheres[hit].inverse_radius;
        if (normal[1] > 0)
            brightness += weight * (1 - spheres[hit].mirror) * normal[1];
        weight *= spheres[hit].mirror;
        move(direction, -2 * product(direction, normal), normal);
    }
    return brightness;
}

/* In front of the picture, above the floor. */
static ray_tracing_sphere sphere_random(uint64_t *random)
{
    float radius = (float)(128 + host_random_below(random, 256)) / 256;
    return (ray_tracing_sphere){
        .centre = {host_random_float(random), 0.5f * host_random_float(random), 10 + host_random_float(random)},
        .radius_squared = radius * radius,
        .inverse_radius = 1 / radius,
        .mirror = (float)(64 + host_random_below(random, 128)) / 256};
}

int hd_app_main(void)
{
    uint32_t columns = host_option("columns", 32, 1, 2048);
    uint32_t rows = host_option("rows", 24, 1, 2048);
    uint32_t count = host_option("spheres", 12, 1, 1024);
    uint32_t bounces = host_option("bounces", 3, 0, 64);
    uint64_t random = hd_option("seed", 1);

    uint32_t pixels = columns * rows;
    ray_tracing_sphere *spheres = hd_host_alloc(count * sizeof *spheres);
    for (uint32_t i = 0; i < count; i++)
        spheres[i] = sphere_random(&random);

    ray_tracing_args args = {.spheres = host_upload(spheres, count * sizeof *spheres),
                             .brightness = host_poisoned(pixels * sizeof(float)),
                             .count = count,
                             .columns = columns,
                             .rows = rows,
                             .bounces = bounces};
    host_launch("ray_tracing", host_blocks_2d(columns, rows, RAY_TRACING_BLOCK_X, RAY_TRACING_BLOCK_Y),
                hd_2d(RAY_TRACING_BLOCK_X, RAY_TRACING_BLOCK_Y), 0, &args, sizeof args);

    const float *brightness = host_download(args.brightness, pixels * sizeof(float));
    for (uint32_t i = 0; i < pixels; i++)
        host_check_float("brightness", i, brightness[i], reference(spheres, &args, i % columns, i / columns));
    hd_report("pixels", pixels);
    return HD_PASS;
}
