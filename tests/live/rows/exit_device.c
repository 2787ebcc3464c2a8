/* SPDX-License-Identifier: MIT */
#include "../live.h"

/* clang-format off */
LIVE_TABLE(live_exit_device, "exit_device/mailbox",
    {"address", "0x18030000000 | 0x18080000000", "computes", "fails: where nothing answers"},
    {"latency", "2 cycles | 500 cycles", "computes", "host_cpu.bus_wait_cycles grows"});
