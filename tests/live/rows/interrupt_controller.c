/* SPDX-License-Identifier: MIT */
#include "../live.h"

/* clang-format off */
LIVE_TABLE(live_interrupt_controller, "interrupt_controller/plic",
    {"address", "0x18010000000 | 0x18080000000", "computes", "fails: where nothing answers"},
    {"latency", "2 cycles | 500 cycles", "devices", "host_cpu.bus_wait_cycles grows"},
    {"harts", "1 | 4", "devices", "interrupt_controller.refused shrinks"});
