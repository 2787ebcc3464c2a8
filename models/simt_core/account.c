/* SPDX-License-Identifier: MIT */
/* Every cycle with a resident block gives each issue port one slot, and every slot is counted once. */
#include "core.h"

static uint64_t *reason(simt_core *core, uint32_t port)
{
    const uint32_t *ready = core->ready_count[port];
    const uint32_t *status = core->status_count[port];
    if (status[PATH_READY])
        return status[PATH_READY] == ready[UNIT_MEMORY] ? &core->counters.slots_memory_pipe
                                                        : &core->counters.slots_unit_busy;
    if (status[PATH_WAIT_DATA] || status[PATH_FENCE])
        return &core->counters.slots_memory_data;
    if (status[PATH_WAIT_RESULT])
        return &core->counters.slots_dependence;
    if (status[PATH_FETCH_MISS])
        return &core->counters.slots_fetch;
    if (status[PATH_FETCH] || status[PATH_CONTROL])
        return &core->counters.slots_control;
    if (status[PATH_BARRIER] || status[PATH_WARP_SYNC])
        return &core->counters.slots_barrier;
    return &core->counters.slots_idle;
}

/* Nothing has changed since they began: what each port did then it did in all these cycles. */
void account_span(simt_core *core, uint64_t until)
{
    uint64_t cycles = until - core->accounted;
    for (uint32_t port = 0; core->resident_blocks && port < core->scheduler_count; port++) {
        uint64_t busy = 0;
        if (core->port_busy_until[port] > core->accounted)
            busy = core->port_busy_until[port] - core->accounted;
        busy = busy < cycles ? busy : cycles;
        core->counters.slots_port_busy += busy;
        if (busy < cycles)
            *reason(core, port) += cycles - busy;
    }
    core->counters.cycles += core->resident_blocks ? cycles : 0;
    core->accounted = until;
}

void account_edge(simt_core *core, uint32_t issued_ports)
{
    core->counters.cycles++;
    for (uint32_t port = 0; port < core->scheduler_count; port++) {
        if (issued_ports >> port & 1)
            core->counters.slots_issued++;
        else if (core->port_busy_until[port] > core->now.n)
            core->counters.slots_port_busy++;
        else
            ++*reason(core, port);
    }
}

void account_issue(simt_core *core, uint32_t path)
{
    const struct path *p = &core->paths[path];
    path_state *state = &core->path_states[path];
    path_count_lanes(&state->count, p->mask, core->lane_count, core->warps[p->warp].retired);
    core->counters.warp_instructions++;
    core->counters.thread_instructions += state->count.active;
    (&core->counters.integer_instructions)[instruction_group(state->instruction)]++;
    (&core->counters.lanes_1_4)[state->count.group]++;
}

uint64_t account_retired(const simt_core *core, uint32_t path, uint32_t lane)
{
    return core->warps[core->paths[path].warp].retired[lane] + core->path_states[path].count.instructions;
}

const uint64_t *core_counters_of(hd_block *block)
{
    simt_core *core = (simt_core *)block;
    if (!core->halted)
        account_until(core, hd_cursor_index_of(&core->now, core->horizon));
    uint64_t depth = core->reconvergence_unit->maximum_depth(core->reconvergence);
    if (depth > core->counters.maximum_stack_depth)
        core->counters.maximum_stack_depth = depth;
    return (const uint64_t *)&core->counters;
}
