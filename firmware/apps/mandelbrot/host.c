/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/host_check.h"

int hd_app_main(void)
{
    uint32_t n = host_option("n", 128, 1, 4096);
    uint32_t limit = host_option("limit", 64, 1, 1u << 20);
    uint32_t width = host_option("block_x", 32, 1, 1024);
    uint32_t height = host_option("block_y", 8, 1, 1024);

    size_t bytes = (size_t)n * n * sizeof(uint32_t);
    uint32_t *steps = hd_host_alloc(bytes);
    mandelbrot_args args = {.steps = host_poisoned(bytes), .n = n, .limit = limit};
    host_launch("mandelbrot", host_blocks_2d(n, n, width, height), hd_2d(width, height), 0, &args, sizeof args);

    hd_copy_from_device(steps, args.steps, bytes);
    uint64_t total = 0;
    for (uint32_t i = 0; i < n * n; i++) {
        host_check_word("steps", i, steps[i], mandelbrot_steps(i % n, i / n, 3.0f / (float)n, limit));
        total += steps[i];
    }
    hd_report("points", (uint64_t)n * n);
    hd_report("steps", total);
    return HD_PASS;
}
