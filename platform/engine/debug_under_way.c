/* SPDX-License-Identifier: MIT */
/*
 * Writes that have been accepted and have not arrived where the bytes are: in links, and in blocks that say so
 * ("heddle.under_way/1"). They are looked for from there upwards, through blocks that hold no data, the oldest first: what two
 * of one requester have to stay in order for is the same way.
 */
#include <stdlib.h>
#include <string.h>

#include "engine_internal.h"
#include "hd_message.h"

/* What is laid over what was read, or into which what is written is laid. */
typedef struct overlay {
    uint64_t address;
    uint8_t *data;
    uint32_t bytes;
    uint32_t is_write;
    uint32_t message_write, message_store;
} overlay;

static uint32_t is_enabled(const overlay *over, const hd_packet *packet, uint32_t i)
{
    if (over->message_store == packet->message) {
        const hd_store *store = hd_body_const(packet);
        return store->byte_mask[i / 32] >> i % 32 & 1;
    }
    return packet->body_bytes <= packet->argument || ((const uint8_t *)hd_body_const(packet))[packet->argument + i];
}

/* Of a write that begins at this byte of the packet's. */
static void lay(void *context, hd_packet *packet, uint32_t offset)
{
    const overlay *over = context;
    const uint32_t is_store = packet->message == over->message_store;
    if (!is_store && packet->message != over->message_write)
        return;
    uint8_t *data = is_store ? hd_store_data(hd_body(packet)) : hd_body(packet);
    for (uint32_t i = offset; i < packet->argument; i++) {
        const uint64_t at = packet->address + i - over->address;
        if (at >= over->bytes || !is_enabled(over, packet, i))
            continue;
        if (over->is_write)
            data[i] = over->data[at];
        else
            over->data[at] = data[i];
    }
}

static void lay_ring(const hd_under_way_sink *sink, const hd_link *link, const flight *ring, uint32_t head,
                     uint32_t end)
{
    for (; head != end; head++)
        sink->write(sink->context, ring[head & link->mask].packet, 0);
}

static void lay_link(const hd_engine *engine, const hd_under_way_sink *sink, const hd_link *link)
{
    const link_wire *wire = &link->wire;
    lay_ring(sink, link, link->packets, link->packet_head, link->packet_end);
    if (!link->is_wire)
        return;
    if (engine->outside.under_way)
        engine->outside.under_way(engine->outside.context, link, sink);
    lay_ring(sink, link, wire->packets, wire->packet_head, wire->packet_end);
}

static void lay_block(const hd_under_way_sink *sink, const node *at)
{
    const hd_under_way *ability =
        at->block_class->extension ? at->block_class->extension(at->block, HD_EXTENSION_UNDER_WAY) : NULL;
    if (ability)
        ability->each(at->block, sink);
}

/* Blocks in the order in which they are met, each once. */
typedef struct upwards {
    const node **met;
    uint8_t *is_met; /* by index */
    uint32_t count;
} upwards;

static void meet(upwards *way, const node *at)
{
    if (!at || way->is_met[at->index])
        return;
    way->is_met[at->index] = 1;
    way->met[way->count++] = at;
}

/* A block that holds data of its own is the end of the way: what is above it is under way to it, and not from it. */
static void climb(const hd_engine *engine, upwards *way, const hd_under_way_sink *sink, const node *to)
{
    if (to != way->met[0] && to->block_class->debug_access)
        return;
    lay_block(sink, to);
    for (uint32_t i = 0; i < to->packet_input_count; i++)
        lay_link(engine, sink, to->input_links[i]);
    for (uint32_t i = 0; i < to->packet_input_count; i++)
        meet(way, to->input_links[i]->sender);
}

void under_way_lay(const hd_engine *engine, const node *to, const hd_link *only, uint64_t address, void *data,
                   uint32_t bytes, uint32_t is_write)
{
    overlay over = {.address = address,
                    .data = data,
                    .bytes = bytes,
                    .is_write = is_write,
                    .message_write = hd_engine_message((hd_engine *)(uintptr_t)engine, HD_MEMORY_WRITE),
                    .message_store = hd_engine_message((hd_engine *)(uintptr_t)engine, HD_GLOBAL_STORE)};
    const hd_under_way_sink sink = {.context = &over, .write = lay};
    upwards way = {.met = calloc(engine->node_count, sizeof *way.met), .is_met = calloc(engine->node_count, 1)};
    if (!way.met || !way.is_met)
        abort();
    if (only)
        lay_link(engine, &sink, only);
    meet(&way, only ? only->sender : to);
    for (uint32_t i = 0; i < way.count; i++)
        climb(engine, &way, &sink, way.met[i]);
    free(way.met);
    free(way.is_met);
}
