/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/host_check.h"

int hd_app_main(void)
{
    uint32_t block = host_option("block", 32, 1, 1024);
    micro_registers_args args = {.sources = host_option("sources", 0, 0, MICRO_REGISTERS_SOURCES - 1)};
    uint32_t readings[2];

    args.result = host_poisoned(sizeof readings);
    host_launch("micro_registers", hd_1d(1), hd_1d(block), 0, &args, sizeof args);
    hd_copy_from_device(readings, args.result, sizeof readings);
    hd_report("begin", readings[0]);
    hd_report("end", readings[1]);
    return HD_PASS;
}
