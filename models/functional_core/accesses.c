/* SPDX-License-Identifier: MIT */
/* What threads do with memory, for whoever checks it (hd_accesses.h). Times are those of turns: they say who comes first. */
#include "state.h"

static void report(const functional_core *core, uint32_t slot, const hd_access *access)
{
    core->accesses->told(core->accesses->context, core->services->endpoint, &core->blocks[slot].launch, access);
}

static hd_access of_path(const functional_core *core, const path *p, uint32_t kind)
{
    return (hd_access){.t = hd_clock_edge(core->now.clock, core->turn_edge),
                       .kind = kind,
                       .warp = core->warps[p->warp].index,
                       .warp_lanes = core->lane_count,
                       .lanes = p->mask,
                       .pc = p->pc};
}

void functional_report_access(const functional_core *core, const path *p, const isa_instruction *instruction,
                              const uint32_t *address)
{
    const warp_state *warp = &core->warps[p->warp];
    hd_access access = of_path(core, p, access_kind(instruction));
    access.flags = access_flags(instruction, core->transaction != NO_SLOT);
    access.bytes = access.kind == HD_ACCESS_ATOMIC ? 4 : instruction->access_bytes;
    access.address = address;
    if (access.kind == HD_ACCESS_STORE)
        access.value = warp->lanes.registers + (size_t)instruction->rs2 * core->lane_count;
    report(core, warp->block, &access);
    if (!access_is_sampled(&access))
        return;
    const hd_access sampled = {.t = access.t,
                               .kind = HD_ACCESS_SAMPLED,
                               .warp = access.warp,
                               .warp_lanes = access.warp_lanes,
                               .lanes = access.lanes};
    report(core, warp->block, &sampled);
}

void functional_report_order(const functional_core *core, const path *p, uint32_t kind, uint32_t flags)
{
    hd_access access = of_path(core, p, kind);
    access.flags = flags;
    report(core, core->warps[p->warp].block, &access);
}

void functional_report_block(const functional_core *core, uint32_t slot, uint32_t kind, hd_time t)
{
    report(core, slot, &(hd_access){.t = t, .kind = kind, .warp_lanes = core->lane_count});
}
