/* SPDX-License-Identifier: MIT */
#include "../live.h"

/* clang-format off */
LIVE_TABLE(live_host_bus, "host_bus/decoder",
    {"width", "16 B | 1 B", "firmware", "host_bus.request_busy_cycles grows; host_bus.response_busy_cycles grows"},
    {"requests", "16 | 1", "firmware", "host_bus.request_wait_cycles grows"});
