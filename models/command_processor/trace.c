/* SPDX-License-Identifier: MIT */
#include "queues.h"

const hd_trace_event queues_trace_events[EVENT_COUNT] = {
    [EVENT_FETCH] = {"fetch", HD_TRACE_SPAN, 0, "descriptor", NULL, "the next descriptor of the queue is fetched"},
    [EVENT_READY] = {"ready", HD_TRACE_SPAN, 0, "launch", NULL, "a launch waits for grids before it"},
    [EVENT_LAUNCH] = {"launch", HD_TRACE_SPAN, 0, "launch", NULL, "the launch waits until the device is aligned"},
    [EVENT_RUN] = {"run", HD_TRACE_SPAN, 0, "launch", NULL, "the grid runs"},
    [EVENT_COPY] = {"copy", HD_TRACE_SPAN, 0, "descriptor", NULL, "a copy or fill of the queue is in progress"},
    [EVENT_COMPLETE] = {"complete", HD_TRACE_SPAN, 0, "descriptor", NULL, "a completion record is written"},
    [EVENT_STOPPED] = {"stopped", HD_TRACE_SPAN, 0, "descriptor", NULL, "the queue is stopped by an error"},
    [EVENT_HOST_ACCESSES] = {"host_accesses", HD_TRACE_COUNTER, 0, NULL, "accesses",
                             "host accesses to device memory in progress"},
    [EVENT_LINES] = {"lines", HD_TRACE_COUNTER, 0, NULL, "lines", "line accesses in flight"},
    [EVENT_COMMAND] = {"copy.command", HD_TRACE_FLOW, 0, NULL, NULL,
                       "from a queue's copy to the channel that performs it"},
};

/* EVENT_COUNT: nothing is shown. */
static uint32_t event_of(uint32_t state)
{
    switch (state) {
    case RING_FETCH_DUE:
    case RING_FETCHING: return EVENT_FETCH;
    case RING_READY: return EVENT_READY;
    case RING_LAUNCHING: return EVENT_LAUNCH;
    case RING_RUNNING: return EVENT_RUN;
    case RING_COPY_DUE:
    case RING_COPYING: return EVENT_COPY;
    case RING_COMPLETION_DUE:
    case RING_COMPLETING:
    case RING_INTERRUPT_WANTED: return EVENT_COMPLETE;
    case RING_ERROR_WANTED:
    case RING_STOPPED: return EVENT_STOPPED;
    default: return EVENT_COUNT;
    }
}

static void trace_ring(queues *self, uint32_t index, hd_time t)
{
    ring *ring = &self->rings[index];
    const uint32_t event = event_of(ring->state);
    if (event == ring->shown)
        return;
    if (ring->shown != EVENT_COUNT)
        hd_trace_end(self->trace, self->queue_tracks + index, ring->shown, t);
    ring->shown = event;
    if (event == EVENT_COUNT)
        return;
    const uint32_t is_descriptor = event != EVENT_READY && event != EVENT_LAUNCH && event != EVENT_RUN;
    hd_trace_begin(self->trace, self->queue_tracks + index, event, t,
                   is_descriptor ? ring->completed : ring->grid.launch);
    if (event == EVENT_COPY)
        hd_trace_flow(self->trace, EVENT_COPY, EVENT_COMMAND, t, HD_TRACE_FROM,
                      (uint64_t)self->services->endpoint << 32 | index);
}

void queues_trace(queues *self, hd_time t)
{
    for (uint32_t i = 0; i < self->ring_count; i++)
        trace_ring(self, i, t);
    if (self->shown_accesses != self->host_accesses)
        hd_trace_counter(self->trace, HD_TRACE_BLOCK, EVENT_HOST_ACCESSES, t, self->host_accesses);
    if (self->shown_lines != self->lines_in_flight)
        hd_trace_counter(self->trace, HD_TRACE_BLOCK, EVENT_LINES, t, self->lines_in_flight);
    self->shown_accesses = self->host_accesses;
    self->shown_lines = self->lines_in_flight;
}
