/* SPDX-License-Identifier: MIT */
/* Order within one edge: what memory answers, answers to tiles, flushes and commits, the second level, PEs, managers, what leaves. */
#include <inttypes.h>

#include "state.h"

static void work(void *block, hd_time t)
{
    tile_fabric *self = block;
    if (self->faulted)
        return;
    self->next_edge = NO_EDGE;
    fabric_receive(self, t);
    for (uint32_t i = 0; i < self->tiles; i++) {
        fabric_take_answer(self, i);
        fabric_work_task(self, i);
    }
    fabric_second_level(self);
    for (uint32_t i = 0; i < self->tiles; i++)
        fabric_accept(self, i, t);
    fabric_manage(self);
    fabric_send_to_memory(self, t);
    fabric_send_replies(self, t);
}

static hd_time next(const void *block)
{
    const tile_fabric *self = block;
    if (self->faulted || self->next_edge == NO_EDGE)
        return HD_NEVER;
    return self->next_edge <= self->cursor.n ? self->cursor.t : hd_cursor_time_of(&self->cursor, self->next_edge);
}

static void account_until(void *block, uint64_t edge)
{
    tile_fabric *self = block;
    const uint64_t cycles = hd_walk_account(&self->accounted, edge);
    self->counters.gated_cycles += cycles * self->gated;
    self->counters.barrier_cycles += cycles * self->at_barriers;
    for (uint32_t i = 0; i < self->tiles; i++)
        self->counters.task_cycles += self->tile[i].task.phase != PHASE_NONE ? cycles : 0;
}

/* A PE that it does not know would wait for ever. */
static void refuse_links(tile_fabric *self, hd_time t)
{
    self->faulted = 1;
    self->services->fault(self->services->context, t,
                          "%s has %" PRIu32 " tiles of %" PRIu32 " PEs, and links of %" PRIu32 " PEs",
                          self->services->name, self->tiles, self->pes, self->linked);
}

hd_time fabric_advance(hd_block *block, hd_time now, hd_time horizon)
{
    static const hd_walk walk = {.account_until = account_until, .work = work, .next = next};
    tile_fabric *self = (tile_fabric *)block;
    if (self->linked != self->tiles * self->pes && !self->faulted)
        refuse_links(self, now);
    return hd_walk_span(&walk, self, &self->cursor, now, horizon);
}
