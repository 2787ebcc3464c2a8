/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "round_robin.h"

thread_block policy_block(round_robin *self, uint32_t slot)
{
    const resident_block *kept = &self->slots[slot];
    const hd_grid *grid = &dispatch_find_grid(self, kept->launch)->grid;
    thread_block block = {.slot = slot,
                          .core = kept->core,
                          .grid = grid,
                          .context_bytes = resources_context_bytes(grid, &self->cores[kept->core].capacity)};
    memcpy(block.block_index, kept->block_index, sizeof block.block_index);
    return block;
}

void policy_tell(round_robin *self, uint32_t kind, uint32_t slot)
{
    const thread_block block = policy_block(self, slot);
    const thread_block_event event = {
        .kind = kind, .slot = slot, .core = block.core, .cycle = self->cursor.n, .block = &block};
    self->policy_unit->event(self->policy, &event);
}

thread_block_demand policy_demand(const round_robin *self)
{
    return (thread_block_demand){.cycle = self->cursor.n,
                                 .unstarted = dispatch_oldest(self) != NULL,
                                 .stall = self->stall,
                                 .cores = self->core_count};
}

uint32_t policy_take(round_robin *self, uint32_t element, hd_packet *packet, hd_time t)
{
    if (self->policy_unit->watch != NULL && levels_take(self, element, packet))
        return 1;
    return self->policy_unit->choose_victim != NULL && moves_take(self, element, packet, t);
}

static uint32_t place_blocks(round_robin *self, hd_time t)
{
    if (self->policy_unit->choose_victim == NULL)
        return dispatch_blocks(self, t);
    if (!self->policy_unit->saved_first) {
        const uint32_t more = dispatch_blocks(self, t);
        return moves_restore(self, t) | more;
    }
    self->stall = STALL_NONE;
    const uint32_t more = moves_restore(self, t), stall = self->stall;
    const uint32_t more_new = dispatch_blocks(self, t);
    self->stall = self->stall == STALL_NONE ? stall : self->stall;
    return more | more_new;
}

uint32_t policy_work(round_robin *self, hd_time t)
{
    const uint32_t more = place_blocks(self, t);
    if (self->policy_unit->choose_victim != NULL)
        moves_stop(self, t);
    if (self->watches != 0)
        levels_work(self, t);
    return more;
}

uint64_t policy_next(const round_robin *self)
{
    if (self->policy_unit->next == NULL || self->grid_count == 0)
        return UINT64_MAX;
    const thread_block_demand demand = policy_demand(self);
    return self->policy_unit->next(self->policy, &demand);
}
