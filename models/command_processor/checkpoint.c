/* SPDX-License-Identifier: MIT */
/* The command processor as it is between two calls (hd_state.h). */
#include "queues.h"

static void transfer_fifo(slot_fifo *fifo, const hd_state_stream *stream)
{
    hd_state_ring(stream, &fifo->ring);
    HD_STATE_ARRAY(stream, fifo->slots, fifo->ring.capacity);
}

static void transfer_host_accesses(queues *self, const hd_state_stream *stream)
{
    const uint32_t slots = self->to_issue.ring.capacity;
    transfer_fifo(&self->to_issue, stream);
    transfer_fifo(&self->to_answer, stream);
    for (uint32_t i = 0; i < slots; i++) {
        host_request *access = &self->requests[i];
        hd_state_packet(stream, &access->request);
        hd_state_packet(stream, &access->response);
        HD_STATE_VALUE(stream, access->offset);
        HD_STATE_VALUE(stream, access->outstanding);
        HD_STATE_VALUE(stream, access->in_memory);
    }
    HD_STATE_ARRAY(stream, self->free_slots, slots);
    HD_STATE_VALUE(stream, self->free_count);
    HD_STATE_VALUE(stream, self->lines_in_flight);
    HD_STATE_VALUE(stream, self->host_accesses);
}

static void transfer_rings(queues *self, const hd_state_stream *stream)
{
    HD_STATE_ARRAY(stream, self->rings, self->ring_count);
    HD_STATE_VALUE(stream, self->commanded);
    HD_STATE_VALUE(stream, self->next_launch_ring);
    HD_STATE_VALUE(stream, self->next_line_ring);
    HD_STATE_VALUE(stream, self->running);
    HD_STATE_VALUE(stream, self->copying);
    HD_STATE_VALUE(stream, self->next_copy_ring);
    HD_STATE_VALUE(stream, self->launching);
    HD_STATE_VALUE(stream, self->launch_phase);
    HD_STATE_VALUE(stream, self->launch_aligned);
    HD_STATE_VALUE(stream, self->launch_time);
}

static void transfer_errors(queues *self, const hd_state_stream *stream)
{
    HD_STATE_VALUE(stream, self->stopped);
    HD_STATE_VALUE(stream, self->error);
    HD_STATE_VALUE(stream, self->error_queue);
    HD_STATE_VALUE(stream, self->error_index);
    HD_STATE_VALUE(stream, self->error_status);
    HD_STATE_VALUE(stream, self->error_address);
}

static void transfer(hd_block *block, const hd_state_stream *stream)
{
    queues *self = (queues *)block;
    HD_STATE_SHAPE(stream, "queues", self->ring_count);
    HD_STATE_SHAPE(stream, "bytes of memory", self->memory_bytes);
    HD_STATE_VALUE(stream, self->cursor);
    HD_STATE_VALUE(stream, self->accounted);
    HD_STATE_VALUE(stream, self->more);
    HD_STATE_VALUE(stream, self->stall);
    transfer_host_accesses(self, stream);
    transfer_rings(self, stream);
    transfer_errors(self, stream);
    HD_STATE_VALUE(stream, self->counters);
}

const hd_state queues_state = {.transfer = transfer};
