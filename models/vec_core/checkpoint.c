/* SPDX-License-Identifier: MIT */
/* heddle.state/1: all that may have changed since reset, to bytes and back. Decoded instructions are stored as the words that they are. */
#include "cache_state.h"
#include "state.h"

static void transfer_hart(vec_hart *h, const hd_state_stream *stream)
{
    HD_STATE_SHAPE(stream, "vlen", h->native_bits);
    HD_STATE_VALUE(stream, h->thread);
    HD_STATE_VALUE(stream, h->v);
    HD_STATE_VALUE(stream, h->bits);
    HD_STATE_VALUE(stream, h->fcsr);
    HD_STATE_VALUE(stream, h->cycle);
}

/* Behind its parameters it has no pointer. */
static void transfer_window(vec_window *w, const hd_state_stream *stream)
{
    const size_t first = offsetof(vec_window, entry);
    HD_STATE_SHAPE(stream, "rob.entries", w->size);
    stream->bytes(stream->context, (uint8_t *)w + first, sizeof *w - first);
}

static void transfer_caches(vec_caches *c, const hd_state_stream *stream)
{
    cache_tags_transfer(&c->code, stream);
    cache_tags_transfer(&c->data, stream);
    cache_tags_transfer(&c->second, stream);
    HD_STATE_ARRAY(stream, c->coming, c->second.places);
    HD_STATE_ARRAY(stream, c->late, c->second.places);
    for (uint32_t place = 0; place < c->second.places; place++)
        if (!cache_tags_is_empty(&c->second, place))
            HD_STATE_VALUE(stream, c->bytes[place]);
}

static void transfer_plan(vec_plan *plan, const hd_state_stream *stream)
{
    HD_STATE_VALUE(stream, plan->count);
    HD_STATE_VALUE(stream, plan->is_store);
    HD_STATE_VALUE(stream, plan->vl_after);
    HD_STATE_VALUE(stream, plan->cause);
    HD_STATE_VALUE(stream, plan->value);
    HD_STATE_ARRAY(stream, plan->lines, plan->count);
    HD_STATE_ARRAY(stream, plan->bytes, plan->count);
    HD_STATE_ARRAY(stream, plan->enabled, plan->count);
}

static void transfer_load(vec_load *load, const hd_state_stream *stream)
{
    HD_STATE_VALUE(stream, load->state);
    if (load->state == LOAD_FREE)
        return;
    HD_STATE_VALUE(stream, load->order);
    HD_STATE_VALUE(stream, load->count);
    HD_STATE_VALUE(stream, load->next);
    HD_STATE_VALUE(stream, load->missing);
    HD_STATE_VALUE(stream, load->place);
    HD_STATE_VALUE(stream, load->has_waited);
    HD_STATE_VALUE(stream, load->from_second);
    HD_STATE_ARRAY(stream, load->lines, load->count);
    HD_STATE_ARRAY(stream, load->is_missing, load->count);
}

static void transfer_loads(vec_loads *all, const hd_state_stream *stream)
{
    HD_STATE_SHAPE(stream, "loads", all->capacity);
    for (uint32_t i = 0; i < all->capacity; i++)
        transfer_load(&all->loads[i], stream);
    HD_STATE_VALUE(stream, all->used);
    HD_STATE_VALUE(stream, all->order);
}

/* ---- Code ------------------------------------------------------------------------------------------------------------------ */

static void transfer_decoded(vec_core *self, const hd_state_stream *stream)
{
    for (uint32_t i = 0; i < DECODED; i++) {
        decoded *kept = &self->decoded[i];
        HD_STATE_VALUE(stream, kept->pc);
        if (kept->pc == NO_LINE)
            continue;
        HD_STATE_VALUE(stream, kept->operation.word);
        if (stream->is_restored)
            kept->operation = vec_decode(kept->operation.word);
    }
}

static uint64_t place_of(const vec_core *self, const vec_operation *operation)
{
    uint64_t place = 0;
    while (place < DECODED && operation != &self->decoded[place].operation)
        place++;
    return place;
}

static void transfer_instruction(vec_core *self, const hd_state_stream *stream)
{
    HD_STATE_VALUE(stream, self->phase);
    const uint64_t place = hd_state_number(stream, place_of(self, self->operation));
    self->operation = place < DECODED ? &self->decoded[place].operation : NULL;
    HD_STATE_VALUE(stream, self->code_line);
    HD_STATE_VALUE(stream, self->next);
    HD_STATE_VALUE(stream, self->missing);
    HD_STATE_ARRAY(stream, self->is_missing, self->plan.count);
    HD_STATE_VALUE(stream, self->from_second);
    HD_STATE_VALUE(stream, self->has_waited);
    HD_STATE_VALUE(stream, self->is_ahead);
}

/* ---- The core -------------------------------------------------------------------------------------------------------------- */

static void transfer_thread(vec_core *self, const hd_state_stream *stream)
{
    HD_STATE_VALUE(stream, self->activity);
    HD_STATE_VALUE(stream, self->outgoing);
    HD_STATE_VALUE(stream, self->thread);
    HD_STATE_ARRAY(stream, self->vectors, HD_VECTOR_REGISTERS * VEC_REGISTER_BYTES);
    HD_STATE_VALUE(stream, self->vectors_taken);
    HD_STATE_VALUE(stream, self->has_move);
    HD_STATE_VALUE(stream, self->arrived_with);
    HD_STATE_VALUE(stream, self->move);
    HD_STATE_VALUE(stream, self->trap_cause);
    HD_STATE_VALUE(stream, self->trap_value);
}

static void transfer_requests(vec_core *self, const hd_state_stream *stream)
{
    const uint64_t misses = value_of(self, PARAMETER_MISSES);
    HD_STATE_SHAPE(stream, "l2.misses", misses);
    HD_STATE_ARRAY(stream, self->fetched, misses);
    HD_STATE_VALUE(stream, self->waits);
    HD_STATE_VALUE(stream, self->fetching);
    HD_STATE_VALUE(stream, self->storing);
}

static void transfer(hd_block *block, const hd_state_stream *stream)
{
    vec_core *self = (vec_core *)block;
    HD_STATE_VALUE(stream, self->cursor);
    HD_STATE_VALUE(stream, self->accounted);
    transfer_hart(&self->hart, stream);
    transfer_window(&self->window, stream);
    transfer_caches(&self->caches, stream);
    transfer_plan(&self->plan, stream);
    transfer_decoded(self, stream);
    HD_STATE_ARRAY(stream, self->predictions, COUNTERS);
    transfer_thread(self, stream);
    transfer_instruction(self, stream);
    transfer_requests(self, stream);
    transfer_loads(&self->loads, stream);
    vec_image_transfer(&self->image, stream);
    HD_STATE_VALUE(stream, self->measured_from);
    HD_STATE_VALUE(stream, self->counters);
}

const hd_state vec_core_state = {.transfer = transfer};
