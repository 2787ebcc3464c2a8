/* SPDX-License-Identifier: MIT */
/*
 * Memory of a block that other blocks access through a target port. Requests are handled in order, port_bytes per cycle;
 * each response is sent `latency` cycles after the last byte; up to `limit` requests are in progress. The block itself
 * provides the bytes.
 */
#ifndef HD_MEMORY_PORT_H
#define HD_MEMORY_PORT_H

#include <stdlib.h>
#include <string.h>

#include "hd_block.h"
#include "hd_link.h"
#include "hd_memory.h"
#include "hd_message.h"
#include "hd_state.h"
#include "hd_work.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The bytes of an access at edge n, or NULL if the address is invalid. They are read or written immediately after. */
typedef uint8_t *hd_memory_bytes(void *owner, uint64_t address, uint32_t bytes, uint32_t is_write, uint64_t n);

typedef struct hd_memory_answer {
    hd_packet *packet;
    uint64_t ready; /* edge */
} hd_memory_answer;

/* Statistics of the port. */
typedef struct hd_memory_counts {
    uint64_t reads;
    uint64_t writes;
    uint64_t read_bytes;
    uint64_t written_bytes;
    uint64_t refused;
} hd_memory_counts;

typedef struct hd_memory_port {
    const hd_services *services;
    hd_memory_bytes *bytes_at;
    void *owner;
    hd_link *in; /* NULL: not bound */
    hd_link *out;
    uint64_t port_bytes;
    uint64_t latency;
    uint32_t limit;
    uint32_t first;
    uint32_t count;
    uint32_t awaits_credit;
    uint64_t free_edge; /* first edge at which it accepts a request */
    uint32_t read_message, write_message, response_message;
    hd_memory_answer *answers;
    hd_memory_counts counts;
} hd_memory_port;

/* Rows of a block's declaration: parameters, in this order, and statistics in the order of hd_memory_counts. */
#define HD_MEMORY_PORT_BYTES                                                                                           \
    {                                                                                                                  \
        .name = "ram.port_bytes", .type = HD_TYPE_UNSIGNED, .unit = HD_UNIT_BYTES, .standard = "16 B", .minimum = 1,   \
        .maximum = 1024, .doc = "RAM bandwidth for other blocks, per cycle"                                            \
    }
#define HD_MEMORY_PORT_LATENCY                                                                                         \
    {                                                                                                                  \
        .name = "ram.latency", .type = HD_TYPE_UNSIGNED, .unit = HD_UNIT_CYCLES, .standard = "20 cycles",              \
        .minimum = 1, .maximum = 255, .doc = "from the last byte of another block's RAM access to the response"        \
    }
#define HD_MEMORY_PORT_REQUESTS                                                                                        \
    {                                                                                                                  \
        .name = "ram.requests", .type = HD_TYPE_UNSIGNED, .standard = "8", .minimum = 1, .maximum = 256,               \
        .doc = "RAM accesses of other blocks in progress at a time"                                                    \
    }
#define HD_MEMORY_PORT_STATISTICS                                                                                      \
    {"ram_reads", "accesses", HD_STATISTIC_COUNT, 0, "RAM reads by other blocks"},                                     \
        {"ram_writes", "accesses", HD_STATISTIC_COUNT, 0, "RAM writes by other blocks"},                               \
        {"ram_read_bytes", "bytes", HD_STATISTIC_COUNT, 0, "bytes of these reads"},                                    \
        {"ram_written_bytes", "bytes", HD_STATISTIC_COUNT, 0, "bytes of these writes, enabled or not"},                \
    {                                                                                                                  \
        "ram_refused", "accesses", HD_STATISTIC_COUNT, 0, "RAM accesses by other blocks answered with an error"        \
    }
#define HD_MEMORY_PORT_MESSAGES                                                                                        \
    {HD_MEMORY_READ, HD_MESSAGE_RECEIVED, 0, "memory"}, {HD_MEMORY_WRITE, HD_MESSAGE_RECEIVED, 0, "memory"},           \
    {                                                                                                                  \
        HD_MEMORY_RESPONSE, HD_MESSAGE_SENT, 0, "memory"                                                               \
    }

/* Call it in create; values are those of the parameters above. Returns 0: out of memory. */
static inline uint32_t hd_memory_port_create(hd_memory_port *self, const hd_services *services, const hd_value *values,
                                             hd_memory_bytes *bytes_at, void *owner)
{
    memset(self, 0, sizeof *self);
    self->services = services;
    self->bytes_at = bytes_at;
    self->owner = owner;
    self->port_bytes = values[0].u;
    self->latency = values[1].u;
    self->limit = (uint32_t)values[2].u;
    self->read_message = services->message(services->context, HD_MEMORY_READ);
    self->write_message = services->message(services->context, HD_MEMORY_WRITE);
    self->response_message = services->message(services->context, HD_MEMORY_RESPONSE);
    self->answers = (hd_memory_answer *)calloc(self->limit, sizeof *self->answers);
    return self->answers != NULL;
}

static inline hd_memory_answer *hd_memory_port_nth(const hd_memory_port *self, uint32_t n)
{
    return &self->answers[(self->first + n) % self->limit];
}

static inline void hd_memory_port_reset(hd_memory_port *self)
{
    for (uint32_t i = 0; i < self->count; i++)
        self->services->free(self->services->context, hd_memory_port_nth(self, i)->packet);
    self->first = self->count = self->awaits_credit = 0;
    self->free_edge = 0;
    memset(&self->counts, 0, sizeof self->counts);
}

