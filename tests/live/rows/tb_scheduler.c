/* SPDX-License-Identifier: MIT */
#include "../live.h"

#define USED(policy, parameter, values, more, effect)                                                                  \
    {                                                                                                                  \
        "policy." policy "." parameter, values, "used_by_" policy more, effect                                         \
    }
/* Of a policy by use (models/tb_scheduler/policy/usage): those of all, of the ones that preempt, of the ones with a table. */
#define USED_BY(policy)                                                                                                \
    USED(policy, "bits", "3 | 1", "", "tb_scheduler." policy "_updates shrinks"),                                      \
        USED(policy, "memory_steps", "64 | 8", "", "kernels differs"),                                                 \
        USED(policy, "float_steps", "0 | 64", "; app.kernel=floating; app.other=floating",                             \
             "tb_scheduler." policy "_updates grows"),                                                                 \
        USED(policy, "demand_steps", "0 | 4", "", "tb_scheduler." policy "_updates differs"),                          \
        {"policy." policy ".abort_steps", "0 | 8", "aborts_used_by_" policy, "tb_scheduler." policy "_updates grows"}, \
        USED(policy, "limit", "1000 | 25", "", "tb_scheduler.stall_policy_cycles grows"),                              \
        USED(policy, "period_factor", "1 | 50", "", "tb_scheduler.stall_policy_cycles differs"),                         \
        USED(policy, "period_rate", "1000 B | 7 B", "", "tb_scheduler.stall_policy_cycles grows"),                     \
        USED(policy, "period_minimum", "50 cycles | 500 cycles", "", "tb_scheduler.stall_policy_cycles differs")
#define USED_WITH_PREEMPTION_BY(policy)                                                                                \
    USED_BY(policy), USED(policy, "victims", "1 | 1024", "", "tb_scheduler." policy "_victims_full shrinks"),          \
        USED(policy, "watchdog", "1 | 0", "", "tb_scheduler." policy "_overdue shrinks"),                              \
        USED(policy, "scan", "eased | all", "", "tb_scheduler.preemptions differs")
#define USED_WITH_TABLE(policy) USED(policy, "table", "8 B | 16 KiB", "", "tb_scheduler." policy "_aliases shrinks")

/* clang-format off */
LIVE_TABLE(live_tb_scheduler, "tb_scheduler/round_robin",
    {"grids", "16 | 1", "queues", "tb_scheduler.max_grids shrinks"},
    {"order", "arrival | stream", "crowded_queues", "kernels differs"},
    {"dispatches", "4 | 1", "wide; app.grid=128", "kernels grows"},
    {"per_core", "0 cycles | 1 cycle", "wide; app.grid=128", "tb_scheduler.dispatch_cycles shrinks; kernels shrinks"},
    {"context_slots", "1024 | 1", "crowd", "tb_scheduler.stall_slot_cycles grows; tb_scheduler.max_resident_blocks shrinks"},
    {"policy", "greedy | time_slice", "crowd", "refused: which 'core' takes only with"},
    {"policy", "greedy | rut_predict_only", "crowd", "refused: which 'core' takes only with"},
    {"policy", "rut | rut_preempt_only | kernel_profile", "used_by_rut", "kernels differs"},
    {"policy", "static_oracle | greedy", "used_by_static_oracle", "tb_scheduler.stall_policy_cycles shrinks"},
    {"policy.static_oracle.profile", LIVE_MACHINES "/heavy.levels | " LIVE_MACHINES "/light.levels", "used_by_static_oracle", "tb_scheduler.stall_policy_cycles shrinks"},
    {"policy.static_oracle.bits", "3 | 1", "used_by_static_oracle", "tb_scheduler.stall_policy_cycles shrinks"},
    {"policy.static_oracle.memory_steps", "8 | 0", "used_by_static_oracle", "tb_scheduler.stall_policy_cycles shrinks"},
    {"policy.static_oracle.float_steps", "8 | 0", "used_by_static_oracle; tb_scheduler.policy.static_oracle.memory_steps=0", "tb_scheduler.stall_policy_cycles shrinks"},
    {"policy.static_oracle.demand_steps", "0 | 8", "used_by_static_oracle; tb_scheduler.policy.static_oracle.memory_steps=0", "tb_scheduler.stall_policy_cycles grows"},
    {"policy.static_oracle.abort_steps", "0 | 8", "used_by_static_oracle; tb_scheduler.policy.static_oracle.memory_steps=0", "tb_scheduler.stall_policy_cycles grows"},
    {"policy.static_oracle.limit", "100 | 1000", "used_by_static_oracle", "tb_scheduler.stall_policy_cycles shrinks"},
    {"transport", "preempt | ideal", "preempted", "simt_core.context_cycles shrinks"},
    {"transport", "shuffle | preempt", "shuffled", "refused: which"},
    {"buffers", "1 | 8", "shuffled", "tb_scheduler.buffers_full shrinks"},
    {"buffer_bytes", "128 B | 32 KiB", "shuffled", "simt_core.context_buffer_overflows shrinks; tb_scheduler.shuffles grows"},
    {"overlap", "false | true", "shuffled_at_once", "tb_scheduler.overlaps grows; l2_slice.context_waits grows"},
    {"policy.time_slice.slice", "100 cycles | 3000 cycles", "preempted", "tb_scheduler.preemptions shrinks"},
    USED_WITH_PREEMPTION_BY("rut"), USED_WITH_TABLE("rut"), USED_BY("rut_predict_only"), USED_WITH_TABLE("rut_predict_only"),
    USED_WITH_PREEMPTION_BY("rut_preempt_only"), USED_WITH_PREEMPTION_BY("kernel_profile"));
