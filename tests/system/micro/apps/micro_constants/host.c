/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/host_check.h"

int hd_app_main(void)
{
    uint32_t blocks = host_option("blocks", 1, 1, 65535);
    uint32_t block = host_option("block", 32, 1, 1024);
    micro_constants_args args = {.rounds = host_option("rounds", 1, 1, 1u << 20), .word = 3};
    args.result = host_poisoned(blocks * block * sizeof(uint32_t));
    hd_launched launch = host_launch("micro_constants", hd_1d(blocks), hd_1d(block), 0, &args, sizeof args);
    hd_report("cycles", hd_launch_cycles(launch));
    return HD_PASS;
}
