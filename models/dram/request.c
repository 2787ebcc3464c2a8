/* SPDX-License-Identifier: MIT */
#include "front.h"
#include "hd_address.h"
#include "hd_link.h"
#include "hd_memory.h"

static uint32_t check_write(const hd_packet *packet)
{
    if (packet->body_bytes < packet->argument)
        return HD_STATUS_BURST_ERROR;
    return hd_memory_check_enables(packet);
}

static uint32_t check(const struct dram_front *front, const hd_packet *packet)
{
    if (packet->message != front->message_read && packet->message != front->message_write)
        return HD_STATUS_COMMAND_ERROR;
    if (packet->argument == 0 || packet->argument > HD_PACKET_BODY_MAX)
        return HD_STATUS_BURST_ERROR;
    if (packet->address >= HD_HOST_MMIO_BASE || packet->argument > HD_HOST_MMIO_BASE - packet->address)
        return HD_STATUS_ADDRESS_ERROR;
    return packet->message == front->message_write ? check_write(packet) : HD_STATUS_OK;
}

/* Turns the request into its response, in a packet of its own if the body needs more room. */
static hd_packet *make_response(const struct dram_front *front, hd_packet *request, uint32_t status,
                                uint32_t body_bytes)
{
    const hd_services *services = front->services;
    hd_packet *response = request;
    if (body_bytes > request->body_capacity) {
        response = services->alloc(services->context, body_bytes);
        const uint32_t capacity = response->body_capacity;
        *response = *request;
        response->body_capacity = capacity;
        services->free(services->context, request);
    }
    response->message = front->message_response;
    response->destination = response->source;
    response->source = (uint16_t)services->endpoint;
    response->unit = HD_DESTINATION_DEFAULT;
    response->argument = status;
    response->body_bytes = body_bytes;
    response->wire_bytes = HD_HEADER_WIRE_BYTES + body_bytes;
    return response;
}

void dram_front_complete(struct dram_front *front, uint32_t port, hd_packet *request, uint64_t ready)
{
    const uint32_t bytes = request->argument;
    front->waiting--;
    if (request->message == front->message_read) {
        front->statistics[STATISTIC_READS]++;
        front->statistics[STATISTIC_BYTES_READ] += bytes;
        hd_packet *response = make_response(front, request, HD_STATUS_OK, bytes);
        dram_store_read(&front->store, response->address, hd_body(response), bytes);
        dram_front_put(front, port, response, ready);
        return;
    }
    front->statistics[STATISTIC_WRITES]++;
    front->statistics[STATISTIC_BYTES_WRITTEN] += bytes;
    const uint8_t *data = hd_body_const(request);
    dram_store_write(&front->store, request->address, data, request->body_bytes > bytes ? data + bytes : NULL, bytes);
    dram_front_put(front, port, make_response(front, request, HD_STATUS_OK, 0), ready);
}

/* Round robin: the ports after the one that was served last come first. */
static hd_packet *take(struct dram_front *front, hd_time t, uint32_t *port)
{
    const hd_services *services = front->services;
    *port = front->next_port;
    for (uint32_t i = 0; i < front->port_count; i++) {
        const uint32_t next = *port + 1 == front->port_count ? 0 : *port + 1;
        hd_packet *packet = NULL;
        if (dram_front_has_room(front, *port))
            packet = hd_link_pop(services, front->ports[*port].requests_in, t);
        if (packet) {
            front->next_port = next;
            return packet;
        }
        *port = next;
    }
    return NULL;
}

hd_packet *dram_front_accept(struct dram_front *front, uint64_t n, hd_time t, uint32_t *port)
{
    hd_packet *packet = take(front, t, port);
    if (!packet)
        return NULL;
    const uint32_t status = check(front, packet);
    if (status == HD_STATUS_OK) {
        front->waiting++;
        dram_store_prefetch(&front->store, packet->address, packet->argument);
        return packet;
    }
    front->statistics[STATISTIC_REFUSED]++;
    dram_front_put(front, *port, make_response(front, packet, status, 0), n + front->latency);
    return NULL;
}
