/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "state.h"

#define LEAST_RECENTLY_USED (&replacement_lru)
#define WAY_ROOM 64u /* requests of a tile that wait for the second level */
#define OUT_ROOM 64u /* packets that wait for a bank's link to memory */
#define SECOND_TARGETS 64u

static uint32_t tags_create(cache_tags *tags, uint32_t bytes, uint32_t ways)
{
    const replacement_parameters shape = {.sets = bytes / (ways * FABRIC_LINE), .ways = ways};
    return cache_tags_create(tags, CACHE_LINEAR, LEAST_RECENTLY_USED, &shape) == 0;
}

static uint32_t create_bank(tile_fabric *self, fabric_bank *bank)
{
    bank->lines = calloc(self->bank_lines, sizeof *bank->lines);
    bank->data = calloc(self->bank_bytes, 1);
    return tags_create(&bank->tags, self->bank_bytes, (uint32_t)fabric_value(self, PARAMETER_L0_WAYS)) && bank->lines &&
           bank->data;
}

static uint32_t create_tile(tile_fabric *self, fabric_tile *tile)
{
    const uint32_t mshrs = (uint32_t)fabric_value(self, PARAMETER_L0_MSHRS);
    const uint32_t targets = (uint32_t)fabric_value(self, PARAMETER_L0_TARGETS);
    tile->banks = calloc(self->banks, sizeof *tile->banks);
    for (uint32_t b = 0; tile->banks && b < self->banks; b++)
        if (!create_bank(self, &tile->banks[b]))
            return 0;
    tile->misses = calloc(mshrs, sizeof *tile->misses);
    tile->targets = calloc((size_t)mshrs * targets, sizeof *tile->targets);
    tile->to_second.capacity = WAY_ROOM;
    tile->requests = calloc(WAY_ROOM, sizeof *tile->requests);
    tile->from_second.capacity = self->flight_count;
    tile->answers = calloc(self->flight_count, sizeof *tile->answers);
    return cache_mshrs_create(&tile->mshrs, mshrs, targets) == 0 && tile->banks && tile->misses && tile->targets &&
           tile->requests && tile->answers;
}

static uint32_t create_second(tile_fabric *self, fabric_l1 *l1)
{
    const uint32_t mshrs = (uint32_t)fabric_value(self, PARAMETER_L1_MSHRS);
    l1->data = calloc(fabric_value(self, PARAMETER_L1_BYTES), 1);
    l1->targets = calloc((size_t)mshrs * SECOND_TARGETS, sizeof *l1->targets);
    l1->unsent.capacity = OUT_ROOM;
    l1->out = calloc(OUT_ROOM, sizeof *l1->out);
    return tags_create(&l1->tags, (uint32_t)fabric_value(self, PARAMETER_L1_BYTES),
                       (uint32_t)fabric_value(self, PARAMETER_L1_WAYS)) &&
           cache_mshrs_create(&l1->mshrs, mshrs, SECOND_TARGETS) == 0 && l1->data && l1->targets && l1->out;
}

static uint32_t create_directory(tile_fabric *self)
{
    uint32_t chains = 64;
    while (chains < FABRIC_PLACES_OF(self))
        chains *= 2;
    self->chain_mask = chains - 1;
    self->chains = calloc(chains, sizeof *self->chains);
    return self->chains != NULL;
}

static uint32_t create_parts(tile_fabric *self)
{
    self->pe = calloc((size_t)self->tiles * self->pes, sizeof *self->pe);
    self->tile = calloc(self->tiles, sizeof *self->tile);
    self->flights = calloc(self->flight_count, sizeof *self->flights);
    self->free_flights = calloc(self->flight_count, sizeof *self->free_flights);
    if (!self->pe || !self->tile || !self->flights || !self->free_flights || !create_directory(self))
        return 0;
    for (uint32_t i = 0; i < self->tiles * self->pes; i++) {
        self->pe[i].unsent.capacity = FABRIC_REPLIES;
        self->pe[i].replies = calloc(FABRIC_REPLIES, sizeof *self->pe[i].replies);
        if (!self->pe[i].replies)
            return 0;
    }
    for (uint32_t i = 0; i < self->tiles; i++)
        if (!create_tile(self, &self->tile[i]))
            return 0;
    for (uint32_t i = 0; i < self->l1_banks; i++)
        if (!create_second(self, &self->l1[i]))
            return 0;
    return 1;
}

