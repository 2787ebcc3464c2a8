/* SPDX-License-Identifier: MIT */
/* The generator as it is between two calls (hd_state.h). Other rates and sizes are possible from here on, but no other addresses. */
#include "state.h"

static void transfer_shape(const generator *self, const hd_state_stream *stream)
{
    HD_STATE_SHAPE(stream, "requests under way", parameter_of(self, PARAMETER_OUTSTANDING));
    HD_STATE_SHAPE(stream, "address of the footprint", self->base);
    HD_STATE_SHAPE(stream, "bytes of the footprint", parameter_of(self, PARAMETER_FOOTPRINT));
    HD_STATE_SHAPE(stream, "bytes of a request", parameter_of(self, PARAMETER_BYTES));
    HD_STATE_SHAPE(stream, "number of the pattern", parameter_of(self, PARAMETER_PATTERN));
    HD_STATE_SHAPE(stream, "partitions", self->map->partitions);
    HD_STATE_SHAPE(stream, "versions of places", self->versions != NULL);
    HD_STATE_SHAPE(stream, "accesses of the trace", self->trace.count);
}

static void transfer(hd_block *block, const hd_state_stream *stream)
{
    generator *self = (generator *)block;
    const uint64_t limit = parameter_of(self, PARAMETER_OUTSTANDING);
    transfer_shape(self, stream);
    HD_STATE_VALUE(stream, self->cursor);
    HD_STATE_VALUE(stream, self->accounted);
    HD_STATE_VALUE(stream, self->next);
    HD_STATE_VALUE(stream, self->has_next);
    HD_STATE_VALUE(stream, self->made);
    HD_STATE_VALUE(stream, self->period);
    HD_STATE_VALUE(stream, self->credit);
    HD_STATE_VALUE(stream, self->walk);
    HD_STATE_ARRAY(stream, self->positions, self->map->partitions);
    HD_STATE_ARRAY(stream, self->requests, limit);
    HD_STATE_ARRAY(stream, self->free_tags, limit);
    HD_STATE_VALUE(stream, self->outstanding);
    if (self->versions)
        HD_STATE_ARRAY(stream, self->versions,
                       parameter_of(self, PARAMETER_FOOTPRINT) / parameter_of(self, PARAMETER_BYTES));
    HD_STATE_VALUE(stream, self->free_from);
    HD_STATE_VALUE(stream, self->waits_for_credit);
    HD_STATE_VALUE(stream, self->capacity_sent);
    HD_STATE_VALUE(stream, self->stopped);
    HD_STATE_VALUE(stream, self->counters);
}

const hd_state generator_state = {.transfer = transfer};
