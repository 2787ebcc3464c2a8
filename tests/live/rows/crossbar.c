/* SPDX-License-Identifier: MIT */
#include "../live.h"

/* clang-format off */
LIVE_TABLE(live_crossbar, "crossbar/round_robin",
    {"flit_bytes", "32 B | 8 B", "stream", "crossbar.flits grows; crossbar.packets stays"},
    {"latency", "5 cycles | 50 cycles", "stream", "simt_core.load_latency_cycles grows; crossbar.packets stays"});
