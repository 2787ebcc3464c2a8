/* SPDX-License-Identifier: MIT */
/*
 * Accesses without time. The fabric holds what memory has not yet: bytes that are dirty in first-level caches, and writes on their
 * way through it. Its other bytes are copies, which take what is written too.
 */
#include <string.h>

#include "state.h"

/* Of one line. */
typedef struct debug_span {
    uint64_t line;
    uint64_t bytes; /* a bit each: that are read and have been found so far, or that are written */
    uint8_t data[FABRIC_LINE];
    uint32_t is_write;
} debug_span;

static uint32_t lower(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Between the span and these bytes of the line. */
static void exchange(debug_span *span, uint8_t *bytes, uint32_t first, uint64_t mask)
{
    for (uint64_t left = span->is_write ? mask & span->bytes : mask; left; left &= left - 1) {
        const uint32_t i = (uint32_t)__builtin_ctzll(left);
        uint8_t *to = span->is_write ? &bytes[i - first] : &span->data[i];
        *to = span->is_write ? span->data[i] : bytes[i - first];
    }
    if (!span->is_write)
        span->bytes |= mask;
}

/* ---- Writes on their way ------------------------------------------------------------------------------------------ */

static void meet_packet(const tile_fabric *self, debug_span *span, hd_packet *packet)
{
    if (packet && packet->message == self->message.store && packet->address / FABRIC_LINE == span->line)
        exchange(span, hd_store_data(hd_body(packet)), (uint32_t)(packet->address % FABRIC_LINE),
                 fabric_bytes_of(self, packet));
}

/* The oldest first. */
static void meet_writes(const tile_fabric *self, debug_span *span)
{
    for (uint32_t b = 0; b < self->l1_banks; b++)
        for (uint32_t i = 0; i < self->l1[b].unsent.count; i++)
            meet_packet(self, span, self->l1[b].out[hd_ring_place(&self->l1[b].unsent, i)]);
    for (uint32_t t = 0; t < self->tiles; t++) {
        const fabric_tile *tile = &self->tile[t];
        for (uint32_t i = 0; i < tile->to_second.count; i++)
            meet_packet(self, span, tile->requests[hd_ring_place(&tile->to_second, i)].packet);
    }
}

/* Stores that wait for their line. */
static void each_under_way(hd_block *block, const hd_under_way_sink *sink)
{
    const tile_fabric *self = (const tile_fabric *)block;
    for (uint32_t t = 0; t < self->tiles; t++) {
        const fabric_tile *tile = &self->tile[t];
        for (uint32_t m = 0; m < tile->mshrs.count; m++)
            for (uint32_t i = 0; i < cache_mshrs_waiting(&tile->mshrs, m); i++)
                sink->write(sink->context, tile->targets[cache_mshrs_target(&tile->mshrs, m, i)].request, 0);
    }
}

const hd_under_way fabric_under_way = {each_under_way};

/* ---- Lines -------------------------------------------------------------------------------------------------------- */

/* A byte that others have stored since is not the newest. */
static void read_copy(void *context, fabric_line *line, uint8_t *data)
{
    exchange(context, data, 0, line->dirty & ~line->stale);
}

/* What an awaited line has keeps its place when the rest comes. */
static void write_copy(void *context, fabric_line *line, uint8_t *data)
{
    debug_span *span = context;
    const uint64_t here = span->bytes & (line->is_awaited ? UINT64_MAX : line->valid);
    exchange(span, data, 0, here);
    line->valid |= here;
    line->stale &= ~here;
}

static debug_span span_of(uint64_t address, void *data, uint32_t bytes, uint32_t is_write)
{
    const uint32_t first = (uint32_t)(address % FABRIC_LINE);
    debug_span span = {.line = address / FABRIC_LINE, .is_write = is_write};
    if (is_write) {
        span.bytes = fabric_bytes_mask(first, bytes);
        memcpy(span.data + first, data, bytes);
    }
    return span;
}

/* Memory takes what is written, too. */
static uint32_t write_line(tile_fabric *self, uint64_t address, void *data, uint32_t bytes)
{
    debug_span span = span_of(address, data, bytes, 1);
    meet_writes(self, &span);
    fabric_directory_each(self, span.line, write_copy, &span);
    fabric_second_update(self, address, data, bytes);
    return 0;
}

static uint32_t read_line(tile_fabric *self, uint64_t address, void *data, uint32_t bytes)
{
    const uint32_t first = (uint32_t)(address % FABRIC_LINE);
    debug_span span = span_of(address, data, bytes, 0);
    meet_writes(self, &span);
    fabric_directory_each(self, span.line, read_copy, &span);
    const uint64_t lacking = ~(span.bytes >> first);
    const uint32_t held = lower(bytes, lacking ? (uint32_t)__builtin_ctzll(lacking) : FABRIC_LINE);
    memcpy(data, span.data + first, held);
    return held;
}

uint32_t fabric_debug_access(hd_block *block, uint64_t address, void *data, uint32_t bytes, uint32_t is_write)
{
    const uint32_t in_line = lower(bytes, FABRIC_LINE - (uint32_t)(address % FABRIC_LINE));
    return (is_write ? write_line : read_line)((tile_fabric *)block, address, data, in_line);
}

/* ---- Scratchpad banks and registers ------------------------------------------------------------------------------- */

/* Loads of registers do something, and are not for accesses without time. */
static uint32_t place_of(hd_block *block, uint32_t port, uint32_t element, uint64_t address, hd_debug_place *place)
{
    tile_fabric *self = (tile_fabric *)block;
    *place = (hd_debug_place){.address = address};
    if (!fabric_is_scratchpad(address))
        return fabric_is_register(address);
    if (port != TILE_FABRIC_REQUEST || element >= self->tiles * self->pes)
        return 1;
    const uint32_t offset = (uint32_t)(address - HD_TILE_SCRATCHPAD);
    place->bytes = fabric_scratchpad_bytes(self, element, offset);
    place->count = place->bytes ? self->bank_bytes - offset % self->bank_bytes : 0;
    return 1;
}

const hd_debug_ports fabric_debug_ports = {place_of};
