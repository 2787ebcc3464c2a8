/* SPDX-License-Identifier: MIT */
#include "../live.h"

/* clang-format off */
LIVE_TABLE(live_tb_scheduler, "tb_scheduler/round_robin",
    {"grids", "16 | 1", "queues", "tb_scheduler.max_grids shrinks"},
    {"dispatches", "4 | 1", "wide; app.grid=128", "kernels grows"},
    {"per_core", "0 cycles | 1 cycle", "wide; app.grid=128", "tb_scheduler.dispatch_cycles shrinks; kernels shrinks"},
    {"context_slots", "1024 | 1", "crowd", "tb_scheduler.stall_slot_cycles grows; tb_scheduler.max_resident_blocks shrinks"},
    {"policy", "greedy | time_slice", "crowd", "refused: which 'core' takes only with"},
    {"policy.time_slice.slice", "100 cycles | 3000 cycles", "preempted", "tb_scheduler.preemptions shrinks"});
