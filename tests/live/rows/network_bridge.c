/* SPDX-License-Identifier: MIT */
#include "../live.h"

/* clang-format off */
LIVE_TABLE(live_network_bridge, "network_bridge/lines",
    {"requests", "8 | 1", "bridged", "network_bridge.max_requests shrinks; network_bridge.busy_cycles grows; network_bridge.reads stays"});
