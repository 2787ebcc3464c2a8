/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "hd_address.h"
#include "state.h"

static uint32_t has_only_enables(const uint8_t *enables, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (enables[i] != 0 && enables[i] != 0xFF)
            return 0;
    }
    return 1;
}

static uint32_t check_write(const hd_packet *packet)
{
    if (packet->body_bytes < packet->argument)
        return HD_STATUS_BURST_ERROR;
    if (packet->body_bytes == packet->argument)
        return HD_STATUS_OK;
    if (packet->body_bytes != 2 * packet->argument)
        return HD_STATUS_BYTE_ENABLE_ERROR;
    const uint8_t *enables = (const uint8_t *)hd_body_const(packet) + packet->argument;
    return has_only_enables(enables, packet->argument) ? HD_STATUS_OK : HD_STATUS_BYTE_ENABLE_ERROR;
}

static uint32_t check(const struct dram *dram, const hd_packet *packet)
{
    if (packet->message != dram->message_read && packet->message != dram->message_write)
        return HD_STATUS_COMMAND_ERROR;
    if (packet->argument == 0 || packet->argument > HD_PACKET_BODY_MAX)
        return HD_STATUS_BURST_ERROR;
    if (packet->address >= HD_HOST_MMIO_BASE || packet->argument > HD_HOST_MMIO_BASE - packet->address)
        return HD_STATUS_ADDRESS_ERROR;
    return packet->message == dram->message_write ? check_write(packet) : HD_STATUS_OK;
}

/* Turns the request into its response, in a packet of its own if the body needs more room. */
static hd_packet *make_response(const struct dram *dram, hd_packet *request, uint32_t status, uint32_t body_bytes)
{
    const hd_services *services = dram->services;
    hd_packet *response = request;
    if (body_bytes > request->body_capacity) {
        response = services->alloc(services->context, body_bytes);
        const uint32_t capacity = response->body_capacity;
        *response = *request;
        response->body_capacity = capacity;
        services->free(services->context, request);
    }
    response->message = dram->message_response;
    response->destination = response->source;
    response->source = (uint16_t)services->endpoint;
    response->unit = HD_DESTINATION_DEFAULT;
    response->argument = status;
    response->body_bytes = body_bytes;
    response->wire_bytes = HD_HEADER_WIRE_BYTES + body_bytes;
    return response;
}

static uint32_t response_slot(const struct dram *dram, uint32_t position)
{
    const uint32_t slot = dram->first_response + position;
    return slot < dram->response_size ? slot : slot - dram->response_size;
}

/* Responses leave in the order in which they are put in. */
static void put_response(struct dram *dram, hd_packet *packet, uint64_t ready)
{
    if (dram->response_count) {
        const uint32_t last = response_slot(dram, dram->response_count - 1);
        if (dram->responses[last].ready > ready)
            ready = dram->responses[last].ready;
    }
    const uint32_t slot = response_slot(dram, dram->response_count);
    dram->responses[slot] = (struct response){packet, ready};
    dram->response_count++;
}

void dram_complete(struct dram *dram, hd_packet *request, uint64_t ready)
{
    const uint32_t bytes = request->argument;
    if (request->message == dram->message_read) {
        dram->statistics[STATISTIC_READS]++;
        dram->statistics[STATISTIC_BYTES_READ] += bytes;
        hd_packet *response = make_response(dram, request, HD_STATUS_OK, bytes);
        dram_store_read(&dram->store, response->address, hd_body(response), bytes);
        put_response(dram, response, ready);
        return;
    }
    dram->statistics[STATISTIC_WRITES]++;
    dram->statistics[STATISTIC_BYTES_WRITTEN] += bytes;
    const uint8_t *data = hd_body_const(request);
    dram_store_write(&dram->store, request->address, data, request->body_bytes > bytes ? data + bytes : NULL, bytes);
    put_response(dram, make_response(dram, request, HD_STATUS_OK, 0), ready);
}

void dram_accept(struct dram *dram, uint64_t n, hd_time t)
{
    const hd_services *services = dram->services;
    hd_packet *packet = services->pop(services->context, dram->requests_in, t);
    const uint32_t status = check(dram, packet);
    if (status == HD_STATUS_OK) {
        dram_expect_command(dram, dram_enter(dram, packet, n), n);
        if (dram->count > dram->statistics[STATISTIC_QUEUE_MAXIMUM])
            dram->statistics[STATISTIC_QUEUE_MAXIMUM] = dram->count;
        return;
    }
    dram->statistics[STATISTIC_REFUSED]++;
    put_response(dram, make_response(dram, packet, status, 0), n + dram->latency);
}

void dram_respond(struct dram *dram, uint64_t n, hd_time t)
{
    const hd_services *services = dram->services;
    if (!services->credits(services->context, dram->responses_out, t)) {
        if (dram->stalled_since == UINT64_MAX)
            dram->stalled_since = n;
        return;
    }
    if (dram->stalled_since != UINT64_MAX) {
        dram->statistics[STATISTIC_RESPONSE_STALL_CYCLES] += n - dram->stalled_since;
        dram->stalled_since = UINT64_MAX;
    }
    services->send(services->context, dram->responses_out, dram->responses[dram->first_response].packet, t);
    dram->first_response = dram->first_response + 1 == dram->response_size ? 0 : dram->first_response + 1;
    /* A request may have waited for room to put its response. */
    if (dram->response_count-- == dram->response_size && dram->count)
        dram->command_edge = n;
}
