/* SPDX-License-Identifier: MIT */
#include "state.h"

#define COPY "copy|bytes|0xhost|0xdevice"

const hd_trace_event dma_trace_events[EVENT_COUNT] = {
    [EVENT_TO_DEVICE] = {"copy.to_device", HD_TRACE_SPAN, 0, COPY, NULL, "a channel copies to device memory"},
    [EVENT_FROM_DEVICE] = {"copy.from_device", HD_TRACE_SPAN, 0, COPY, NULL, "a channel copies to host memory"},
    [EVENT_FILL] = {"copy.fill", HD_TRACE_SPAN, 0, "copy|bytes|0xvalue|0xdevice", NULL,
                    "a channel fills device memory"},
    [EVENT_BURSTS] = {"bursts", HD_TRACE_COUNTER, 0, NULL, "bursts", "bursts in progress in all channels"},
    [EVENT_COMMAND] = {"copy.command", HD_TRACE_FLOW, 0, NULL, NULL,
                       "from a queue's copy to the channel that performs it"},
};

/* By direction. */
static const uint32_t spans[] = {
    [HD_COPY_TO_DEVICE] = EVENT_TO_DEVICE, [HD_COPY_FROM_DEVICE] = EVENT_FROM_DEVICE, [HD_COPY_FILL] = EVENT_FILL};

static uint32_t track_of(const dma *self, const channel *of)
{
    return self->channel_tracks + (uint32_t)(of - self->channels);
}

void dma_trace_begin(const dma *self, const channel *of, const hd_packet *command, hd_time t)
{
    const uint32_t span = spans[of->copy.direction];
    hd_trace_begin(self->trace, track_of(self, of), span, t, of->copy.number, of->copy.bytes, of->copy.host_address,
                   of->copy.device_address);
    hd_trace_flow(self->trace, span, EVENT_COMMAND, t, HD_TRACE_TO, (uint64_t)command->source << 32 | command->tag);
}

void dma_trace_end(const dma *self, const channel *of, hd_time t)
{
    hd_trace_end(self->trace, track_of(self, of), spans[of->copy.direction], t);
}

void dma_trace_levels(dma *self, hd_time t)
{
    if (self->shown_bursts != self->bursts_under_way)
        hd_trace_counter(self->trace, HD_TRACE_BLOCK, EVENT_BURSTS, t, self->bursts_under_way);
    self->shown_bursts = self->bursts_under_way;
}
