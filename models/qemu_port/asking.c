/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "hd_link.h"
#include "hd_memory.h"
#include "state.h"

/* ---- Answers that wait for their time -------------------------------------------------------------------------------- */

/* Behind those of the same time. */
static void keep_answer(qemu_port *self, hd_packet *answer, uint32_t element, hd_time time)
{
    uint32_t place = self->answer_count++;
    for (; place && self->answers[place - 1].time > time; place--)
        self->answers[place] = self->answers[place - 1];
    self->answers[place] = (due_answer){.answer = answer, .time = time, .element = element};
}

static void drop_answer(qemu_port *self, uint32_t place)
{
    self->answer_count--;
    memmove(&self->answers[place], &self->answers[place + 1], (self->answer_count - place) * sizeof *self->answers);
}

/* 0: it has to wait for a credit. */
static uint32_t give_answer(qemu_port *self, due_answer *due, hd_time t)
{
    const hd_services *s = self->services;
    hd_link *link = self->access_out[due->element];
    due->awaits_credit = !hd_link_has_credit(s, link, t);
    if (due->awaits_credit)
        return 0;
    s->send(s->context, link, due->answer, t);
    s->progress(s->context, t);
    return 1;
}

static void give_answers(qemu_port *self, hd_time t)
{
    uint32_t place = 0;
    while (place < self->answer_count && self->answers[place].time <= t)
        if (give_answer(self, &self->answers[place], t))
            drop_answer(self, place);
        else
            place++;
}

/* ---- The request in progress, in pieces that the peer understands ---------------------------------------------------- */

static const uint8_t *enables_of(const hd_packet *request)
{
    return request->body_bytes > request->argument ? (const uint8_t *)hd_body_const(request) + request->argument : NULL;
}

/* A peer that knows no byte enables gets each run of bytes that are written. */
static uint32_t piece_of(const qemu_port *self, const hd_packet *write, uint32_t *offset)
{
    const uint8_t *enables = enables_of(write);
    if (!enables || (peer_can(self, RP_CAN_ENABLE) && peer_can(self, RP_CAN_EXTEND)))
        return write->argument - *offset;
    while (*offset < write->argument && !enables[*offset])
        ++*offset;
    uint32_t end = *offset;
    while (end < write->argument && enables[end])
        end++;
    return end - *offset;
}

static void finish(qemu_port *self)
{
    asked *ask = &self->asked;
    ask->answer->argument = ask->status;
    if (ask->status != HD_STATUS_OK) {
        ask->answer->body_bytes = 0;
        ask->answer->wire_bytes = HD_HEADER_WIRE_BYTES;
        self->counters[STATISTIC_REFUSED]++;
    }
    keep_answer(self, ask->answer, ask->element, ask->ready);
    self->services->free(self->services->context, ask->request);
    memset(ask, 0, sizeof *ask);
}

static void ask_piece(qemu_port *self, hd_time t)
{
    asked *ask = &self->asked;
    const hd_packet *request = ask->request;
    const uint32_t is_write = request->message == self->write_message;
    const uint8_t *enables =
        is_write && peer_can(self, RP_CAN_ENABLE) && peer_can(self, RP_CAN_EXTEND) ? enables_of(request) : NULL;
    rp_packet *packet = self->packet;
    memset(packet, 0, offsetof(rp_packet, data));
    packet->command = is_write ? RP_WRITE : RP_READ;
    packet->device = self->devices[PORT_ACCESS];
    packet->time = nanoseconds(t);
    packet->attributes = peer_can(self, RP_CAN_EXTEND) ? RP_EXTENDED : 0;
    packet->address = request->address + self->to_peer + ask->offset;
    packet->length = packet->stream_width = ask->bytes;
    packet->data_bytes = is_write ? ask->bytes : 0;
    packet->enable_bytes = enables ? ask->bytes : 0;
    if (is_write)
        memcpy(packet->data, (const uint8_t *)hd_body_const(request) + ask->offset, ask->bytes);
    if (enables)
        memcpy(packet->enables, enables, ask->bytes);
    ask->at = t;
    qemu_port_request(self, packet, &ask->response, t);
}

/* The next piece, if there is one. */
static void go_on(qemu_port *self, hd_time t)
{
    asked *ask = &self->asked;
    ask->bytes = ask->request->message == self->write_message ? piece_of(self, ask->request, &ask->offset)
                                                              : ask->request->argument - ask->offset;
    if (ask->bytes && ask->status == HD_STATUS_OK)
        ask_piece(self, t);
    else
        finish(self);
}

static uint32_t status_of(const rp_packet *response)
{
    switch (rp_status(response)) {
    case RP_OK: return HD_STATUS_OK;
    case RP_ADDRESS_ERROR: return HD_STATUS_ADDRESS_ERROR;
    default: return HD_STATUS_GENERIC_ERROR;
    }
}

/* How long it took, by the peer's clock. */
static hd_time delay_of(const asked *ask, const rp_packet *response)
{
    const uint64_t sent = nanoseconds(ask->at);
    return response->time > sent ? (response->time - sent) * PS_PER_NS : 0;
}

