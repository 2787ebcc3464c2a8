/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/host_check.h"

#define FILLER 0x35u
#define REGISTERS 16u

int hd_app_main(void)
{
    uint32_t blocks = host_option("blocks", 2, 1, 65535);
    uint32_t block = host_option("block", 512, 32, 1024);
    uint32_t in_scratchpad = host_option("scratchpad", 0, 0, 1);
    micro_reads_args args = {.rounds = host_option("rounds", 8, 1, 1u << 20),
                             .stride = host_option("stride", 1, 1, 64)};
    uint32_t bytes = MICRO_READS_BYTES + 63 * 4 * (args.stride - 1);
    uint32_t threads = blocks * block;
    uint32_t *sums = hd_host_alloc(threads * sizeof *sums);

    args.sums = host_poisoned(threads * sizeof *sums);
    if (!in_scratchpad) {
        args.start = hd_malloc(bytes);
        hd_fill(args.start, FILLER, bytes);
    }
    hd_launched launch =
        host_launch("micro_reads", hd_1d(blocks), hd_1d(block), in_scratchpad ? bytes : 0, &args, sizeof args);
    hd_report("cycles", hd_launch_cycles(launch));

    hd_copy_from_device(sums, args.sums, threads * sizeof *sums);
    for (uint32_t i = 0; i < threads; i++)
        host_check_word("sums", i, sums[i], in_scratchpad ? 0 : REGISTERS * (FILLER * 0x01010101u));
    return HD_PASS;
}
