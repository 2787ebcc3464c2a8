/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/host_check.h"

static uint32_t sum_of(const thrash_args *args, const uint32_t *words, uint32_t thread, uint32_t threads,
                       uint32_t index)
{
    uint32_t sum = index;
    for (uint32_t round = 0; round < args->rounds; round++)
        for (uint32_t at = thread; at < args->word_count; at += threads)
            sum = thrash_add(sum, words[at]);
    for (uint32_t at = thread; at < args->scratchpad_words; at += threads)
        sum = thrash_add(sum, index + at);
    return sum;
}

int hd_app_main(void)
{
    const uint32_t grid = host_option("grid", 32, 1, 4096), block = host_option("block", 128, 1, 1024);
    const uint32_t words = host_option("words", 2048, 1, 1u << 20), bytes = host_option("scratchpad", 8192, 4, 98304);
    uint64_t random = hd_option("seed", 1);
    thrash_args args = {.word_count = words,
                        .rounds = host_option("rounds", 8, 1, 1u << 16),
                        .float_steps = host_option("float_steps", 16, 0, 1u << 16),
                        .scratchpad_words = bytes / 4};
    uint32_t *all = hd_host_alloc((size_t)grid * words * sizeof *all);
    for (uint32_t i = 0; i < grid * words; i++)
        all[i] = (uint32_t)hd_random(&random);
    const size_t result_bytes = (size_t)grid * block * 4;
    args.words = host_upload(all, (size_t)grid * words * sizeof *all);
    args.sums = host_poisoned(result_bytes);
    args.numbers = host_poisoned(result_bytes);
    host_launch("thrash", hd_1d(grid), hd_1d(block), args.scratchpad_words * 4, &args, sizeof args);

    const uint32_t *sums = host_download(args.sums, result_bytes);
    const float *numbers = host_download(args.numbers, result_bytes);
    for (uint32_t i = 0; i < grid * block; i++) {
        host_check_word("sums", i, sums[i], sum_of(&args, all + i / block * words, i % block, block, i));
        float number = (float)(i % block);
        for (uint32_t step = 0; step < args.rounds * args.float_steps; step++)
            number = thrash_step(number);
        host_check_float("numbers", i, numbers[i], number);
    }
    hd_report("loads", (uint64_t)grid * words * args.rounds);
    return HD_PASS;
}
