/* SPDX-License-Identifier: MIT */
#include "reconvergence_port.h"

static uint32_t has_room(const void *context)
{
    const simt_core *core = context;
    return memory_can_submit(core->memory);
}

static void begin(void *context, uint32_t warp, uint32_t place, uint32_t writes, uint32_t tag)
{
    simt_core *core = context;
    const uint32_t line = (uint32_t)core_parameter_of(core, PARAMETER_L1_LINE);
    const memory_log_run run = {.place = place & ~(line - 1), .count = 1, .writes = (uint16_t)writes};
    const uint32_t path = core_paths_of(core, warp).first;
    const uint32_t ticket =
        memory_submit_walk(core->memory, &core->reconvergence.access, path, warp, &run, 1, core->now.t);
    core->tickets[ticket] = (ticket_state){
        .instruction = &core->reconvergence.access, .path = path, .warp = warp, .homes = warp, .tag = tag};
}

const reconvergence_memory *reconvergence_port_create(simt_core *core)
{
    core->reconvergence.access = isa_decode(0x00002003); /* lw zero, 0(zero) */
    core->reconvergence.memory = (reconvergence_memory){.context = core, .has_room = has_room, .access = begin};
    return &core->reconvergence.memory;
}

uint32_t reconvergence_port_done(simt_core *core, const ticket_state *access)
{
    if (access->instruction != &core->reconvergence.access)
        return 0;
    core->edges.changed = 1;
    core->reconvergence.unit->accessed(core->reconvergence.state, access->warp, access->tag);
    return 1;
}
