/* SPDX-License-Identifier: MIT */
#include "engine_internal.h"
#include "hd_message.h"

#include <stdlib.h>

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
    link->credit_head = link->credit_seen = link->credit_tail = link->credit_end = 0;
    if (link->is_wire)
        drop_packets(link, link->wire.packets, link->wire.packet_head, link->wire.packet_tail);
    link->wire = (link_wire){.packets = link->wire.packets, .credits = link->wire.credits, .index = link->wire.index};
    link->available = link->sender ? link->capacity : 0;
    link->wire.outside = link->sender ? 0 : link->capacity;
    link->last_send = link->last_pop = 0;
    link->is_filled = 0;
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

static void announce_packets(hd_link *link, hd_time first, uint32_t was_empty)
{
    node *receiver = link->receiver;
    if (receiver->looks_ahead) {
        if (!was_empty) /* it knows of the first, and asks for the next when it has taken that */
            return;
        node_wake(receiver, first);
        if (!link->is_filled) {
            link->is_filled = 1;
            link->next_filled = receiver->filled;
            receiver->filled = link;
        }
        return;
    }
    hd_time *input = &receiver->inputs[link->packet_input];
    if (first < *input) {
        *input = first;
        node_wake(receiver, first);
    }
}

static void announce_credits(hd_link *link, hd_time first)
{
    node *sender = link->sender;
    if (sender->looks_ahead) {
        if (sender->starved[link->credit_input]) {
            sender->starved[link->credit_input] = 0;
            node_wake(sender, first);
        }
        return;
    }
    hd_time *input = &sender->inputs[link->credit_input];
    if (first < *input) {
        *input = first;
        if (sender->starved[link->credit_input])
            node_wake(sender, first);
    }
}

void link_publish_packets(hd_link *link)
{
    const hd_time first = link->packets[link->packet_tail & link->mask].t;
    const uint32_t was_empty = link->packet_head == link->packet_tail;
    link->packet_tail = link->packet_end;
    announce_packets(link, first, was_empty);
}

