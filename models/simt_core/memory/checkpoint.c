/* SPDX-License-Identifier: MIT */
/* heddle.state/1 of the memory pipe: all that may have changed since reset, to bytes and back. Its status follows from that. */
#include "cache_state.h"
#include "instruction_places.h"
#include "state.h"

#include <stdlib.h>

/* ---- Accesses ---------------------------------------------------------------------------------------------------------------- */

/* Behind the instruction it has no pointer. */
static void transfer_slot(access_slot *slot, const instruction_places *places, const hd_state_stream *stream)
{
    const size_t first = offsetof(access_slot, access.pc);
    instruction_transfer(places, &slot->access.instruction, stream);
    stream->bytes(stream->context, (uint8_t *)slot + first, sizeof *slot - first);
}

static void transfer_slots(memory *m, const instruction_places *places, const hd_state_stream *stream)
{
    HD_STATE_VALUE(stream, m->tickets.count);
    HD_STATE_VALUE(stream, m->tickets.used);
    HD_STATE_ARRAY(stream, m->tickets.free, m->tickets.count);
    for (uint32_t i = 0; i < m->tickets.used; i++) {
        HD_STATE_VALUE(stream, m->slots[i].in_use);
        if (m->slots[i].in_use)
            transfer_slot(&m->slots[i], places, stream);
    }
}

static void transfer_ring(hd_ring *ring, uint32_t *items, const hd_state_stream *stream)
{
    HD_STATE_VALUE(stream, ring->count);
    for (uint32_t i = 0; i < ring->count; i++)
        HD_STATE_VALUE(stream, items[hd_ring_place(ring, i)]);
}

static void transfer_pipe(pipe_state *pipe, const hd_state_stream *stream)
{
    HD_STATE_SHAPE(stream, "memory.queue", pipe->waiting.capacity);
    transfer_ring(&pipe->waiting, pipe->queue, stream);
    HD_STATE_VALUE(stream, pipe->free);
    HD_STATE_VALUE(stream, pipe->moved);
    HD_STATE_VALUE(stream, pipe->is_narrow);
    HD_STATE_VALUE(stream, pipe->stall);
    HD_STATE_VALUE(stream, pipe->stalled_since);
    HD_STATE_VALUE(stream, pipe->head_waits_for_network);
}

static void transfer_address_units(memory *m, const hd_state_stream *stream)
{
    const uint32_t count = m->addresses.units != NULL ? m->parameters.schedulers : 0;
    HD_STATE_SHAPE(stream, "address units", count);
    for (uint32_t i = 0; i < count; i++) {
        address_unit *unit = &m->addresses.units[i];
        transfer_ring(&unit->waiting, unit->tickets, stream);
        HD_STATE_VALUE(stream, unit->free);
    }
    HD_STATE_VALUE(stream, m->addresses.turn);
}

/* Of another latency there may be room for fewer. */
static void make_room(completion_ring *values, uint32_t count)
{
    if (count <= values->ring.capacity)
        return;
    completion *grown = realloc(values->entries, count * sizeof *grown);
    if (grown == NULL)
        abort();
    values->entries = grown;
    values->ring.capacity = count;
}

static void transfer_values(completion_ring *values, const hd_state_stream *stream)
{
    const uint32_t count = (uint32_t)hd_state_number(stream, values->ring.count);
    make_room(values, count);
    values->ring.count = count;
    for (uint32_t i = 0; i < count; i++) {
        completion *entry = &values->entries[hd_ring_place(&values->ring, i)];
        HD_STATE_VALUE(stream, entry->edge);
        HD_STATE_VALUE(stream, entry->lanes);
        HD_STATE_VALUE(stream, entry->ticket);
    }
}

static void transfer_all_values(memory *m, const hd_state_stream *stream)
{
    transfer_values(&m->values.hits, stream);
    transfer_values(&m->values.passes, stream);
    transfer_values(&m->values.responses, stream);
    transfer_values(&m->constants.values, stream);
    transfer_values(&m->textures.values, stream);
    HD_STATE_VALUE(stream, m->values.response_edge);
    HD_STATE_VALUE(stream, m->values.responses_at_edge);
}

