/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/host_check.h"

#define FILLER 0x5Bu

/* Only what is loaded is written. */
static void fill_lines(const micro_stream_args *args, uint32_t pairs)
{
    if (args->pair_bytes == 256) {
        hd_fill(args->lines, FILLER, pairs * 256);
        return;
    }
    for (uint32_t i = 0; i < pairs; i++)
        hd_fill(hd_offset(args->lines, i * args->pair_bytes), FILLER, 256);
}

int hd_app_main(void)
{
    uint32_t blocks = host_option("blocks", 15, 1, 65535);
    uint32_t block = host_option("block", 512, 64, 1024);
    micro_stream_args args = {.pair_bytes = host_option("pair_bytes", 256, 256, 1u << 20),
                              .passes = host_option("passes", 8, 1, 1u << 20),
                              .groups = host_option("groups", 1, 1, 1u << 10)};
    uint32_t threads = blocks * block;
    hd_check(block % 64 == 0, "option block is %u; it must be a multiple of 64", block);
    uint32_t pairs = threads / 64 * MICRO_STREAM_LOADS * args.groups;
    uint32_t *sums = hd_host_alloc(threads * sizeof *sums);

    args.lines = hd_malloc((uint64_t)pairs * args.pair_bytes);
    fill_lines(&args, pairs);
    args.sums = host_poisoned(threads * sizeof *sums);
    hd_launched launch = host_launch("micro_stream", hd_1d(blocks), hd_1d(block), 0, &args, sizeof args);
    hd_report("cycles", hd_launch_cycles(launch));

    hd_copy_from_device(sums, args.sums, threads * sizeof *sums);
    for (uint32_t i = 0; i < threads; i++)
        host_check_word("sums", i, sums[i], args.passes * MICRO_STREAM_LOADS * (FILLER * 0x01010101u));
    return HD_PASS;
}
