/* SPDX-License-Identifier: MIT */
/*
 * The skeleton of a device with registers behind a memory target port. It accepts one access at a time and responds `latency`
 * cycles later. The device brings a table of its registers with the effect of an access to each; all else that a target needs is
 * here, and the functions of a block as far as they are the same for all such devices.
 *
 * Accesses must be aligned and of 1, 2, 4 or 8 bytes, and of those that all the device's registers have in common, otherwise they
 * return HD_STATUS_BURST_ERROR. Byte enables return HD_STATUS_BYTE_ENABLE_ERROR; addresses outside the window, where there is
 * no register, and accesses that the register does not have HD_STATUS_ADDRESS_ERROR. Refused accesses change nothing.
 */
#ifndef HD_REGISTERS_H
#define HD_REGISTERS_H

#include <string.h>

#include "hd_block.h"
#include "hd_debug.h"
#include "hd_link.h"
#include "hd_memory.h"
#include "hd_message.h"
#include "hd_state.h"
#include "hd_work.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An access to a register. */
typedef struct hd_register_access {
    void *device;
    uint64_t value;  /* that is written; of a read, 0 until the register says what is read */
    uint64_t offset; /* from the register's first byte */
    uint32_t bytes;
    hd_time t; /* an edge of the device's clock */
} hd_register_access;

/* One register, or several side by side. The functions return HD_STATUS_*; NULL: it cannot be read, or written. */
typedef struct hd_register {
    uint64_t offset; /* of its first byte, from the window's base */
    uint64_t bytes;
    uint32_t widths; /* bytes that an access may have, a sum of 1, 2, 4 and 8 */
    uint32_t (*read)(hd_register_access *access);
    uint32_t (*write)(hd_register_access *access);
    uint32_t (*peek)(hd_register_access *access); /* what is read, and nothing changes; NULL: `read` changes nothing */
    uint32_t is_kept; /* 1: what is written is kept, and nothing else comes of it: a debugger may do it */
} hd_register;

#define HD_REGISTER_WIDTHS 15u /* any */

typedef struct hd_registers_class {
    const hd_register *registers;
    uint32_t count;
    uint32_t widths; /* what is no width of any register */
    /* As in hd_walk; NULL: there is nothing to do but accesses. */
    void (*work)(void *device, hd_time t);
    hd_time (*next)(const void *device);
} hd_registers_class;

/* The first member of a device. */
typedef struct hd_registers {
    const hd_services *services;
    const hd_registers_class *device_class;
    hd_cursor cursor; /* of the device */
    uint64_t base;
    uint64_t bytes;
    uint64_t latency; /* cycles, >= 1 */
    hd_link *in;
    hd_link *out;
    hd_packet *answer; /* to the access in progress; NULL = none */
    uint64_t ready;    /* edge at which it is sent */
    uint32_t awaits_credit;
    uint32_t read_message, write_message, response_message;
    uint64_t *counters; /* of the device; it begins with HD_REGISTERS_STATISTICS */
} hd_registers;

/* Rows of a device's declaration: its port `bus` and the messages there, its parameters `address` and `latency`, its
 * statistics `accesses` and `refused`, which are its first two. */
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
/* Of blocks that have registers for each hart. */
#define HD_REGISTERS_HARTS_MAX 16u
#define HD_PARAMETER_HARTS "harts"
#define HD_REGISTERS_HARTS                                                                                             \
    {                                                                                                                  \
        .name = HD_PARAMETER_HARTS, .type = HD_TYPE_UNSIGNED, .standard = "1", .minimum = 1,                           \
        .maximum = HD_REGISTERS_HARTS_MAX,                                                                             \
        .doc = "harts that have registers here; `interrupt[h]` is told of those of hart h"                             \
    }
#define HD_REGISTERS_STATISTICS                                                                                        \
    {"accesses", "accesses", HD_STATISTIC_COUNT, 0, "register accesses that were not refused"},                        \
    {                                                                                                                  \
        "refused", "accesses", HD_STATISTIC_COUNT, 0, "accesses answered with an error"                                \
    }
enum { HD_REGISTERS_ACCESSES, HD_REGISTERS_REFUSED, HD_REGISTERS_STATISTIC_COUNT };

