/* SPDX-License-Identifier: MIT */
#include "../live.h"

/* clang-format off */
LIVE_TABLE(live_commit_id_vendor, "commit_id_vendor/contiguous",
    {"latency", "0 cycles | 100 cycles", "kilo", "commit_id_vendor.request_cycles grows"},
    {"rate", "0 | 1", "kilo; core.delay=1", "commit_id_vendor.request_cycles grows"});
