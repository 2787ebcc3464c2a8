/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/host_check.h"

int hd_app_main(void)
{
    uint32_t n = host_option("n", 65536, 1, 1u << 26);
    uint32_t block = host_option("block", 256, 1, 1024);
    uint32_t launches = host_option("launches", 1, 1, 1u << 16);
    uint64_t random = hd_option("seed", 1);

    size_t bytes = n * sizeof(uint32_t);
    uint32_t *a = hd_host_alloc(bytes);
    uint32_t *b = hd_host_alloc(bytes);
    uint32_t *c = hd_host_alloc(bytes);
    for (uint32_t i = 0; i < n; i++) {
        a[i] = (uint32_t)hd_random(&random);
        b[i] = (uint32_t)hd_random(&random);
    }

    stream_args args = {.a = host_upload(a, bytes), .b = host_upload(b, bytes), .c = host_poisoned(bytes), .n = n};
    host_launch_times(launches, "stream", host_blocks(n, block), hd_1d(block), 0, &args, sizeof args);

    hd_copy_from_device(c, args.c, bytes);
    for (uint32_t i = 0; i < n; i++)
        host_check_word("c", i, c[i], a[i] + 3 * b[i] + i);
    hd_report("elements", (uint64_t)n * launches);
    hd_report("bytes", 3 * (uint64_t)bytes * launches);
    return HD_PASS;
}
