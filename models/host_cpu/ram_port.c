/* SPDX-License-Identifier: MIT */
/* What others read from and write to the hart's RAM: one request at a time, in order, port_bytes a cycle. */
#include <string.h>

#include "hd_memory.h"
#include "state.h"

static ram_answer *nth(const host_cpu *self, uint32_t n)
{
    return &self->answers[(self->ram_first + n) % self->ram_limit];
}

void ram_port_reset(host_cpu *self)
{
    const hd_services *s = self->services;
    for (uint32_t i = 0; i < self->ram_count; i++)
        s->free(s->context, nth(self, i)->packet);
    self->ram_first = self->ram_count = self->ram_awaits_credit = 0;
    self->ram_free = 0;
}

static uint32_t check(const host_cpu *self, const hd_packet *request)
{
    const uint64_t offset = request->address - self->hart.ram_base;
    const uint32_t is_write = request->message == self->messages[MESSAGE_WRITE];
    if (!is_write && request->message != self->messages[MESSAGE_READ])
        return HD_STATUS_COMMAND_ERROR;
    if (request->argument == 0 || request->argument > HD_PACKET_BODY_MAX)
        return HD_STATUS_BURST_ERROR;
    if (offset >= self->hart.ram_bytes || request->argument > self->hart.ram_bytes - offset)
        return HD_STATUS_ADDRESS_ERROR;
    return is_write ? hd_memory_check_enables(request) : HD_STATUS_OK;
}

static void write_ram(host_cpu *self, const hd_packet *request)
{
    const uint32_t bytes = request->argument;
    const uint8_t *data = hd_body_const(request), *enables = data + bytes;
    uint8_t *ram = self->hart.ram + (request->address - self->hart.ram_base);
    for (uint32_t i = 0; i < bytes; i++)
        if (request->body_bytes == bytes || enables[i])
            ram[i] = data[i];
    hart_memory_written(&self->hart, request->address, bytes);
}

static hd_packet *answer_to(host_cpu *self, const hd_packet *request)
{
    const uint32_t status = check(self, request);
    const uint32_t is_read = request->message == self->messages[MESSAGE_READ];
    const uint32_t bytes = status == HD_STATUS_OK && is_read ? request->argument : 0;
    hd_packet *answer = hd_memory_response(self->services, self->messages[MESSAGE_RESPONSE], request, status, bytes);
    if (status != HD_STATUS_OK) {
        self->counters[STATISTIC_RAM_REFUSED]++;
        return answer;
    }
    self->counters[is_read ? STATISTIC_RAM_READS : STATISTIC_RAM_WRITES]++;
    self->counters[is_read ? STATISTIC_RAM_READ_BYTES : STATISTIC_RAM_WRITTEN_BYTES] += request->argument;
    if (is_read)
        memcpy(hd_body(answer), self->hart.ram + (request->address - self->hart.ram_base), bytes);
    else
        write_ram(self, request);
    return answer;
}

static uint32_t takes_requests(const host_cpu *self)
{
    return self->memory_in && self->ram_count < self->ram_limit;
}

static void accept(host_cpu *self, hd_time t)
{
    const hd_services *s = self->services;
    const uint64_t edge = self->cursor.n;
    if (!takes_requests(self) || edge < self->ram_free)
        return;
    hd_packet *request = s->pop(s->context, self->memory_in, t);
    if (!request)
        return;
    host_cpu_come_to(self, edge);
    const uint64_t cycles = (request->argument + self->port_bytes - 1) / self->port_bytes;
    self->ram_free = edge + (cycles ? cycles : 1);
    *nth(self, self->ram_count++) = (ram_answer){answer_to(self, request), self->ram_free + self->ram_latency - 1};
    s->free(s->context, request);
}

static void answer(host_cpu *self, hd_time t)
{
    const hd_services *s = self->services;
    const ram_answer *oldest = nth(self, 0);
    self->ram_awaits_credit = 0;
    if (!self->ram_count || oldest->ready > self->cursor.n)
        return;
    if (!s->credits(s->context, self->memory_out, t)) {
        self->ram_awaits_credit = 1;
        return;
    }
    s->send(s->context, self->memory_out, oldest->packet, t);
    self->ram_first = (self->ram_first + 1) % self->ram_limit;
    self->ram_count--;
}

void ram_port_work(host_cpu *self, hd_time t)
{
    answer(self, t);
    accept(self, t);
}

static hd_time edge_time(const host_cpu *self, uint64_t edge)
{
    return edge <= self->cursor.n ? self->cursor.t : hd_cursor_time_of(&self->cursor, edge);
}

hd_time ram_port_next(const host_cpu *self)
{
    const hd_services *s = self->services;
    hd_time next = HD_NEVER;
    if (self->ram_count && !self->ram_awaits_credit)
        next = edge_time(self, nth(self, 0)->ready);
    if (!takes_requests(self))
        return next;
    const hd_time arrival = s->arrival(s->context, self->memory_in);
    if (arrival == HD_NEVER)
        return next;
    const hd_time from = edge_time(self, self->ram_free);
    const hd_time edge = hd_cursor_edge_from(&self->cursor, arrival);
    return hd_earlier(next, edge > from ? edge : from);
}
