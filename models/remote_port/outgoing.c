/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "hd_link.h"
#include "hd_memory.h"
#include "state.h"

static void free_packet(const remote_port *self, hd_packet *packet)
{
    self->services->free(self->services->context, packet);
}

void outgoing_request_of(const remote_port *self, const hd_packet *packet, heddle_remote_message *message)
{
    const uint32_t is_write = packet->message == self->write_message;
    *message = (heddle_remote_message){.kind = is_write ? HEDDLE_REMOTE_WRITE : HEDDLE_REMOTE_READ,
                                       .address = packet->address,
                                       .length = packet->argument};
    if (!is_write)
        return;
    message->data_bytes = packet->body_bytes;
    message->flags = packet->body_bytes > packet->argument ? HEDDLE_REMOTE_ENABLES : 0;
    memcpy(message->data, hd_body_const(packet), packet->body_bytes);
}

/* ---- Requests -------------------------------------------------------------------------------------------------------- */

static uint32_t check(const remote_port *self, const hd_packet *request)
{
    const uint32_t is_write = request->message == self->write_message;
    if (!is_write && request->message != self->read_message)
        return HD_STATUS_COMMAND_ERROR;
    if (!request->argument || request->argument > HEDDLE_REMOTE_DATA_MAX)
        return HD_STATUS_BURST_ERROR;
    return is_write ? hd_memory_check_enables(request) : HD_STATUS_OK;
}

static uint32_t free_tag(const remote_port *self)
{
    uint32_t tag = 0;
    while (self->requests[tag])
        tag++;
    return tag;
}

/* A peer never sees what is no request: it is answered as soon as there is a credit, like an answer of the peer's. */
static void refuse(remote_port *self, uint32_t tag, uint32_t status, hd_time t)
{
    const heddle_remote_message answer = {.kind = HEDDLE_REMOTE_ANSWER, .tag = tag, .time = t, .status = status};
    incoming_take(self, &answer, t);
}

static void take_request(remote_port *self, uint32_t element, hd_packet *packet, hd_time t)
{
    heddle_remote_message message;
    const uint32_t tag = free_tag(self), status = check(self, packet);
    self->requests[tag] = packet;
    self->element[tag] = (uint8_t)element;
    self->asked_at[tag] = t;
    self->request_count++;
    self->counters[STATISTIC_REQUESTS]++;
    if (status != HD_STATUS_OK) {
        refuse(self, tag, status, t);
        return;
    }
    outgoing_request_of(self, packet, &message);
    message.tag = tag;
    message.time = t;
    remote_say(self, &message, t);
}

static uint32_t has_room(const remote_port *self)
{
    return self->request_count < HEDDLE_REMOTE_REQUESTS;
}

static void take_requests(remote_port *self, uint32_t element, hd_time t)
{
    const hd_services *s = self->services;
    hd_packet *packet;
    while (self->access_in[element] && has_room(self) && !self->is_broken &&
           (packet = s->pop(s->context, self->access_in[element], t)))
        take_request(self, element, packet, t);
}

/* ---- Answers --------------------------------------------------------------------------------------------------------- */

static void tell_answer(remote_port *self, hd_packet *packet, hd_time t)
{
    const uint32_t slot = (uint32_t)packet->tag;
    heddle_remote_message answer = {.kind = HEDDLE_REMOTE_ANSWER,
                                    .tag = self->peer_tags[slot],
                                    .time = t,
                                    .address = packet->address,
                                    .length = packet->body_bytes,
                                    .status = packet->argument,
                                    .data_bytes = packet->body_bytes};
    memcpy(answer.data, hd_body(packet), packet->body_bytes);
    self->is_open[slot] = 0;
    self->peer_request_count--;
    free_packet(self, packet);
    if (!self->has_left)
        remote_say(self, &answer, t);
}

static void take_answers(remote_port *self, hd_time t)
{
    const hd_services *s = self->services;
    hd_packet *packet;
    while (self->memory_in && !self->is_broken && (packet = hd_link_pop(s, self->memory_in, t)))
        tell_answer(self, packet, t);
}

/* ---- Interrupts ------------------------------------------------------------------------------------------------------ */

static void tell_interrupt(remote_port *self, uint32_t line, hd_packet *packet, hd_time t)
{
    const uint32_t is_level = packet->message == self->level_message;
    const heddle_remote_message message = {.kind = HEDDLE_REMOTE_INTERRUPT,
                                           .flags = is_level ? HEDDLE_REMOTE_LEVEL : 0,
                                           .tag = line,
                                           .time = t,
                                           .address = packet->argument,
                                           .status = is_level ? (uint32_t)packet->tag : 1};
    self->counters[STATISTIC_INTERRUPTS]++;
    free_packet(self, packet);
    if (!self->has_left)
        remote_say(self, &message, t);
}

static void take_interrupts(remote_port *self, uint32_t line, hd_time t)
{
    const hd_services *s = self->services;
    hd_packet *packet;
    while (self->notify[line] && !self->is_broken && (packet = hd_link_pop(s, self->notify[line], t)))
        tell_interrupt(self, line, packet, t);
}

/* ---- All ------------------------------------------------------------------------------------------------------------- */

void outgoing_work(remote_port *self, hd_time t)
{
    for (uint32_t i = 0; i < PORT_ELEMENTS; i++) {
        take_requests(self, i, t);
        take_interrupts(self, i, t);
    }
    take_answers(self, t);
}

static hd_time arrival(const hd_link *link)
{
    return link ? hd_link_arrival(link) : HD_NEVER;
}

hd_time outgoing_next(const remote_port *self)
{
    hd_time next = arrival(self->memory_in);
    for (uint32_t i = 0; i < PORT_ELEMENTS; i++) {
        next = hd_earlier(next, arrival(self->notify[i]));
        if (has_room(self))
            next = hd_earlier(next, arrival(self->access_in[i]));
    }
    return next;
}
