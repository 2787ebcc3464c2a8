/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/host_check.h"

int hd_app_main(void)
{
    uint32_t threads = host_option("threads", 8192, 1, 1u << 26);
    uint32_t steps = host_option("steps", 512, 1, 1u << 30);
    uint32_t block = host_option("block", 256, 1, 1024);
    uint64_t random = hd_option("seed", 1);

    size_t bytes = threads * sizeof(uint32_t);
    uint32_t *seeds = hd_host_alloc(bytes);
    uint32_t *states = hd_host_alloc(bytes);
    for (uint32_t i = 0; i < threads; i++)
        seeds[i] = (uint32_t)hd_random(&random) | 1;

    xorshift_args args = {.state = host_upload(seeds, bytes), .steps = steps, .threads = threads};
    host_launch("xorshift", host_blocks(threads, block), hd_1d(block), 0, &args, sizeof args);

    hd_copy_from_device(states, args.state, bytes);
    for (uint32_t i = 0; i < threads; i++) {
        uint32_t x = seeds[i];
        for (uint32_t step = 0; step < steps; step++)
            x = xorshift_step(x);
        host_check_word("state", i, states[i], x);
    }
    hd_report("steps", (uint64_t)threads * steps);
    return HD_PASS;
}
