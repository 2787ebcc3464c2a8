/* SPDX-License-Identifier: MIT */
/* What blocks do with their links in a window. */
#include "engine_internal.h"

static inline void list_packets(outbox *outbox, hd_link *link)
{
    outbox->packets[outbox->packet_count++] = link;
}

static inline void list_credits(outbox *outbox, hd_link *link)
{
    outbox->credits[outbox->credit_count++] = link;
}

/* Not to the outside. */
static inline void put_packet(const node *sender, hd_link *link, hd_packet *packet, hd_time t)
{
    const uint32_t end = link->packet_end;
    if (end == link->packet_tail)
        list_packets(sender->outbox, link);
    link->packets[end & link->mask] = (flight){packet, t};
    link->packet_end = end + 1;
}

static inline void put_credit(const node *receiver, hd_link *link, hd_time t)
{
    const uint32_t end = link->credit_end;
    if (end == link->credit_tail)
        list_credits(receiver->outbox, link);
    link->credits[end & link->mask] = t;
    link->credit_end = end + 1;
}

/* The sender could not use it in this window, and hears of it afterwards if it waits: where nobody looks at the same time, it may
 * as well be there. */
static inline void put_credit_at_once(const node *receiver, hd_link *link, hd_time t)
{
    if (__builtin_expect(link->tells_of_credits, 0)) {
        put_credit(receiver, link, t);
        return;
    }
    const uint32_t end = link->credit_end;
    link->credits[end & link->mask] = t;
    link->credit_end = link->credit_tail = end + 1;
}

static void put_packet_anywhere(const node *sender, hd_link *link, hd_packet *packet, hd_time t)
{
    link_wire *wire = &link->wire;
    if (!link->is_wire) {
        put_packet(sender, link, packet, t);
        return;
    }
    if (wire->packet_end == wire->packet_tail)
        list_packets(sender->outbox, link);
    wire->packets[wire->packet_end++ & link->mask] = (flight){packet, t};
}

static void put_credit_anywhere(const node *receiver, hd_link *link, hd_time t)
{
    link_wire *wire = &link->wire;
    if (!link->is_wire) {
        put_credit(receiver, link, t);
        return;
    }
    if (wire->credit_end == wire->credit_tail)
        list_credits(receiver->outbox, link);
    wire->credits[wire->credit_end++ & link->mask] = t;
}

static inline uint32_t is_outside(const node *node, hd_time t)
{
    return t - node->now >= node->span;
}

static __attribute__((noinline)) void report_outside(node *node, hd_time t)
{
    services_fault(node, t, "%s uses a link at %llu ps, called for %llu ps to before %llu ps", node->name,
                   (unsigned long long)t, (unsigned long long)node->now, (unsigned long long)(node->now + node->span));
}

/* The one check of the hot path: the block acts within the span that it was called for. */
static inline uint32_t outside_call(node *node, hd_time t)
{
    if (__builtin_expect(!is_outside(node, t), 1))
        return 0;
    report_outside(node, t);
    return 1;
}

/* From now on the block is called when a credit of this link arrives. Returns 0: so many it has. */
static __attribute__((noinline)) uint32_t starve(node *node, hd_link *link)
{
    link->tells_of_credits = 1;
    if (node->looks_ahead)
        return 0;
    const hd_time t = node->inputs[link->credit_input];
    node->starved[link->credit_input] = 1;
    if (t < node->woken)
        node->woken = t;
    return 0;
}

