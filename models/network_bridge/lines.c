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

/* A load or store without its data. */
static hd_packet *new_line(const bridge *self, uint32_t slot, uint32_t is_write, uint64_t address, uint32_t bytes)
{
    hd_packet *line =
        hd_partition_request(self->services, self->map, address, is_write ? (uint32_t)sizeof(hd_store) + bytes : 0);
    line->message = self->messages[is_write ? MESSAGE_STORE : MESSAGE_LOAD];
    line->traffic_class = HD_CLASS_HOST;
    line->tag = slot;
    line->argument = bytes;
    line->wire_bytes += is_write ? bytes : 0;
    return line;
}

/* The write's data and byte enables from the offset on. Returns 0 if no byte is enabled. */
static uint32_t fill_store(hd_packet *line, const hd_packet *write, uint32_t offset)
{
    const uint32_t bytes = line->argument;
    const uint8_t *data = (const uint8_t *)hd_body_const(write) + offset;
    const uint8_t *enables = write->body_bytes > write->argument ? data + write->argument : NULL;
    hd_store *store = hd_body(line);
    memcpy(hd_store_data(store), data, bytes);
    return fill_mask(store, enables, bytes);
}

hd_packet *bridge_next_line(bridge *self, uint32_t slot)
{
    access *from = &self->accesses[slot];
    const hd_packet *request = from->request;
    const uint32_t is_write = request->message == self->messages[MESSAGE_WRITE];
    const uint64_t address = request->address + from->offset;
    const uint32_t room = HD_LINE_BYTES - (uint32_t)(address % HD_LINE_BYTES);
    const uint32_t left = request->argument - from->offset;
    hd_packet *line = new_line(self, slot, is_write, address, left < room ? left : room);
    const uint32_t bytes = line->argument;
    if (is_write && !fill_store(line, request, from->offset)) {
        self->services->free(self->services->context, line);
        line = NULL;
    }
    from->offset += bytes;
    return line;
}
