/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/host_check.h"
#include "heddle_rt.h"

int hd_app_main(void)
{
    static const char *const kernels[] = {"crowd", "repeated", "silent"};
    const uint32_t kernel = host_option("kernel", 0, 0, 2);
    const uint32_t warps = host_option("warps", 24, 1, 1u << 12);
    const uint32_t words = host_option("words", 4096, 2, 1u << 20);
    const contention_args args = {.data = host_filled(0, words * sizeof(uint32_t)),
                                  .words = words,
                                  .loads = host_option("loads", 100, 0, 1u << 10),
                                  .stores = host_option("stores", 2, 1, 1u << 20),
                                  .attempts = host_option("attempts", 256, 2, 1u << 20)};
    const uint32_t blocks[] = {warps, 1, 1}, threads[] = {32, 1, 33};
    host_launch(kernels[kernel], hd_1d(blocks[kernel]), hd_1d(threads[kernel]), 0, &args, sizeof args);
    uint32_t *data = hd_host_alloc(words * sizeof(uint32_t));
    hd_copy_from_device(data, args.data, words * sizeof(uint32_t));
    uint32_t sum = 0;
    for (uint32_t i = 0; i < words; i++)
        sum += data[i];
    const uint32_t expected[] = {32 * warps * args.stores, args.stores, 33};
    hd_check(sum == expected[kernel], "the words' sum is %u, not %u", sum, expected[kernel]);
    return HD_PASS;
}
