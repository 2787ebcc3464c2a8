/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/host_check.h"

/* One word per element and nothing else is written: the rest of the allocation is never touched. */
static void write_chains(const micro_chain_args *args, uint32_t chains)
{
    for (uint32_t lane = 0; lane < chains; lane++) {
        for (uint32_t k = 0; k < args->length; k++) {
            uint32_t first = args->offset + lane * args->lane_stride;
            uint32_t next = args->start.address + first + (k + 1) % args->length * args->step;
            hd_copy_to_device(hd_offset(args->start, first + k * args->step), &next, sizeof next);
        }
    }
}

int hd_app_main(void)
{
    uint32_t threads = host_option("threads", 1, 1, 1024);
    micro_chain_args args = {.lane_stride = host_option("lane_stride", 4, 0, 1u << 20),
                             .offset = host_option("offset", 0, 0, 1u << 22),
                             .step = host_option("step", 0, 0, 1u << 22),
                             .length = host_option("length", 1, 1, 1u << 10),
                             .warm = host_option("warm", 0, 0, 1u << 20)};
    uint32_t in_scratchpad = host_option("scratchpad", 0, 0, 1);
    uint32_t chains = threads < 32 ? threads : 32;
    uint32_t bytes = args.offset + (chains - 1) * args.lane_stride + (args.length - 1) * args.step + 4;
    uint32_t words = 2 + threads;
    uint32_t *result = hd_host_alloc(words * sizeof *result);

    args.result = host_poisoned(words * sizeof *result);
    if (!in_scratchpad) {
        args.start = hd_malloc(bytes);
        write_chains(&args, chains);
    }
    hd_launched launch =
        host_launch("micro_chain", hd_1d(1), hd_1d(threads), in_scratchpad ? bytes : 0, &args, sizeof args);
    hd_copy_from_device(result, args.result, words * sizeof *result);

    uint32_t base = in_scratchpad ? 0x01000000 : args.start.address;
    uint32_t last = (args.warm + MICRO_CHAIN_TIMED) % args.length * args.step;
    for (uint32_t i = 0; i < threads; i++)
        host_check_word("at", i, result[2 + i], base + args.offset + i % 32 * args.lane_stride + last);
    hd_report("cycles", hd_launch_cycles(launch));
    hd_report("start", args.start.address);
    hd_report("begin", result[0]);
    hd_report("end", result[1]);
    return HD_PASS;
}
