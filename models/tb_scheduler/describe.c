/* SPDX-License-Identifier: MIT */
/* What the scheduler says when nothing gets on. */
#include "round_robin.h"

/* Blocks that have left their cores: others may be waiting for one of them. */
static void describe_saved(const round_robin *self, const hd_text_sink *sink)
{
    for (uint32_t slot = 0; slot < self->slot_limit; slot++) {
        const resident_block *block = &self->slots[slot];
        if (block->busy && block->stage == BLOCK_SAVED)
            sink->line(sink->context, "launch %u: block (%u, %u, %u) has been taken off its core, and waits to go on",
                       block->launch, block->block_index[0], block->block_index[1], block->block_index[2]);
    }
}

void round_robin_describe(hd_block *block, const hd_text_sink *sink)
{
    static const char *const reasons[] = {
        [STALL_NONE] = "resident blocks",
        [STALL_ROOM] = "room on a core",
        [STALL_SLOT] = "a context slot",
        [STALL_CREDIT] = "a core to take a block",
        [STALL_POLICY] = "its policy to choose a core",
    };
    const round_robin *self = (const round_robin *)block;
    describe_saved(self, sink);
    for (uint32_t i = 0; i < self->grid_count; i++) {
        const grid_state *state = &self->grids[i];
        if (state->exhausted)
            sink->line(sink->context, "launch %u waits for its last %llu blocks", state->grid.launch,
                       (unsigned long long)state->resident);
        else
            sink->line(sink->context, "launch %u: %llu blocks resident, block (%u, %u, %u) waits for %s",
                       state->grid.launch, (unsigned long long)state->resident, state->next_block[0],
                       state->next_block[1], state->next_block[2], reasons[self->stall]);
    }
}
