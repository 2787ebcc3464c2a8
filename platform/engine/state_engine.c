/* SPDX-License-Identifier: MIT */
/* The state that is the engine's own, and no block's. */
#include <stdio.h>
#include <string.h>

#include "hd_extension.h"
#include "hd_hash.h"
#include "state_section.h"

/* ---- Links ---------------------------------------------------------------------------------------------------------- */

static void end_name(const node *node, uint32_t port, uint32_t element, char *text, size_t bytes)
{
    snprintf(text, bytes, "%s.%s[%u]", node->name, node->block_class->ports[port].name, element);
}

static void transfer_link_shape(const hd_link *link, const hd_state_stream *stream)
{
    char from[STATE_WHAT_BYTES], to[STATE_WHAT_BYTES], what[2 * STATE_WHAT_BYTES + 32];
    end_name(link->sender, link->from.port, link->from.element, from, sizeof from);
    end_name(link->receiver, link->to.port, link->to.element, to, sizeof to);
    snprintf(what, sizeof what, "credits of the link %s -> %s", from, to);
    HD_STATE_SHAPE(stream, what, link->capacity);
}

static void transfer_packets(hd_link *link, const hd_state_stream *stream)
{
    const uint32_t count = (uint32_t)hd_state_number(stream, link->packet_tail - link->packet_head);
    const uint32_t seen = (uint32_t)hd_state_number(stream, link->packet_seen - link->packet_head);
    for (uint32_t i = 0; i < count; i++) {
        flight *at = &link->packets[(link->packet_head + i) & link->mask];
        hd_state_packet(stream, &at->packet);
        HD_STATE_VALUE(stream, at->t);
    }
    if (!stream->is_restored)
        return;
    link->packet_seen = link->packet_head + seen;
    link->packet_tail = link->packet_end = link->packet_head + count;
    link_show_head(link);
}

static void transfer_credits(hd_link *link, const hd_state_stream *stream)
{
    const uint32_t count = (uint32_t)hd_state_number(stream, link->credit_tail - link->credit_head);
    const uint32_t seen = (uint32_t)hd_state_number(stream, link->credit_seen - link->credit_head);
    for (uint32_t i = 0; i < count; i++)
        HD_STATE_VALUE(stream, link->credits[(link->credit_head + i) & link->mask]);
    if (!stream->is_restored)
        return;
    link->credit_seen = link->credit_head + seen;
    link->credit_tail = link->credit_end = link->credit_head + count;
}

static void transfer_link(hd_link *link, const hd_state_stream *stream)
{
    transfer_packets(link, stream);
    transfer_credits(link, stream);
    HD_STATE_VALUE(stream, link->hand.credits);
    HD_STATE_VALUE(stream, link->tells_of_credits);
    HD_STATE_VALUE(stream, link->last_send);
    HD_STATE_VALUE(stream, link->last_pop);
    HD_STATE_VALUE(stream, link->bytes);
}

/* Of a machine that is perturbed with another seed than it was, or was not perturbed: the streams begin as after a reset. */
static void transfer_lateness(hd_engine *engine, const hd_state_stream *stream)
{
    const uint64_t seed = hd_state_number(stream, engine->perturb_seed);
    for (uint32_t i = 0; seed && i < engine->link_count; i++) {
        link_lateness *lateness = engine->links[i]->lateness, unused, *to = lateness ? lateness : &unused;
        if (!hd_state_number(stream, lateness != NULL))
            continue;
        if (stream->is_restored && seed != engine->perturb_seed)
            to = &unused;
        HD_STATE_VALUE(stream, to->random);
        HD_STATE_VALUE(stream, to->last_arrival);
    }
    if (stream->is_restored && seed != engine->perturb_seed)
        perturb_begin(engine);
}

/* ---- Nodes ---------------------------------------------------------------------------------------------------------- */

static void transfer_filled(node *node, const hd_state_stream *stream)
{
    uint32_t count = 0;
    for (const hd_link *link = node->filled; link; link = link->next_filled)
        count++;
    count = (uint32_t)hd_state_number(stream, count);
    hd_link **at = &node->filled;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t input = (uint32_t)hd_state_number(stream, *at ? (*at)->packet_input : 0);
        *at = node->input_links[input];
        (*at)->is_filled = 1;
        at = &(*at)->next_filled;
    }
    *at = NULL;
}

static void transfer_node(node *node, const hd_state_stream *stream)
{
    HD_STATE_VALUE(stream, node->now);
    HD_STATE_VALUE(stream, node->span);
    HD_STATE_VALUE(stream, node->own_next);
    HD_STATE_VALUE(stream, node->woken);
    HD_STATE_VALUE(stream, node->edge);
    HD_STATE_VALUE(stream, node->random);
    HD_STATE_VALUE(stream, node->turn);
    HD_STATE_VALUE(stream, node->progress);
    HD_STATE_VALUE(stream, node->calls);
    HD_STATE_VALUE(stream, node->sequence);
    HD_STATE_ARRAY(stream, node->inputs, node->input_count);
    HD_STATE_ARRAY(stream, node->starved, node->input_count);
    transfer_filled(node, stream);
    HD_STATE_VALUE(stream, node->engine->next[node->index]);
}

