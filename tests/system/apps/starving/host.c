/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/host_check.h"

int hd_app_main(void)
{
    const uint32_t grid = host_option("grid", 8, 1, 64), block = host_option("block", 64, 1, 256);
    const uint32_t is_lock = host_option("lock", 0, 0, 1), count = 1u << 14;
    starving_args args = {
        .word_count = count, .rounds = host_option("rounds", 4, 1, 1000), .loads = host_option("loads", 32, 1, 1000)};
    uint32_t *words = hd_host_alloc(count * sizeof *words);
    for (uint32_t i = 0; i < count; i++)
        words[i] = i * 2654435761u;
    args.words = host_upload(words, count * sizeof *words);
    args.results = host_poisoned((size_t)grid * block * 4);
    args.shared = host_filled(0, 12);
    host_launch(is_lock ? "holders" : "grid_barrier", hd_1d(grid), hd_1d(block), 0, &args, sizeof args);
    const uint32_t *results = host_download(args.results, (size_t)grid * block * 4);
    for (uint32_t i = 0; i < grid * block; i++) {
        uint32_t sum = 0;
        for (uint32_t round = 0; round < args.rounds; round++)
            for (uint32_t load = 0; load < args.loads; load++)
                sum += words[starving_place(i, round, load, count)];
        host_check_word("results", i, results[i], sum);
    }
    const uint32_t *shared = host_download(args.shared, 12);
    host_check_word("shared", 0, shared[0], is_lock ? 0 : grid * args.rounds);
    host_check_word("shared", 2, shared[2], is_lock ? grid * args.rounds : 0);
    return HD_PASS;
}
