/* SPDX-License-Identifier: MIT */
#include "engine_internal.h"

#include <stdlib.h>

static uint32_t ring_size(uint32_t credits)
{
    uint32_t size = 1;
    while (size < credits)
        size *= 2;
    return size;
}

void link_init(hd_link *link)
{
    const uint32_t size = ring_size(link->capacity);
    link->mask = size - 1;
    link->packets.slots = calloc(size, sizeof(flight));
    link->credits.slots = calloc(size, sizeof(hd_time));
    if (link->wire) {
        link->packet_outbox.slots = calloc(size, sizeof(flight));
        link->credit_outbox.slots = calloc(size, sizeof(hd_time));
    }
}

static void drop_packets(hd_link *link, packet_ring *ring)
{
    for (; ring->head != ring->tail; ring->head++)
        pool_free(&link->engine->pool, ring->slots[ring->head & link->mask].packet);
    ring->head = ring->seen = ring->tail = 0;
}

void link_reset(hd_link *link)
{
    drop_packets(link, &link->packets);
    link->credits.head = link->credits.seen = link->credits.tail = 0;
    if (link->wire) {
        drop_packets(link, &link->packet_outbox);
        link->credit_outbox.head = link->credit_outbox.tail = 0;
    }
    link->available = link->sender ? link->capacity : 0;
    link->outside = link->sender ? 0 : link->capacity;
    link->last_send = link->last_pop = 0;
    link->last_delivery = link->last_credit_delivery = 0;
}

void link_destroy(hd_link *link)
{
    free(link->packets.slots);
    free(link->credits.slots);
    free(link->packet_outbox.slots);
    free(link->credit_outbox.slots);
    free(link);
}

void link_push_packet(hd_link *link, hd_packet *packet, hd_time t)
{
    node *receiver = link->receiver;
    const uint32_t was_empty = link->packets.head == link->packets.tail;
    link->packets.slots[link->packets.tail++ & link->mask] = (flight){packet, t};
    if (receiver->looks_ahead) {
        if (was_empty) /* else it knows of the first, and asks for the next when it has taken that */
            node_wake(receiver, t);
        return;
    }
    hd_time *input = &receiver->inputs[link->packet_input];
    if (t < *input) {
        *input = t;
        node_wake(receiver, t);
    }
}

void link_push_credit(hd_link *link, hd_time t)
{
    node *sender = link->sender;
    link->credits.slots[link->credits.tail++ & link->mask] = t;
    if (sender->looks_ahead) {
        if (sender->starved[link->credit_input]) {
            sender->starved[link->credit_input] = 0;
            node_wake(sender, t);
        }
        return;
    }
    hd_time *input = &sender->inputs[link->credit_input];
    if (t < *input) {
        *input = t;
        if (sender->starved[link->credit_input])
            node_wake(sender, t);
    }
}

/* The one check of the hot path: the block acts within the span that it was called for. */
static inline uint32_t outside_call(node *node, hd_time t)
{
    if (__builtin_expect(t - node->now < node->span, 1))
        return 0;
    services_fault(node, t, "%s uses a link at %llu ps, called for %llu ps to before %llu ps", node->name,
                   (unsigned long long)t, (unsigned long long)node->now, (unsigned long long)(node->now + node->span));
    return 1;
}

/* From now on the block is called when a credit of this link arrives. */
static void starve(node *node, const hd_link *link)
{
    const hd_time t = node->inputs[link->credit_input];
    node->starved[link->credit_input] = 1;
    if (t < node->woken)
        node->woken = t;
}

static uint32_t services_credits(void *context, hd_link *link, hd_time t)
{
    node *self = context;
    if (outside_call(self, t))
        return 0;
    credit_ring *ring = &link->credits;
    while (ring->head != ring->tail && ring->slots[ring->head & link->mask] <= t) {
        ring->head++;
        link->available++;
    }
    if (link->available == 0)
        starve(self, link);
    return link->available;
}

static void refuse_send(node *self, hd_link *link, hd_packet *packet, hd_time t, const char *why)
{
    services_fault(self, t, "%s sends on port %s[%u] %s", self->name, self->block_class->ports[link->from.port].name,
                   link->from.element, why);
    pool_free(&self->engine->pool, packet);
}

static void services_send(void *context, hd_link *link, hd_packet *packet, hd_time t)
{
    node *self = context;
    hd_engine *engine = self->engine;
    if (outside_call(self, t)) {
        pool_free(&engine->pool, packet);
        return;
    }
    if (link->available == 0 && services_credits(context, link, t) == 0) {
        refuse_send(self, link, packet, t, "without a credit");
        return;
    }
    if (t < link->last_send) {
        refuse_send(self, link, packet, t, "earlier than it sent before");
        return;
    }
    const hd_time arrival = t + link->latency;
    if (arrival < engine->window_end) {
        refuse_send(self, link, packet, t, "earlier than it promised");
        return;
    }
    link->last_send = t;
    link->available--;
    if (engine->observer.sent)
        engine->observer.sent(engine->observer.context, self->index, link->from.port, link->from.element, packet, t);
    if (link->wire)
        wire_hold_packet(link, packet, arrival);
    else
        link_push_packet(link, packet, arrival);
}

static const hd_packet *services_peek(void *context, hd_link *link, hd_time t)
{
    const packet_ring *ring = &link->packets;
    if (ring->head == ring->tail || outside_call(context, t))
        return NULL;
    const flight *first = &ring->slots[ring->head & link->mask];
    return first->t <= t ? first->packet : NULL;
}

static hd_packet *services_pop(void *context, hd_link *link, hd_time t)
{
    node *self = context;
    packet_ring *ring = &link->packets;
    if (ring->head == ring->tail || outside_call(self, t))
        return NULL;
    const flight *first = &ring->slots[ring->head & link->mask];
    if (first->t > t)
        return NULL;
    const hd_time credit = t + link->credit_latency;
    if (t < link->last_pop || credit < self->engine->window_end) {
        services_fault(self, t, "%s takes a packet from port %s[%u] earlier than it %s", self->name,
                       self->block_class->ports[link->to.port].name, link->to.element,
                       t < link->last_pop ? "took one before" : "promised");
        return NULL;
    }
    link->last_pop = t;
    ring->head++;
    if (link->wire)
        wire_hold_credit(link, credit);
    else
        link_push_credit(link, credit);
    return first->packet;
}

static hd_time services_credit_arrival(void *context, hd_link *link)
{
    node *self = context;
    const credit_ring *ring = &link->credits;
    if (ring->head != ring->tail)
        return ring->slots[ring->head & link->mask];
    starve(self, link);
    return HD_NEVER;
}

static hd_time services_arrival(void *context, hd_link *link)
{
    (void)context;
    const packet_ring *ring = &link->packets;
    return ring->head == ring->tail ? HD_NEVER : ring->slots[ring->head & link->mask].t;
}

void link_fill_services(hd_services *services)
{
    services->credits = services_credits;
    services->send = services_send;
    services->peek = services_peek;
    services->pop = services_pop;
    services->arrival = services_arrival;
    services->credit_arrival = services_credit_arrival;
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
