/* SPDX-License-Identifier: MIT */
#include "front.h"
#include "hd_link.h"

#include <stdlib.h>

const hd_port dram_front_ports[1] = {
    {.name = "access",
     .direction = HD_PORT_TARGET,
     .minimum_count = 1,
     .maximum_count = DRAM_PORTS,
     .latency_cycles = 1,
     .credits = 8,
     .doc = "reads and writes of the channel"},
};

const hd_message_use dram_front_messages[DRAM_FRONT_MESSAGES] = {
    {HD_MEMORY_READ, HD_MESSAGE_RECEIVED, 0, "access"},
    {HD_MEMORY_WRITE, HD_MESSAGE_RECEIVED, 0, "access"},
    {HD_MEMORY_RESPONSE, HD_MESSAGE_SENT, 0, "access"},
};

void dram_front_init(struct dram_front *front, const hd_services *services, uint64_t *statistics, uint32_t latency,
                     uint32_t response_size)
{
    front->services = services;
    front->message_read = services->message(services->context, HD_MEMORY_READ);
    front->message_write = services->message(services->context, HD_MEMORY_WRITE);
    front->message_response = services->message(services->context, HD_MEMORY_RESPONSE);
    front->statistics = statistics;
    front->latency = latency;
    front->response_size = response_size;
    front->trace = services->extension(services->context, HD_EXTENSION_TRACE);
    front->bus_track = hd_trace_tracks(front->trace, HD_TRACE_BLOCK, "bus", 0);
    front->store.map = services->extension(services->context, HD_EXTENSION_ADDRESS_MAP);
}

void dram_front_connect(struct dram_front *front, uint32_t element, hd_link *out, hd_link *in)
{
    struct dram_port *port = &front->ports[element];
    port->requests_in = in;
    port->responses_out = out;
    port->responses = calloc(front->response_size, sizeof *port->responses);
    if (!port->responses)
        abort();
    if (front->port_count <= element)
        front->port_count = element + 1;
}

static uint32_t slot_of(const struct dram_front *front, const struct dram_port *port, uint32_t position)
{
    const uint32_t slot = port->first_response + position;
    return slot < front->response_size ? slot : slot - front->response_size;
}

static void drop_responses(struct dram_front *front)
{
    const hd_services *services = front->services;
    for (uint32_t i = 0; i < front->port_count; i++) {
        struct dram_port *port = &front->ports[i];
        for (uint32_t r = 0; r < port->response_count; r++)
            services->free(services->context, port->responses[slot_of(front, port, r)].packet);
        port->first_response = 0;
        port->response_count = 0;
        port->stalled_since = UINT64_MAX;
        port->spare = 0;
    }
    front->response_edge = UINT64_MAX;
    front->full_ports = front->answering_ports = front->stalled_ports = 0;
}

void dram_front_align(struct dram_front *front)
{
    front->next_port = 0;
}

void dram_front_reset(struct dram_front *front)
{
    drop_responses(front);
    dram_store_clear(&front->store);
    dram_front_align(front);
    front->waiting = 0;
}

static void transfer_port(const struct dram_front *front, struct dram_port *port, const hd_state_stream *stream)
{
    HD_STATE_VALUE(stream, port->response_count);
    HD_STATE_VALUE(stream, port->stalled_since);
    for (uint32_t r = 0; r < port->response_count; r++) {
        struct dram_response *response = &port->responses[slot_of(front, port, r)];
        hd_state_packet(stream, &response->packet);
        HD_STATE_VALUE(stream, response->ready);
    }
}

void dram_front_transfer(struct dram_front *front, const hd_state_stream *stream)
{
    HD_STATE_SHAPE(stream, "ports", front->port_count);
    HD_STATE_SHAPE(stream, "responses of a port", front->response_size);
    HD_STATE_VALUE(stream, front->next_port);
    HD_STATE_VALUE(stream, front->waiting);
    HD_STATE_VALUE(stream, front->full_ports);
    HD_STATE_VALUE(stream, front->answering_ports);
    HD_STATE_VALUE(stream, front->stalled_ports);
    HD_STATE_VALUE(stream, front->response_edge);
    for (uint32_t i = 0; i < front->port_count; i++)
        transfer_port(front, &front->ports[i], stream);
    dram_store_transfer(&front->store, stream);
}

