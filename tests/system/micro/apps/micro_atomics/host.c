/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/host_check.h"

int hd_app_main(void)
{
    uint32_t blocks = host_option("blocks", 1, 1, 65535);
    uint32_t block = host_option("block", 32, 1, 1024);
    uint32_t lanes = host_option("lanes", 32, 1, 64);
    micro_atomics_args args = {.lane_stride = host_option("lane_stride", 0, 0, 1u << 16),
                               .places = host_option("places", 2, 1, 1u << 16),
                               .place_stride = host_option("place_stride", 0, 0, 1u << 16),
                               .lanes = lanes,
                               .rounds = host_option("rounds", 0, 0, 1u << 16)};
    uint32_t threads = blocks * block;
    uint32_t words = ((args.places - 1) * args.place_stride + (lanes - 1) * args.lane_stride) / 4 + 1;
    uint32_t readings[2] = {0, 0}, sum = 0;
    uint32_t *counts = hd_host_alloc(words * sizeof *counts);

    hd_check(block % lanes == 0 || args.rounds == 0, "option block is %u; it must be a multiple of %u", block, lanes);
    args.start = host_filled(0, words * sizeof *counts);
    args.result = host_filled(0, sizeof readings);
    hd_launched launch = host_launch("micro_atomics", hd_1d(blocks), hd_1d(block), 0, &args, sizeof args);
    hd_copy_from_device(counts, args.start, words * sizeof *counts);
    hd_copy_from_device(readings, args.result, sizeof readings);
    for (uint32_t i = 0; i < words; i++)
        sum += counts[i];
    hd_check(args.rounds == 0 || sum == 4 * threads * args.rounds, "the words add up to %u, not to %u", sum,
             4 * threads * args.rounds);
    hd_report("cycles", hd_launch_cycles(launch));
    hd_report("begin", readings[0]);
    hd_report("end", readings[1]);
    return HD_PASS;
}
