/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/host_check.h"

/* A ring through all links in an order by chance (Sattolo 1986). */
static uint32_t *draw_chain(uint32_t words, uint64_t *random)
{
    uint32_t *chain = hd_host_alloc(words * sizeof *chain);
    for (uint32_t i = 0; i < words; i++)
        chain[i] = i;
    for (uint32_t i = words - 1; i > 0; i--) {
        const uint32_t other = host_random_below(random, i), held = chain[i];
        chain[i] = chain[other];
        chain[other] = held;
    }
    return chain;
}

typedef struct walk {
    uint32_t link;
    float number;
} walk;

static walk expected(const phase_toggle_args *args, const uint32_t *chain, uint32_t thread, uint32_t block)
{
    walk result = {.link = thread % args->words};
    float numbers[PHASE_TOGGLE_NUMBERS];
    for (uint32_t i = 0; i < PHASE_TOGGLE_NUMBERS; i++)
        numbers[i] = (float)(thread + i);
    for (uint32_t phase = 0; phase < args->phases; phase++) {
        const uint32_t is_memory = phase_toggle_is_memory(block, phase, args->skew);
        for (uint32_t step = 0; is_memory && step < args->memory_steps; step++)
            result.link = chain[result.link];
        for (uint32_t step = 0; !is_memory && step < args->float_steps; step++)
            for (uint32_t i = 0; i < PHASE_TOGGLE_NUMBERS; i++)
                numbers[i] = phase_toggle_step(numbers[i]);
    }
    result.number = (numbers[0] + numbers[1]) + (numbers[2] + numbers[3]);
    return result;
}

int hd_app_main(void)
{
    const uint32_t grid = host_option("grid", 64, 1, 65536), block = host_option("block", 128, 1, 1024);
    uint64_t random = hd_option("seed", 1);
    phase_toggle_args args = {.words = host_option("words", 65536, 1, 1u << 26),
                              .phases = host_option("phases", 4, 1, 1u << 16),
                              .memory_steps = host_option("memory_steps", 64, 1, 1u << 20),
                              .float_steps = host_option("float_steps", 256, 1, 1u << 20),
                              .skew = host_option("skew", 1, 0, 65536)};
    const uint32_t scratchpad = host_option("scratchpad", 0, 0, 98304);
    const size_t bytes = (size_t)grid * block * 4;
    const uint32_t *chain = draw_chain(args.words, &random);
    args.chain = host_upload(chain, args.words * sizeof *chain);
    args.links = host_poisoned(bytes);
    args.numbers = host_poisoned(bytes);
    host_launch("phase_toggle", hd_1d(grid), hd_1d(block), scratchpad, &args, sizeof args);

    const uint32_t *links = host_download(args.links, bytes);
    const float *numbers = host_download(args.numbers, bytes);
    for (uint32_t i = 0; i < grid * block; i++) {
        const walk right = expected(&args, chain, i, i / block);
        host_check_word("links", i, links[i], right.link);
        host_check_float("numbers", i, numbers[i], right.number);
    }
    hd_report("blocks", grid);
    return HD_PASS;
}
