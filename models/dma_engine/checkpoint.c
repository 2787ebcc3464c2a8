/* SPDX-License-Identifier: MIT */
/* The engine as it is between two calls (hd_state.h). */
#include "state.h"

static void transfer_burst(burst *at, const hd_state_stream *stream)
{
    HD_STATE_VALUE(stream, at->state);
    HD_STATE_VALUE(stream, at->bytes);
    HD_STATE_VALUE(stream, at->offset);
    hd_state_packet(stream, &at->data);
}

static void transfer_channel(const dma *self, channel *at, const hd_state_stream *stream)
{
    HD_STATE_VALUE(stream, at->is_busy);
    HD_STATE_VALUE(stream, at->under_way);
    HD_STATE_VALUE(stream, at->copy);
    HD_STATE_VALUE(stream, at->tag);
    HD_STATE_VALUE(stream, at->begun);
    HD_STATE_VALUE(stream, at->start);
    HD_STATE_VALUE(stream, at->issued);
    HD_STATE_VALUE(stream, at->status);
    HD_STATE_VALUE(stream, at->refused_address);
    for (uint32_t i = 0; i < self->outstanding; i++)
        transfer_burst(&at->bursts[i], stream);
}

static void transfer_side(side *at, const hd_state_stream *stream)
{
    HD_STATE_VALUE(stream, at->out_free);
    HD_STATE_VALUE(stream, at->in_end);
    HD_STATE_VALUE(stream, at->next_channel);
    HD_STATE_VALUE(stream, at->awaits_credit);
}

static void transfer(hd_block *block, const hd_state_stream *stream)
{
    dma *self = (dma *)block;
    HD_STATE_SHAPE(stream, "channels", self->channel_count);
    HD_STATE_SHAPE(stream, "bursts of a channel", self->outstanding);
    HD_STATE_VALUE(stream, self->done_awaits_credit);
    HD_STATE_VALUE(stream, self->stopped);
    HD_STATE_VALUE(stream, self->busy);
    HD_STATE_VALUE(stream, self->bursts_under_way);
    HD_STATE_VALUE(stream, self->cursor);
    HD_STATE_VALUE(stream, self->accounted);
    for (uint32_t i = 0; i < SIDES; i++)
        transfer_side(&self->sides[i], stream);
    for (uint32_t i = 0; i < self->channel_count; i++)
        transfer_channel(self, &self->channels[i], stream);
    HD_STATE_VALUE(stream, self->counters);
}

const hd_state dma_state = {.transfer = transfer};
