/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/host_check.h"

int hd_app_main(void)
{
    uint32_t blocks = host_option("blocks", 15, 1, 65535);
    uint32_t block = host_option("block", 256, 32, 1024);
    uint32_t threads = blocks * block, words = threads * MICRO_COPY_UNROLLED;
    micro_copy_args args = {.operation = host_option("operation", 0, 0, MICRO_COPY_OPERATIONS - 1)};
    uint64_t bytes = (uint64_t)words * 4;
    uint32_t last[2];

    /* What memory holds is what it began with: 0. */
    args.a = hd_malloc(bytes);
    args.b = hd_malloc(bytes);
    args.c = hd_malloc(bytes);
    args.sums = host_poisoned(threads * 4);
    hd_launched launch = host_launch("micro_copy", hd_1d(blocks), hd_1d(block), 0, &args, sizeof args);
    hd_copy_from_device(last, hd_offset(args.c, bytes - 8), sizeof last);
    uint32_t expected = args.operation == MICRO_WRITE ? 7 : 0;
    host_check_word("c", words - 1, last[1], expected);
    hd_report("cycles", hd_launch_cycles(launch));
    hd_report("words", words);
    return HD_PASS;
}
