/* SPDX-License-Identifier: MIT */
/* The fabric as it is between two calls (hd_state.h). */
#include "cache_state.h"
#include "state.h"

static void transfer_shape(const tile_fabric *self, const hd_state_stream *stream)
{
    HD_STATE_SHAPE(stream, "tiles", self->tiles);
    HD_STATE_SHAPE(stream, "PEs of a tile", self->pes);
    HD_STATE_SHAPE(stream, "first-level banks of a tile", self->banks);
    HD_STATE_SHAPE(stream, "bytes of a first-level bank", self->bank_bytes);
    HD_STATE_SHAPE(stream, "second-level banks", self->l1_banks);
    HD_STATE_SHAPE(stream, "bytes of a second-level bank", fabric_value(self, PARAMETER_L1_BYTES));
    HD_STATE_SHAPE(stream, "accesses to the second level", self->flight_count);
}

static void transfer_pe(fabric_pe *pe, const hd_state_stream *stream)
{
    hd_state_ring(stream, &pe->unsent);
    for (uint32_t i = 0; i < pe->unsent.count; i++) {
        fabric_reply *reply = &pe->replies[hd_ring_place(&pe->unsent, i)];
        hd_state_packet(stream, &reply->packet);
        HD_STATE_VALUE(stream, reply->ready);
    }
    hd_state_packet(stream, &pe->waiting);
    HD_STATE_VALUE(stream, pe->waits_for);
    HD_STATE_VALUE(stream, pe->has_slept);
    HD_STATE_VALUE(stream, pe->outstanding);
    HD_STATE_VALUE(stream, pe->reach);
}

static void transfer_bank(const tile_fabric *self, fabric_bank *bank, const hd_state_stream *stream)
{
    cache_tags_transfer(&bank->tags, stream);
    HD_STATE_ARRAY(stream, bank->lines, self->bank_lines);
    HD_STATE_ARRAY(stream, bank->data, self->bank_bytes);
    HD_STATE_VALUE(stream, bank->used_edge);
    HD_STATE_VALUE(stream, bank->read_line);
}

static void transfer_misses(fabric_tile *tile, const hd_state_stream *stream)
{
    cache_mshrs_transfer(&tile->mshrs, stream);
    HD_STATE_ARRAY(stream, tile->misses, tile->mshrs.count);
    HD_STATE_VALUE(stream, tile->group_misses);
    for (uint32_t mshr = 0; mshr < tile->mshrs.count; mshr++)
        for (uint32_t i = 0; tile->mshrs.of[mshr].is_listed && i < cache_mshrs_waiting(&tile->mshrs, mshr); i++) {
            fabric_target *target = &tile->targets[cache_mshrs_target(&tile->mshrs, mshr, i)];
            hd_state_packet(stream, &target->request);
            HD_STATE_VALUE(stream, target->pe);
        }
}

static void transfer_requests(fabric_tile *tile, const hd_state_stream *stream)
{
    hd_state_ring(stream, &tile->to_second);
    for (uint32_t i = 0; i < tile->to_second.count; i++) {
        fabric_request *request = &tile->requests[hd_ring_place(&tile->to_second, i)];
        HD_STATE_VALUE(stream, request->address);
        HD_STATE_VALUE(stream, request->ready);
        hd_state_packet(stream, &request->packet);
        HD_STATE_VALUE(stream, request->flight);
        HD_STATE_VALUE(stream, request->is_atomic);
    }
}

static void transfer_answers(fabric_tile *tile, const hd_state_stream *stream)
{
    hd_state_ring(stream, &tile->from_second);
    for (uint32_t i = 0; i < tile->from_second.count; i++) {
        fabric_answer *answer = &tile->answers[hd_ring_place(&tile->from_second, i)];
        HD_STATE_VALUE(stream, answer->ready);
        hd_state_packet(stream, &answer->packet);
        HD_STATE_VALUE(stream, answer->flight);
        HD_STATE_VALUE(stream, answer->data);
    }
}

static void transfer_tile(const tile_fabric *self, fabric_tile *tile, const hd_state_stream *stream)
{
    for (uint32_t b = 0; b < self->banks; b++)
        transfer_bank(self, &tile->banks[b], stream);
    transfer_misses(tile, stream);
    transfer_requests(tile, stream);
    transfer_answers(tile, stream);
    HD_STATE_VALUE(stream, tile->write_backs);
    HD_STATE_VALUE(stream, tile->turn);
    HD_STATE_VALUE(stream, tile->now);
    HD_STATE_VALUE(stream, tile->wanted);
    HD_STATE_VALUE(stream, tile->items);
    HD_STATE_VALUE(stream, tile->task);
}

static void transfer_second(const tile_fabric *self, fabric_l1 *l1, const hd_state_stream *stream)
{
    cache_tags_transfer(&l1->tags, stream);
    HD_STATE_ARRAY(stream, l1->data, fabric_value(self, PARAMETER_L1_BYTES));
    cache_mshrs_transfer(&l1->mshrs, stream);
    HD_STATE_ARRAY(stream, l1->targets, (size_t)l1->mshrs.count * l1->mshrs.targets);
    hd_state_ring(stream, &l1->unsent);
    for (uint32_t i = 0; i < l1->unsent.count; i++)
        hd_state_packet(stream, &l1->out[hd_ring_place(&l1->unsent, i)]);
    HD_STATE_VALUE(stream, l1->used_edge);
    HD_STATE_VALUE(stream, l1->used);
}

static void transfer_flights(tile_fabric *self, const hd_state_stream *stream)
{
    for (uint32_t i = 0; i < self->flight_count; i++) {
        fabric_flight *flight = &self->flights[i], value = *flight;
        hd_packet *request = flight->request;
        value.request = NULL;
        HD_STATE_VALUE(stream, value);
        hd_state_packet(stream, &request);
        *flight = value;
        flight->request = request;
    }
    HD_STATE_ARRAY(stream, self->free_flights, self->flight_count);
    HD_STATE_VALUE(stream, self->free_count);
}

static void transfer(hd_block *block, const hd_state_stream *stream)
{
    tile_fabric *self = (tile_fabric *)block;
    transfer_shape(self, stream);
    for (uint32_t i = 0; i < self->tiles * self->pes; i++)
        transfer_pe(&self->pe[i], stream);
    for (uint32_t i = 0; i < self->tiles; i++)
        transfer_tile(self, &self->tile[i], stream);
    for (uint32_t i = 0; i < self->l1_banks; i++)
        transfer_second(self, &self->l1[i], stream);
    transfer_flights(self, stream);
    HD_STATE_ARRAY(stream, self->chains, (size_t)self->chain_mask + 1);
    HD_STATE_VALUE(stream, self->items);
    HD_STATE_VALUE(stream, self->cursor);
    HD_STATE_VALUE(stream, self->next_edge);
    HD_STATE_VALUE(stream, self->accounted);
    HD_STATE_VALUE(stream, self->second_turn);
    HD_STATE_VALUE(stream, self->gated);
    HD_STATE_VALUE(stream, self->at_barriers);
    HD_STATE_VALUE(stream, self->is_changed);
    HD_STATE_VALUE(stream, self->faulted);
    HD_STATE_VALUE(stream, self->counters);
}

const hd_state fabric_state = {.transfer = transfer};