void link_publish_credits(hd_link *link)
{
    const hd_time first = link->credits[link->credit_tail & link->mask];
    link->credit_tail = link->credit_end;
    announce_credits(link, first);
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

static inline void put_packet(node *sender, hd_link *link, hd_packet *packet, hd_time t)
{
    link_wire *wire = &link->wire;
    uint32_t *end = link->is_wire ? &wire->packet_end : &link->packet_end;
    if (*end == (link->is_wire ? wire->packet_tail : link->packet_tail))
        sender->outbox->packets[sender->outbox->packet_count++] = link;
    (link->is_wire ? wire->packets : link->packets)[(*end)++ & link->mask] = (flight){packet, t};
}

static inline void put_credit(node *receiver, hd_link *link, hd_time t)
{
    link_wire *wire = &link->wire;
    uint32_t *end = link->is_wire ? &wire->credit_end : &link->credit_end;
    if (*end == (link->is_wire ? wire->credit_tail : link->credit_tail))
        receiver->outbox->credits[receiver->outbox->credit_count++] = link;
    (link->is_wire ? wire->credits : link->credits)[(*end)++ & link->mask] = t;
}

static inline uint32_t is_outside(const node *node, hd_time t)
{
    return t - node->now >= node->span;
}

/* The one check of the hot path: the block acts within the span that it was called for. */
static inline uint32_t outside_call(node *node, hd_time t)
{
    if (__builtin_expect(!is_outside(node, t), 1))
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
    const uint32_t tail = link->credit_tail;
    uint32_t head = link->credit_head;
    if (outside_call(self, t))
        return 0;
    for (; head != tail && link->credits[head & link->mask] <= t; head++) {
    }
    const uint32_t available = link->available += head - link->credit_head;
    link->credit_head = head;
    if (available == 0)
        starve(self, link);
    return available;
}

static void refuse_send(node *self, hd_link *link, hd_packet *packet, hd_time t, const char *why)
{
    services_fault(self, t, "%s sends on port %s[%u] %s", self->name, self->block_class->ports[link->from.port].name,
                   link->from.element, why);
    pool_free(&self->outbox->pool, packet);
}

static void notify_sent(const node *self, const hd_link *link, const hd_packet *packet, hd_time t)
{
    hd_engine *engine = self->engine;
    pthread_mutex_lock(&engine->mutex);
    engine->observer.sent(engine->observer.context, self->index, link->from.port, link->from.element, packet, t);
    pthread_mutex_unlock(&engine->mutex);
}

/* late: ps beyond the latency of the link. */
static __attribute__((noinline)) void send_late(node *self, hd_link *link, hd_packet *packet, hd_time t, hd_time late)
{
    const hd_engine *engine = self->engine;
    if (outside_call(self, t)) {
        pool_free(&self->outbox->pool, packet);
        return;
    }
    if (link->available == 0 && services_credits(self, link, t) == 0) {
        refuse_send(self, link, packet, t, "without a credit");
        return;
    }
    if (t < link->last_send) {
        refuse_send(self, link, packet, t, "earlier than it sent before");
        return;
    }
    const hd_time arrival = t + link->latency;
    if (arrival < *link->receiver_called) {
        refuse_send(self, link, packet, t, "earlier than it promised");
        return;
    }
    link->last_send = t;
    link->available--;
    if (engine->observer.sent)
        notify_sent(self, link, packet, t);
    put_packet(self, link, packet, arrival + late);
}

/* As it nearly always is: a credit is in hand, and nobody is outside or wants to hear of it. */
static void services_send(void *context, hd_link *link, hd_packet *packet, hd_time t)
{
    node *self = context;
    const hd_time arrival = t + link->latency;
    if (__builtin_expect(is_outside(self, t) || !link->available || t < link->last_send || link->is_wire ||
                             arrival < *link->receiver_called || self->engine->observer.sent,
                         0)) {
        send_late(self, link, packet, t, 0);
        return;
    }
    link->last_send = t;
    link->available--;
    put_packet(self, link, packet, arrival);
}

void link_count_bytes(hd_link *link, const hd_packet *request)
{
    uint64_t *bytes = request->message == link->read_message ? &link->bytes.read : &link->bytes.written;
    *bytes += request->argument;
}

/* In place of send in the services of a block with a link that is not plain: nobody else pays for it. */
static void services_send_with_care(void *context, hd_link *link, hd_packet *packet, hd_time t)
{
    if (link->counts_bytes)
        link_count_bytes(link, packet);
    send_late(context, link, packet, t, link->lateness ? perturb_next(link, t + link->latency) : 0);
}

void link_send_with_care(hd_link *link)
{
    if (link->sender)
        link->sender->services.send = services_send_with_care;
}

static const hd_packet *services_peek(void *context, hd_link *link, hd_time t)
{
    if (link->packet_head == link->packet_tail || outside_call(context, t))
        return NULL;
    const flight *first = &link->packets[link->packet_head & link->mask];
    return first->t <= t ? first->packet : NULL;
}

static __attribute__((noinline)) hd_packet *pop_slowly(node *self, hd_link *link, hd_time t)
{
    if (link->packet_head == link->packet_tail || outside_call(self, t))
        return NULL;
    const flight *first = &link->packets[link->packet_head & link->mask];
    if (first->t > t)
        return NULL;
    const hd_time credit = t + link->credit_latency;
    if (t < link->last_pop || credit < *link->sender_called) {
        services_fault(self, t, "%s takes a packet from port %s[%u] earlier than it %s", self->name,
                       self->block_class->ports[link->to.port].name, link->to.element,
                       t < link->last_pop ? "took one before" : "promised");
        return NULL;
    }
    link->last_pop = t;
    link->packet_head++;
    put_credit(self, link, credit);
    return first->packet;
}

static hd_packet *services_pop(void *context, hd_link *link, hd_time t)
{
    node *self = context;
    const uint32_t head = link->packet_head;
    const hd_time credit = t + link->credit_latency;
    const flight *first = &link->packets[head & link->mask];
    if (__builtin_expect(head == link->packet_tail || is_outside(self, t) || first->t > t || t < link->last_pop ||
                             link->is_wire || credit < *link->sender_called,
                         0))
        return pop_slowly(self, link, t);
    link->last_pop = t;
    link->packet_head = head + 1;
    put_credit(self, link, credit);
    return first->packet;
}

static hd_time services_credit_arrival(void *context, hd_link *link)
{
    node *self = context;
    if (link->credit_head != link->credit_tail)
        return link->credits[link->credit_head & link->mask];
    starve(self, link);
    return HD_NEVER;
}

static hd_time services_arrival(void *context, hd_link *link)
{
    (void)context;
    return link->packet_head == link->packet_tail ? HD_NEVER : link->packets[link->packet_head & link->mask].t;
}

static uint32_t services_filled(void *context, uint32_t *port, uint32_t *element)
{
    node *self = context;
    hd_link *link = self->filled;
    if (!link)
        return 0;
    self->filled = link->next_filled;
    link->is_filled = 0;
    *port = link->to.port;
    *element = link->to.element;
    return 1;
}

void link_fill_services(hd_services *services)
{
    services->credits = services_credits;
    services->send = services_send;
    services->peek = services_peek;
    services->pop = services_pop;
    services->arrival = services_arrival;
    services->credit_arrival = services_credit_arrival;
    services->filled = services_filled;
}

void hd_link_count_bytes(hd_link *link)
{
    link->counts_bytes = 1;
    link->read_message = hd_engine_message(link->engine, HD_MEMORY_READ);
    link_send_with_care(link);
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
