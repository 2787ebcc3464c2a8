/* SPDX-License-Identifier: MIT */
/* The CPU as it is between two calls (hd_state.h): harts that have run ahead can still go back. What they have decoded they decode anew. */
#include <string.h>

#include "state.h"

#define PAGE_BYTES UINT64_C(4096)

static uint32_t is_zero(const uint8_t *bytes, uint64_t count)
{
    return count == 0 || (bytes[0] == 0 && memcmp(bytes, bytes + 1, count - 1) == 0);
}

/* RAM that nobody has written stays untouched. */
static void transfer_ram(hart *first, const hd_state_stream *stream)
{
    for (uint64_t at = 0; at < first->ram_bytes; at += PAGE_BYTES) {
        const uint64_t left = first->ram_bytes - at, bytes = left < PAGE_BYTES ? left : PAGE_BYTES;
        const uint32_t was_zero = is_zero(first->ram + at, bytes);
        uint8_t has_bytes = (uint8_t)!was_zero;
        HD_STATE_VALUE(stream, has_bytes);
        if (has_bytes)
            HD_STATE_ARRAY(stream, first->ram + at, bytes);
        else if (!was_zero)
            memset(first->ram + at, 0, bytes);
    }
    first->ram_is_clear = 0;
}

static void transfer_hart(host_hart *one, const hd_state_stream *stream)
{
    hart *hart = &one->hart;
    HD_STATE_SHAPE(stream, "entries of the protection of a hart", hart->protection.entries);
    HD_STATE_SHAPE(stream, "triggers of a hart", hart->triggers.count);
    HD_STATE_SHAPE(stream, "user mode of a hart", hart->has_user_mode);
    HD_STATE_VALUE(stream, hart->state);
    HD_STATE_VALUE(stream, hart->kept);
    HD_STATE_VALUE(stream, hart->is_guarded);
    HD_STATE_VALUE(stream, hart->access);
    HD_STATE_VALUE(stream, hart->exception);
    HD_STATE_VALUE(stream, hart->undo_count);
    HD_STATE_VALUE(stream, hart->protection);
    HD_STATE_VALUE(stream, hart->triggers);
    HD_STATE_VALUE(stream, one->doing);
    HD_STATE_VALUE(stream, one->stop);
    HD_STATE_VALUE(stream, one->kept_stop);
    HD_STATE_VALUE(stream, one->refusal);
}

static void transfer(hd_block *block, const hd_state_stream *stream)
{
    host_cpu *self = (host_cpu *)block;
    hart *first = &self->harts[0].hart;
    HD_STATE_SHAPE(stream, "harts", self->hart_count);
    HD_STATE_SHAPE(stream, "bytes of RAM", first->ram_bytes);
    HD_STATE_SHAPE(stream, "stores that can be undone", first->undo_capacity);
    for (uint32_t i = 0; i < self->hart_count; i++)
        transfer_hart(&self->harts[i], stream);
    HD_STATE_ARRAY(stream, first->undo, first->undo_count);
    transfer_ram(first, stream);
    HD_STATE_VALUE(stream, self->activity);
    HD_STATE_PLACE(stream, self->front, self->harts);
    HD_STATE_VALUE(stream, self->reach);
    HD_STATE_VALUE(stream, self->accounted);
    HD_STATE_VALUE(stream, self->cursor);
    hd_memory_port_transfer(&self->memory, stream);
    HD_STATE_VALUE(stream, self->counters);
}

const hd_state host_cpu_state = {.transfer = transfer};
