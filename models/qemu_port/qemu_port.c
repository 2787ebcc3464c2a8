/* SPDX-License-Identifier: MIT */
/* The block: its life, and what it does at an edge. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "life.h"

static void free_parts(qemu_port *self)
{
    free(self->queue);
    free(self->packet);
    free(self->bytes);
    free(self);
}

/* NULL: there is no memory. */
static qemu_port *allocate(void)
{
    qemu_port *self = calloc(1, sizeof *self);
    if (!self)
        return NULL;
    self->queue = calloc(QUEUE_MAX, sizeof *self->queue);
    self->packet = calloc(1, sizeof *self->packet);
    self->bytes = calloc(RP_BYTES_MAX, 1);
    if (self->queue && self->packet && self->bytes)
        return self;
    free_parts(self);
    return NULL;
}

static void set_parameters(qemu_port *self, const hd_value *values)
{
    self->address = values[PARAMETER_ADDRESS].text;
    self->is_caller = values[PARAMETER_ROLE].u != 0;
    self->quantum = values[PARAMETER_QUANTUM].u;
    admission_prepare(&self->remote, self->services, values[PARAMETER_TIMEOUT].u);
    self->devices[PORT_ACCESS] = (uint32_t)values[PARAMETER_ACCESS_DEVICE].u;
    self->devices[PORT_MEMORY] = (uint32_t)values[PARAMETER_MEMORY_DEVICE].u;
    self->devices[PORT_NOTIFY] = (uint32_t)values[PARAMETER_NOTIFY_DEVICE].u;
    self->devices[PORT_INTERRUPT] = (uint32_t)values[PARAMETER_INTERRUPT_DEVICE].u;
    self->to_peer = values[PARAMETER_ACCESS_PEER].u - values[PARAMETER_ACCESS_MACHINE].u;
    self->to_machine = values[PARAMETER_MEMORY_MACHINE].u - values[PARAMETER_MEMORY_PEER].u;
    self->level_bit = (uint32_t)values[PARAMETER_LEVEL_BIT].u;
}

static hd_block *create(const hd_services *services, const hd_value *values, uint32_t is_host, char *error,
                        size_t error_bytes)
{
    qemu_port *self = allocate();
    if (!self) {
        snprintf(error, error_bytes, "out of memory");
        return NULL;
    }
    self->services = services;
    self->is_host = is_host;
    self->listener =
        (listener){.socket = -1, .files = services->extension(services->context, HD_EXTENSION_TEMPORARY_FILES)};
    set_parameters(self, values);
    const hd_message_number numbers[] = {{&self->read_message, HD_MEMORY_READ},
                                         {&self->write_message, HD_MEMORY_WRITE},
                                         {&self->response_message, HD_MEMORY_RESPONSE},
                                         {&self->interrupt_message, HD_INTERRUPT},
                                         {&self->level_message, HD_INTERRUPT_LEVEL}};
    hd_number_messages(services, numbers, sizeof numbers / sizeof *numbers);
    if (self->is_caller || !admission_open(&self->listener, self->address, error, error_bytes))
        return (hd_block *)self;
    free_parts(self);
    return NULL;
}

hd_block *qemu_port_create_device(const hd_services *services, const hd_value *values, char *error, size_t error_bytes)
{
    return create(services, values, 0, error, error_bytes);
}

hd_block *qemu_port_create_host(const hd_services *services, const hd_value *values, char *error, size_t error_bytes)
{
    return create(services, values, 1, error, error_bytes);
}

void qemu_port_connect(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in)
{
    qemu_port *self = (qemu_port *)block;
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

/* A peer that was there is dismissed; the next one finds a machine that begins. */
static void forget_peer(qemu_port *self)
{
    self->is_broken = 0;
    if (!self->is_met)
        return;
    qemu_port_leave(self);
    self->remote.count = 0;
    self->remote.is_closed = 0;
    self->is_met = self->has_left = 0;
}

void qemu_port_reset(hd_block *block)
{
    qemu_port *self = (qemu_port *)block;
    forget_peer(self);
    dispatch_clear(self);
    hd_cursor_init(&self->cursor, self->services->clock);
    self->last_id = 0;
    memset(self->counters, 0, sizeof self->counters);
}

void qemu_port_destroy(hd_block *block)
{
    qemu_port *self = (qemu_port *)block;
    if (!self)
        return;
    qemu_port_leave(self);
    dispatch_clear(self);
    free_parts(self);
}

/* ---- Time ------------------------------------------------------------------------------------------------------------ */

static void work(void *block, hd_time t)
{
    qemu_port *self = block;
    if (qemu_port_meet(self, t))
        dispatch_work(self, t);
}

static hd_time next(const void *block)
{
    const qemu_port *self = block;
    return self->is_broken ? HD_NEVER : hd_cursor_edge_from(&self->cursor, dispatch_next(self));
}

hd_time qemu_port_advance(hd_block *block, hd_time now, hd_time horizon)
{
    static const hd_walk walk = {.work = work, .next = next};
    return hd_walk_span(&walk, block, &((qemu_port *)block)->cursor, now, horizon);
}
