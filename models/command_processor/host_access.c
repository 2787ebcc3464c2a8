/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "hd_link.h"
#include "hd_memory.h"
#include "queues.h"

uint32_t slot_fifo_create(slot_fifo *fifo, uint32_t capacity)
{
    *fifo = (slot_fifo){.slots = calloc(capacity, sizeof *fifo->slots), .ring.capacity = capacity};
    return fifo->slots != NULL;
}

void slot_fifo_destroy(slot_fifo *fifo)
{
    free(fifo->slots);
}

static void fifo_push(slot_fifo *fifo, uint32_t slot)
{
    fifo->slots[hd_ring_push(&fifo->ring)] = slot;
}

static uint32_t fifo_pop(slot_fifo *fifo)
{
    return fifo->slots[hd_ring_pop(&fifo->ring)];
}

static uint32_t slot_count(const queues *self)
{
    return self->to_issue.ring.capacity;
}

void host_access_reset(queues *self)
{
    const hd_services *s = self->services;
    for (uint32_t i = 0; i < slot_count(self); i++) {
        if (self->requests[i].request != NULL)
            s->free(s->context, self->requests[i].request);
        if (self->requests[i].response != NULL)
            s->free(s->context, self->requests[i].response);
        self->requests[i] = (host_request){0};
        self->free_slots[i] = slot_count(self) - 1 - i;
    }
    self->free_count = slot_count(self);
    hd_ring_clear(&self->to_issue.ring);
    hd_ring_clear(&self->to_answer.ring);
}

static uint32_t check(const queues *self, const hd_packet *request)
{
    uint32_t is_read = request->message == self->messages[MESSAGE_READ];
    uint32_t is_write = request->message == self->messages[MESSAGE_WRITE];
    uint32_t bytes = request->argument;
    if (!is_read && !is_write)
        return HD_STATUS_COMMAND_ERROR;
    if (bytes == 0 || bytes > HD_PACKET_BODY_MAX)
        return HD_STATUS_BURST_ERROR;
    if (is_write && hd_memory_check_enables(request) != HD_STATUS_OK)
        return HD_STATUS_BYTE_ENABLE_ERROR;
    if (request->address < HD_HOST_MMIO_BASE)
        return queues_in_memory(self, request->address, bytes) ? HD_STATUS_OK : HD_STATUS_ADDRESS_ERROR;
    if (bytes != 4 || request->address % 4 != 0)
        return HD_STATUS_BURST_ERROR;
    return is_write && request->body_bytes != bytes ? HD_STATUS_BYTE_ENABLE_ERROR : HD_STATUS_OK;
}

static uint32_t access_register(queues *self, const host_request *access)
{
    uint64_t offset = access->request->address - HD_HOST_MMIO_BASE;
    uint32_t value = 0;
    uint32_t status;
    if (access->request->message == self->messages[MESSAGE_READ]) {
        status = registers_read(self, offset, &value);
        memcpy(hd_body(access->response), &value, sizeof value);
    } else {
        memcpy(&value, hd_body_const(access->request), sizeof value);
        status = registers_write(self, offset, value);
    }
    if (status == HD_STATUS_OK)
        self->counters[STATISTIC_REGISTER_ACCESSES]++;
    return status;
}

static void count_memory_access(queues *self, const hd_packet *request)
{
    uint32_t is_read = request->message == self->messages[MESSAGE_READ];
    self->counters[is_read ? STATISTIC_HOST_READS : STATISTIC_HOST_WRITES]++;
    self->counters[is_read ? STATISTIC_HOST_READ_BYTES : STATISTIC_HOST_WRITE_BYTES] += request->argument;
}

static void finish(queues *self, uint32_t slot, uint32_t status)
{
    const hd_services *s = self->services;
    host_request *access = &self->requests[slot];
    hd_packet *response = access->response;
    uint32_t is_read = access->request->message == self->messages[MESSAGE_READ];
    response->argument = status;
    response->body_bytes = is_read && status == HD_STATUS_OK ? access->request->argument : 0;
    response->wire_bytes = HD_HEADER_WIRE_BYTES + response->body_bytes;
    s->free(s->context, access->request);
    access->request = NULL;
    if (status != HD_STATUS_OK)
        self->counters[STATISTIC_REFUSED_ACCESSES]++;
    fifo_push(&self->to_answer, slot);
}

