/* SPDX-License-Identifier: MIT */
/* The scheduler as it is between two calls (hd_state.h). */
#include <stdio.h>

#include "round_robin.h"

/* Each packet of a context names the next one by its address in this process. */
static void transfer_context(resident_block *block, const hd_state_stream *stream)
{
    uint64_t count = 0;
    for (const hd_packet *packet = block->first; packet; packet = (const hd_packet *)(uintptr_t)packet->address)
        count++;
    count = hd_state_number(stream, count);
    hd_packet *at = block->first, *before = NULL;
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t address = stream->is_restored ? 0 : at->address;
        if (!stream->is_restored)
            at->address = 0;
        hd_state_packet(stream, &at);
        at->address = address;
        if (before)
            before->address = (uintptr_t)at;
        else
            block->first = at;
        block->last = before = at;
        at = (hd_packet *)(uintptr_t)address;
    }
}

static void transfer_block(resident_block *block, const hd_state_stream *stream)
{
    resident_block value = *block;
    value.first = value.last = NULL;
    HD_STATE_VALUE(stream, value);
    value.first = block->first;
    value.last = block->last;
    *block = value;
    transfer_context(block, stream);
}

static void transfer_shape(const round_robin *self, const hd_state_stream *stream)
{
    HD_STATE_SHAPE(stream, "cores", self->core_count);
    HD_STATE_SHAPE(stream, "grids", self->grid_limit);
    HD_STATE_SHAPE(stream, "context slots", self->slot_limit);
    HD_STATE_SHAPE(stream, "buffers", self->transport.buffers);
    HD_STATE_SHAPE(stream, "number of the transport", self->transport.kind);
    HD_STATE_SHAPE(stream, "counts of units", hd_unit_counters(self->block_class));
}

static void transfer(hd_block *block, const hd_state_stream *stream)
{
    round_robin *self = (round_robin *)block;
    transfer_shape(self, stream);
    HD_STATE_VALUE(stream, self->cursor);
    HD_STATE_VALUE(stream, self->accounted);
    HD_STATE_VALUE(stream, self->stall);
    HD_STATE_VALUE(stream, self->more);
    HD_STATE_VALUE(stream, self->known_cores);
    HD_STATE_VALUE(stream, self->resident);
    HD_STATE_VALUE(stream, self->saved);
    HD_STATE_VALUE(stream, self->watches);
    HD_STATE_VALUE(stream, self->entering);
    HD_STATE_VALUE(stream, self->stopped);
    HD_STATE_VALUE(stream, self->transport.used);
    HD_STATE_ARRAY(stream, self->transport.is_taken, self->transport.buffers);
    HD_STATE_ARRAY(stream, self->cores, self->core_count);
    HD_STATE_VALUE(stream, self->grid_count);
    HD_STATE_ARRAY(stream, self->grids, self->grid_count);
    for (uint32_t i = 0; i < self->slot_limit; i++)
        transfer_block(&self->slots[i], stream);
    self->policy_unit->transfer(self->policy, stream);
    HD_STATE_VALUE(stream, self->counters);
    HD_STATE_ARRAY(stream, self->unit_counters, hd_unit_counters(self->block_class));
}

static uint32_t refuses(hd_block *block, char *text, size_t bytes)
{
    const round_robin *self = (const round_robin *)block;
    if (!self->policy_unit->transfer)
        snprintf(text, bytes, "its policy has no function for " HD_EXTENSION_STATE);
    return !self->policy_unit->transfer;
}

const hd_state round_robin_state = {transfer, refuses};
