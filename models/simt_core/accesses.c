/* SPDX-License-Identifier: MIT */
/* What threads do with memory, for whoever checks it (hd_accesses.h). */
#include "core_lanes.h"

static void report(const simt_core *core, uint32_t slot, const hd_access *access)
{
    core->accesses->told(core->accesses->context, core->services->endpoint, &core->blocks[slot].launch, access);
}

/* Once of each warp of which lanes are. */
static void report_each_warp(const simt_core *core, uint32_t homes, const hd_access *access)
{
    for (uint64_t left = access->lanes; left;) {
        const home_part part = homes_take(homes_at(&core->kept, homes), &left);
        hd_access told = *access;
        told.warp = core->warps[part.row].index;
        told.lanes = part.lanes;
        report(core, core->warps[part.row].block, &told);
    }
}

uint32_t core_access_is_transactional(const memory_access *access, const uint32_t *address)
{
    const uint32_t first = address[__builtin_ctzll(access->mask)];
    return access->transactional == TX_SCRATCHPAD ? first - HD_SCRATCHPAD_BASE < HD_SCRATCHPAD_END - HD_SCRATCHPAD_BASE
                                                  : access->transactional != 0;
}

void core_report_access(const simt_core *core, const memory_access *access, const uint32_t *address,
                        ticket_state *ticket)
{
    const isa_instruction *instruction = access->instruction;
    hd_access told = {.t = core->now.t,
                      .kind = access_kind(instruction),
                      .flags = access_flags(instruction, core_access_is_transactional(access, address)),
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
    ticket->told |= access_is_sampled(&told) ? TICKET_SAMPLED : 0;
    report_each_warp(core, access->homes, &told);
}

void core_report_sampled(const simt_core *core, uint32_t ticket, uint64_t lanes, hd_time t)
{
    report_each_warp(
        core, core->tickets[ticket].homes,
        &(hd_access){
            .t = t, .kind = HD_ACCESS_SAMPLED, .warp_lanes = core->lane_count, .lanes = lanes, .ticket = ticket});
}

void core_report_order(const simt_core *core, uint32_t warp, uint64_t lanes, uint32_t kind, uint32_t flags)
{
    report(core, core->warps[warp].block,
           &(hd_access){.t = core->now.t,
                        .kind = kind,
                        .flags = flags,
                        .warp = core->warps[warp].index,
                        .warp_lanes = core->lane_count,
                        .lanes = lanes});
}

void core_report_block(const simt_core *core, uint32_t slot, uint32_t kind)
{
    report(core, slot, &(hd_access){.t = core->now.t, .kind = kind, .warp_lanes = core->lane_count});
}
