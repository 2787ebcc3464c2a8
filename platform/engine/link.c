/* SPDX-License-Identifier: MIT */
#include "engine_internal.h"
#include "hd_message.h"

#include <stdlib.h>

_Static_assert(offsetof(hd_link, head) == 0 && offsetof(hd_link, hand) == HD_LINK_HAND_OFFSET, "as hd_link.h says");

static uint32_t ring_size(uint32_t credits)
{
    uint32_t size = 1;
    while (size < credits)
        size *= 2;
    return size;
}

hd_link *link_create(void)
{
    return aligned_zero(sizeof(hd_link));
}

void link_init(hd_link *link)
{
    const uint32_t size = ring_size(link->capacity);
    link->mask = size - 1;
    link->packets = aligned_zero(size * sizeof(flight));
    link->credits = aligned_zero(size * sizeof(hd_time));
    if (link->is_wire) {
        link->wire.packets = aligned_zero(size * sizeof(flight));
        link->wire.credits = aligned_zero(size * sizeof(hd_time));
    }
}

static void drop_packets(hd_link *link, const flight *ring, uint32_t head, uint32_t tail)
{
    for (; head != tail; head++)
        pool_free(&link->engine->outboxes->pool, ring[head & link->mask].packet);
}

void link_reset(hd_link *link)
{
    drop_packets(link, link->packets, link->packet_head, link->packet_tail);
    link->packet_head = link->packet_seen = link->packet_tail = link->packet_end = 0;
    link_show_head(link);
    link->credit_head = link->credit_seen = link->credit_tail = link->credit_end = 0;
    if (link->is_wire)
        drop_packets(link, link->wire.packets, link->wire.packet_head, link->wire.packet_tail);
    link->wire = (link_wire){.packets = link->wire.packets, .credits = link->wire.credits, .index = link->wire.index};
    link->hand.credits = link->sender ? link->capacity : 0;
    link->wire.outside = link->sender ? 0 : link->capacity;
    link->last_send = link->last_pop = 0;
    link->is_filled = 0;
    link->tells_of_credits = link->sender && !link->sender->looks_ahead;
    if (link->lateness)
        link->lateness->last_arrival = 0;
    link->bytes = (hd_link_bytes){0};
}

void link_destroy(hd_link *link)
{
    free(link->packets);
    free(link->credits);
    free(link->wire.packets);
    free(link->wire.credits);
    free(link->lateness);
    free(link);
}

void link_push_packet(hd_link *link, hd_packet *packet, hd_time t)
{
    link->packets[link->packet_end++ & link->mask] = (flight){packet, t};
    link_publish_packets(link);
}

void link_push_credit(hd_link *link, hd_time t)
{
    link->credits[link->credit_end++ & link->mask] = t;
    link_publish_credits(link);
}

void link_count_bytes(hd_link *link, const hd_packet *request)
{
    uint64_t *bytes = request->message == link->read_message ? &link->bytes.read : &link->bytes.written;
    *bytes += request->argument;
}

void hd_link_count_bytes(hd_link *link)
{
    link->counts_bytes = 1;
    link->read_message = hd_engine_message(link->engine, HD_MEMORY_READ);
    if (link->sender)
        link_choose_services(link->sender);
}

hd_link_bytes hd_link_bytes_of(const hd_link *link)
{
    return link->bytes;
}

hd_link_end hd_link_sender(const hd_link *link)
{
    return link->from;
}

hd_link_end hd_link_receiver(const hd_link *link)
{
    return link->to;
}

hd_link_timing hd_link_timing_of(const hd_link *link)
{
    return (hd_link_timing){
        .latency = link->latency, .credit_latency = link->credit_latency, .credits = link->capacity};
}

void hd_link_set_user(hd_link *link, void *user)
{
    link->user = user;
}

void *hd_link_user(const hd_link *link)
{
    return link->user;
}

static const void *ability_at(const hd_link *link, const char *id)
{
    const node *to = link ? link->receiver : NULL;
    return to && to->block_class->extension ? to->block_class->extension(to->block, id) : NULL;
}

const void *hd_engine_ability_of_receiver(const hd_engine *engine, uint32_t block, const char *id, hd_link_end *at)
{
    const node *from = engine->nodes[block];
    for (uint32_t p = 0; p < from->block_class->port_count; p++)
        for (uint32_t e = 0; e < from->ports[p].count; e++) {
            const void *ability = ability_at(from->ports[p].out[e], id);
            if (!ability)
                continue;
            *at = from->ports[p].out[e]->to;
            return ability;
        }
    return NULL;
}
