/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/transactional.h"

enum { SUM, QUOTIENT, RESIDUE };

static uint32_t expected_sum(const uint32_t *words, uint32_t kernel, const strides_args *args, uint32_t thread)
{
    const uint32_t count = kernel == QUOTIENT ? args->count / 10 * 10 : args->count;
    uint32_t sum = 0;
    for (uint32_t i = 0; i < count; i++)
        if (kernel != RESIDUE || i % 4)
            sum += words[strides_place(thread, kernel == SUM ? i * args->step : i)];
    return sum;
}

int hd_app_main(void)
{
    static const char *const names[] = {"sum", "quotient", "residue"};
    static const char *const kernels[] = {"strides_sum", "strides_quotient", "strides_residue"};
    const uint32_t kernel = HOST_CHOICE("kernel", hd_option_text("kernel", "sum"), names);
    const uint32_t count = host_option("count", 40, 1, 1u << 15), block = host_option("block", 64, 1, 1024);
    const uint32_t grid = host_option("grid", 30, 1, 1u << 10);
    uint64_t random = hd_option("seed", 1);
    uint32_t words[STRIDES_WORDS];
    for (uint32_t i = 0; i < STRIDES_WORDS; i++)
        words[i] = (uint32_t)hd_random(&random);
    const uint32_t bytes = grid * block * (uint32_t)sizeof(uint32_t);
    strides_args args = {.words = host_upload(words, sizeof words),
                         .sums = host_poisoned(bytes),
                         .count = count,
                         .step = host_option("step", 256, 1, 1u << 16)};
    host_launch(kernels[kernel], hd_1d(grid), hd_1d(block), 0, &args, sizeof args);
    const uint32_t *sums = host_download(args.sums, bytes);
    for (uint32_t i = 0; i < grid * block; i++)
        host_check_word("sums", i, sums[i], expected_sum(words, kernel, &args, i));
    return HD_PASS;
}
