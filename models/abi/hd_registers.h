/* SPDX-License-Identifier: MIT */
/*
 * Registers behind a memory target port. A device accepts one access at a time and responds `latency` cycles later. The
 * device implements the effect of an access; everything else that a target needs is here.
 *
 * Accesses must be aligned and of 1, 2, 4 or 8 bytes, otherwise they return HD_STATUS_BURST_ERROR. Byte enables return
 * HD_STATUS_BYTE_ENABLE_ERROR, addresses outside the window HD_STATUS_ADDRESS_ERROR. Refused accesses change nothing.
 */
#ifndef HD_REGISTERS_H
#define HD_REGISTERS_H

#include <string.h>

#include "hd_block.h"
#include "hd_memory.h"
#include "hd_message.h"
#include "hd_work.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The device's functions. t is an edge of its clock; offset is relative to the window's base. They return HD_STATUS_*. */
typedef struct hd_registers_class {
    uint32_t (*read)(void *device, uint64_t offset, uint32_t bytes, uint64_t *value, hd_time t);
    uint32_t (*write)(void *device, uint64_t offset, uint32_t bytes, uint64_t value, hd_time t);
} hd_registers_class;

typedef struct hd_registers {
    const hd_services *services;
    const hd_registers_class *device_class;
    void *device;
    uint64_t base;
    uint64_t bytes;
    uint64_t latency; /* cycles, >= 1 */
    hd_link *in;
    hd_link *out;
    hd_packet *answer; /* to the access in progress; NULL = none */
    uint64_t ready;    /* edge at which it is sent */
    uint32_t awaits_credit;
    uint32_t read_message, write_message, response_message;
    uint64_t accesses;
    uint64_t refused;
} hd_registers;

/* Rows of a device's declaration: its port `bus` and the messages there, its parameters `address` and `latency`, its
 * statistics `accesses` and `refused`. */
#define HD_REGISTERS_PORT                                                                                              \
    {                                                                                                                  \
        .name = "bus", .direction = HD_PORT_TARGET, .minimum_count = 1, .maximum_count = 1, .latency_cycles = 1,       \
        .credits = 2, .doc = "the registers"                                                                           \
    }
#define HD_REGISTERS_MESSAGES                                                                                          \
    {HD_MEMORY_READ, HD_MESSAGE_RECEIVED, 0, "bus"}, {HD_MEMORY_WRITE, HD_MESSAGE_RECEIVED, 0, "bus"},                 \
    {                                                                                                                  \
        HD_MEMORY_RESPONSE, HD_MESSAGE_SENT, 0, "bus"                                                                  \
    }
#define HD_REGISTERS_ADDRESS(text, window_bytes)                                                                       \
    {                                                                                                                  \
        .name = "address", .type = HD_TYPE_UNSIGNED, .standard = text, .maximum = UINT64_MAX - (window_bytes),         \
        .doc = "host bus address of the first register"                                                                \
    }
#define HD_REGISTERS_LATENCY                                                                                           \
    {                                                                                                                  \
        .name = "latency", .type = HD_TYPE_UNSIGNED, .unit = HD_UNIT_CYCLES, .standard = "2 cycles", .minimum = 1,     \
        .maximum = 1000000, .doc = "from an access to its response"                                                    \
    }
#define HD_REGISTERS_ACCESSES                                                                                          \
    {                                                                                                                  \
        "accesses", "accesses", HD_STATISTIC_COUNT, 0, "register accesses that were not refused"                       \
    }
#define HD_REGISTERS_REFUSED                                                                                           \
    {                                                                                                                  \
        "refused", "accesses", HD_STATISTIC_COUNT, 0, "accesses answered with an error"                                \
    }

/* Call it in create. */
static inline void hd_registers_create(hd_registers *self, const hd_services *services,
                                       const hd_registers_class *device_class, void *device, uint64_t base,
                                       uint64_t bytes, uint64_t latency)
{
    memset(self, 0, sizeof *self);
    self->services = services;
    self->device_class = device_class;
    self->device = device;
    self->base = base;
    self->bytes = bytes;
    self->latency = latency;
    self->read_message = services->message(services->context, HD_MEMORY_READ);
    self->write_message = services->message(services->context, HD_MEMORY_WRITE);
    self->response_message = services->message(services->context, HD_MEMORY_RESPONSE);
}

/* Call it in reset and destroy: it also frees a pending response. */
static inline void hd_registers_reset(hd_registers *self)
{
    if (self->answer)
        self->services->free(self->services->context, self->answer);
    self->answer = NULL;
    self->ready = 0;
    self->awaits_credit = 0;
    self->accesses = 0;
    self->refused = 0;
}

static inline uint32_t hd_registers_check(const hd_registers *self, const hd_packet *request)
{
    const uint32_t bytes = request->argument;
    const uint32_t is_write = request->message == self->write_message;
    if (!is_write && request->message != self->read_message)
        return HD_STATUS_COMMAND_ERROR;
    if ((bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8) || request->address % bytes)
        return HD_STATUS_BURST_ERROR;
    if (request->address - self->base >= self->bytes)
        return HD_STATUS_ADDRESS_ERROR;
    return is_write && request->body_bytes != bytes ? HD_STATUS_BYTE_ENABLE_ERROR : HD_STATUS_OK;
}

/* Executes the access. *value is the result of a read. */
static inline uint32_t hd_registers_access(hd_registers *self, const hd_packet *request, uint64_t *value, hd_time t)
{
    const uint64_t offset = request->address - self->base;
    const uint32_t status = hd_registers_check(self, request);
    *value = 0;
    if (status != HD_STATUS_OK)
        return status;
    if (request->message == self->read_message)
        return self->device_class->read(self->device, offset, request->argument, value, t);
    memcpy(value, hd_body_const(request), request->argument);
    return self->device_class->write(self->device, offset, request->argument, *value, t);
}

static inline hd_packet *hd_registers_answer(hd_registers *self, const hd_packet *request, hd_time t)
{
    const hd_services *services = self->services;
    uint64_t value;
    const uint32_t status = hd_registers_access(self, request, &value, t);
    const uint32_t is_read = status == HD_STATUS_OK && request->message == self->read_message;
    const uint32_t bytes = is_read ? request->argument : 0;
    hd_packet *answer = hd_memory_response(services, self->response_message, request, status, bytes);
    memcpy(hd_body(answer), &value, bytes);
    self->accesses += status == HD_STATUS_OK;
    self->refused += status != HD_STATUS_OK;
    return answer;
}

/* Does all work of edge n, which is at time t. */
static inline void hd_registers_work(hd_registers *self, uint64_t n, hd_time t)
{
    const hd_services *services = self->services;
    self->awaits_credit = 0;
    if (!self->answer) {
        hd_packet *request = services->pop(services->context, self->in, t);
        if (!request)
            return;
        self->answer = hd_registers_answer(self, request, t);
        self->ready = n + self->latency;
        services->free(services->context, request);
    }
    if (self->ready > n)
        return;
    if (!services->credits(services->context, self->out, t)) {
        self->awaits_credit = 1;
        return;
    }
    services->send(services->context, self->out, self->answer, t);
    self->answer = NULL;
}

/* Time of the next work; cursor is on the next edge. */
static inline hd_time hd_registers_next(const hd_registers *self, const hd_cursor *cursor)
{
    if (!self->answer)
        return hd_cursor_edge_from(cursor, self->services->arrival(self->services->context, self->in));
    if (self->awaits_credit)
        return HD_NEVER;
    return self->ready <= cursor->n ? cursor->t : hd_cursor_time_of(cursor, self->ready);
}

#ifdef __cplusplus
}
#endif

#endif
