/* SPDX-License-Identifier: MIT */
#include "engine_internal.h"

static uint32_t packets_in(const hd_link *link)
{
    return link->packet_tail - link->packet_head + (link->wire.packet_tail - link->wire.packet_head);
}

hd_conservation hd_engine_packets(const hd_engine *engine)
{
    hd_conservation packets = {0};
    for (uint32_t i = 0; i < engine->outbox_count; i++) {
        packets.allocated += engine->outboxes[i].pool.allocated;
        packets.freed += engine->outboxes[i].pool.freed;
    }
    for (uint32_t i = 0; i < engine->link_count; i++)
        packets.in_links += packets_in(engine->links[i]);
    packets.held = packets.allocated - packets.freed - packets.in_links;
    return packets;
}

static const char *end_name(const node *node)
{
    return node ? node->name : "outside";
}

uint32_t hd_engine_check_credits(const hd_engine *engine, const hd_text_sink *sink)
{
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < engine->link_count; i++) {
        const hd_link *link = engine->links[i];
        const uint32_t returning =
            link->credit_tail - link->credit_head + (link->wire.credit_tail - link->wire.credit_head);
        const uint32_t sum = link->hand.credits + returning + packets_in(link) + link->wire.outside;
        if (sum == link->capacity)
            continue;
        wrong++;
        if (sink)
            sink->line(sink->context, "link %s -> %s: %u credits of %u", end_name(link->sender),
                       end_name(link->receiver), sum, link->capacity);
    }
    return wrong;
}

static hd_link *link_at(const hd_engine *engine, uint32_t block, uint32_t port, uint32_t element, uint32_t out)
{
    if (block >= engine->node_count || port >= engine->nodes[block]->block_class->port_count ||
        element >= engine->nodes[block]->ports[port].count)
        return NULL;
    const node_port *at = &engine->nodes[block]->ports[port];
    return out ? at->out[element] : at->in[element];
}

hd_link *hd_engine_link_out(const hd_engine *engine, uint32_t block, uint32_t port, uint32_t element)
{
    return link_at(engine, block, port, element, 1);
}

hd_link *hd_engine_link_in(const hd_engine *engine, uint32_t block, uint32_t port, uint32_t element)
{
    return link_at(engine, block, port, element, 0);
}
