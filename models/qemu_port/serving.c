/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "hd_link.h"
#include "hd_memory.h"
#include "state.h"

static rp_packet *head(const qemu_port *self)
{
    return &self->queue[self->queue_head];
}

/* Where the machine leads, what the peer says happens when it is heard. */
static hd_time due_time(const qemu_port *self)
{
    return self->quantum ? 0 : head(self)->time * PS_PER_NS;
}

uint32_t serving_is_due(const qemu_port *self, hd_time t)
{
    return self->queue_count && due_time(self) <= t;
}

/* ---- Responses ------------------------------------------------------------------------------------------------------- */

static void drop_head(qemu_port *self)
{
    self->queue_head = (self->queue_head + 1) % QUEUE_MAX;
    self->queue_count--;
    memset(&self->served, 0, sizeof self->served);
}

static uint64_t status_of(uint32_t status)
{
    switch (status) {
    case HD_STATUS_OK: return RP_OK;
    case HD_STATUS_ADDRESS_ERROR: return RP_ADDRESS_ERROR;
    default: return RP_GENERIC_ERROR;
    }
}

/* A peer that is killed while it waits leaves nothing but a closed connection. */
static uint32_t has_gone(const qemu_port *self)
{
    char byte;
    const ssize_t got = recv(self->remote.socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    return !got || (got < 0 && errno == ECONNRESET);
}

/* 0: nobody gets it. */
static uint32_t respond(qemu_port *self, hd_time t)
{
    rp_packet *response = head(self);
    response->flags |= RP_RESPONSE;
    response->time = nanoseconds(t);
    return qemu_port_say(self, response, t);
}

static void respond_to_access(qemu_port *self, uint32_t status, hd_time t)
{
    rp_packet *response = head(self);
    const uint32_t is_read = response->command == RP_READ;
    const uint64_t form = response->attributes & RP_EXTENDED || peer_can(self, RP_CAN_EXTEND) ? RP_EXTENDED : 0;
    self->counters[STATISTIC_PEER_REQUESTS]++;
    self->counters[STATISTIC_PEER_REFUSED] += status != HD_STATUS_OK;
    response->attributes = form | status_of(status) << RP_STATUS_SHIFT;
    response->data_bytes = is_read ? response->length : 0;
    response->enable_bytes = 0;
    if (!(response->flags & RP_POSTED) && (has_gone(self) || !respond(self, t)))
        qemu_port_fault(self, t, "the other side has closed the connection before its access was answered");
    qemu_port_give_time(self);
    drop_head(self);
}

/* ---- Accesses: in pieces that the machine's packets can hold, one behind the other ----------------------------------- */

static uint32_t piece_of(const qemu_port *self)
{
    const rp_packet *access = head(self);
    const uint32_t left = access->length - self->served.offset;
    const uint32_t most =
        access->command == RP_WRITE && access->enable_bytes ? HD_PACKET_BODY_MAX / 2 : HD_PACKET_BODY_MAX;
    return left < most ? left : most;
}

static void fill_write(const qemu_port *self, uint8_t *body)
{
    const rp_packet *write = head(self);
    const served *at = &self->served;
    memcpy(body, write->data + at->offset, at->bytes);
    for (uint32_t i = 0; write->enable_bytes && i < at->bytes; i++)
        body[at->bytes + i] = write->enables[(at->offset + i) % write->enable_bytes] ? 0xFF : 0;
}

static hd_packet *request_of(qemu_port *self)
{
    const rp_packet *access = head(self);
    const served *at = &self->served;
    const uint32_t is_write = access->command == RP_WRITE;
    const uint32_t body = is_write ? at->bytes << (access->enable_bytes != 0) : 0;
    hd_packet *packet = self->services->alloc(self->services->context, body);
    packet->message = is_write ? self->write_message : self->read_message;
    packet->source = (uint16_t)self->services->endpoint;
    packet->address = access->address + self->to_machine + at->offset;
    packet->argument = at->bytes;
    packet->traffic_class = HD_CLASS_HOST;
    packet->body_bytes = body;
    packet->wire_bytes = HD_HEADER_WIRE_BYTES + (is_write ? at->bytes : 0);
    if (is_write)
        fill_write(self, hd_body(packet));
    return packet;
}

/* 0: it has to wait for a credit. */
static uint32_t send_through(qemu_port *self, hd_link *link, hd_time t)
{
    const uint32_t has_credit = hd_link_has_credit(self->services, link, t);
    self->served.awaits_credit = !has_credit;
    return has_credit;
}

static void send_piece(qemu_port *self, hd_time t)
{
    const hd_services *s = self->services;
    if (!send_through(self, self->memory_out, t))
        return;
    self->served.bytes = piece_of(self);
    self->served.is_under_way = 1;
    s->send(s->context, self->memory_out, request_of(self), t);
    s->progress(s->context, t);
}

static uint32_t status_of_form(const qemu_port *self)
{
    const rp_packet *access = head(self);
    const uint32_t repeats = access->stream_width && access->stream_width < access->length;
    if (!self->memory_out || access->device != self->devices[PORT_MEMORY])
        return HD_STATUS_ADDRESS_ERROR;
    return !access->length || repeats ? HD_STATUS_BURST_ERROR : HD_STATUS_OK;
}

static void serve_access(qemu_port *self, hd_time t)
{
    const uint32_t status = status_of_form(self);
    if (head(self)->command == RP_READ && !self->served.offset)
        memset(head(self)->data, 0, head(self)->length);
    if (status == HD_STATUS_OK) {
        send_piece(self, t);
        return;
    }
    self->counters[STATISTIC_STRAYS] += status == HD_STATUS_ADDRESS_ERROR;
    respond_to_access(self, status, t);
}

static void take_piece(qemu_port *self, const hd_packet *answer, hd_time t)
{
    served *at = &self->served;
    rp_packet *access = head(self);
    at->is_under_way = 0;
    if (access->command == RP_READ)
        memcpy(access->data + at->offset, hd_body_const(answer),
               answer->body_bytes < at->bytes ? answer->body_bytes : at->bytes);
    if (at->status == HD_STATUS_OK)
        at->status = answer->argument;
    at->offset += at->bytes;
    if (at->offset == access->length)
        respond_to_access(self, at->status, t);
}

static void take_pieces(qemu_port *self, hd_time t)
{
    const hd_services *s = self->services;
    hd_packet *answer;
    while (self->memory_in && !self->is_broken && (answer = hd_link_pop(s, self->memory_in, t))) {
        take_piece(self, answer, t);
        s->free(s->context, answer);
    }
}

/* ---- Interrupts ------------------------------------------------------------------------------------------------------ */

static hd_packet *interrupt_of(const qemu_port *self, uint32_t is_level)
{
    hd_packet *packet = self->services->alloc(self->services->context, 0);
    packet->message = is_level ? self->level_message : self->interrupt_message;
    packet->source = (uint16_t)self->services->endpoint;
    packet->argument = is_level ? self->level_bit : 0;
    packet->tag = is_level ? head(self)->level : 0;
    packet->wire_bytes = HD_HEADER_WIRE_BYTES;
    return packet;
}

/* 0: it has to wait for a credit. A line of events has none when it falls. */
static uint32_t raise_line(qemu_port *self, hd_time t)
{
    const hd_services *s = self->services;
    const rp_packet *interrupt = head(self);
    const uint32_t is_there = interrupt->device == self->devices[PORT_INTERRUPT] && interrupt->line < PORT_ELEMENTS;
    const uint32_t is_level = is_there && !self->lines[0][interrupt->line];
    hd_link *line = is_there ? self->lines[is_level][interrupt->line] : NULL;
    self->counters[STATISTIC_STRAYS] += !line;
    if (!line || (!is_level && !interrupt->level))
        return 1;
    if (!send_through(self, line, t))
        return 0;
    s->send(s->context, line, interrupt_of(self, is_level), t);
    s->progress(s->context, t);
    self->counters[STATISTIC_PEER_INTERRUPTS]++;
    return 1;
}

static void serve_interrupt(qemu_port *self, hd_time t)
{
    if (!raise_line(self, t))
        return;
    if (!(head(self)->flags & RP_POSTED) && peer_can(self, RP_CAN_ANSWER_WIRES))
        respond(self, t);
    drop_head(self);
}

/* ---- All ------------------------------------------------------------------------------------------------------------- */

static void serve_sync(qemu_port *self, hd_time t)
{
    self->counters[STATISTIC_SYNCS]++;
    respond(self, t);
    qemu_port_give_time(self);
    drop_head(self);
}

static void serve_head(qemu_port *self, hd_time t)
{
    switch (head(self)->command) {
    case RP_SYNC: serve_sync(self, t); break;
    case RP_INTERRUPT: serve_interrupt(self, t); break;
    default: serve_access(self, t); break;
    }
}

void serving_work(qemu_port *self, hd_time t)
{
    take_pieces(self, t);
    self->served.awaits_credit = 0;
    while (!self->is_broken && serving_is_due(self, t) && !self->served.is_under_way && !self->served.awaits_credit)
        serve_head(self, t);
}

hd_time serving_next(const qemu_port *self)
{
    hd_time next = self->memory_in ? hd_link_arrival(self->memory_in) : HD_NEVER;
    if (self->queue_count && !self->served.is_under_way && !self->served.awaits_credit)
        next = hd_earlier(next, due_time(self));
    return next;
}

void serving_clear(qemu_port *self)
{
    self->queue_head = self->queue_count = 0;
    memset(&self->served, 0, sizeof self->served);
}
