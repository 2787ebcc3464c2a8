/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "hd_link.h"
#include "hd_memory.h"
#include "state.h"

/* ---- What waits for its time ----------------------------------------------------------------------------------------- */

void incoming_clear(remote_port *self)
{
    self->waiting_count = 0;
    for (uint32_t i = 0; i < WAITING_MAX; i++)
        self->order[i] = (uint16_t)i;
}

/* Behind those of the same time. */
static void keep(remote_port *self, const heddle_remote_message *message)
{
    uint32_t place = self->waiting_count++;
    const uint16_t slot = self->order[place];
    self->messages[slot] = *message;
    self->awaits_credit[slot] = 0;
    for (; place && self->messages[self->order[place - 1]].time > message->time; place--)
        self->order[place] = self->order[place - 1];
    self->order[place] = slot;
}

static void drop(remote_port *self, uint32_t place)
{
    const uint16_t slot = self->order[place];
    self->waiting_count--;
    memmove(&self->order[place], &self->order[place + 1], (self->waiting_count - place) * sizeof *self->order);
    self->order[self->waiting_count] = slot;
}

/* ---- What may come --------------------------------------------------------------------------------------------------- */

const heddle_remote_message *incoming_answer_to(const remote_port *self, uint64_t tag)
{
    for (uint32_t i = 0; i < self->waiting_count; i++) {
        const heddle_remote_message *message = &self->messages[self->order[i]];
        if (message->kind == HEDDLE_REMOTE_ANSWER && message->tag == tag)
            return message;
    }
    return NULL;
}

const char *incoming_fault_of_form(const heddle_remote_message *answer, uint32_t read_bytes)
{
    if (answer->status > HEDDLE_REMOTE_GENERIC_ERROR)
        return "the peer answers with a status that there is not";
    if (answer->data_bytes != (answer->status == HEDDLE_REMOTE_OK ? read_bytes : 0))
        return "the peer answers with more or fewer bytes than it was asked for";
    return NULL;
}

static const char *fault_of_answer(const remote_port *self, const heddle_remote_message *answer)
{
    const hd_packet *request = answer->tag < HEDDLE_REMOTE_REQUESTS ? self->requests[answer->tag] : NULL;
    if (!request || answer->flags & HEDDLE_REMOTE_UNTIMED)
        return "the peer answers a request that nobody has made";
    const char *why = incoming_fault_of_form(answer, request->message == self->read_message ? request->argument : 0);
    if (!why && incoming_answer_to(self, answer->tag))
        why = "the peer answers a request twice";
    return why;
}

static const char *fault_of_request(const remote_port *self, const heddle_remote_message *request)
{
    if (!self->memory_out)
        return "the peer makes a request, and port memory is not bound";
    if (request->flags & HEDDLE_REMOTE_UNTIMED)
        return "the peer makes an untimed request: only the machine does";
    if (self->peer_request_count == HEDDLE_REMOTE_REQUESTS)
        return "the peer makes a request, and has as many unanswered as it may have";
    return NULL;
}

static const char *fault_of_interrupt(const remote_port *self, const heddle_remote_message *interrupt)
{
    const uint32_t is_level = interrupt->flags & HEDDLE_REMOTE_LEVEL ? 1 : 0;
    if (interrupt->tag >= PORT_ELEMENTS || !self->lines[is_level][interrupt->tag])
        return is_level ? "the peer changes a line of port level that is not bound"
                        : "the peer raises a line of port interrupt that is not bound";
    return interrupt->status > 1 ? "the peer gives a line a level other than 0 and 1" : NULL;
}

static const char *fault_of(const remote_port *self, const heddle_remote_message *message)
{
    if (self->waiting_count == WAITING_MAX)
        return "more messages of the peer wait for their time than there is room for";
    if (message->time >= PEER_TIME_END)
        return "the peer says something of a time that never comes";
    switch (message->kind) {
    case HEDDLE_REMOTE_READ:
    case HEDDLE_REMOTE_WRITE: return fault_of_request(self, message);
    case HEDDLE_REMOTE_ANSWER: return fault_of_answer(self, message);
    case HEDDLE_REMOTE_INTERRUPT: return fault_of_interrupt(self, message);
    default: return "the peer sends a HELLO in the middle";
    }
}

void incoming_take(remote_port *self, const heddle_remote_message *message, hd_time t)
{
    const char *why = fault_of(self, message);
    if (why) {
        remote_fault(self, t, why);
        return;
    }
    self->counters[STATISTIC_LATE] += message->time < t;
    self->peer_request_count += message->kind == HEDDLE_REMOTE_READ || message->kind == HEDDLE_REMOTE_WRITE;
    keep(self, message);
}

