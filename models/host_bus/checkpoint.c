/* SPDX-License-Identifier: MIT */
/* The bus as it is between two calls (hd_state.h). */
#include "state.h"

static void transfer(hd_block *block, const hd_state_stream *stream)
{
    host_bus *self = (host_bus *)block;
    HD_STATE_SHAPE(stream, "accesses under way", self->slot_count);
    HD_STATE_SHAPE(stream, "initiators", self->initiator_count);
    HD_STATE_SHAPE(stream, "targets", self->target_count);
    HD_STATE_ARRAY(stream, self->slots, self->slot_count);
    HD_STATE_VALUE(stream, self->used);
    HD_STATE_VALUE(stream, self->next_initiator);
    HD_STATE_VALUE(stream, self->next_target);
    HD_STATE_VALUE(stream, self->requests_free);
    HD_STATE_VALUE(stream, self->responses_free);
    HD_STATE_VALUE(stream, self->waits);
    HD_STATE_VALUE(stream, self->is_stuck);
    HD_STATE_VALUE(stream, self->looked_at);
    hd_state_packet(stream, &self->complaint);
    HD_STATE_VALUE(stream, self->complaint_to);
    HD_STATE_VALUE(stream, self->cursor);
    HD_STATE_VALUE(stream, self->accounted);
    HD_STATE_VALUE(stream, self->counters);
}

const hd_state host_bus_state = {.transfer = transfer};