void dram_front_destroy(struct dram_front *front)
{
    drop_responses(front);
    dram_store_clear(&front->store);
    for (uint32_t i = 0; i < front->port_count; i++)
        free(front->ports[i].responses);
}

hd_time dram_front_arrival(const struct dram_front *front)
{
    hd_time next = HD_NEVER;
    for (uint32_t i = 0; i < front->port_count; i++) {
        if (dram_front_has_room(front, i))
            next = hd_earlier(next, hd_link_arrival(front->ports[i].requests_in));
    }
    return next;
}

void dram_front_trace_data(const struct dram_front *front, uint32_t is_write, uint64_t address, uint32_t bank,
                           uint64_t begin, uint64_t end)
{
    const hd_clock clock = front->services->clock;
    const uint32_t event = is_write ? EVENT_WRITE : EVENT_READ;
    hd_trace_begin(front->trace, front->bus_track, event, hd_clock_edge(clock, begin), address, bank);
    hd_trace_end(front->trace, front->bus_track, event, hd_clock_edge(clock, end));
}

void dram_front_put(struct dram_front *front, uint32_t index, hd_packet *packet, uint64_t ready)
{
    struct dram_port *port = &front->ports[index];
    if (!port->response_count) {
        front->response_edge = hd_earlier(front->response_edge, ready);
    } else {
        const uint64_t last = port->responses[slot_of(front, port, port->response_count - 1)].ready;
        ready = last > ready ? last : ready;
    }
    port->responses[slot_of(front, port, port->response_count)] = (struct dram_response){packet, ready};
    front->answering_ports |= UINT64_C(1) << index;
    if (++port->response_count == front->response_size)
        front->full_ports |= UINT64_C(1) << index;
}

static void respond(struct dram_front *front, uint32_t index, uint64_t n, hd_time t)
{
    const hd_services *services = front->services;
    const uint64_t bit = UINT64_C(1) << index;
    struct dram_port *port = &front->ports[index];
    if (!port->spare)
        port->spare = services->credits(services->context, port->responses_out, t);
    if (!port->spare) {
        if (port->stalled_since == UINT64_MAX)
            port->stalled_since = n;
        front->stalled_ports |= bit;
        return;
    }
    if (port->stalled_since != UINT64_MAX) {
        front->statistics[STATISTIC_RESPONSE_STALL_CYCLES] += n - port->stalled_since;
        port->stalled_since = UINT64_MAX;
        front->stalled_ports &= ~bit;
    }
    port->spare--;
    services->send(services->context, port->responses_out, port->responses[port->first_response].packet, t);
    port->first_response = slot_of(front, port, 1);
    if (!--port->response_count)
        front->answering_ports &= ~bit;
    front->full_ports &= ~bit;
}

static uint64_t ready_edge(const struct dram_port *port)
{
    return port->responses[port->first_response].ready;
}

static uint64_t next_response(const struct dram_front *front)
{
    uint64_t edge = UINT64_MAX;
    for (uint64_t ports = front->answering_ports & ~front->stalled_ports; ports; ports &= ports - 1)
        edge = hd_earlier(edge, ready_edge(&front->ports[__builtin_ctzll(ports)]));
    return edge;
}

void dram_front_respond(struct dram_front *front, uint64_t n, hd_time t)
{
    for (uint64_t ports = front->answering_ports; ports; ports &= ports - 1) {
        const uint32_t index = (uint32_t)__builtin_ctzll(ports);
        if (ready_edge(&front->ports[index]) <= n)
            respond(front, index, n, t);
    }
    front->response_edge = next_response(front);
}

hd_time dram_front_awaited_credit(const struct dram_front *front)
{
    const hd_services *services = front->services;
    hd_time next = HD_NEVER;
    for (uint64_t ports = front->stalled_ports; ports; ports &= ports - 1) {
        const struct dram_port *port = &front->ports[__builtin_ctzll(ports)];
        next = hd_earlier(next, services->credit_arrival(services->context, port->responses_out));
    }
    return next;
}
