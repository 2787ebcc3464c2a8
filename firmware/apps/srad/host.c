/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/host_check.h"

/* An even part, a brighter one, and speckle in both, which is in proportion. */
static float *draw_image(uint32_t size, uint64_t *random)
{
    float *image = hd_host_alloc((size_t)size * size * sizeof *image);
    for (uint32_t i = 0; i < size * size; i++) {
        const uint32_t is_bright = i / size > size / 4 && i % size > size / 3;
        image[i] = (is_bright ? 200.0f : 50.0f) * (float)(192 + host_random_below(random, 128)) / 256;
    }
    return image;
}

static srad_cross cross_at(const float *image, uint32_t size, uint32_t row, uint32_t column)
{
    const float *at = image + row * size + column;
    return (srad_cross){.centre = *at,
                        .side = {row > 0 ? at[-(int32_t)size] : *at, row + 1 < size ? at[size] : *at,
                                 column > 0 ? at[-1] : *at, column + 1 < size ? at[1] : *at}};
}

static void step(float *image, uint32_t size, float speckle)
{
    const size_t bytes = (size_t)size * size * sizeof *image;
    float *coefficients = hd_host_alloc(bytes), *result = hd_host_alloc(bytes);
    for (uint32_t i = 0; i < size * size; i++)
        coefficients[i] = srad_coefficient(cross_at(image, size, i / size, i % size), speckle);
    for (uint32_t i = 0; i < size * size; i++) {
        const float own = coefficients[i];
        const float below = i / size + 1 < size ? coefficients[i + size] : own;
        const float right = i % size + 1 < size ? coefficients[i + 1] : own;
        result[i] = srad_diffused(cross_at(image, size, i / size, i % size), own, below, right);
    }
    memcpy(image, result, bytes);
    hd_host_free(result);
    hd_host_free(coefficients);
}

int hd_app_main(void)
{
    const uint32_t size = host_option("size", 64, SRAD_TILE, 8192), steps = host_option("steps", 2, 1, 1024);
    uint64_t random = hd_option("seed", 1);
    hd_check(size % SRAD_TILE == 0, "option size is %u; it must be a multiple of %u", size, SRAD_TILE);
    float *image = draw_image(size, &random);
    const size_t bytes = (size_t)size * size * sizeof *image;
    srad_args args = {.image = host_upload(image, bytes),
                      .result = host_poisoned(bytes),
                      .coefficients = host_poisoned(bytes),
                      .size = size};
    const hd_dim3 grid = host_blocks_2d(size, size, SRAD_TILE, SRAD_TILE), block = hd_2d(SRAD_TILE, SRAD_TILE);
    for (uint32_t i = 0; i < steps; i++) {
        args.speckle = 0.0625f / (float)(1 + i); /* less with every step */
        hd_wait(host_launch("srad_coefficients", grid, block, SRAD_TILE * SRAD_TILE * 4, &args, sizeof args));
        hd_wait(host_launch("srad_diffuse", grid, block, SRAD_TILE * SRAD_TILE * 4, &args, sizeof args));
        const hd_device_ptr done = args.image;
        args.image = args.result;
        args.result = done;
        step(image, size, args.speckle);
    }
    const float *got = host_download(args.image, bytes);
    for (uint32_t i = 0; i < size * size; i++)
        host_check_float("image", i, got[i], image[i]);
    hd_report("pixels", size * size);
    return HD_PASS;
}
