/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/host_check.h"

int hd_app_main(void)
{
    uint32_t blocks = host_option("blocks", 1, 1, 65535);
    uint32_t block = host_option("block", 32, 1, 1024);
    micro_arithmetic_args args = {.operation = host_option("operation", 0, 0, MICRO_OPERATIONS - 1),
                                  .rounds = host_option("rounds", 0, 0, 1u << 20)};
    uint32_t readings[2];

    args.result = host_poisoned((2 + blocks * block) * sizeof(uint32_t));
    hd_launched launch = host_launch("micro_arithmetic", hd_1d(blocks), hd_1d(block), 0, &args, sizeof args);
    hd_copy_from_device(readings, args.result, sizeof readings);
    hd_report("cycles", hd_launch_cycles(launch));
    hd_report("begin", readings[0]);
    hd_report("end", readings[1]);
    return HD_PASS;
}