/* As part of the block's state. */
static inline void hd_memory_port_transfer(hd_memory_port *self, const hd_state_stream *stream)
{
    HD_STATE_SHAPE(stream, "accesses of others in progress", self->limit);
    HD_STATE_VALUE(stream, self->first);
    HD_STATE_VALUE(stream, self->count);
    HD_STATE_VALUE(stream, self->awaits_credit);
    HD_STATE_VALUE(stream, self->free_edge);
    HD_STATE_VALUE(stream, self->counts);
    for (uint32_t i = 0; i < self->count; i++) {
        hd_state_packet(stream, &hd_memory_port_nth(self, i)->packet);
        HD_STATE_VALUE(stream, hd_memory_port_nth(self, i)->ready);
    }
}

/* Also accepts a zero-initialised port. */
static inline void hd_memory_port_destroy(hd_memory_port *self)
{
    if (self->answers)
        hd_memory_port_reset(self);
    free(self->answers);
}

static inline uint32_t hd_memory_port_check(const hd_memory_port *self, const hd_packet *request)
{
    const uint32_t is_write = request->message == self->write_message;
    if (!is_write && request->message != self->read_message)
        return HD_STATUS_COMMAND_ERROR;
    if (request->argument == 0 || request->argument > HD_PACKET_BODY_MAX)
        return HD_STATUS_BURST_ERROR;
    return is_write ? hd_memory_check_enables(request) : HD_STATUS_OK;
}

static inline void hd_memory_port_write(uint8_t *to, const hd_packet *request)
{
    const uint32_t bytes = request->argument;
    const uint8_t *data = (const uint8_t *)hd_body_const(request), *enables = data + bytes;
    for (uint32_t i = 0; i < bytes; i++)
        if (request->body_bytes == bytes || enables[i])
            to[i] = data[i];
}

static inline hd_packet *hd_memory_port_answer_to(hd_memory_port *self, const hd_packet *request, uint64_t n)
{
    const uint32_t is_read = request->message == self->read_message;
    uint32_t status = hd_memory_port_check(self, request);
    uint8_t *there =
        status == HD_STATUS_OK ? self->bytes_at(self->owner, request->address, request->argument, !is_read, n) : NULL;
    if (status == HD_STATUS_OK && !there)
        status = HD_STATUS_ADDRESS_ERROR;
    const uint32_t bytes = status == HD_STATUS_OK && is_read ? request->argument : 0;
    hd_packet *answer = hd_memory_response(self->services, self->response_message, request, status, bytes);
    if (status != HD_STATUS_OK) {
        self->counts.refused++;
        return answer;
    }
    *(is_read ? &self->counts.reads : &self->counts.writes) += 1;
    *(is_read ? &self->counts.read_bytes : &self->counts.written_bytes) += request->argument;
    if (is_read)
        memcpy(hd_body(answer), there, bytes);
    else
        hd_memory_port_write(there, request);
    return answer;
}

static inline uint32_t hd_memory_port_takes(const hd_memory_port *self)
{
    return self->in && self->count < self->limit;
}

static inline void hd_memory_port_accept(hd_memory_port *self, uint64_t n, hd_time t)
{
    const hd_services *s = self->services;
    hd_packet *request = hd_memory_port_takes(self) && n >= self->free_edge ? s->pop(s->context, self->in, t) : NULL;
    if (!request)
        return;
    const uint64_t cycles = (request->argument + self->port_bytes - 1) / self->port_bytes;
    self->free_edge = n + (cycles ? cycles : 1);
    hd_memory_answer *taken = hd_memory_port_nth(self, self->count++);
    taken->packet = hd_memory_port_answer_to(self, request, n);
    taken->ready = self->free_edge + self->latency - 1;
    s->free(s->context, request);
}

static inline void hd_memory_port_answer(hd_memory_port *self, uint64_t n, hd_time t)
{
    const hd_services *s = self->services;
    const hd_memory_answer *oldest = hd_memory_port_nth(self, 0);
    self->awaits_credit = 0;
    if (!self->count || oldest->ready > n)
        return;
    if (!hd_link_has_credit(s, self->out, t)) {
        self->awaits_credit = 1;
        return;
    }
    s->send(s->context, self->out, oldest->packet, t);
    self->first = (self->first + 1) % self->limit;
    self->count--;
}

/* Does all work of edge n, which is at time t. */
static inline void hd_memory_port_work(hd_memory_port *self, uint64_t n, hd_time t)
{
    hd_memory_port_answer(self, n, t);
    hd_memory_port_accept(self, n, t);
}

static inline hd_time hd_memory_port_edge(const hd_cursor *cursor, uint64_t edge)
{
    return edge <= cursor->n ? cursor->t : hd_cursor_time_of(cursor, edge);
}

/* Time of the next work; cursor is on the next edge. */
static inline hd_time hd_memory_port_next(const hd_memory_port *self, const hd_cursor *cursor)
{
    hd_time next = HD_NEVER;
    if (self->count && !self->awaits_credit)
        next = hd_memory_port_edge(cursor, hd_memory_port_nth(self, 0)->ready);
    if (!hd_memory_port_takes(self))
        return next;
    const hd_time arrival = hd_link_arrival(self->in);
    if (arrival == HD_NEVER)
        return next;
    const hd_time from = hd_memory_port_edge(cursor, self->free_edge);
    const hd_time edge = hd_cursor_edge_from(cursor, arrival);
    return hd_earlier(next, edge > from ? edge : from);
}

#ifdef __cplusplus
}
#endif

#endif
