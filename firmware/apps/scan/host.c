/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/host_check.h"

int hd_app_main(void)
{
    uint32_t n = host_option("n", 65536, 1, 1u << 26);
    uint32_t block = host_option("block", 256, 1, 1024);
    uint64_t random = hd_option("seed", 1);

    size_t bytes = n * sizeof(uint32_t);
    uint32_t *values = hd_host_alloc(bytes);
    uint32_t *sums = hd_host_alloc(bytes);
    for (uint32_t i = 0; i < n; i++)
        values[i] = (uint32_t)hd_random(&random);

    hd_dim3 grid = host_blocks(n, block);
    scan_args args = {.values = host_upload(values, bytes),
                      .sums = host_poisoned(bytes),
                      .totals = host_poisoned(grid.x * sizeof(uint32_t)),
                      .n = n,
                      .blocks = grid.x};
    uint32_t scratchpad = 2 * block * (uint32_t)sizeof(uint32_t);
    /* Each by itself: what a launch takes does not depend on how fast the host appends the next one. */
    hd_wait(host_launch("scan_blocks", grid, hd_1d(block), scratchpad, &args, sizeof args));
    hd_wait(host_launch("scan_totals", hd_1d(1), hd_1d(block), scratchpad, &args, sizeof args));
    hd_wait(host_launch("scan_add", grid, hd_1d(block), 0, &args, sizeof args));

    hd_copy_from_device(sums, args.sums, bytes);
    uint32_t expected = 0;
    for (uint32_t i = 0; i < n; i++) {
        expected += values[i];
        host_check_word("sums", i, sums[i], expected);
    }
    hd_report("elements", n);
    return HD_PASS;
}