/* Call it in create. counters: of the device's statistics, which live as long as it does. */
static inline void hd_registers_create(hd_registers *self, const hd_services *services,
                                       const hd_registers_class *device_class, uint64_t *counters, uint64_t base,
                                       uint64_t bytes, uint64_t latency)
{
    memset(self, 0, sizeof *self);
    self->services = services;
    self->device_class = device_class;
    self->counters = counters;
    self->base = base;
    self->bytes = bytes;
    self->latency = latency;
    self->read_message = services->message(services->context, HD_MEMORY_READ);
    self->write_message = services->message(services->context, HD_MEMORY_WRITE);
    self->response_message = services->message(services->context, HD_MEMORY_RESPONSE);
}

/* Call it in reset and destroy: it also frees a pending response. The device clears its counters itself. */
static inline void hd_registers_reset(hd_registers *self)
{
    if (self->answer)
        self->services->free(self->services->context, self->answer);
    self->answer = NULL;
    self->ready = 0;
    self->awaits_credit = 0;
    hd_cursor_init(&self->cursor, self->services->clock);
}

/* As part of the device's state, counters not included. */
static inline void hd_registers_transfer(hd_registers *self, const hd_state_stream *stream)
{
    HD_STATE_VALUE(stream, self->cursor);
    hd_state_packet(stream, &self->answer);
    HD_STATE_VALUE(stream, self->ready);
    HD_STATE_VALUE(stream, self->awaits_credit);
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

/* Part of a register of 8 bytes: `bytes` (4 or 8) of it, from byte `at` on. */
static inline uint64_t hd_register_part(uint64_t value, const hd_register_access *part)
{
    return part->bytes == 8 ? value : value >> 8 * part->offset & UINT32_MAX;
}

/* The register after a write to that part. */
static inline uint64_t hd_register_with_part(uint64_t old, const hd_register_access *part, uint64_t value)
{
    const uint64_t mask = part->bytes == 8 ? UINT64_MAX : (uint64_t)UINT32_MAX << 8 * part->offset;
    return (old & ~mask) | (value << 8 * part->offset & mask);
}

/* The register that holds all these bytes and can be accessed by so many, or NULL. */
static inline const hd_register *hd_registers_find(const hd_registers *self, uint64_t offset, uint32_t bytes)
{
    for (uint32_t i = 0; i < self->device_class->count; i++) {
        const hd_register *found = &self->device_class->registers[i];
        if (offset >= found->offset && offset + bytes <= found->offset + found->bytes && (found->widths & bytes))
            return found;
    }
    return NULL;
}

/* Executes the access. *value is the result of a read. */
static inline uint32_t hd_registers_access(hd_registers *self, const hd_packet *request, uint64_t *value, hd_time t)
{
    const uint64_t offset = request->address - self->base;
    const uint32_t status = hd_registers_check(self, request);
    *value = 0;
    if (status != HD_STATUS_OK)
        return status;
    const uint32_t bytes = request->argument;
    const uint32_t is_read = request->message == self->read_message;
    const hd_register *to = hd_registers_find(self, offset, bytes);
    if (!(self->device_class->widths & bytes))
        return HD_STATUS_BURST_ERROR;
    if (!to || (is_read ? !to->read : !to->write))
        return HD_STATUS_ADDRESS_ERROR;
    hd_register_access access = {.device = self, .value = 0, .offset = offset - to->offset, .bytes = bytes, .t = t};
    if (!is_read) {
        memcpy(&access.value, hd_body_const(request), bytes);
        return to->write(&access);
    }
    const uint32_t read = to->read(&access);
    *value = access.value;
    return read;
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
    self->counters[status == HD_STATUS_OK ? HD_REGISTERS_ACCESSES : HD_REGISTERS_REFUSED]++;
    return answer;
}

/* Does all work of the accesses at the cursor's edge, which is at time t. */
static inline void hd_registers_work(hd_registers *self, hd_time t)
{
    const uint64_t n = self->cursor.n;
    const hd_services *services = self->services;
    self->awaits_credit = 0;
    if (!self->answer) {
        hd_packet *request = hd_link_pop(services, self->in, t);
        if (!request)
            return;
        self->answer = hd_registers_answer(self, request, t);
        self->ready = n + self->latency;
        services->free(services->context, request);
    }
    if (self->ready > n)
        return;
    if (!hd_link_has_credit(services, self->out, t)) {
        self->awaits_credit = 1;
        return;
    }
    services->send(services->context, self->out, self->answer, t);
    self->answer = NULL;
}

/* Time of the next work of the accesses; the cursor is on the next edge. */
static inline hd_time hd_registers_next(const hd_registers *self)
{
    const hd_cursor *cursor = &self->cursor;
    if (!self->answer)
        return hd_cursor_edge_from(cursor, hd_link_arrival(self->in));
    if (self->awaits_credit)
        return HD_NEVER;
    return self->ready <= cursor->n ? cursor->t : hd_cursor_time_of(cursor, self->ready);
}

/* ---- Functions of a block ------------------------------------------------------------------------------------------ */

/* Connects the port `bus`. */
static inline void hd_registers_connect(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in)
{
    hd_registers *self = (hd_registers *)block;
    (void)port;
    (void)element;
    self->in = in;
    self->out = out;
}

static inline void hd_registers_work_alone(void *block, hd_time t)
{
    hd_registers_work((hd_registers *)block, t);
}

static inline hd_time hd_registers_next_alone(const void *block)
{
    return hd_registers_next((const hd_registers *)block);
}

static inline hd_time hd_registers_advance(hd_block *block, hd_time now, hd_time horizon)
{
    hd_registers *self = (hd_registers *)block;
    const hd_registers_class *of = self->device_class;
    const hd_walk walk = {
        .account_until = NULL,
        .work = of->work ? of->work : hd_registers_work_alone,
        .next = of->next ? of->next : hd_registers_next_alone,
    };
    return hd_walk_span(&walk, self, &self->cursor, now, horizon);
}

static inline const uint64_t *hd_registers_counters(hd_block *block)
{
    return ((const hd_registers *)block)->counters;
}

/* ---- For debuggers ------------------------------------------------------------------------------------------------- */

/* By one access of a width that the register has, which a read may take a part of. Returns how many bytes. */
static inline uint32_t hd_registers_debug_by(hd_registers *self, hd_time t, uint64_t offset, uint32_t width, void *data,
                                             uint32_t bytes, uint32_t is_write)
{
    const uint32_t skipped = (uint32_t)(offset % width), there = width - skipped, count = bytes < there ? bytes : there;
    const hd_register *of = hd_registers_find(self, offset - skipped, width);
    if (!of || !(self->device_class->widths & width) || (is_write && (count != width || !of->is_kept)))
        return 0;
    hd_register_access access = {
        .device = self, .value = 0, .offset = offset - skipped - of->offset, .bytes = width, .t = t};
    if (is_write) {
        memcpy(&access.value, data, width);
        return of->write(&access) == HD_STATUS_OK ? count : 0;
    }
    uint32_t (*const read)(hd_register_access *) = of->peek ? of->peek : of->read;
    if (!read || read(&access) != HD_STATUS_OK)
        return 0;
    memcpy(data, (const char *)&access.value + skipped, count);
    return count;
}

static inline uint32_t hd_registers_debug(hd_block *block, hd_time t, uint64_t address, void *data, uint32_t bytes,
                                          uint32_t is_write)
{
    hd_registers *self = (hd_registers *)block;
    const uint64_t offset = address - self->base;
    uint32_t done = 0, count = 1;
    while (count && done < bytes && offset + done < self->bytes) {
        count = 0;
        for (uint32_t width = 8; width && !count; width /= 2)
            count = hd_registers_debug_by(self, t, offset + done, width, (char *)data + done, bytes - done, is_write);
        done += count;
    }
    return done;
}

static inline const void *hd_registers_extension(hd_block *block, const char *id)
{
    static const hd_debug_registers debug = {hd_registers_debug};
    (void)block;
    return strcmp(id, HD_EXTENSION_DEBUG_REGISTERS) == 0 ? &debug : NULL;
}

#ifdef __cplusplus
}
#endif

#endif
