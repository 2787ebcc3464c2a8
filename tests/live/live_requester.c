/* SPDX-License-Identifier: MIT */
/* Reads and writes words through its memory port, as fast as it may, and two that must be refused. */
#include <stdlib.h>
#include <string.h>

#include "hd_message.h"
#include "live_blocks.h"

#define REQUESTS 2048u /* longer than the kernel beside it takes */

static const hd_port ports[] = {{.name = "bus",
                                 .direction = HD_PORT_INITIATOR,
                                 .minimum_count = 1,
                                 .maximum_count = 1,
                                 .latency_cycles = 1,
                                 .credits = 8,
                                 .doc = "reads and writes"}};
static const hd_message_use messages[] = {{HD_MEMORY_READ, HD_MESSAGE_SENT, 0, "bus"},
                                          {HD_MEMORY_WRITE, HD_MESSAGE_SENT, 0, "bus"},
                                          {HD_MEMORY_RESPONSE, HD_MESSAGE_RECEIVED, 0, "bus"}};

typedef struct requester {
    const hd_services *services;
    hd_link *out, *in;
    uint32_t read, write, sent;
    uint64_t base;
    uint64_t none;
} requester;

static const hd_parameter parameters[] = {{.name = "base",
                                           .type = HD_TYPE_UNSIGNED,
                                           .standard = "0x50000000", /* where no program has anything */
                                           .maximum = UINT64_MAX / 2,
                                           .doc = "where its words are"}};

static hd_block *create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes)
{
    requester *self = calloc(1, sizeof *self);
    (void)error, (void)error_bytes;
    self->services = services;
    self->base = values[0].u;
    self->read = services->message(services->context, HD_MEMORY_READ);
    self->write = services->message(services->context, HD_MEMORY_WRITE);
    return (hd_block *)self;
}

static void connect(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in)
{
    (void)port, (void)element;
    ((requester *)block)->out = out;
    ((requester *)block)->in = in;
}

static void reset(hd_block *block)
{
    ((requester *)block)->sent = 0;
}

static hd_packet *next_packet(requester *self)
{
    const uint32_t is_write = self->sent % 2;
    hd_packet *packet = self->services->alloc(self->services->context, is_write ? 8 : 0);
    packet->message = is_write ? self->write : self->read;
    packet->source = (uint16_t)self->services->endpoint;
    packet->address = self->sent ? self->base + 128 * self->sent : 0; /* the first is refused */
    packet->tag = self->sent++;
    packet->argument = 4;
    packet->body_bytes = is_write ? 4 : 0;
    if (self->sent == 2) { /* the second is refused for byte enables that are none */
        packet->body_bytes = 8;
        memset(hd_body(packet), 0x55, 8);
    }
    packet->wire_bytes = HD_HEADER_WIRE_BYTES + packet->body_bytes;
    return packet;
}

static hd_time advance(hd_block *block, hd_time now, hd_time horizon)
{
    requester *self = (requester *)block;
    const hd_services *services = self->services;
    const hd_time t = hd_clock_edge(services->clock, hd_clock_index_at_or_after(services->clock, now));
    if (t >= horizon)
        return t;
    for (hd_packet *packet; (packet = services->pop(services->context, self->in, t));)
        services->free(services->context, packet);
    while (self->sent < REQUESTS && services->credits(services->context, self->out, t))
        services->send(services->context, self->out, next_packet(self), t);
    return HD_NEVER;
}

static const uint64_t *counters(hd_block *block)
{
    return &((requester *)block)->none;
}

static void destroy(hd_block *block)
{
    free(block);
}

const hd_block_class live_requester = {
    .abi_version = HD_ABI_VERSION,
    .struct_bytes = sizeof(hd_block_class),
    .kind = "requester",
    .type = "words",
    .doc = "reads and writes words as fast as it may",
    .source = "",
    .parameter_count = sizeof parameters / sizeof *parameters,
    .port_count = 1,
    .message_count = sizeof messages / sizeof *messages,
    .parameters = parameters,
    .ports = ports,
    .messages = messages,
    .create = create,
    .connect = connect,
    .reset = reset,
    .advance = advance,
    .counters = counters,
    .destroy = destroy,
};
