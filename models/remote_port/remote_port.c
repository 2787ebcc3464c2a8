/* SPDX-License-Identifier: MIT */
/* The block: its life, and what it does at an edge. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "life.h"

static void free_parts(remote_port *self)
{
    free(self->messages);
    free(self);
}

hd_block *remote_create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes)
{
    remote_port *self = calloc(1, sizeof *self);
    heddle_remote_message *messages = calloc(WAITING_MAX, sizeof *messages);
    if (!self || !messages) {
        snprintf(error, error_bytes, "out of memory");
        free(self);
        free(messages);
        return NULL;
    }
    self->services = services;
    self->messages = messages;
    self->listener.files = services->extension(services->context, HD_EXTENSION_TEMPORARY_FILES);
    self->address = values[PARAMETER_ADDRESS].text;
    self->quantum = values[PARAMETER_QUANTUM].u;
    admission_prepare(&self->remote, services, values[PARAMETER_TIMEOUT].u);
    const hd_message_number numbers[] = {{&self->read_message, HD_MEMORY_READ},
                                         {&self->write_message, HD_MEMORY_WRITE},
                                         {&self->response_message, HD_MEMORY_RESPONSE},
                                         {&self->interrupt_message, HD_INTERRUPT},
                                         {&self->level_message, HD_INTERRUPT_LEVEL}};
    hd_number_messages(services, numbers, sizeof numbers / sizeof *numbers);
    if (!admission_open(&self->listener, self->address, error, error_bytes))
        return (hd_block *)self;
    free_parts(self);
    return NULL;
}

void remote_connect(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in)
{
    remote_port *self = (remote_port *)block;
    switch (port) {
    case PORT_ACCESS:
        self->access_in[element] = in;
        self->access_out[element] = out;
        break;
    case PORT_MEMORY:
        self->memory_in = in;
        self->memory_out = out;
        break;
    case PORT_NOTIFY: self->notify[element] = in; break;
    default: self->lines[port == PORT_LEVEL][element] = out; break;
    }
}

static void free_requests(remote_port *self)
{
    for (uint32_t i = 0; i < HEDDLE_REMOTE_REQUESTS; i++)
        if (self->requests[i])
            self->services->free(self->services->context, self->requests[i]);
    memset(self->requests, 0, sizeof self->requests);
    memset(self->is_open, 0, sizeof self->is_open);
    self->request_count = self->peer_request_count = 0;
}

/* A peer that was there is dismissed; the next one finds a machine that begins. */
static void forget_peer(remote_port *self)
{
    self->is_broken = 0;
    if (!self->is_met)
        return;
    const int timeout = self->remote.timeout;
    remote_leave(self);
    self->remote.timeout = timeout;
    self->remote.count = 0;
    self->is_met = self->has_left = 0;
}

void remote_reset(hd_block *block)
{
    remote_port *self = (remote_port *)block;
    forget_peer(self);
    free_requests(self);
    incoming_clear(self);
    hd_cursor_init(&self->cursor, self->services->clock);
    self->passes = HD_NEVER;
    self->granted = 0;
    self->untimed_kind = 0;
    memset(self->counters, 0, sizeof self->counters);
}

void remote_destroy(hd_block *block)
{
    remote_port *self = (remote_port *)block;
    if (!self)
        return;
    remote_leave(self);
    free_requests(self);
    free_parts(self);
}

/* ---- Time ------------------------------------------------------------------------------------------------------------ */

static uint32_t turn_is_due(const remote_port *self, hd_time t)
{
    return !self->has_left && (t >= self->granted || t >= self->passes);
}

static void work(void *block, hd_time t)
{
    remote_port *self = block;
    if (!remote_meet(self, t))
        return;
    incoming_work(self, t);
    outgoing_work(self, t);
    if (!self->is_broken && turn_is_due(self, t))
        remote_pass_turn(self, t);
    if (!self->is_broken)
        incoming_work(self, t);
}

static hd_time next(const void *block)
{
    const remote_port *self = block;
    if (self->is_broken)
        return HD_NEVER;
    hd_time t = hd_earlier(outgoing_next(self), incoming_next(self));
    if (!self->has_left)
        t = hd_earlier(t, hd_earlier(self->granted, self->passes));
    return hd_cursor_edge_from(&self->cursor, t);
}

hd_time remote_advance(hd_block *block, hd_time now, hd_time horizon)
{
    static const hd_walk walk = {.work = work, .next = next};
    return hd_walk_span(&walk, block, &((remote_port *)block)->cursor, now, horizon);
}
