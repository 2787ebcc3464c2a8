/* SPDX-License-Identifier: MIT */
#include "../live.h"

/* clang-format off */
LIVE_TABLE(live_commit_unit, "commit_unit/getm",
    {"bytes", "16 KiB | 512 B", "late_logs", "commit_unit.wait_cycles.buffer grows"},
    {"bytes_per_cycle", "32 B | 2 B", "transactions", "commit_unit.busy_cycles grows; time differs"},
    {"coalesce", "true | false", "late_logs; core.stride=4", "commit_unit.merged shrinks; commit_unit.stores differs"},
    {"logs", "256 | 1", "transactions", "commit_unit.wait_cycles.buffer grows"});
