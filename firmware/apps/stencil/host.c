/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/host_check.h"

/* In the kernel's order of operations. */
static void step(const float *from, float *to, uint32_t n)
{
    for (uint32_t row = 0; row < n; row++)
        for (uint32_t column = 0; column < n; column++) {
            const float *cell = from + (size_t)row * n + column;
            uint32_t is_inner = column > 0 && column < n - 1 && row > 0 && row < n - 1;
            to[(size_t)row * n + column] =
                is_inner ? (cell[0] + cell[-1] + cell[1] + cell[-(ptrdiff_t)n] + cell[n]) * 0.2f : cell[0];
        }
}

int hd_app_main(void)
{
    uint32_t n = host_option("n", 256, 1, 4096);
    uint32_t steps = host_option("steps", 2, 1, 1024);
    uint32_t width = host_option("block_x", 32, 1, 1024);
    uint32_t height = host_option("block_y", 8, 1, 1024);
    uint64_t random = hd_option("seed", 1);

    size_t bytes = (size_t)n * n * sizeof(float);
    float *cells = hd_host_alloc(bytes);
    float *next = hd_host_alloc(bytes);
    float *result = hd_host_alloc(bytes);
    for (uint32_t i = 0; i < n * n; i++)
        cells[i] = host_random_float(&random);

    stencil_args args = {.from = host_upload(cells, bytes), .to = host_poisoned(bytes), .n = n};
    for (uint32_t i = 0; i < steps; i++) {
        /* Each by itself: what a launch takes does not depend on how fast the host appends the next one. */
        hd_wait(
            host_launch("stencil", host_blocks_2d(n, n, width, height), hd_2d(width, height), 0, &args, sizeof args));
        hd_device_ptr written = args.to;
        args.to = args.from;
        args.from = written;
        step(cells, next, n);
        float *expected = next;
        next = cells;
        cells = expected;
    }

    hd_copy_from_device(result, args.from, bytes);
    for (uint32_t i = 0; i < n * n; i++)
        host_check_float("cell", i, result[i], cells[i]);
    hd_report("cells", (uint64_t)n * n * steps);
    return HD_PASS;
}
