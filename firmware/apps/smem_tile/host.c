/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/host_check.h"

/* first, second: the tiles of the block's first step. */
static uint32_t expected(const smem_tile_args *args, const uint32_t *first, const uint32_t *second, uint32_t at)
{
    uint32_t own = 0;
    for (uint32_t step = 0; step < args->steps; step++) {
        const uint32_t tile = step * args->words;
        for (uint32_t round = 0; round < args->rounds; round++)
            own = smem_tile_next(own, first[tile + (at + 1) % args->words], second[tile + at]);
    }
    return own;
}

int hd_app_main(void)
{
    const uint32_t grid = host_option("grid", 16, 1, 65536), block = host_option("block", 128, 1, 1024);
    smem_tile_args args = {.words = host_option("words", 256, 1, 8192),
                           .rounds = host_option("rounds", 32, 1, 1u << 16),
                           .updates = host_option("updates", 0, 0, 1),
                           .steps = host_option("steps", 1, 1, 64),
                           .adds_unwritten = host_option("unwritten", 0, 0, 1)};
    uint64_t random = hd_option("seed", 1);
    const uint32_t results_count = grid * args.words, count = results_count * args.steps;
    const uint32_t scratchpad_words = (3 + args.adds_unwritten) * args.words;
    uint32_t *first = hd_host_alloc(count * sizeof *first), *second = hd_host_alloc(count * sizeof *second);
    for (uint32_t i = 0; i < count; i++) {
        first[i] = (uint32_t)hd_random(&random);
        second[i] = (uint32_t)hd_random(&random);
    }
    args.first = host_upload(first, count * 4);
    args.second = host_upload(second, count * 4);
    args.results = host_poisoned(results_count * 4);
    host_launch("smem_tile", hd_1d(grid), hd_1d(block), scratchpad_words * 4, &args, sizeof args);

    const uint32_t *results = host_download(args.results, results_count * 4);
    for (uint32_t i = 0; i < results_count; i++) {
        const uint32_t tile = i / args.words * args.words * args.steps;
        host_check_word("results", i, results[i], expected(&args, first + tile, second + tile, i % args.words));
    }
    const uint32_t *after = host_download(args.second, count * 4);
    for (uint32_t i = 0; i < count; i++)
        host_check_word("second", i, after[i], args.updates ? i % args.words : second[i]);
    hd_report("blocks", grid);
    return HD_PASS;
}
