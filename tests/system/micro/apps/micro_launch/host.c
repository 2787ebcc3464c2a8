/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/host_check.h"

/* Launches that do nothing, one after the other. */
int hd_app_main(void)
{
    uint32_t launches = host_option("launches", 1, 1, 1000);
    uint32_t blocks = host_option("blocks", 1, 1, 65535);
    uint32_t block = host_option("block", 32, 1, 1024);
    micro_launch_args args = {0};
    for (uint32_t i = 0; i < launches; i++) {
        hd_launched launch = host_launch("micro_launch", hd_1d(blocks), hd_1d(block), 0, &args, sizeof args);
        hd_report("cycles", hd_launch_cycles(launch));
    }
    return HD_PASS;
}
