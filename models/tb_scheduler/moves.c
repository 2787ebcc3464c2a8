/* SPDX-License-Identifier: MIT */
/* Thread blocks leave their cores and enter others. The packets of a context stay here meanwhile, as many as they are. */
#include <string.h>

#include "hd_link.h"
#include "round_robin.h"

resident_block *moves_block_of(round_robin *self, uint32_t element, const hd_packet *packet)
{
    resident_block *block = packet->tag < self->slot_limit ? &self->slots[packet->tag] : NULL;
    return block != NULL && block->busy && block->core == element && block->stage != BLOCK_SAVED ? block : NULL;
}

static void keep(resident_block *block, hd_packet *packet)
{
    packet->address = 0;
    if (block->first == NULL)
        block->first = packet;
    else
        block->last->address = (uintptr_t)packet;
    block->last = packet;
}

static hd_packet *take_kept(resident_block *block)
{
    hd_packet *packet = block->first;
    block->first = (hd_packet *)(uintptr_t)packet->address;
    packet->address = 0;
    return packet;
}

void moves_has_left(round_robin *self, uint32_t slot, const hd_context_size *size, hd_time t)
{
    resident_block *block = &self->slots[slot];
    block->size = *size;
    block->stage = BLOCK_SAVED;
    levels_forget(self, slot);
    self->saved++;
    self->resident--;
    hd_trace_counter(self->trace, HD_TRACE_BLOCK, EVENT_RESIDENT_BLOCKS, t, self->resident);
    self->counters[STATISTIC_PREEMPTIONS]++;
    policy_tell(self, THREAD_BLOCK_SAVED, slot);
}

/* It has left its core whole. */
static void has_left(round_robin *self, uint32_t slot, const hd_packet *packet, hd_time t)
{
    resident_block *block = &self->slots[slot];
    hd_context_size size;
    memcpy(&size, hd_body_const(packet), sizeof size);
    resources_give(&self->cores[block->core].available, &block->taken);
    moves_has_left(self, slot, &size, t);
}

/* The same, of one that was taken to have left when it began to, and may even have ended on another core since. */
static void has_followed(round_robin *self, uint32_t slot, hd_time t)
{
    transport_has_left(self, slot);
    if (self->slots[slot].has_ended)
        round_robin_finish(self, slot, t);
}

/* A stop that was refused has crossed the block's end. */
static uint32_t take_refusal(round_robin *self, uint32_t element, const hd_packet *packet, hd_time t)
{
    const hd_services *s = self->services;
    if (packet->argument == HD_REFUSED_UNKNOWN && packet->tag < self->slot_limit) {
        const thread_block_event event = {
            .kind = THREAD_BLOCK_REFUSED, .slot = (uint32_t)packet->tag, .core = element, .cycle = self->cursor.n};
        self->policy_unit->event(self->policy, &event);
        return 1;
    }
    s->fault(
        s->context, t,
        "block %llu, which has left another core, cannot go on where it was sent: policy needs cores that are alike",
        (unsigned long long)packet->tag);
    self->stopped = 1;
    return 1;
}

resident_block *moves_leaving_of(round_robin *self, uint32_t element, const hd_packet *packet)
{
    resident_block *block = packet->tag < self->slot_limit ? &self->slots[packet->tag] : NULL;
    return block != NULL && block->busy && block->leaves == element + 1 ? block : NULL;
}

static void begins_to_leave(round_robin *self, uint32_t slot, const hd_packet *packet, hd_time t)
{
    hd_context_size size;
    memcpy(&size, hd_body_const(packet), sizeof size);
    transport_leaves(self, slot, &size, t);
}

uint32_t moves_take(round_robin *self, uint32_t element, hd_packet *packet, hd_time t)
{
    const hd_services *s = self->services;
    const uint32_t slot = (uint32_t)packet->tag;
    resident_block *leaving = moves_leaving_of(self, element, packet);
    resident_block *block = leaving != NULL ? leaving : moves_block_of(self, element, packet);
    if (block != NULL && packet->message == self->moves[MOVE_CONTEXT]) {
        keep(block, packet);
        return 1;
    }
    if (leaving != NULL && packet->message == self->moves[MOVE_SAVED])
        has_followed(self, slot, t);
    else if (block != NULL && packet->message == self->moves[MOVE_SAVED])
        has_left(self, slot, packet, t);
    else if (block != NULL && packet->message == self->messages[MESSAGE_LEAVING])
        begins_to_leave(self, slot, packet, t);
    else if (block != NULL && packet->message == self->messages[MESSAGE_RESTORED])
        transport_restored(self, slot);
    else if (packet->message != self->moves[MOVE_REFUSED] || !take_refusal(self, element, packet, t))
        return 0;
    s->free(s->context, packet);
    return 1;
}

uint32_t moves_has_credit(const round_robin *self, uint32_t core, hd_time t)
{
    const hd_services *s = self->services;
    return hd_link_has_credit(s, self->dispatch_out[self->cores[core].dispatch_element], t);
}

