/* SPDX-License-Identifier: MIT */
/* The crossbar between the levels and the second-level banks: one request of a tile in a cycle. What is written passes them. */
#include <string.h>

#include "state.h"

uint32_t fabric_has_way(const tile_fabric *self, const fabric_tile *tile, uint32_t requests)
{
    return tile->to_second.count + requests <= tile->to_second.capacity && self->free_count >= requests;
}

uint32_t fabric_take_flight(tile_fabric *self, fabric_flight flight)
{
    const uint32_t number = self->free_flights[--self->free_count];
    self->flights[number] = flight;
    return number;
}

void fabric_to_second(tile_fabric *self, uint32_t tile, fabric_request request)
{
    fabric_tile *of = &self->tile[tile];
    request.ready = fabric_edge(self) + fabric_value(self, PARAMETER_CROSSBAR_LATENCY);
    of->requests[hd_ring_push(&of->to_second)] = request;
    fabric_wake(self, request.ready);
}

/* ---- Banks -------------------------------------------------------------------------------------------------------- */

/* The bank of the line among those that the tile reaches. */
static uint32_t bank_of(const tile_fabric *self, uint32_t tile, uint64_t line)
{
    uint32_t reached = self->tile[tile].now.second_level;
    for (uint32_t skip = (uint32_t)(line % (uint32_t)__builtin_popcount(reached)); skip; skip--)
        reached &= reached - 1;
    return (uint32_t)__builtin_ctz(reached);
}

static uint32_t place_in(const tile_fabric *self, const fabric_l1 *l1, uint64_t line)
{
    return cache_tags_find(&l1->tags, cache_tags_set(&l1->tags, line / self->l1_banks), line);
}

static uint8_t *data_of(fabric_l1 *l1, uint32_t place)
{
    return &l1->data[(size_t)place * FABRIC_LINE];
}

/* Where the line is, if it is; one that comes is older than what memory will have, and is not kept. */
static uint32_t place_alone(const tile_fabric *self, fabric_l1 *l1, uint64_t line)
{
    const uint32_t mshr = cache_mshrs_find(&l1->mshrs, line);
    if (mshr != CACHE_NO_MSHR)
        cache_mshrs_hide(&l1->mshrs, mshr);
    return place_in(self, l1, line);
}

static void drop(tile_fabric *self, fabric_l1 *l1, uint64_t line)
{
    const uint32_t place = place_alone(self, l1, line);
    if (place != NO_PLACE)
        cache_tags_clear(&l1->tags, place);
}

static void update(tile_fabric *self, fabric_l1 *l1, uint64_t line, const hd_packet *packet)
{
    const uint32_t place = place_alone(self, l1, line);
    if (place != NO_PLACE)
        fabric_write_bytes(data_of(l1, place) + packet->address % FABRIC_LINE, packet);
}

void fabric_second_update(tile_fabric *self, uint64_t address, const void *data, uint32_t bytes)
{
    for (uint32_t b = 0; b < self->l1_banks; b++) {
        const uint32_t place = place_alone(self, &self->l1[b], address / FABRIC_LINE);
        if (place != NO_PLACE)
            memcpy(data_of(&self->l1[b], place) + address % FABRIC_LINE, data, bytes);
    }
}

static uint32_t read(tile_fabric *self, uint32_t bank, const fabric_request *request)
{
    fabric_l1 *l1 = &self->l1[bank];
    const uint64_t line = request->address / FABRIC_LINE;
    const uint32_t place = place_in(self, l1, line);
    if (place != NO_PLACE) {
        self->counters.l1_hits++;
        cache_tags_use(&l1->tags, place);
        fabric_push_answer(self, request->flight, NULL, data_of(l1, place),
                           fabric_edge(self) + fabric_value(self, PARAMETER_L1_LATENCY) +
                               fabric_value(self, PARAMETER_CROSSBAR_LATENCY));
        return 1;
    }
    uint32_t mshr = cache_mshrs_find(&l1->mshrs, line);
    if (mshr != CACHE_NO_MSHR) {
        if (!cache_mshrs_can_wait(&l1->mshrs, mshr))
            return 0;
        self->counters.l1_merges++;
    } else {
        if (cache_mshrs_is_full(&l1->mshrs) || l1->unsent.count == l1->unsent.capacity)
            return 0;
        self->counters.l1_misses++;
        mshr = cache_mshrs_take(&l1->mshrs, line);
        fabric_fetch(self, bank, mshr, line * FABRIC_LINE);
    }
    l1->targets[cache_mshrs_push(&l1->mshrs, mshr)] = request->flight;
    return 1;
}

/* Another tile may reach other banks: what they have of the line goes. */
static uint32_t write(tile_fabric *self, uint32_t bank, const fabric_request *request)
{
    const uint64_t line = request->address / FABRIC_LINE;
    if (self->l1[bank].unsent.count == self->l1[bank].unsent.capacity)
        return 0;
    for (uint32_t b = 0; b < self->l1_banks; b++) {
        if (b == bank && !request->is_atomic) {
            update(self, &self->l1[b], line, request->packet);
            continue;
        }
        drop(self, &self->l1[b], line);
        if (request->is_atomic)
            drop(self, &self->l1[b], line + 1);
    }
    self->counters.l1_writes++;
    self->counters.memory_bytes_written += request->is_atomic ? 0 : request->packet->argument;
    request->packet->source = (uint16_t)self->services->endpoint;
    request->packet->tag = request->flight;
    fabric_queue_out(self, bank, request->packet);
    return 1;
}

/* Is a port of the bank free in this cycle? */
static uint32_t has_port(tile_fabric *self, fabric_l1 *l1)
{
    if (l1->used_edge != fabric_edge(self)) {
        l1->used_edge = fabric_edge(self);
        l1->used = 0;
    }
    return l1->used < fabric_value(self, PARAMETER_L1_PORTS);
}

/* 1: the first request of the tile has been carried out. */
static uint32_t work_tile(tile_fabric *self, uint32_t index)
{
    fabric_tile *tile = &self->tile[index];
    if (!tile->to_second.count)
        return 0;
    fabric_request *first = &tile->requests[tile->to_second.first];
    if (first->ready > fabric_edge(self)) {
        fabric_wake(self, first->ready);
        return 0;
    }
    const uint32_t bank = bank_of(self, index, first->address / FABRIC_LINE);
    fabric_wake(self, fabric_edge(self) + 1);
    if (!has_port(self, &self->l1[bank]) || !(first->packet ? write : read)(self, bank, first))
        return 0;
    self->l1[bank].used++;
    first->packet = NULL;
    hd_ring_pop(&tile->to_second);
    return 1;
}

void fabric_second_level(tile_fabric *self)
{
    const uint32_t first = self->second_turn;
    uint32_t served = 0;
    for (uint32_t i = 0; i < self->tiles; i++)
        served += work_tile(self, (first + i) % self->tiles);
    if (served)
        self->second_turn = (first + 1) % self->tiles;
}
