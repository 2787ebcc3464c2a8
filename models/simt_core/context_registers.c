/* SPDX-License-Identifier: MIT */
/* Registers of a block that moves: those that stay behind, and how many bytes the others are on the modelled machine. */
#include "bits.h"
#include "core_lanes.h"
#include "live_registers.h"

#include <string.h>

/* What is left in a register that has stayed behind: nothing that a program could mean. */
#define LEFT_BEHIND UINT32_C(0xDEAD0000)

static uint32_t leaves_some(const simt_core *core)
{
    return core->live.registers != NULL;
}

static void spoil(simt_core *core, uint32_t warp)
{
    const isa_lanes *lanes = &core->registers.rows[warp];
    for (uint32_t number = 1; number < ISA_REGISTER_COUNT; number++)
        for (uint32_t lane = 0; lane < lanes->lanes; lane++)
            lanes->registers[number * lanes->lanes + lane] = LEFT_BEHIND | number << 8 | lane;
}

void context_stream_registers(simt_core *core, uint32_t warp, byte_stream *stream)
{
    uint64_t live = live_registers(core, warp);
    if (leaves_some(core)) {
        byte_stream_u64(stream, &live);
        live &= ISA_ALL_REGISTERS;
    }
    if (leaves_some(core) && stream->from) {
        core->live.registers[warp] = live;
        spoil(core, warp);
    }
    registers_stream(&core->registers, warp, live, stream);
}

/* Beyond those that the modelled machine has there may be more: they are the simulator's. */
static uint64_t moved_registers(const simt_core *core, uint32_t warp)
{
    const uint64_t live = bits_count(live_registers(core, warp));
    const uint64_t all = core_parameter_of(core, PARAMETER_REGISTERS_PER_THREAD);
    return live < all ? live : all;
}

context_registers context_registers_of(const simt_core *core, uint32_t slot)
{
    const block_state *block = &core->blocks[slot];
    const uint64_t all = core_parameter_of(core, PARAMETER_REGISTERS_PER_THREAD);
    context_registers found = {.bytes = block->threads.launched * all * sizeof(uint32_t)};
    if (!leaves_some(core))
        return found;
    for (uint32_t warp = core_next_warp(core, slot, 0); warp < core->warp_count;
         warp = core_next_warp(core, slot, warp + 1)) {
        const uint64_t dead = all - moved_registers(core, warp);
        const uint64_t lanes =
            bits_count(launched_lanes(block->threads.launched, core->warps[warp].index, core->lane_count));
        found.dead += dead;
        found.bytes -= dead * lanes * sizeof(uint32_t);
        found.mark_bytes += (all + 7) / 8;
    }
    return found;
}
