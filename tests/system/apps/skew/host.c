/* SPDX-License-Identifier: MIT */
/* Which result is right depends on the order of the transactions: who checks that is --check-tx. */
#include "args.h"
#include "common/host_check.h"

int hd_app_main(void)
{
    const uint32_t threads = host_option("threads", 1920, 1, 1u << 16);
    const uint32_t count = host_option("words", 512, 2, 1u << 16);
    uint64_t random = hd_option("seed", 1);
    uint32_t *pairs = hd_host_alloc(2 * threads * sizeof(uint32_t));
    for (uint32_t i = 0; i < threads; i++) {
        pairs[2 * i] = host_random_below(&random, count);
        pairs[2 * i + 1] = (pairs[2 * i] + 1 + host_random_below(&random, count - 1)) % count;
    }
    const skew_args args = {.pairs = host_upload(pairs, 2 * threads * sizeof(uint32_t)),
                            .words = host_filled(0, count * sizeof(uint32_t)),
                            .threads = threads};
    host_launch("skew", host_blocks(threads, 64), hd_1d(64), 0, &args, sizeof args);
    uint32_t *words = hd_host_alloc(count * sizeof(uint32_t));
    hd_copy_from_device(words, args.words, count * sizeof(uint32_t));
    return HD_PASS;
}
