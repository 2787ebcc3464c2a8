/* SPDX-License-Identifier: MIT */
#include "round_robin.h"

void levels_ask(round_robin *self, uint32_t slot)
{
    if (self->policy_unit->watch == NULL)
        return;
    const thread_block block = policy_block(self, slot);
    resident_block *kept = &self->slots[slot];
    kept->watch_waits = self->policy_unit->watch(self->policy, &block, &kept->watch) != 0;
    self->watches += kept->watch_waits;
}

void levels_forget(round_robin *self, uint32_t slot)
{
    self->watches -= self->slots[slot].watch_waits;
    self->slots[slot].watch_waits = 0;
}

uint32_t levels_take(round_robin *self, uint32_t element, hd_packet *packet)
{
    const hd_services *s = self->services;
    if (packet->message != self->moves[MOVE_LEVEL])
        return 0;
    if (moves_leaving_of(self, element, packet) != NULL) { /* to the policy it is no longer there */
        s->free(s->context, packet);
        return 1;
    }
    if (moves_block_of(self, element, packet) == NULL)
        return 0;
    const thread_block_event event = {.kind = THREAD_BLOCK_LEVEL,
                                      .slot = (uint32_t)packet->tag,
                                      .core = element,
                                      .cycle = self->cursor.n,
                                      .level = hd_body_const(packet)};
    self->policy_unit->event(self->policy, &event);
    s->free(s->context, packet);
    return 1;
}

void levels_work(round_robin *self, hd_time t)
{
    for (uint32_t slot = 0; slot < self->slot_limit; slot++) {
        resident_block *block = &self->slots[slot];
        if (!block->watch_waits || slot == self->entering || !moves_has_credit(self, block->core, t))
            continue;
        moves_send(self, slot, self->moves[MOVE_WATCH], 0, &block->watch, sizeof block->watch, t);
        levels_forget(self, slot);
    }
}
