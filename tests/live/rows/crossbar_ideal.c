/* SPDX-License-Identifier: MIT */
#include "../live.h"

/* clang-format off */
LIVE_TABLE(live_crossbar_ideal, "crossbar/ideal",
    {"flit_bytes", "32 B | 8 B", "ideal_network", "crossbar.flits grows; crossbar.packets stays"},
    {"latency", "5 cycles | 50 cycles", "ideal_network", "simt_core.load_latency_cycles grows; crossbar.packets stays"});
