/* SPDX-License-Identifier: MIT */
/* tx_unit.transfer of ideal transactions, and the part of registrations. */
#include "tx/ideal/ideal.h"

static void transfer_load(ideal_load *load, const hd_state_stream *stream)
{
    HD_STATE_VALUE(stream, load->tag);
    HD_STATE_VALUE(stream, load->address);
    HD_STATE_VALUE(stream, load->bytes);
}

void ideal_registration_transfer(ideal_registration *r, const hd_state_stream *stream)
{
    HD_STATE_SHAPE(stream, "loads that are registered", r->capacity);
    HD_STATE_ARRAY(stream, r->heard, r->t->core.warp_count);
    HD_STATE_ARRAY(stream, r->words, r->capacity);
    HD_STATE_VALUE(stream, r->load_count);
    for (uint32_t i = 0; i < r->load_count; i++)
        transfer_load(&r->loads[(r->load_first + i) % r->capacity], stream);
    HD_STATE_VALUE(stream, r->asking_count);
    for (uint32_t i = 0; i < r->asking_count; i++)
        hd_state_packet(stream, &r->asking[(r->asking_first + i) % r->capacity]);
}

void ideal_transfer(tx *unit, const hd_state_stream *stream)
{
    ideal *g = (ideal *)unit;
    ideal_registration_transfer(&g->registration, stream);
    for (uint32_t warp = 0; warp < g->t->core.warp_count; warp++) {
        HD_STATE_VALUE(stream, g->warps[warp].settled);
        HD_STATE_VALUE(stream, g->warps[warp].is_in_flight);
    }
    tx_queue_transfer(&g->committing, stream);
    HD_STATE_VALUE(stream, g->cursor);
}