static void number_messages(tile_fabric *self)
{
    fabric_messages *m = &self->message;
    const hd_message_number numbers[] = {
        {&m->load, HD_GLOBAL_LOAD},       {&m->load_reply, HD_GLOBAL_LOAD_REPLY},
        {&m->store, HD_GLOBAL_STORE},     {&m->store_ack, HD_GLOBAL_STORE_ACK},
        {&m->atomic, HD_GLOBAL_ATOMIC},   {&m->atomic_reply, HD_GLOBAL_ATOMIC_REPLY},
        {&m->mistake, HD_GLOBAL_MISTAKE},
    };
    hd_number_messages(self->services, numbers, sizeof numbers / sizeof *numbers);
}

hd_block *fabric_create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes)
{
    tile_fabric *self = calloc(1, sizeof *self);
    if (!self) {
        snprintf(error, error_bytes, "out of memory");
        return NULL;
    }
    self->services = services;
    self->map = services->extension(services->context, HD_EXTENSION_ADDRESS_MAP);
    memcpy(self->values, values, sizeof self->values);
    number_messages(self);
    self->tiles = (uint32_t)values[PARAMETER_TILES].u;
    self->pes = (uint32_t)values[PARAMETER_PES].u;
    self->banks = (uint32_t)values[PARAMETER_L0_BANKS].u;
    self->l1_banks = (uint32_t)values[PARAMETER_L1_BANKS].u;
    self->bank_bytes = (uint32_t)(values[PARAMETER_L0_BYTES].u / self->banks);
    self->bank_lines = self->bank_bytes / FABRIC_LINE;
    self->flight_count = 64 * self->tiles + 256;
    if (create_parts(self)) {
        fabric_trace_create(self);
        return (hd_block *)self;
    }
    snprintf(error, error_bytes, "out of memory");
    fabric_destroy((hd_block *)self);
    return NULL;
}

void fabric_connect(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in)
{
    tile_fabric *self = (tile_fabric *)block;
    if (port == TILE_FABRIC_REQUEST && element >= self->linked)
        self->linked = element + 1;
    if (port == TILE_FABRIC_REQUEST && element < self->tiles * self->pes)
        self->pe[element].request = in;
    else if (port == TILE_FABRIC_REPLY && element < self->tiles * self->pes)
        self->pe[element].reply = out;
    else if (port == TILE_FABRIC_MEMORY) {
        /* Banks beyond the links share them in turn. */
        for (uint32_t b = element; b < self->l1_banks; b++)
            self->l1[b].memory = b % (element + 1) == element ? out : self->l1[b].memory;
    } else if (port == TILE_FABRIC_FILL) {
        self->fill[element] = in;
        self->fill_count = element >= self->fill_count ? element + 1 : self->fill_count;
    }
}

/* ---- What is under way -------------------------------------------------------------------------------------------- */

static void free_packet(tile_fabric *self, hd_packet **packet)
{
    if (*packet)
        self->services->free(self->services->context, *packet);
    *packet = NULL;
}

static void drop_targets(tile_fabric *self, fabric_tile *tile)
{
    for (uint32_t m = 0; m < tile->mshrs.count; m++)
        while (tile->mshrs.of[m].is_listed && cache_mshrs_waiting(&tile->mshrs, m))
            free_packet(self, &tile->targets[cache_mshrs_pop(&tile->mshrs, m)].request);
}

static void drop_tile(tile_fabric *self, fabric_tile *tile)
{
    drop_targets(self, tile);
    while (tile->to_second.count)
        free_packet(self, &tile->requests[hd_ring_pop(&tile->to_second)].packet);
    while (tile->from_second.count)
        free_packet(self, &tile->answers[hd_ring_pop(&tile->from_second)].packet);
}

static void drop_packets(tile_fabric *self)
{
    for (uint32_t i = 0; i < self->tiles * self->pes; i++) {
        free_packet(self, &self->pe[i].waiting);
        while (self->pe[i].unsent.count)
            free_packet(self, &self->pe[i].replies[hd_ring_pop(&self->pe[i].unsent)].packet);
    }
    for (uint32_t i = 0; i < self->flight_count; i++)
        free_packet(self, &self->flights[i].request);
    for (uint32_t i = 0; i < self->tiles; i++)
        drop_tile(self, &self->tile[i]);
    for (uint32_t i = 0; i < self->l1_banks; i++)
        while (self->l1[i].unsent.count)
            free_packet(self, &self->l1[i].out[hd_ring_pop(&self->l1[i].unsent)]);
}

