/* SPDX-License-Identifier: MIT */
/* Blocks that go from core to core by buffers of the L2, or in no time at all. Source: Beaumont 2019 §4.4.2. */
#include <stdlib.h>
#include <string.h>

#include "round_robin.h"

int transport_create(round_robin *self, const hd_value *values)
{
    self->transport = (transport){.kind = (uint32_t)values[PARAMETER_TRANSPORT].u,
                                  .overlaps = values[PARAMETER_OVERLAP].u != 0,
                                  .buffers = (uint32_t)values[PARAMETER_BUFFERS].u,
                                  .bytes = values[PARAMETER_BUFFER_BYTES].u};
    self->transport.stop = self->transport.kind == TRANSPORT_IDEAL ? HD_STOP_IDEAL : HD_STOP_AS_STORED;
    self->transport.is_taken = calloc(self->transport.buffers, sizeof *self->transport.is_taken);
    return self->transport.is_taken == NULL;
}

void transport_destroy(round_robin *self)
{
    free(self->transport.is_taken);
}

void transport_reset(round_robin *self)
{
    memset(self->transport.is_taken, 0, self->transport.buffers * sizeof *self->transport.is_taken);
    self->transport.used = 0;
}

/* Its number and 1; 0: all are taken. */
static uint32_t take_buffer(round_robin *self)
{
    transport *buffers = &self->transport;
    for (uint32_t i = 0; i < buffers->buffers; i++) {
        if (buffers->is_taken[i])
            continue;
        buffers->is_taken[i] = 1;
        hd_raise_maximum(&self->counters[STATISTIC_BUFFERS_MAXIMUM], ++buffers->used);
        return i + 1;
    }
    return 0;
}

static void give_back(round_robin *self, uint32_t *buffer)
{
    if (*buffer == 0)
        return;
    self->transport.is_taken[*buffer - 1] = 0;
    self->transport.used--;
    *buffer = 0;
}

void transport_stop(round_robin *self, uint32_t slot, hd_time t)
{
    resident_block *block = &self->slots[slot];
    if (self->transport.kind == TRANSPORT_SHUFFLE) {
        block->buffer = take_buffer(self);
        self->counters[STATISTIC_BUFFERS_FULL] += block->buffer == 0;
    }
    if (block->buffer == 0) {
        moves_send(self, slot, self->moves[MOVE_STOP], self->transport.stop, NULL, 0, t);
        return;
    }
    const hd_block_buffer buffer = {.bytes = self->transport.bytes, .number = block->buffer - 1};
    moves_send(self, slot, self->messages[MESSAGE_SHUFFLE], 0, &buffer, sizeof buffer, t);
}

void transport_leaves(round_robin *self, uint32_t slot, const hd_context_size *size, hd_time t)
{
    resident_block *block = &self->slots[slot];
    if (size->buffer == 0)
        give_back(self, &block->buffer);
    else if (self->transport.overlaps && !block->leaves) {
        block->leaves = block->core + 1;
        block->leaving = block->taken;
        moves_has_left(self, slot, size, t);
    }
}

void transport_has_left(round_robin *self, uint32_t slot)
{
    resident_block *block = &self->slots[slot];
    resources_give(&self->cores[block->leaves - 1].available, &block->leaving);
    block->leaves = 0;
}

void transport_enters(round_robin *self, uint32_t slot)
{
    resident_block *block = &self->slots[slot];
    self->counters[STATISTIC_OVERLAPS] += block->leaves != 0;
    block->entered = self->cursor.n;
    block->sent = 0;
    block->reading = block->buffer;
    block->buffer = 0;
}

uint32_t transport_is_entering(const round_robin *self, uint32_t core)
{
    return self->transport.kind == TRANSPORT_SHUFFLE && self->entering != NO_SLOT &&
           self->slots[self->entering].core == core;
}

void transport_restored(round_robin *self, uint32_t slot)
{
    resident_block *block = &self->slots[slot];
    give_back(self, &block->reading);
    self->counters[STATISTIC_SHUFFLES]++;
    self->counters[STATISTIC_SHUFFLE_CYCLES] += self->cursor.n - block->entered;
}

void transport_ended(round_robin *self, uint32_t slot)
{
    give_back(self, &self->slots[slot].buffer);
}