static void transfer_warp(warp_memory *warp, const hd_state_stream *stream)
{
    HD_STATE_VALUE(stream, warp->view);
    HD_STATE_VALUE(stream, warp->accesses);
    HD_STATE_VALUE(stream, warp->load_reserved_in_flight);
}

static void transfer_outstanding(memory *m, const hd_state_stream *stream)
{
    const memory_parameters *p = &m->parameters;
    const size_t threads = (size_t)p->warps * p->lanes;
    for (uint32_t warp = 0; warp < p->warps; warp++)
        transfer_warp(&m->warps[warp], stream);
    HD_STATE_ARRAY(stream, m->outstanding.path_stores, p->paths);
    HD_STATE_ARRAY(stream, m->outstanding.path_reads, p->paths);
    if (m->outstanding.thread_stores != NULL)
        HD_STATE_ARRAY(stream, m->outstanding.thread_stores, threads);
    if (m->outstanding.path_queued != NULL)
        HD_STATE_ARRAY(stream, m->outstanding.path_queued, p->paths);
    if (m->outstanding.thread_queued != NULL)
        HD_STATE_ARRAY(stream, m->outstanding.thread_queued, threads);
}

/* ---- Caches and scratchpad --------------------------------------------------------------------------------------------------- */

static void transfer_line(cache_line *line, const hd_state_stream *stream)
{
    HD_STATE_VALUE(stream, line->state);
    HD_STATE_VALUE(stream, line->warp);
    HD_STATE_VALUE(stream, line->block);
    HD_STATE_VALUE(stream, line->mshr);
    HD_STATE_VALUE(stream, line->valid);
    HD_STATE_VALUE(stream, line->dirty);
    HD_STATE_VALUE(stream, line->unacknowledged);
}

static void transfer_miss(cache *c, uint32_t index, const hd_state_stream *stream)
{
    cache_miss *miss = &c->misses[index];
    HD_STATE_VALUE(stream, miss->edges);
    HD_STATE_VALUE(stream, miss->line);
    HD_STATE_VALUE(stream, miss->warp);
    HD_STATE_VALUE(stream, miss->block);
    HD_STATE_VALUE(stream, miss->pending);
    for (uint32_t i = 0; i < cache_mshrs_waiting(&c->mshrs, index); i++) {
        mshr_waiter *waiter = &c->waiters[cache_mshrs_target(&c->mshrs, index, i)];
        HD_STATE_VALUE(stream, waiter->lanes);
        HD_STATE_VALUE(stream, waiter->ticket);
    }
}

static void transfer_cache(cache *c, const hd_state_stream *stream)
{
    HD_STATE_SHAPE(stream, "bytes of a cache", c->parameters.bytes);
    HD_STATE_SHAPE(stream, "bytes of a line of a cache", c->parameters.line_bytes);
    if (c->parameters.bytes == 0)
        return;
    cache_tags_transfer(&c->tags, stream);
    cache_mshrs_transfer(&c->mshrs, stream);
    for (uint32_t place = 0; place < c->tags.places; place++)
        transfer_line(&c->lines[place], stream);
    for (uint32_t index = 0; index < c->mshrs.count; index++)
        transfer_miss(c, index, stream);
    if (c->data != NULL)
        HD_STATE_ARRAY(stream, c->data, (size_t)c->tags.places * c->parameters.line_bytes);
}

static void transfer_caches(memory *m, const hd_state_stream *stream)
{
    for (uint32_t i = 0; i < CACHES; i++)
        transfer_cache(&m->caches[i], stream);
    HD_STATE_VALUE(stream, m->l1.random_seed);
    HD_STATE_VALUE(stream, m->l1.class_lines);
    HD_STATE_VALUE(stream, m->l1.flush.blocks);
    HD_STATE_VALUE(stream, m->l1.flush.place);
    transfer_ring(&m->code.unsent, m->code.requests, stream);
    HD_STATE_VALUE(stream, m->status.code_line);
}

