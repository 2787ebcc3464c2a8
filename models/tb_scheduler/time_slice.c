/* SPDX-License-Identifier: MIT */
/*
 * Thread blocks take turns on the cores. Where something waits for room, the block whose turn of a slice has ended first
 * stops; it goes on when all that has not started has, the one that has waited for longest first. Each time
 * a block leaves, its next turn is longer by a slice: so it gets on, however short a slice is against the way in and out. The
 * packets of a context stay here meanwhile, as many as they are.
 */
#include <string.h>

#include "round_robin.h"

static resident_block *block_of(round_robin *self, uint32_t element, const hd_packet *packet)
{
    resident_block *block = packet->tag < self->slot_limit ? &self->slots[packet->tag] : NULL;
    return block != NULL && block->busy && block->core == element ? block : NULL;
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

static void has_left(round_robin *self, resident_block *block, const hd_packet *packet, hd_time t)
{
    memcpy(&block->size, hd_body_const(packet), sizeof block->size);
    block->stage = BLOCK_SAVED;
    block->turns++;
    block->since = self->cursor.n;
    resources_give(&self->cores[block->core].available, &block->taken);
    self->stopping--;
    self->saved++;
    self->resident--;
    hd_trace_counter(self->trace, HD_TRACE_BLOCK, EVENT_RESIDENT_BLOCKS, t, self->resident);
    self->counters[STATISTIC_PREEMPTIONS]++;
}

/* A stop that was refused has crossed the block's end. */
static uint32_t take_refusal(round_robin *self, const hd_packet *packet, hd_time t)
{
    const hd_services *s = self->services;
    if (packet->argument == HD_REFUSED_UNKNOWN)
        return 1;
    s->fault(s->context, t,
             "block %llu, which has left another core, cannot go on where it was sent: preempt needs cores that are alike",
             (unsigned long long)packet->tag);
    self->stopped = 1;
    return 1;
}

uint32_t time_slice_take(round_robin *self, uint32_t element, hd_packet *packet, hd_time t)
{
    const hd_services *s = self->services;
    resident_block *block = block_of(self, element, packet);
    if (block != NULL && packet->message == self->messages[MESSAGE_CONTEXT_IN]) {
        keep(block, packet);
        return 1;
    }
    if (block != NULL && packet->message == self->messages[MESSAGE_SAVED])
        has_left(self, block, packet, t);
    else if (packet->message != self->messages[MESSAGE_REFUSED] || !take_refusal(self, packet, t))
        return 0;
    s->free(s->context, packet);
    return 1;
}

static uint32_t has_credit(const round_robin *self, uint32_t core, hd_time t)
{
    const hd_services *s = self->services;
    return s->credits(s->context, self->dispatch_out[self->cores[core].dispatch_element], t) > 0;
}

static void send(round_robin *self, uint32_t core, uint32_t slot, uint32_t message, hd_packet *packet, hd_time t)
{
    const hd_services *s = self->services;
    packet->message = self->messages[message];
    packet->source = (uint16_t)s->endpoint;
    packet->destination = (uint16_t)self->cores[core].endpoint;
    packet->tag = slot;
    packet->wire_bytes = HD_HEADER_WIRE_BYTES + packet->body_bytes;
    s->send(s->context, self->dispatch_out[self->cores[core].dispatch_element], packet, t);
}

static hd_packet *new_packet(round_robin *self, const void *body, uint32_t bytes)
{
    const hd_services *s = self->services;
    hd_packet *packet = s->alloc(s->context, bytes);
    packet->body_bytes = bytes;
    if (bytes != 0)
        memcpy(hd_body(packet), body, bytes);
    return packet;
}

/* Of those that are saved, the first one; NO_SLOT if there is none. */
static uint32_t oldest_saved(const round_robin *self)
{
    uint32_t found = NO_SLOT;
    for (uint32_t slot = 0; slot < self->slot_limit; slot++) {
        const resident_block *block = &self->slots[slot];
        if (!block->busy || block->stage != BLOCK_SAVED)
            continue;
        if (found == NO_SLOT || block->since < self->slots[found].since)
            found = slot;
    }
    return found;
}

/* Gives the oldest saved block a core, if one has room; its context follows. */
static void begin_restore(round_robin *self, hd_time t)
{
    const uint32_t slot = oldest_saved(self), stall = self->stall;
    resident_block *block = &self->slots[slot];
    const grid_state *grid = dispatch_find_grid(self, block->launch);
    const uint32_t core = dispatch_choose_core(self, grid, t);
    self->stall = self->stall == STALL_NONE ? stall : self->stall;
    if (core == NO_CORE)
        return;
    block->core = core;
    block->stage = BLOCK_RUNNING;
    block->since = self->cursor.n;
    block->taken = resources_of_block(&grid->grid, &self->cores[core].capacity);
    resources_take(&self->cores[core].available, &block->taken);
    send(self, core, slot, MESSAGE_RESTORE, new_packet(self, &block->size, sizeof block->size), t);
    self->entering = slot;
    self->next_core = (core + 1) % self->core_count;
    self->saved--;
    self->resident++;
    hd_trace_counter(self->trace, HD_TRACE_BLOCK, EVENT_RESIDENT_BLOCKS, t, self->resident);
    self->counters[STATISTIC_RESUMPTIONS]++;
}

static void send_context(round_robin *self, hd_time t)
{
    resident_block *block = &self->slots[self->entering];
    while (block->first != NULL && has_credit(self, block->core, t))
        send(self, block->core, self->entering, MESSAGE_CONTEXT_OUT, take_kept(block), t);
    if (block->first == NULL)
        self->entering = NO_SLOT;
}

static uint32_t somebody_waits(const round_robin *self)
{
    return self->stall == STALL_ROOM;
}

static uint64_t turn_ends(const round_robin *self, const resident_block *block)
{
    return block->since + self->slice * (1 + block->turns);
}

/* Of those that run, the one whose turn ends first; NO_SLOT if there is none. */
static uint32_t next_to_leave(const round_robin *self)
{
    uint32_t found = NO_SLOT;
    for (uint32_t slot = 0; slot < self->slot_limit; slot++) {
        const resident_block *block = &self->slots[slot];
        if (!block->busy || block->stage != BLOCK_RUNNING || slot == self->entering)
            continue;
        if (found == NO_SLOT || turn_ends(self, block) < turn_ends(self, &self->slots[found]))
            found = slot;
    }
    return found;
}

/* At most one at a time: what it leaves may be enough. */
static void stop_one(round_robin *self, hd_time t)
{
    const uint32_t slot = next_to_leave(self);
    if (slot == NO_SLOT)
        return;
    resident_block *block = &self->slots[slot];
    if (self->cursor.n < turn_ends(self, block) || !has_credit(self, block->core, t))
        return;
    send(self, block->core, slot, MESSAGE_STOP, new_packet(self, NULL, 0), t);
    block->stage = BLOCK_STOPPING;
    self->stopping++;
}

uint32_t time_slice_work(round_robin *self, hd_time t)
{
    if (self->entering == NO_SLOT && self->saved != 0 &&
        (dispatch_oldest(self) == NULL || self->stall == STALL_SLOT))
        begin_restore(self, t);
    const uint32_t was_entering = self->entering != NO_SLOT;
    if (was_entering)
        send_context(self, t);
    if (somebody_waits(self) && self->stopping == 0)
        stop_one(self, t);
    return was_entering && self->entering == NO_SLOT && self->saved != 0;
}

uint64_t time_slice_next(const round_robin *self)
{
    if (!somebody_waits(self) || self->stopping != 0)
        return UINT64_MAX;
    const uint32_t slot = next_to_leave(self);
    return slot == NO_SLOT ? UINT64_MAX : turn_ends(self, &self->slots[slot]);
}

void time_slice_reset(round_robin *self)
{
    const hd_services *s = self->services;
    for (uint32_t slot = 0; slot < self->slot_limit; slot++) {
        while (self->slots[slot].first != NULL)
            s->free(s->context, take_kept(&self->slots[slot]));
    }
    self->saved = self->stopping = 0;
    self->entering = NO_SLOT;
}
