/* SPDX-License-Identifier: MIT */
#include "kit_internal.h"

#include "engine_state.h"

#include <stdlib.h>
#include <string.h>

static void push(kit_queue *queue, hd_packet *packet, hd_time t)
{
    queue->items = kit_grow(queue->items, queue->tail, sizeof *queue->items);
    queue->items[queue->tail++] = (kit_queued){packet, t};
}

static void empty(kit_block *kit, kit_queue *queue)
{
    for (; queue->head != queue->tail; queue->head++)
        hd_engine_free(kit->engine, queue->items[queue->head].packet);
    queue->head = queue->tail = 0;
}

void kit_empty_queues(kit_block *kit)
{
    kit->last_event = 0;
    for (uint32_t p = 0; p < kit->block_class->port_count; p++)
        for (uint32_t e = 0; e < kit->ports[p].count; e++) {
            kit_element *element = &kit->ports[p].elements[e];
            empty(kit, &element->arrived);
            empty(kit, &element->unsent);
            element->held = 0;
            element->last = 0;
        }
}

kit_element *kit_element_at(kit_block *kit, uint32_t port, uint32_t element)
{
    kit_start(kit);
    if (port >= kit->block_class->port_count || element >= kit->ports[port].count ||
        !kit->ports[port].elements[element].bound)
        kit_die("%s: port %u, element %u is not bound", kit->block_class->kind, port, element);
    return &kit->ports[port].elements[element];
}

uint32_t kit_message(kit_block *kit, const char *name)
{
    kit_start(kit);
    return hd_engine_message(kit->engine, name);
}

const char *kit_message_name(kit_block *kit, uint32_t message)
{
    return hd_engine_message_name(kit->engine, message);
}

hd_packet *kit_packet(kit_block *kit, const char *message, uint32_t body_bytes)
{
    kit_start(kit);
    hd_packet *packet = hd_engine_alloc(kit->engine, body_bytes);
    if (!packet)
        kit_die("a body of %u bytes is too large", body_bytes);
    memset(hd_body(packet), 0, packet->body_capacity);
    packet->message = hd_engine_message(kit->engine, message);
    packet->wire_bytes = HD_HEADER_WIRE_BYTES;
    return packet;
}

void kit_free(kit_block *kit, hd_packet *packet)
{
    hd_engine_free(kit->engine, packet);
}

/* What waits arrives at `earliest` or later: when the credit that it waited for came back. */
static void flush_unsent(kit_block *kit, kit_element *element, hd_time earliest)
{
    kit_queue *queue = &element->unsent;
    while (queue->head != queue->tail && hd_link_outside_credits(element->in)) {
        const kit_queued *first = &queue->items[queue->head];
        const hd_time t = first->t > earliest ? first->t : earliest;
        if (!hd_link_deliver(element->in, first->packet, t))
            kit_die("a packet cannot arrive at %llu ps: the block is at %llu ps", (unsigned long long)t,
                    (unsigned long long)hd_engine_now(kit->engine));
        queue->head++;
    }
}

void kit_send(kit_block *kit, uint32_t port, uint32_t element, hd_packet *packet, hd_time t)
{
    kit_element *at = kit_element_at(kit, port, element);
    if (!at->in)
        kit_die("port %s receives nothing", kit->block_class->ports[port].name);
    if (t < at->last)
        kit_die("kit_send on port %s[%u]: %llu ps is before the packet sent last, %llu ps",
                kit->block_class->ports[port].name, element, (unsigned long long)t, (unsigned long long)at->last);
    if (t < hd_engine_now(kit->engine))
        kit_die("kit_send on port %s[%u]: %llu ps is past, the block is at %llu ps", kit->block_class->ports[port].name,
                element, (unsigned long long)t, (unsigned long long)hd_engine_now(kit->engine));
    at->last = t;
    push(&at->unsent, packet, t);
    flush_unsent(kit, at, hd_engine_now(kit->engine));
}

uint32_t kit_unsent(kit_block *kit, uint32_t port, uint32_t element)
{
    const kit_element *at = kit_element_at(kit, port, element);
    return at->unsent.tail - at->unsent.head;
}

static void give_credit(kit_element *element, hd_time t)
{
    if (!hd_link_deliver_credit(element->out, t + element->timing.credit_latency))
        kit_die("a credit cannot leave at %llu ps", (unsigned long long)t);
}

static void accept(kit_block *kit, const hd_wire_event *event)
{
    kit_element *element = hd_link_user(event->link);
    kit->last_event = event->t;
    if (!event->packet) {
        flush_unsent(kit, element, event->t);
        return;
    }
    const hd_link_end from = hd_link_sender(event->link);
    uint32_t taken = 0;
    if (element->hold)
        element->held++;
    else
        give_credit(element, event->t);
    if (kit->responder)
        taken = kit->responder(kit, kit->responder_context, from.port, from.element, event->packet, event->t);
    if (!taken)
        push(&element->arrived, event->packet, event->t);
}

