/* SPDX-License-Identifier: MIT */
/* The bridge as it is between two calls (hd_state.h). */
#include "state.h"

static void transfer_access(access *at, const hd_state_stream *stream)
{
    hd_state_packet(stream, &at->request);
    hd_state_packet(stream, &at->response);
    HD_STATE_VALUE(stream, at->taken_at);
    HD_STATE_VALUE(stream, at->offset);
    HD_STATE_VALUE(stream, at->outstanding);
}

static void transfer(hd_block *block, const hd_state_stream *stream)
{
    bridge *self = (bridge *)block;
    HD_STATE_VALUE(stream, self->cursor);
    HD_STATE_VALUE(stream, self->accounted);
    hd_state_ring(stream, &self->under_way);
    for (uint32_t i = 0; i < self->under_way.count; i++)
        transfer_access(&self->accesses[hd_ring_place(&self->under_way, i)], stream);
    HD_STATE_VALUE(stream, self->issued);
    HD_STATE_VALUE(stream, self->waits_to_issue);
    HD_STATE_VALUE(stream, self->waits_to_answer);
    HD_STATE_VALUE(stream, self->stopped);
    HD_STATE_VALUE(stream, self->counters);
}

const hd_state bridge_state = {.transfer = transfer};
