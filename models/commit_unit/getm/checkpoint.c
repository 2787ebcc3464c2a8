/* SPDX-License-Identifier: MIT */
/* The unit as it is between two calls (hd_state.h). */
#include "state.h"

static void transfer_logs(commit *self, const hd_state_stream *stream)
{
    hd_state_ring(stream, &self->logs_pending);
    for (uint32_t i = 0; i < self->logs_pending.count; i++) {
        pending_log *log = &self->pending[hd_ring_place(&self->logs_pending, i)];
        hd_state_packet(stream, &log->packet);
        HD_STATE_VALUE(stream, log->needs);
        HD_STATE_VALUE(stream, log->taken);
    }
    HD_STATE_VALUE(stream, self->ack_waits);
    HD_STATE_VALUE(stream, self->is_full);
    HD_STATE_VALUE(stream, self->full_since);
}

static void transfer(hd_block *block, const hd_state_stream *stream)
{
    commit *self = (commit *)block;
    HD_STATE_SHAPE(stream, "regions", self->region_limit);
    HD_STATE_VALUE(stream, self->cursor);
    HD_STATE_ARRAY(stream, self->regions, self->region_limit);
    HD_STATE_VALUE(stream, self->first);
    HD_STATE_VALUE(stream, self->next);
    HD_STATE_VALUE(stream, self->end);
    HD_STATE_VALUE(stream, self->free_edge);
    HD_STATE_VALUE(stream, self->store_waits);
    HD_STATE_VALUE(stream, self->release_waits);
    HD_STATE_VALUE(stream, self->store_waits_since);
    transfer_logs(self, stream);
    HD_STATE_VALUE(stream, self->counters);
}

const hd_state commit_state = {.transfer = transfer};