static void send_packet(round_robin *self, uint32_t slot, uint32_t message, hd_packet *packet, hd_time t)
{
    const hd_services *s = self->services;
    const core_state *core = &self->cores[self->slots[slot].core];
    packet->message = message;
    packet->source = (uint16_t)s->endpoint;
    packet->destination = (uint16_t)core->endpoint;
    packet->tag = slot;
    packet->wire_bytes = HD_HEADER_WIRE_BYTES + packet->body_bytes;
    s->send(s->context, self->dispatch_out[core->dispatch_element], packet, t);
}

void moves_send(round_robin *self, uint32_t slot, uint32_t message, uint32_t argument, const void *body, uint32_t bytes,
                hd_time t)
{
    const hd_services *s = self->services;
    hd_packet *packet = s->alloc(s->context, bytes);
    packet->body_bytes = bytes;
    packet->argument = argument;
    if (bytes != 0)
        memcpy(hd_body(packet), body, bytes);
    send_packet(self, slot, message, packet, t);
}

static uint32_t is_wrong(round_robin *self, uint32_t slot, uint32_t stage, const char *what, hd_time t)
{
    const hd_services *s = self->services;
    if (slot < self->slot_limit && self->slots[slot].busy && self->slots[slot].stage == stage)
        return 0;
    s->fault(s->context, t, "policy %s block %u, which %s", what, slot,
             stage == BLOCK_RUNNING ? "does not run" : "has not left its core");
    self->stopped = 1;
    return 1;
}

/* The core of the first saved block of the policy's choice that gets one; *slot is that block. The cores that others of its
 * choice wait for are what the next block waits for. */
static uint32_t choose_restore(round_robin *self, uint32_t *slot, hd_time t)
{
    thread_block_demand demand = policy_demand(self);
    uint32_t core = NO_CORE, stall = demand.stall;
    for (; core == NO_CORE && demand.tried < self->slot_limit; demand.tried++) {
        *slot = self->policy_unit->choose_saved(self->policy, &demand);
        if (*slot == NO_BLOCK || is_wrong(self, *slot, BLOCK_SAVED, "restores", t))
            break;
        const thread_block saved = policy_block(self, *slot);
        core = dispatch_choose_core(self, &saved, t);
        if (demand.tried == 0 && self->stall != STALL_NONE)
            stall = self->stall;
    }
    self->stall = stall;
    return core;
}

/* Its context follows. */
static void begin_restore(round_robin *self, hd_time t)
{
    uint32_t slot;
    const uint32_t core = choose_restore(self, &slot, t);
    if (core == NO_CORE)
        return;
    resident_block *block = &self->slots[slot];
    const thread_block saved = policy_block(self, slot);
    block->core = core;
    block->stage = BLOCK_ENTERING;
    block->taken = resources_of_block(saved.grid, dispatch_find_grid(self, block->launch)->has_transactions,
                                      &self->cores[core].capacity);
    resources_take(&self->cores[core].available, &block->taken);
    transport_enters(self, slot);
    moves_send(self, slot, self->moves[MOVE_RESTORE], self->transport.stop, &block->size, sizeof block->size, t);
    self->entering = slot;
    self->saved--;
    self->resident++;
    hd_trace_counter(self->trace, HD_TRACE_BLOCK, EVENT_RESIDENT_BLOCKS, t, self->resident);
    self->counters[STATISTIC_RESUMPTIONS]++;
    policy_tell(self, THREAD_BLOCK_ENTERING, slot);
    levels_ask(self, slot);
}

static void send_context(round_robin *self, hd_time t)
{
    resident_block *block = &self->slots[self->entering];
    while (block->first != NULL && moves_has_credit(self, block->core, t)) {
        hd_packet *packet = take_kept(block);
        block->sent += packet->body_bytes;
        send_packet(self, self->entering, self->moves[MOVE_CONTEXT], packet, t);
    }
    if (block->first != NULL || (block->leaves && block->sent < block->size.stream_bytes - block->size.memory_bytes))
        return;
    block->stage = BLOCK_RUNNING;
    policy_tell(self, THREAD_BLOCK_RESTORED, self->entering);
    self->entering = NO_SLOT;
}

void moves_stop(round_robin *self, hd_time t)
{
    while (!self->stopped) {
        const thread_block_demand demand = policy_demand(self);
        const uint32_t slot = self->policy_unit->choose_victim(self->policy, &demand);
        if (slot == NO_BLOCK || is_wrong(self, slot, BLOCK_RUNNING, "stops", t) ||
            !moves_has_credit(self, self->slots[slot].core, t))
            return;
        transport_stop(self, slot, t);
        self->slots[slot].stage = BLOCK_STOPPING;
        policy_tell(self, THREAD_BLOCK_STOPPING, slot);
    }
}

uint32_t moves_restore(round_robin *self, hd_time t)
{
    if (self->entering == NO_SLOT && self->saved != 0)
        begin_restore(self, t);
    const uint32_t was_entering = self->entering != NO_SLOT;
    if (was_entering)
        send_context(self, t);
    return was_entering && self->entering == NO_SLOT && self->saved != 0;
}

void moves_reset(round_robin *self)
{
    const hd_services *s = self->services;
    for (uint32_t slot = 0; slot < self->slot_limit; slot++) {
        while (self->slots[slot].first != NULL)
            s->free(s->context, take_kept(&self->slots[slot]));
    }
    transport_reset(self);
    self->saved = 0;
    self->entering = NO_SLOT;
}
