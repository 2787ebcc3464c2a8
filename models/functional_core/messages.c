/* SPDX-License-Identifier: MIT */
/* Between turns: launches come in, finished blocks go out, and cycles are counted. */
#include "hd_link.h"
#include "state.h"

void ask_for_turn(functional_core *core, uint64_t edge)
{
    if (edge < core->busy_until)
        edge = core->busy_until;
    core->turn_asked = 1;
    core->direct->request(core->direct->context, hd_clock_edge(core->now.clock, edge));
}

static void announce_capacity(functional_core *core, hd_time t)
{
    if (core->capacity_sent || !hd_link_has_credit(core->services, core->event, t))
        return;
    const hd_core_capacity capacity = {
        .lanes = core->lane_count,
        .warps = core->warp_count,
        .threads = core->warp_count * core->lane_count,
        .blocks = core->block_count,
        .registers = (uint32_t)parameter_of(core, PARAMETER_REGISTERS),
        .registers_per_thread = (uint32_t)parameter_of(core, PARAMETER_REGISTERS_PER_THREAD),
        .scratchpad_bytes = (uint32_t)parameter_of(core, PARAMETER_SCRATCHPAD_BYTES),
    };
    simt_core_send(core->services, core->event, core->message_capacity, 0, &capacity, sizeof capacity, t);
    core->capacity_sent = 1;
}

static void account_until(void *block, uint64_t edge)
{
    functional_core *core = block;
    const uint64_t cycles = hd_walk_account(&core->accounted, edge);
    if (core->residents.blocks && !core->halted)
        core->counters.cycles += cycles;
}

static void work(void *block, hd_time t)
{
    functional_core *core = block;
    if (core->halted)
        return;
    announce_capacity(core, t);
    functional_residency_end_blocks(core, t);
    functional_residency_accept(core, t);
}

static hd_time next(const void *block)
{
    const functional_core *core = block;
    uint64_t edge = UINT64_MAX;
    if (core->halted)
        return HD_NEVER;
    for (uint32_t slot = 0; slot < core->block_count && core->ended_blocks && !core->starved; slot++) {
        const block_state *ended = &core->blocks[slot];
        if (ended->resident && !ended->threads.live && ended->ended < edge)
            edge = ended->ended;
    }
    hd_time t = edge == UINT64_MAX ? HD_NEVER : hd_cursor_edge_from(&core->now, hd_clock_edge(core->now.clock, edge));
    if (!core->held)
        t = hd_earlier(t, hd_cursor_edge_from(&core->now, hd_link_arrival(core->dispatch)));
    return t;
}

hd_time functional_advance(hd_block *block, hd_time now, hd_time horizon)
{
    static const hd_walk walk = {.account_until = account_until, .work = work, .next = next};
    functional_core *core = (functional_core *)block;
    return hd_walk_span(&walk, core, &core->now, now, horizon);
}

const uint64_t *functional_counters_of(hd_block *block)
{
    functional_core *core = (functional_core *)block;
    const uint64_t depth = core->reconvergence_unit->maximum_depth(core->reconvergence);
    if (depth > core->counters.maximum_stack_depth)
        core->counters.maximum_stack_depth = depth;
    return (const uint64_t *)&core->counters;
}
