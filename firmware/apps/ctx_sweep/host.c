/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/host_check.h"

static uint32_t expected(uint32_t block, uint32_t thread, uint32_t threads, uint32_t rounds, uint32_t words)
{
    uint32_t result = 0;
    for (uint32_t i = 0; i < 8; i++) {
        uint32_t state = (block * threads + thread) * 8 + i;
        for (uint32_t round = 0; round < rounds; round++)
            state = ctx_sweep_step(state);
        result ^= state;
    }
    for (uint32_t at = (thread + 1) % threads; at < words; at += threads)
        result += ctx_sweep_word(block, at);
    return result;
}

int hd_app_main(void)
{
    const uint32_t grid = host_option("grid", 16, 1, 4096), block = host_option("block", 128, 1, 1024);
    const uint32_t rounds = host_option("rounds", 1000, 1, 1u << 24);
    const uint32_t bytes = host_option("scratchpad", 0, 0, 98304) / 4 * 4;
    ctx_sweep_args args = {.results = host_poisoned((size_t)grid * block * 4), .rounds = rounds, .words = bytes / 4};
    host_launch("ctx_sweep", hd_1d(grid), hd_1d(block), bytes, &args, sizeof args);
    const uint32_t *results = host_download(args.results, (size_t)grid * block * 4);
    for (uint32_t i = 0; i < grid * block; i++)
        host_check_word("results", i, results[i], expected(i / block, i % block, block, rounds, bytes / 4));
    hd_report("blocks", grid);
    return HD_PASS;
}
