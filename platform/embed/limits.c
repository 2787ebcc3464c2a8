/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "session.h"

static void raise_to(uint32_t *largest, uint64_t value)
{
    if (value > *largest)
        *largest = value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
}

/* Threads of one block that is alone on the core. */
static uint64_t threads_of(const hd_core_capacity *core)
{
    const uint64_t in_warps = (uint64_t)core->warps * core->lanes,
                   in_registers = core->registers_per_thread ? core->registers / core->registers_per_thread : in_warps;
    const uint64_t fewer = in_warps < in_registers ? in_warps : in_registers;
    return fewer < core->threads ? fewer : core->threads;
}

static void add_cores(const hd_machine *machine, heddle_limits *limits)
{
    const hd_core_capacity *core;
    while ((core = hd_machine_core(machine, limits->cores))) {
        limits->cores++;
        raise_to(&limits->lanes, core->lanes);
        raise_to(&limits->warps_per_core, core->warps);
        raise_to(&limits->blocks_per_core, core->blocks);
        raise_to(&limits->threads_per_block, threads_of(core));
        raise_to(&limits->scratchpad_bytes, core->scratchpad_bytes);
    }
}

static heddle_limits limits_of(const session *s)
{
    const hd_clock clock = hd_machine_launch_clock(s->machine);
    heddle_limits limits = {.memory_bytes = s->memory_bytes,
                            .free_bytes = heap_largest_gap(&s->heap),
                            .clock_period = clock.hz ? hd_clock_edge(clock, 1) : 0,
                            .argument_bytes = HEDDLE_ARGUMENT_BYTES_MAX,
                            .queues = s->device_queues,
                            .copies_by_dma = s->has_copies,
                            .cache_bytes = hd_machine_cache_bytes(s->machine)};
    add_cores(s->machine, &limits);
    return limits;
}

heddle_error heddle_limits_get(heddle_machine *machine, heddle_limits *limits)
{
    session *s;
    uint32_t index;
    if (!limits)
        return fail_null(__func__, "limits");
    const size_t bytes = limits->struct_bytes;
    heddle_error error = check_struct(__func__, "limits.struct_bytes", bytes, 24);
    if (!error)
        error = session_enter(machine, HANDLE_MACHINE, __func__, &s, &index);
    if (error)
        return error;
    heddle_limits all = limits_of(s);
    all.struct_bytes = bytes;
    memcpy(limits, &all, bytes < sizeof all ? bytes : sizeof all);
    return session_leave(s, HEDDLE_OK);
}
