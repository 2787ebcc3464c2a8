/* SPDX-License-Identifier: MIT */
#include "../live.h"

/* clang-format off */
LIVE_TABLE(live_dram_fixed_latency, "dram/fixed_latency",
    {"latency", "122 cycles | 400 cycles", "fixed_memory", "simt_core.load_latency_cycles grows"},
    {"bus_bytes", "32 B | 8 B", "fixed_memory", "dram.bus_busy_cycles grows"},
    {"responses", "256 | 1", "fixed_memory", "kernels grows"});
