/* SPDX-License-Identifier: MIT */
#include "../live.h"

/* clang-format off */
LIVE_TABLE(live_functional_core, "simt_core/functional",
    {"lanes", "32 | 16", "functional_integer", "simt_core.warps_run grows; simt_core.threads_run stays"},
    {"warps", "16 | 4", "functional_crowd", "simt_core.maximum_warps shrinks"},
    {"blocks", "4 | 1", "functional_crowd", "simt_core.maximum_blocks shrinks"},
    {"registers", "32768 | 3000", "functional_crowd", "simt_core.maximum_blocks shrinks"},
    {"registers_per_thread", "20 | 64", "functional_crowd; core.registers=16384", "simt_core.maximum_blocks shrinks"},
    {"scratchpad.bytes", "16 KiB | 4 KiB", "functional_shared", "simt_core.maximum_blocks shrinks"},
    {"scratchpad.bytes", "16 KiB | 2 KiB", "functional_shared", "fails: scratchpad"},
    {"reconvergence", "stack | mimd", "functional_divergent", "simt_core.warp_instructions grows"},
    {"reconvergence", "aware | mimd", "functional_barrier", "simt_core.aware_barrier_blocks shrinks"},
    {"reconvergence.aware.splits", "0 | 1", "functional_spilled_splits", "simt_core.aware_split_spills grows; simt_core.aware_split_fills grows"},
    {"reconvergence.aware.meetings", "0 | 1", "functional_spilled_splits", "simt_core.aware_meeting_spills grows; simt_core.aware_meeting_fills grows"},
    {"reconvergence.aware.first", "not_taken | taken", "functional_lock_and_sides", "simt_core.warp_instructions differs"},
    {"reconvergence.aware.rotate", "all | back | divergent", "functional_turns", "simt_core.aware_rotations shrinks"},
    {"reconvergence.aware.delayed", "true | false", "functional_turns; core.reconvergence.aware.timeout=5000 cycles", "simt_core.aware_timeouts grows"},
    {"reconvergence.aware.timeout", "200 cycles | 2000 cycles", "functional_timed_out", "simt_core.warp_instructions grows"},
    {"reconvergence.stack.first", "taken | fewer", "functional_sides", "simt_core.warp_instructions differs"},
    {"reconvergence.stack.first", "taken | not_taken", "functional_sides", "simt_core.warp_instructions differs"},
    {"ssde", "off | virtual | rewritten", "functional_sides", "simt_core.thread_instructions grows"},
    {"barrier.early_exit", "warn | fault", "functional; app.kernel=leave", "fails: have ended without it"},
    {"quantum", "64 | 1", "functional_sides", "simt_core.warp_instructions differs"},
    {"instructions_per_cycle", "1 | 4", "functional_integer", "simt_core.cycles shrinks"},
    {"run_ahead", "1024 cycles | 16 cycles", "functional_integer", "simt_core.turns grows; simt_core.warp_instructions stays"});
