/* SPDX-License-Identifier: MIT */
#include <inttypes.h>

#include "parts.h"

static void count_bytes(uint64_t *statistics, const hd_packet *packet)
{
    statistics[packet->traffic_class < HD_CLASS_COUNT ? packet->traffic_class : HD_CLASS_COUNT] += packet->wire_bytes;
}

#define ROUTE_UNKNOWN UINT8_MAX

/* Reply port that leads to the endpoint, or NULL. */
static struct reply_port *port_to(struct slice *slice, uint16_t endpoint)
{
    if (slice->routes[endpoint] == ROUTE_UNKNOWN) {
        const uint32_t element = slice->services->route(slice->services->context, PORT_REPLY, endpoint);
        if (element >= slice->reply_ports || !slice->replies[element].link)
            return NULL;
        slice->routes[endpoint] = (uint8_t)element;
    }
    return &slice->replies[slice->routes[endpoint]];
}

void slice_take_port(struct slice *slice, uint32_t cycles, uint64_t n)
{
    slice->port_free = (slice->port_free > n ? slice->port_free : n) + cycles;
    slice->statistics[STATISTIC_PORT_BUSY_CYCLES] += cycles;
}

static void enqueue(struct reply_queue *queue, hd_packet *reply, uint64_t ready)
{
    queue->replies[hd_ring_push(&queue->ring)] = (struct pending_reply){reply, ready};
}

void slice_put_reply(struct slice *slice, hd_packet *reply, uint32_t port_cycles, uint64_t n, hd_time t)
{
    const hd_services *services = slice->services;
    slice_take_port(slice, port_cycles, n);
    struct reply_port *port = port_to(slice, reply->destination);
    if (!port) {
        services->fault(services->context, t, "%s: no way to endpoint %" PRIu16 " for a reply", services->name,
                        reply->destination);
        services->free(services->context, reply);
        return;
    }
    const uint32_t is_late = slice->atomic_latency && reply->message == slice->message.atomic_reply;
    const uint64_t ready = slice->port_free - 1 + slice->latency + (is_late ? slice->atomic_latency : 0);
    enqueue(&port->queues[is_late ? QUEUE_ATOMIC : QUEUE_PLAIN], reply, ready);
    if (!port->awaits_credit)
        slice->reply_edge = hd_earlier(slice->reply_edge, ready);
    slice->reply_count++;
    hd_trace_counter(slice->trace, HD_TRACE_BLOCK, EVENT_REPLIES, t, slice->reply_count);
    count_bytes(&slice->statistics[STATISTIC_BYTES_OUT], reply);
}

static uint32_t has_credit(const struct slice *slice, struct reply_port *port, hd_time t)
{
    const hd_services *services = slice->services;
    if (!port->spare)
        port->spare = services->credits(services->context, port->link, t);
    return port->spare != 0;
}

static void send_reply(struct slice *slice, struct reply_port *port, uint64_t n, hd_time t)
{
    const hd_services *services = slice->services;
    struct reply_queue *queue = slice_next_reply(port);
    if (!queue || slice_ready_of(queue) > n)
        return;
    port->awaits_credit = !has_credit(slice, port, t);
    if (port->awaits_credit)
        return;
    port->spare--;
    services->send(services->context, port->link, queue->replies[hd_ring_pop(&queue->ring)].packet, t);
    slice->reply_count--;
    hd_trace_counter(slice->trace, HD_TRACE_BLOCK, EVENT_REPLIES, t, slice->reply_count);
}

void slice_send_replies(struct slice *slice, uint64_t n, hd_time t)
{
    slice->reply_edge = UINT64_MAX;
    slice->starved_ports = 0;
    for (uint32_t i = 0; i < slice->reply_ports; i++) {
        struct reply_port *port = &slice->replies[i];
        send_reply(slice, port, n, t);
        const struct reply_queue *next = slice_next_reply(port);
        slice->starved_ports += port->awaits_credit;
        if (next && !port->awaits_credit)
            slice->reply_edge = hd_earlier(slice->reply_edge, slice_ready_of(next));
    }
}
