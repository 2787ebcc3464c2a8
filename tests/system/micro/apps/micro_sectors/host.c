/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/host_check.h"

/* One word of each thread, or several, apart from each other. */
int hd_app_main(void)
{
    uint32_t blocks = host_option("blocks", 1, 1, 65535);
    uint32_t block = host_option("block", 32, 1, 1024);
    micro_sectors_args args = {.step = host_option("step", 32, 4, 1u << 16),
                               .count = host_option("count", 1, 1, 1u << 16),
                               .stores = host_option("stores", 0, 0, 1),
                               .loads = host_option("loads", 1, 0, 1)};
    args.start = hd_malloc(blocks * block * args.count * args.step);
    hd_launched launch = host_launch("micro_sectors", hd_1d(blocks), hd_1d(block), 0, &args, sizeof args);
    hd_report("cycles", hd_launch_cycles(launch));
    return HD_PASS;
}
