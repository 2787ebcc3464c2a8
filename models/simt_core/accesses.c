/* SPDX-License-Identifier: MIT */
/* What threads do with memory, for whoever checks it (hd_accesses.h). */
#include "core.h"

static void tell(const simt_core *core, uint32_t slot, const hd_access *access)
{
    core->accesses->told(core->accesses->context, core->services->endpoint, &core->blocks[slot].launch, access);
}

void core_tell_memory(const simt_core *core, const memory_access *access, const uint32_t *address, ticket_state *ticket)
{
    const warp_state *warp = &core->warps[access->warp];
    const isa_instruction *instruction = access->instruction;
    hd_access told = {.t = core->now.t,
                      .kind = access_kind(instruction),
                      .flags = access_flags(instruction, access->transactional),
                      .warp = warp->index,
                      .warp_lanes = core->lane_count,
                      .lanes = access->mask,
                      .pc = access->pc,
                      .bytes = instruction->access_bytes,
                      .ticket = (uint32_t)(ticket - core->tickets),
                      .address = address};
    if (told.kind == HD_ACCESS_ATOMIC)
        told.bytes = 4;
    if (told.kind == HD_ACCESS_STORE)
        told.value = access->data;
    ticket->is_sampled = access_is_sampled(&told);
    tell(core, warp->block, &told);
}

void core_tell_sampled(const simt_core *core, uint32_t ticket, uint64_t lanes, hd_time t)
{
    const warp_state *warp = &core->warps[core->tickets[ticket].warp];
    tell(core, warp->block,
         &(hd_access){.t = t,
                      .kind = HD_ACCESS_SAMPLED,
                      .warp = warp->index,
                      .warp_lanes = core->lane_count,
                      .lanes = lanes,
                      .ticket = ticket});
}

void core_tell(const simt_core *core, uint32_t warp, uint64_t lanes, uint32_t kind, uint32_t flags)
{
    tell(core, core->warps[warp].block,
         &(hd_access){.t = core->now.t,
                      .kind = kind,
                      .flags = flags,
                      .warp = core->warps[warp].index,
                      .warp_lanes = core->lane_count,
                      .lanes = lanes});
}

void core_tell_block(const simt_core *core, uint32_t slot, uint32_t kind)
{
    tell(core, slot, &(hd_access){.t = core->now.t, .kind = kind, .warp_lanes = core->lane_count});
}