static uint32_t services_credits(void *context, hd_link *link, hd_time t)
{
    node *self = context;
    if (outside_call(self, t))
        return 0;
    const hd_time *credits = link->credits;
    const uint32_t tail = link->credit_tail, mask = link->mask;
    uint32_t head = link->credit_head, available = link->hand.credits;
    if (head != tail && credits[head & mask] <= t) {
        do {
            head++;
            available++;
        } while (head != tail && credits[head & mask] <= t);
        link->credit_head = head;
        link->hand.credits = available;
    }
    return __builtin_expect(available != 0, 1) ? available : starve(self, link);
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
    if (link->hand.credits == 0 && services_credits(self, link, t) == 0) {
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
    link->hand.credits--;
    if (engine->observer.sent)
        notify_sent(self, link, packet, t);
    put_packet_anywhere(self, link, packet, arrival + late);
}

/* As it nearly always is: a credit is in hand. */
static void services_send(void *context, hd_link *link, hd_packet *packet, hd_time t)
{
    node *self = context;
    const hd_time arrival = t + link->latency;
    if (__builtin_expect(is_outside(self, t) || !link->hand.credits || t < link->last_send ||
                             arrival < *link->receiver_called,
                         0)) {
        send_late(self, link, packet, t, 0);
        return;
    }
    link->last_send = t;
    link->hand.credits--;
    put_packet(self, link, packet, arrival);
}

/* In place of send in the services of a block with a link that is not plain, or of which somebody wants to hear: nobody else pays
 * for it. */
static void services_send_with_care(void *context, hd_link *link, hd_packet *packet, hd_time t)
{
    if (link->counts_bytes)
        link_count_bytes(link, packet);
    send_late(context, link, packet, t, link->lateness ? perturb_next(link, t + link->latency) : 0);
}

static const hd_packet *services_peek(void *context, hd_link *link, hd_time t)
{
    if (hd_link_arrival(link) == HD_NEVER || outside_call(context, t))
        return NULL;
    return hd_link_peek(link, t);
}

static __attribute__((noinline)) hd_packet *refuse_pop(node *self, const hd_link *link, hd_time t)
{
    services_fault(self, t, "%s takes a packet from port %s[%u] earlier than it %s", self->name,
                   self->block_class->ports[link->to.port].name, link->to.element,
                   t < link->last_pop ? "took one before" : "promised");
    return NULL;
}

typedef void put_credit_function(const node *receiver, hd_link *link, hd_time t);

static inline hd_packet *pop(node *self, hd_link *link, hd_time t, put_credit_function *put)
{
    const hd_time arrival = hd_link_arrival(link);
    if (arrival == HD_NEVER || outside_call(self, t) || arrival > t)
        return NULL;
    const hd_time credit = t + link->credit_latency;
    if (__builtin_expect(t < link->last_pop || credit < *link->sender_called, 0))
        return refuse_pop(self, link, t);
    link->last_pop = t;
    link->packet_head++;
    hd_packet *packet = link->head.packet;
    link_show_head(link);
    put(self, link, credit);
    return packet;
}

static hd_packet *services_pop(void *context, hd_link *link, hd_time t)
{
    return pop(context, link, t, put_credit_at_once);
}

/* In place of pop where blocks are called by several threads. */
static hd_packet *services_pop_shared(void *context, hd_link *link, hd_time t)
{
    return pop(context, link, t, put_credit);
}

/* In place of pop in the services of a block with links to the outside. */
static hd_packet *services_pop_outside(void *context, hd_link *link, hd_time t)
{
    return pop(context, link, t, put_credit_anywhere);
}

static hd_time services_credit_arrival(void *context, hd_link *link)
{
    node *self = context;
    if (link->credit_head != link->credit_tail)
        return link->credits[link->credit_head & link->mask];
    (void)starve(self, link);
    return HD_NEVER;
}

static hd_time services_arrival(void *context, hd_link *link)
{
    (void)context;
    return hd_link_arrival(link);
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

/* *plain_sends, *plain_pops: a block has no links but such as these are enough for; before it has been bound, too. */
static void look_at_links(const node *node, uint32_t *plain_sends, uint32_t *plain_pops)
{
    for (uint32_t p = 0; node->ports && p < node->block_class->port_count; p++)
        for (uint32_t e = 0; e < node->ports[p].count; e++) {
            const hd_link *out = node->ports[p].out[e], *in = node->ports[p].in[e];
            *plain_sends &= !out || !(out->is_wire || out->counts_bytes || out->lateness);
            *plain_pops &= !in || !in->is_wire;
        }
}

void link_choose_services(node *node)
{
    hd_services *services = &node->services;
    uint32_t plain_sends = !node->engine->observer.sent, plain_pops = 1;
    look_at_links(node, &plain_sends, &plain_pops);
    services->credits = services_credits;
    services->send = plain_sends ? services_send : services_send_with_care;
    services->peek = services_peek;
    services->pop = !plain_pops ? services_pop_outside : node->engine->threads > 1 ? services_pop_shared : services_pop;
    services->arrival = services_arrival;
    services->credit_arrival = services_credit_arrival;
    services->filled = services_filled;
}
