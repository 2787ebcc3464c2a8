/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/host_check.h"

static uint32_t expected(uint32_t block, uint32_t thread)
{
    uint32_t result = 0;
    for (uint32_t i = 0; i < REG_PATTERNS_NUMBERS; i++)
        result = result * 31 + reg_patterns_number(i, block, thread);
    return result;
}

int hd_app_main(void)
{
    const uint32_t grid = host_option("grid", 16, 1, 4096), block = host_option("block", 128, 1, 1024);
    const uint32_t rounds = host_option("rounds", 1000, 1, 1u << 24);
    reg_patterns_args args = {.results = host_poisoned((size_t)grid * block * 4), .rounds = rounds};
    host_launch("reg_patterns", hd_1d(grid), hd_1d(block), 0, &args, sizeof args);
    const uint32_t *results = host_download(args.results, (size_t)grid * block * 4);
    for (uint32_t i = 0; i < grid * block; i++)
        host_check_word("results", i, results[i], expected(i / block, i % block));
    hd_report("blocks", grid);
    return HD_PASS;
}
