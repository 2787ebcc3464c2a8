/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/host_check.h"

int hd_app_main(void)
{
    uint32_t n = host_option("n", 65536, 1, 1u << 26);
    uint32_t block = host_option("block", 256, 1, 1024);
    uint64_t random = hd_option("seed", 1);

    size_t bytes = n * sizeof(float);
    float *a = hd_host_alloc(bytes);
    float *b = hd_host_alloc(bytes);
    float *c = hd_host_alloc(bytes);
    for (uint32_t i = 0; i < n; i++) {
        a[i] = host_random_float(&random);
        b[i] = host_random_float(&random);
    }

    vecadd_args args = {.a = host_upload(a, bytes), .b = host_upload(b, bytes), .c = host_poisoned(bytes), .n = n};
    host_launch("vecadd", host_blocks(n, block), hd_1d(block), 0, &args, sizeof args);

    hd_copy_from_device(c, args.c, bytes);
    for (uint32_t i = 0; i < n; i++)
        host_check_float("c", i, c[i], a[i] + b[i]);
    hd_report("elements", n);
    return HD_PASS;
}
