/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/host_check.h"

/* The kernel's chain of fused multiply-adds: with the inputs of host_random_float, product and sum are exact in double
 * and rounded once, to float. */
static float reference(const float *a, const float *b, uint32_t n, uint32_t row, uint32_t column)
{
    float sum = 0;
    for (uint32_t k = 0; k < n; k++)
        sum = (float)((double)a[(size_t)row * n + k] * (double)b[(size_t)k * n + column] + (double)sum);
    return sum;
}

int hd_app_main(void)
{
    uint32_t n = host_option("n", 128, MATMUL_TILE, 4096);
    uint32_t unroll = host_option("unroll", 1, 0, 1);
    uint32_t launches = host_option("launches", 1, 1, 1u << 16);
    uint64_t random = hd_option("seed", 1);
    hd_check(n % MATMUL_TILE == 0, "option n is %u; it must be a multiple of %u", n, (unsigned)MATMUL_TILE);

    uint32_t elements = n * n;
    size_t bytes = elements * sizeof(float);
    float *a = hd_host_alloc(bytes);
    float *b = hd_host_alloc(bytes);
    float *c = hd_host_alloc(bytes);
    for (uint32_t i = 0; i < elements; i++) {
        a[i] = host_random_float(&random);
        b[i] = host_random_float(&random);
    }

    matmul_args args = {.a = host_upload(a, bytes), .b = host_upload(b, bytes), .c = host_poisoned(bytes), .n = n};
    uint32_t tiles = n / MATMUL_TILE;
    host_launch_times(launches, unroll ? "matmul" : "matmul_rolled", hd_2d(tiles, tiles),
                      hd_2d(MATMUL_TILE, MATMUL_TILE), 2 * MATMUL_TILE * MATMUL_TILE * sizeof(float), &args,
                      sizeof args);

    hd_copy_from_device(c, args.c, bytes);
    for (uint32_t i = 0; i < elements; i++)
        host_check_float("c", i, c[i], reference(a, b, n, i / n, i % n));
    hd_report("fused_multiply_adds", (uint64_t)elements * n * launches);
    return HD_PASS;
}
