/* SPDX-License-Identifier: MIT */
#include "../live.h"

/* clang-format off */
LIVE_TABLE(live_timer, "timer/clint",
    {"address", "0x18000000000 | 0x18080000000", "devices", "timer.accesses shrinks"},
    {"latency", "2 cycles | 500 cycles", "devices", "host_cpu.bus_wait_cycles grows"},
    {"tick", "10 MHz | 1 MHz", "devices", "host_cpu.sleep_cycles grows"},
    {"harts", "1 | 4", "devices", "timer.refused shrinks"});
