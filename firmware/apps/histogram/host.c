/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/host_check.h"

int hd_app_main(void)
{
    uint32_t n = host_option("n", 65536, 1, 1u << 26);
    uint32_t bins = host_option("bins", 256, 1, 4096);
    uint32_t block = host_option("block", 256, 1, 1024);
    uint32_t grid = host_option("grid", 60, 1, 1u << 20);
    uint64_t random = hd_option("seed", 1);

    size_t bytes = n * sizeof(uint32_t);
    size_t bin_bytes = bins * sizeof(uint32_t);
    uint32_t *values = hd_host_alloc(bytes);
    uint32_t *expected = hd_host_alloc(bin_bytes);
    for (uint32_t i = 0; i < n; i++) {
        /* The smaller of two draws: low bins are met more often, as in pictures. */
        uint32_t one = host_random_below(&random, bins);
        uint32_t other = host_random_below(&random, bins);
        values[i] = one < other ? one : other;
        expected[values[i]]++;
    }

    histogram_args args = {
        .values = host_upload(values, bytes), .counts = host_filled(0, bin_bytes), .n = n, .bins = bins};
    host_launch("histogram", hd_1d(grid), hd_1d(block), (uint32_t)bin_bytes, &args, sizeof args);

    uint32_t *counts = hd_host_alloc(bin_bytes);
    hd_copy_from_device(counts, args.counts, bin_bytes);
    for (uint32_t bin = 0; bin < bins; bin++)
        host_check_word("counts", bin, counts[bin], expected[bin]);
    hd_report("elements", n);
    return HD_PASS;
}