/* ---- The engine's own ----------------------------------------------------------------------------------------------- */

static void transfer_shape(const hd_engine *engine, const hd_state_stream *stream)
{
    HD_STATE_SHAPE(stream, "number of blocks", engine->node_count);
    for (uint32_t b = 0; b < engine->node_count; b++) {
        char what[STATE_WHAT_BYTES];
        snprintf(what, sizeof what, "clock of %s, in Hz", engine->nodes[b]->name);
        HD_STATE_SHAPE(stream, what, engine->nodes[b]->services.clock.hz);
    }
    HD_STATE_SHAPE(stream, "number of links", engine->link_count);
    for (uint32_t i = 0; i < engine->link_count; i++)
        transfer_link_shape(engine->links[i], stream);
    for (uint32_t m = 0; m < engine->message_count; m++) {
        char what[STATE_WHAT_BYTES];
        snprintf(what, sizeof what, "number of the message %s", engine->messages[m]);
        HD_STATE_SHAPE(stream, what, m);
    }
}

/* What blocks hold lies where the map says. */
static void transfer_address_map(const hd_engine *engine, const hd_state_stream *stream)
{
    const hd_address_map *map = NULL;
    for (uint32_t i = 0; i < engine->provided_count; i++)
        if (strcmp(engine->provided[i].id, HD_EXTENSION_ADDRESS_MAP) == 0)
            map = engine->provided[i].extension;
    if (!map)
        return;
    HD_STATE_SHAPE(stream, "partitions of the address map", map->partitions);
    HD_STATE_SHAPE(stream, "address_map.interleave, in bytes", map->interleave_bytes);
    HD_STATE_SHAPE(stream, "address_map.sub_partitions", map->sub_partitions);
    HD_STATE_SHAPE(stream, "address_map.sub_interleave, in bytes", map->sub_interleave_bytes);
    HD_STATE_SHAPE(stream, "bits of address_map.hash", map->hash ? map->hash->bits : 0);
    for (uint32_t i = 0; map->hash && i < map->hash->bits; i++)
        HD_STATE_SHAPE(stream, "addresses in a bit of address_map.hash", map->hash->masks[i]);
}

static void transfer_meetings(hd_engine *engine, const hd_state_stream *stream)
{
    const uint32_t count = (uint32_t)hd_state_number(stream, engine->meeting_count);
    for (uint32_t i = 0; i < count; i++) {
        if (stream->is_restored)
            engine->meetings = grow(engine->meetings, i, sizeof *engine->meetings);
        HD_STATE_VALUE(stream, engine->meetings[i].at);
        HD_STATE_VALUE(stream, engine->meetings[i].asked);
        HD_STATE_VALUE(stream, engine->meetings[i].block);
        HD_STATE_VALUE(stream, engine->meetings[i].what);
        HD_STATE_VALUE(stream, engine->meetings[i].argument);
    }
    engine->meeting_count = count;
}

/* Packets are made while links and blocks are restored, and count then. */
static void transfer_packet_counts(hd_engine *engine, const hd_state_stream *stream)
{
    const uint64_t freed = hd_state_number(stream, hd_engine_packets(engine).freed);
    if (stream->is_restored)
        engine->outboxes->pool.allocated = engine->outboxes->pool.freed = freed;
}

static void transfer_time(hd_engine *engine, const hd_state_stream *stream)
{
    HD_STATE_VALUE(stream, engine->now);
    HD_STATE_VALUE(stream, engine->progress_base);
    HD_STATE_VALUE(stream, engine->computes_asked);
    HD_STATE_VALUE(stream, engine->alignments);
    HD_STATE_VALUE(stream, engine->next_turn);
    HD_STATE_VALUE(stream, engine->watched);
    HD_STATE_ARRAY(stream, engine->versions, HD_DIRECT_VERSIONS);
}

static void find_awake(hd_engine *engine)
{
    for (uint32_t side = 0; side < LEAP_SIDES; side++)
        engine->earliest[side] = HD_NEVER;
    for (uint32_t b = 0; b < engine->node_count; b++)
        engine_call_at(engine, b, engine->next[b]);
    window_set_end(engine, engine->now);
}

void state_transfer_engine(hd_engine *engine, const hd_state_stream *stream)
{
    transfer_shape(engine, stream);
    transfer_address_map(engine, stream);
    transfer_packet_counts(engine, stream);
    transfer_time(engine, stream);
    transfer_meetings(engine, stream);
    transfer_lateness(engine, stream);
    for (uint32_t i = 0; i < engine->link_count; i++)
        transfer_link(engine->links[i], stream);
    for (uint32_t b = 0; b < engine->node_count; b++)
        transfer_node(engine->nodes[b], stream);
    if (stream->is_restored)
        find_awake(engine);
}