void host_access_accept(queues *self, hd_time t)
{
    const hd_services *s = self->services;
    if (self->free_count == 0)
        return;
    hd_packet *request = hd_link_pop(s, self->host_in, t);
    if (request == NULL)
        return;
    uint32_t status = check(self, request);
    uint32_t slot = self->free_slots[--self->free_count];
    host_request *access = &self->requests[slot];
    hd_packet *response = hd_memory_response(s, self->messages[MESSAGE_RESPONSE], request, status,
                                             status == HD_STATUS_OK ? request->argument : 0);
    *access = (host_request){.request = request, .response = response};
    queues_maximum(self, STATISTIC_MAX_HOST_REQUESTS, slot_count(self) - self->free_count);

    if (status == HD_STATUS_OK && request->address < HD_HOST_MMIO_BASE) {
        count_memory_access(self, request);
        access->in_memory = 1;
        self->host_accesses++;
        fifo_push(&self->to_issue, slot);
        return;
    }
    finish(self, slot, status == HD_STATUS_OK ? access_register(self, access) : status);
}

uint32_t host_access_needs_line(const queues *self)
{
    return self->to_issue.ring.count > 0;
}

/* Bytes of the request that lie in the line at its offset. */
static uint32_t chunk_bytes(const hd_packet *request, uint32_t offset)
{
    uint32_t room = HD_LINE_BYTES - (uint32_t)((request->address + offset) % HD_LINE_BYTES);
    uint32_t left = request->argument - offset;
    return left < room ? left : room;
}

static uint32_t any_set(const uint8_t *enables, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i++) {
        if (enables[i] != 0)
            return 1;
    }
    return 0;
}

static hd_packet *line_of(queues *self, uint32_t slot)
{
    host_request *access = &self->requests[slot];
    const hd_packet *request = access->request;
    uint32_t offset = access->offset;
    uint32_t bytes = chunk_bytes(request, offset);
    access->offset += bytes;
    if (request->message == self->messages[MESSAGE_READ])
        return lines_load(self, request->address + offset, bytes, slot, HD_CLASS_HOST);
    const uint8_t *data = hd_body_const(request);
    const uint8_t *enables = request->body_bytes > request->argument ? data + request->argument + offset : NULL;
    if (enables != NULL && !any_set(enables, bytes))
        return NULL;
    return lines_store(self, request->address + offset, data + offset, enables, bytes, slot, HD_CLASS_HOST);
}

hd_packet *host_access_next_line(queues *self)
{
    while (self->to_issue.ring.count > 0) {
        uint32_t slot = self->to_issue.slots[self->to_issue.ring.first];
        host_request *access = &self->requests[slot];
        hd_packet *line = line_of(self, slot);
        uint32_t issued = access->offset == access->request->argument;
        if (line != NULL)
            access->outstanding++;
        if (issued)
            fifo_pop(&self->to_issue);
        if (issued && access->outstanding == 0)
            finish(self, slot, HD_STATUS_OK);
        if (line != NULL)
            return line;
    }
    return NULL;
}

void host_access_line_done(queues *self, uint32_t slot, const hd_packet *reply, hd_time t)
{
    const hd_services *s = self->services;
    host_request *access = slot < slot_count(self) ? &self->requests[slot] : NULL;
    if (access == NULL || access->outstanding == 0) {
        s->fault(s->context, t, "reply: an answer to a line access that was not made (tag %u)", slot);
        self->stopped = 1;
        return;
    }
    if (reply->message == self->messages[MESSAGE_LOAD_REPLY]) {
        uint8_t *data = hd_body(access->response);
        memcpy(data + (reply->address - access->request->address), hd_body_const(reply), reply->argument);
    }
    access->outstanding--;
    if (access->outstanding == 0 && access->offset == access->request->argument)
        finish(self, slot, HD_STATUS_OK);
}

uint32_t host_access_answer(queues *self, hd_time t)
{
    const hd_services *s = self->services;
    if (self->to_answer.ring.count == 0 || !hd_link_has_credit(s, self->host_out, t))
        return 0;
    uint32_t slot = fifo_pop(&self->to_answer);
    self->host_accesses -= self->requests[slot].in_memory;
    s->send(s->context, self->host_out, self->requests[slot].response, t);
    self->requests[slot].response = NULL;
    self->free_slots[self->free_count++] = slot;
    return self->to_answer.ring.count > 0;
}