/* What has not been used is 0. */
static void transfer_scratchpad(memory *m, const hd_state_stream *stream)
{
    scratchpad_state *scratchpad = &m->scratchpad;
    const memory_parameters *p = &m->parameters;
    HD_STATE_VALUE(stream, scratchpad->is_used);
    HD_STATE_VALUE(stream, scratchpad->is_reserved);
    HD_STATE_VALUE(stream, scratchpad->watched);
    if (scratchpad->is_used)
        HD_STATE_ARRAY(stream, scratchpad->bytes, p->scratchpad_bytes);
    if (scratchpad->watched)
        HD_STATE_ARRAY(stream, scratchpad->versions, p->scratchpad_bytes / 4);
    if (scratchpad->is_reserved)
        HD_STATE_ARRAY(stream, scratchpad->reservations, (size_t)p->warps * p->lanes);
}

/* ---- The network ------------------------------------------------------------------------------------------------------------- */

static void transfer_packets(network_state *network, const hd_state_stream *stream)
{
    HD_STATE_SHAPE(stream, "packets that wait for the network", network->unsent.capacity);
    HD_STATE_VALUE(stream, network->unsent.count);
    for (uint32_t i = 0; i < network->unsent.count; i++)
        hd_state_packet(stream, &network->out[hd_ring_place(&network->unsent, i)]);
}

static void transfer_network(memory *m, const hd_state_stream *stream)
{
    transfer_packets(&m->network, stream);
    HD_STATE_VALUE(stream, m->network.reply_arrival);
    HD_STATE_VALUE(stream, m->network.credit_arrival);
    HD_STATE_VALUE(stream, m->network.blocked_since);
    HD_STATE_VALUE(stream, m->network.unacknowledged);
    HD_STATE_ARRAY(stream, m->refused.origins, STORE_ORIGINS);
    HD_STATE_VALUE(stream, m->refused.serial);
    HD_STATE_VALUE(stream, m->transactional.offered);
    HD_STATE_VALUE(stream, m->transactional.their_turn);
    HD_STATE_VALUE(stream, m->transactional.serial);
    hd_state_packet(stream, &m->contexts.unsent);
    HD_STATE_VALUE(stream, m->contexts.their_turn);
    HD_STATE_VALUE(stream, m->contexts.outstanding);
}

/* What lines of the L1 and those that it awaits may be like. */
static void transfer_l1_shape(const memory_parameters *parameters, const hd_state_stream *stream)
{
    HD_STATE_SHAPE(stream, "l1.sector, in bytes", parameters->l1_sector);
    HD_STATE_SHAPE(stream, "number of the choice of l1.allocate", parameters->l1_allocate);
    HD_STATE_SHAPE(stream, "number of the choice of l1.write", parameters->l1_write);
    HD_STATE_SHAPE(stream, "number of the choice of l1.write_allocate", parameters->l1_write_allocate);
    HD_STATE_SHAPE(stream, "number of the choice of l1.global", parameters->l1_global);
    HD_STATE_SHAPE(stream, "number of the choice of l1.private", parameters->l1_private);
}

void memory_transfer(memory *m, const instruction_places *places, const hd_state_stream *stream)
{
    transfer_l1_shape(&m->parameters, stream);
    HD_STATE_VALUE(stream, m->cursor);
    HD_STATE_VALUE(stream, m->unworked);
    transfer_slots(m, places, stream);
    transfer_pipe(&m->pipe, stream);
    transfer_address_units(m, stream);
    transfer_all_values(m, stream);
    transfer_outstanding(m, stream);
    transfer_caches(m, stream);
    transfer_scratchpad(m, stream);
    transfer_network(m, stream);
    pipe_find_due(m);
    pipe_update_status(m);
}