/* ---- Life --------------------------------------------------------------------------------------------------------- */

static void forget_bank(tile_fabric *self, fabric_bank *bank)
{
    cache_tags_reset(&bank->tags, 0);
    memset(bank->lines, 0, self->bank_lines * sizeof *bank->lines);
    bank->used_edge = bank->read_line = NO_EDGE;
}

static void forget_tile(tile_fabric *self, uint32_t index)
{
    fabric_tile *tile = &self->tile[index];
    for (uint32_t b = 0; b < self->banks; b++)
        forget_bank(self, &tile->banks[b]);
    fabric_settings_reset(self, &tile->now);
    tile->wanted = tile->now;
    tile->items = (fabric_items){0, 0, 0};
    tile->turn = 0;
    fabric_find_reach(self, index);
}

void fabric_forget(tile_fabric *self)
{
    memset(self->chains, 0xFF, (self->chain_mask + 1) * sizeof *self->chains);
    for (uint32_t i = 0; i < self->tiles; i++)
        forget_tile(self, i);
    for (uint32_t i = 0; i < self->l1_banks; i++)
        cache_tags_reset(&self->l1[i].tags, 0);
    self->items = (fabric_items){0, 0, 0};
    self->second_turn = 0;
}

static void reset_tile(tile_fabric *self, fabric_tile *tile)
{
    cache_mshrs_reset(&tile->mshrs);
    memset(tile->group_misses, 0, sizeof tile->group_misses);
    tile->write_backs = 0;
    tile->task = (fabric_task){.phase = PHASE_NONE};
    for (uint32_t b = 0; b < self->banks; b++)
        memset(tile->banks[b].data, 0, self->bank_bytes);
}

void fabric_reset(hd_block *block)
{
    tile_fabric *self = (tile_fabric *)block;
    drop_packets(self);
    for (uint32_t i = 0; i < self->tiles; i++)
        reset_tile(self, &self->tile[i]);
    for (uint32_t i = 0; i < self->l1_banks; i++) {
        cache_mshrs_reset(&self->l1[i].mshrs);
        self->l1[i].used_edge = NO_EDGE;
        self->l1[i].used = 0;
    }
    for (uint32_t i = 0; i < self->tiles * self->pes; i++)
        self->pe[i].waits_for = self->pe[i].outstanding = self->pe[i].has_slept = 0;
    for (uint32_t i = 0; i < self->flight_count; i++) {
        self->flights[i] = (fabric_flight){.kind = FLIGHT_FREE};
        self->free_flights[i] = self->flight_count - 1 - i;
    }
    self->free_count = self->flight_count;
    fabric_forget(self);
    memset(&self->counters, 0, sizeof self->counters);
    fabric_trace_reset(self);
    self->accounted = 0;
    self->gated = self->at_barriers = self->is_changed = self->faulted = 0;
    self->next_edge = 0;
    hd_cursor_init(&self->cursor, self->services->clock);
}

static void destroy_tile(tile_fabric *self, fabric_tile *tile)
{
    for (uint32_t b = 0; tile->banks && b < self->banks; b++) {
        cache_tags_destroy(&tile->banks[b].tags);
        free(tile->banks[b].lines);
        free(tile->banks[b].data);
    }
    free(tile->banks);
    cache_mshrs_destroy(&tile->mshrs);
    free(tile->misses);
    free(tile->targets);
    free(tile->requests);
    free(tile->answers);
}

void fabric_destroy(hd_block *block)
{
    tile_fabric *self = (tile_fabric *)block;
    if (!self)
        return;
    if (self->chains && self->tile && self->l1[self->l1_banks - 1].out)
        drop_packets(self);
    for (uint32_t i = 0; self->pe && i < self->tiles * self->pes; i++)
        free(self->pe[i].replies);
    for (uint32_t i = 0; self->tile && i < self->tiles; i++)
        destroy_tile(self, &self->tile[i]);
    for (uint32_t i = 0; i < self->l1_banks; i++) {
        cache_tags_destroy(&self->l1[i].tags);
        cache_mshrs_destroy(&self->l1[i].mshrs);
        free(self->l1[i].data);
        free(self->l1[i].targets);
        free(self->l1[i].out);
    }
    free(self->pe);
    free(self->tile);
    free(self->flights);
    free(self->free_flights);
    free(self->chains);
    free(self);
}
