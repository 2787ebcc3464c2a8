/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/host_check.h"

static uint32_t expected(const smem_late_args *args, uint32_t block, uint32_t thread, uint32_t threads)
{
    const uint32_t neighbour = (thread + 1) % threads;
    const uint32_t theirs = smem_late_steps(block * threads + neighbour, args->rounds);
    uint32_t state = smem_late_steps(block * threads + thread, args->rounds + args->late);
    for (uint32_t at = neighbour; at < args->words; at += threads)
        state ^= theirs + at;
    return state;
}

int hd_app_main(void)
{
    const uint32_t grid = host_option("grid", 16, 1, 4096), block = host_option("block", 128, 1, 1024);
    const uint32_t bytes = host_option("scratchpad", 4096, 4, 98304) / 4 * 4;
    smem_late_args args = {.results = host_poisoned((size_t)grid * block * 4),
                           .rounds = host_option("rounds", 1000, 1, 1u << 24),
                           .late = host_option("late", 100, 0, 1u << 24),
                           .words = bytes / 4};
    host_launch("smem_late", hd_1d(grid), hd_1d(block), bytes, &args, sizeof args);
    const uint32_t *results = host_download(args.results, (size_t)grid * block * 4);
    for (uint32_t i = 0; i < grid * block; i++)
        host_check_word("results", i, results[i], expected(&args, i / block, i % block, block));
    hd_report("blocks", grid);
    return HD_PASS;
}
