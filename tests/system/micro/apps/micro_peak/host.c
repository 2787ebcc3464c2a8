/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/host_check.h"

int hd_app_main(void)
{
    uint32_t blocks = host_option("blocks", 2, 1, 65535);
    uint32_t block = host_option("block", 512, 32, 1024);
    micro_peak_args args = {.rounds = host_option("rounds", 8, 1, 1u << 20)};
    uint32_t threads = blocks * block;
    uint32_t *sums = hd_host_alloc(threads * sizeof *sums);

    args.sums = host_poisoned(threads * sizeof *sums);
    hd_launched launch = host_launch("micro_peak", hd_1d(blocks), hd_1d(block), 0, &args, sizeof args);
    hd_report("cycles", hd_launch_cycles(launch));

    hd_copy_from_device(sums, args.sums, threads * sizeof *sums);
    for (uint32_t i = 0; i < threads; i++)
        host_check_word("sums", i, sums[i], args.rounds * MICRO_PEAK_ADDS);
    return HD_PASS;
}