/* ---- Into the machine ------------------------------------------------------------------------------------------------ */

static hd_link *link_of(const remote_port *self, const heddle_remote_message *message)
{
    switch (message->kind) {
    case HEDDLE_REMOTE_ANSWER: return self->access_out[self->element[message->tag]];
    case HEDDLE_REMOTE_INTERRUPT: return self->lines[message->flags & HEDDLE_REMOTE_LEVEL ? 1 : 0][message->tag];
    default: return self->memory_out;
    }
}

static hd_packet *answer_of(remote_port *self, const heddle_remote_message *message)
{
    hd_packet *request = self->requests[message->tag];
    hd_packet *answer =
        hd_memory_response(self->services, self->response_message, request, message->status, message->data_bytes);
    memcpy(hd_body(answer), message->data, message->data_bytes);
    self->counters[STATISTIC_REFUSED] += message->status != HEDDLE_REMOTE_OK;
    self->requests[message->tag] = NULL;
    self->request_count--;
    self->services->free(self->services->context, request);
    return answer;
}

static hd_packet *interrupt_of(remote_port *self, const heddle_remote_message *message)
{
    hd_packet *packet = self->services->alloc(self->services->context, 0);
    const uint32_t is_level = message->flags & HEDDLE_REMOTE_LEVEL;
    packet->message = is_level ? self->level_message : self->interrupt_message;
    packet->argument = (uint32_t)message->address;
    packet->tag = is_level ? message->status : 0;
    packet->wire_bytes = HD_HEADER_WIRE_BYTES;
    self->counters[STATISTIC_PEER_INTERRUPTS]++;
    return packet;
}

static uint32_t open_slot(remote_port *self, uint64_t tag)
{
    uint32_t slot = 0;
    while (self->is_open[slot])
        slot++;
    self->is_open[slot] = 1;
    self->peer_tags[slot] = tag;
    return slot;
}

static hd_packet *request_of(remote_port *self, const heddle_remote_message *message)
{
    const uint32_t is_write = message->kind == HEDDLE_REMOTE_WRITE;
    hd_packet *packet = self->services->alloc(self->services->context, message->data_bytes);
    packet->message = is_write ? self->write_message : self->read_message;
    packet->tag = open_slot(self, message->tag);
    packet->address = message->address;
    packet->argument = message->length;
    packet->traffic_class = HD_CLASS_HOST;
    packet->body_bytes = message->data_bytes;
    packet->wire_bytes = HD_HEADER_WIRE_BYTES + (is_write ? message->length : 0);
    memcpy(hd_body(packet), message->data, message->data_bytes);
    self->counters[STATISTIC_PEER_REQUESTS]++;
    return packet;
}

static hd_packet *packet_of(remote_port *self, const heddle_remote_message *message)
{
    hd_packet *packet = message->kind == HEDDLE_REMOTE_ANSWER      ? answer_of(self, message)
                        : message->kind == HEDDLE_REMOTE_INTERRUPT ? interrupt_of(self, message)
                                                                   : request_of(self, message);
    packet->source = (uint16_t)self->services->endpoint;
    return packet;
}

/* An event is a rise: that a line of events falls is for nobody. */
static uint32_t is_nothing(const heddle_remote_message *message)
{
    return message->kind == HEDDLE_REMOTE_INTERRUPT && !(message->flags & HEDDLE_REMOTE_LEVEL) && !message->status;
}

/* 0: it has to wait for a credit. */
static uint32_t give(remote_port *self, const heddle_remote_message *message, hd_time t)
{
    const hd_services *s = self->services;
    hd_link *link = link_of(self, message);
    if (is_nothing(message))
        return 1;
    if (!hd_link_has_credit(s, link, t))
        return 0;
    s->send(s->context, link, packet_of(self, message), t);
    s->progress(s->context, t);
    return 1;
}

void incoming_work(remote_port *self, hd_time t)
{
    uint32_t place = 0;
    while (place < self->waiting_count) {
        const uint16_t slot = self->order[place];
        if (self->messages[slot].time > t)
            return;
        self->awaits_credit[slot] = !give(self, &self->messages[slot], t);
        if (self->awaits_credit[slot])
            place++;
        else
            drop(self, place);
    }
}

hd_time incoming_next(const remote_port *self)
{
    for (uint32_t i = 0; i < self->waiting_count; i++)
        if (!self->awaits_credit[self->order[i]])
            return self->messages[self->order[i]].time;
    return HD_NEVER;
}
