/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "hd_address.h"
#include "hd_memory.h"
#include "state.h"

uint32_t bridge_check(const bridge *self, const hd_packet *request)
{
    const uint32_t is_write = request->message == self->messages[MESSAGE_WRITE];
    if (!is_write && request->message != self->messages[MESSAGE_READ])
        return HD_STATUS_COMMAND_ERROR;
    if (request->argument == 0 || request->argument > HD_PACKET_BODY_MAX)
        return HD_STATUS_BURST_ERROR;
    if (request->address < HD_GLOBAL_BASE || request->address > HD_PHYSICAL_CONTEXT_BASE - request->argument)
        return HD_STATUS_ADDRESS_ERROR;
    return is_write ? hd_memory_check_enables(request) : HD_STATUS_OK;
}

/* One bit per byte that is written. */
static uint32_t fill_mask(hd_store *store, const uint8_t *enables, uint32_t bytes)
{
    uint32_t any = 0;
    memset(store, 0, sizeof *store);
    for (uint32_t i = 0; i < bytes; i++) {
        const uint32_t is_enabled = !enables || enables[i];
        store->byte_mask[i / 32] |= is_enabled << (i % 32);
        any |= is_enabled;
    }
    return any;
}

hd_packet *bridge_next_line(bridge *self, uint32_t slot)
{
    const hd_services *services = self->services;
    access *from = &self->accesses[slot];
    const hd_packet *request = from->request;
    const uint32_t is_write = request->message == self->messages[MESSAGE_WRITE];
    const uint64_t address = request->address + from->offset;
    const uint32_t room = HD_LINE_BYTES - (uint32_t)(address % HD_LINE_BYTES);
    const uint32_t left = request->argument - from->offset;
    const uint32_t bytes = left < room ? left : room;
    hd_packet *line = services->alloc(services->context, is_write ? (uint32_t)sizeof(hd_store) + bytes : 0);
    line->message = self->messages[is_write ? MESSAGE_STORE : MESSAGE_LOAD];
    line->source = (uint16_t)services->endpoint;
    line->destination = (uint16_t)self->map->endpoints[hd_partition_of(self->map, address)];
    line->unit = HD_DESTINATION_L2_SLICE;
    line->traffic_class = HD_CLASS_HOST;
    line->tag = slot;
    line->address = address;
    line->argument = bytes;
    line->wire_bytes = HD_HEADER_WIRE_BYTES + (is_write ? bytes : 0);
    if (is_write) {
        const uint8_t *data = (const uint8_t *)hd_body_const(request) + from->offset;
        const uint8_t *enables = request->body_bytes > request->argument ? data + request->argument : NULL;
        hd_store *store = hd_body(line);
        line->body_bytes = (uint32_t)sizeof *store + bytes;
        memcpy(hd_store_data(store), data, bytes);
        if (!fill_mask(store, enables, bytes)) {
            services->free(services->context, line);
            line = NULL;
        }
    }
    from->offset += bytes;
    return line;
}
