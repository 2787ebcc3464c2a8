/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/host_check.h"

int hd_app_main(void)
{
    uint32_t n = host_option("n", 65536, 1, 1u << 26);
    uint32_t block = host_option("block", 256, 1, 1024);
    uint32_t grid = host_option("grid", 60, 1, 1u << 20);
    uint64_t random = hd_option("seed", 1);

    size_t bytes = n * sizeof(uint32_t);
    uint32_t *values = hd_host_alloc(bytes);
    uint32_t expected = 0;
    for (uint32_t i = 0; i < n; i++) {
        values[i] = (uint32_t)hd_random(&random);
        expected += values[i];
    }

    reduce_args args = {.values = host_upload(values, bytes), .sum = host_filled(0, sizeof(uint32_t)), .n = n};
    host_launch("reduce", hd_1d(grid), hd_1d(block), block * sizeof(uint32_t), &args, sizeof args);

    uint32_t sum;
    hd_copy_from_device(&sum, args.sum, sizeof sum);
    host_check_word("sum", 0, sum, expected);
    hd_report("elements", n);
    hd_report("sum", sum);
    return HD_PASS;
}