/* Steps once, or takes what has reached the test; 0 when nothing is left to do before (what arrives: by) limit. */
static uint32_t step(kit_block *kit, hd_time limit)
{
    const hd_time next = hd_engine_step(kit->engine, limit);
    hd_wire_event event;
    kit_check_fault(kit);
    if (next == HD_NEVER)
        return 0;
    if (next == hd_engine_wire_next(kit->engine) && next <= limit) {
        hd_engine_wire_take(kit->engine, next, &event);
        accept(kit, &event);
        return 1;
    }
    return next < limit;
}

static void run_until(kit_block *kit, hd_time t)
{
    while (step(kit, t))
        continue;
    hd_engine_settle(kit->engine, t);
    kit_check_fault(kit);
}

#define RENEWALS_OF_A_SCALE 16u /* then the time between two doubles; a large state counts for several */
#define RENEWAL_BYTES 65536u
#define RENEWAL_CYCLES 8u
#define RENEWAL_SCALES 16u

/* Close to each other at first, where most of the work is. */
static hd_time next_renewal(kit_block *kit)
{
    const uint32_t scale = kit->renewals / RENEWALS_OF_A_SCALE;
    const hd_time most = kit_cycles(kit, RENEWAL_CYCLES) << (scale < RENEWAL_SCALES ? scale : RENEWAL_SCALES);
    return hd_engine_now(kit->engine) + 1 + kit_random(&kit->renewal) % most;
}

void kit_renew(kit_block *kit, uint64_t seed, uint32_t only_stops)
{
    kit_start(kit);
    kit->only_stops = only_stops;
    kit->renewal = seed;
    kit->renewals = 0;
    kit->next_renewal = seed ? next_renewal(kit) : HD_NEVER;
}

/* When it is time. */
static void renew(kit_block *kit)
{
    run_until(kit, kit->next_renewal);
    if (!kit_fault_text(kit))
        kit->renewals += 1 + (uint32_t)(hd_engine_renew(kit->engine, kit->block, kit->only_stops) / RENEWAL_BYTES);
    kit->next_renewal = next_renewal(kit);
}

void kit_run_until(kit_block *kit, hd_time t)
{
    kit_start(kit);
    while (kit->renewal && kit->next_renewal < t && !kit_fault_text(kit))
        renew(kit);
    run_until(kit, t);
}

static uint32_t has_work(const kit_block *kit)
{
    return hd_engine_next(kit->engine) != HD_NEVER || hd_engine_wire_next(kit->engine) != HD_NEVER;
}

hd_time kit_drain(kit_block *kit, hd_time limit)
{
    kit_start(kit);
    while (kit->renewal && kit->next_renewal < limit && !kit_fault_text(kit)) {
        while (step(kit, kit->next_renewal))
            continue;
        if (!has_work(kit))
            break;
        renew(kit);
    }
    while (step(kit, limit))
        continue;
    if (hd_engine_now(kit->engine) < kit->last_event)
        hd_engine_settle(kit->engine, kit->last_event);
    return hd_engine_now(kit->engine);
}

hd_time kit_now(kit_block *kit)
{
    kit_start(kit);
    return hd_engine_now(kit->engine);
}

void kit_wake(kit_block *kit)
{
    hd_engine_wake(kit->engine, kit->block);
}

hd_time kit_next(kit_block *kit)
{
    kit_start(kit);
    return hd_engine_next(kit->engine);
}

hd_time kit_edge(kit_block *kit, uint64_t n)
{
    return hd_clock_edge(kit->clock, n);
}

hd_time kit_cycles(kit_block *kit, uint64_t n)
{
    return hd_clock_cycles(kit->clock, n);
}

hd_packet *kit_receive(kit_block *kit, uint32_t port, uint32_t element, hd_time t)
{
    kit_element *at = kit_element_at(kit, port, element);
    if (t > hd_engine_now(kit->engine))
        kit_run_until(kit, t);
    if (at->arrived.head == at->arrived.tail || at->arrived.items[at->arrived.head].t > t)
        return NULL;
    const kit_queued *first = &at->arrived.items[at->arrived.head++];
    kit->received_at = first->t;
    return first->packet;
}

hd_time kit_received_at(kit_block *kit)
{
    return kit->received_at;
}

uint32_t kit_waiting(kit_block *kit, uint32_t port, uint32_t element)
{
    const kit_element *at = kit_element_at(kit, port, element);
    return at->arrived.tail - at->arrived.head;
}

void kit_hold_credits(kit_block *kit, uint32_t port, uint32_t element, uint32_t hold)
{
    kit_element_at(kit, port, element)->hold = hold;
}

uint32_t kit_release_credits(kit_block *kit, uint32_t port, uint32_t element, uint32_t n, hd_time t)
{
    kit_element *at = kit_element_at(kit, port, element);
    uint32_t released = 0;
    for (; released < n && at->held > 0; released++) {
        at->held--;
        give_credit(at, t);
    }
    return released;
}

void kit_respond(kit_block *kit, kit_responder *responder, void *context)
{
    kit->responder = responder;
    kit->responder_context = context;
}