void asking_take(qemu_port *self, const rp_packet *response, hd_time t)
{
    asked *ask = &self->asked;
    if (response->time >= PEER_TIME_END / PS_PER_NS) {
        qemu_port_fault(self, t, TIME_NEVER_COMES);
        return;
    }
    const hd_time ready = ask->at + delay_of(ask, response);
    ask->status = status_of(response);
    if (response->command == RP_READ && ask->status == HD_STATUS_OK) {
        if (response->data_bytes != ask->bytes) {
            qemu_port_fault(self, t, "the other side answers with more or fewer bytes than it was asked for");
            return;
        }
        memcpy(hd_body(ask->answer), response->data, ask->bytes);
    }
    ask->ready = ready > ask->ready ? ready : ask->ready;
    ask->offset += ask->bytes;
    go_on(self, t);
}

/* ---- Requests -------------------------------------------------------------------------------------------------------- */

static uint32_t check(const qemu_port *self, const hd_packet *request)
{
    const uint32_t is_write = request->message == self->write_message;
    if (!is_write && request->message != self->read_message)
        return HD_STATUS_COMMAND_ERROR;
    if (!request->argument || request->argument > HD_PACKET_BODY_MAX)
        return HD_STATUS_BURST_ERROR;
    return is_write ? hd_memory_check_enables(request) : HD_STATUS_OK;
}

static void take_request(qemu_port *self, uint32_t element, hd_packet *request, hd_time t)
{
    const uint32_t status = check(self, request);
    const uint32_t body = request->message == self->read_message && status == HD_STATUS_OK ? request->argument : 0;
    self->counters[STATISTIC_REQUESTS]++;
    self->asked = (asked){.request = request,
                          .element = element,
                          .status = status,
                          .ready = t,
                          .answer = hd_memory_response(self->services, self->response_message, request, status, body)};
    if (self->has_left)
        qemu_port_fault(self, t, "the machine has something to say, and the other side has closed the connection");
    else if (status == HD_STATUS_OK)
        go_on(self, t);
    else
        finish(self);
}

static uint32_t has_room(const qemu_port *self)
{
    return !self->asked.request && self->answer_count < ANSWERS_MAX;
}

static void take_requests(qemu_port *self, hd_time t)
{
    const hd_services *s = self->services;
    for (uint32_t i = 0; i < PORT_ELEMENTS; i++) {
        hd_packet *packet;
        while (self->access_in[i] && has_room(self) && !self->is_broken &&
               (packet = s->pop(s->context, self->access_in[i], t)))
            take_request(self, i, packet, t);
    }
}

/* ---- Interrupts ------------------------------------------------------------------------------------------------------ */

static void tell_level(qemu_port *self, uint32_t line, uint32_t level, hd_time t)
{
    memset(self->packet, 0, offsetof(rp_packet, data));
    self->packet->command = RP_INTERRUPT;
    self->packet->id = ++self->last_id;
    self->packet->flags = RP_POSTED;
    self->packet->device = self->devices[PORT_NOTIFY];
    self->packet->time = nanoseconds(t);
    self->packet->line = line;
    self->packet->level = level;
    qemu_port_say(self, self->packet, t);
}

/* The protocol knows levels alone: an event is a pulse. */
static void tell_interrupt(qemu_port *self, uint32_t line, hd_packet *packet, hd_time t)
{
    const uint32_t is_level = packet->message == self->level_message;
    const uint32_t level = is_level ? packet->tag != 0 : 1;
    self->services->free(self->services->context, packet);
    self->counters[STATISTIC_INTERRUPTS]++;
    if (self->has_left)
        return;
    tell_level(self, line, level, t);
    if (!is_level)
        tell_level(self, line, 0, t);
}

static void take_interrupts(qemu_port *self, hd_time t)
{
    const hd_services *s = self->services;
    for (uint32_t i = 0; i < PORT_ELEMENTS; i++) {
        hd_packet *packet;
        while (self->notify[i] && !self->is_broken && (packet = hd_link_pop(s, self->notify[i], t)))
            tell_interrupt(self, i, packet, t);
    }
}

/* ---- All ------------------------------------------------------------------------------------------------------------- */

void asking_work(qemu_port *self, hd_time t)
{
    take_interrupts(self, t);
    give_answers(self, t);
    take_requests(self, t);
    give_answers(self, t);
}

static hd_time arrival(const hd_link *link)
{
    return link ? hd_link_arrival(link) : HD_NEVER;
}

static hd_time next_answer(const qemu_port *self)
{
    for (uint32_t i = 0; i < self->answer_count; i++)
        if (!self->answers[i].awaits_credit)
            return self->answers[i].time;
    return HD_NEVER;
}

hd_time asking_next(const qemu_port *self)
{
    hd_time next = next_answer(self);
    for (uint32_t i = 0; i < PORT_ELEMENTS; i++) {
        next = hd_earlier(next, arrival(self->notify[i]));
        if (has_room(self))
            next = hd_earlier(next, arrival(self->access_in[i]));
    }
    return next;
}

void asking_clear(qemu_port *self)
{
    const hd_services *s = self->services;
    for (uint32_t i = 0; i < self->answer_count; i++)
        s->free(s->context, self->answers[i].answer);
    self->answer_count = 0;
    if (self->asked.request) {
        s->free(s->context, self->asked.request);
        s->free(s->context, self->asked.answer);
    }
    memset(&self->asked, 0, sizeof self->asked);
}
