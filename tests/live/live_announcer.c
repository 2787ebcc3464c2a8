/* SPDX-License-Identifier: MIT */
/* Tells one or all of its array of something, itself included, as often and as fast as it may; what it hears is forgotten. */
#include <stdlib.h>

#include "hd_message.h"
#include "live_blocks.h"

#define ANNOUNCEMENTS 64u
#define MESSAGE "test.announcement/1"

enum { PORT_SEND, PORT_HEAR, PORT_COUNT };

static const hd_port ports[PORT_COUNT] = {
    [PORT_SEND] = {.name = "send",
                   .direction = HD_PORT_SEND,
                   .minimum_count = 1,
                   .maximum_count = 1,
                   .latency_cycles = 1,
                   .doc = "announcements to a set of endpoints"},
    [PORT_HEAR] = {.name = "hear",
                   .direction = HD_PORT_RECEIVE,
                   .minimum_count = 1,
                   .maximum_count = 1,
                   .credits = 8,
                   .doc = "announcements"},
};
static const hd_message_use messages[] = {{MESSAGE, HD_MESSAGE_SENT, 0, "send"},
                                          {MESSAGE, HD_MESSAGE_RECEIVED, 0, "hear"}};

typedef struct announcer {
    const hd_services *services;
    hd_link *out, *in;
    uint32_t message, sent;
    uint64_t none;
} announcer;

static hd_block *create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes)
{
    announcer *self = calloc(1, sizeof *self);
    (void)values, (void)error, (void)error_bytes;
    self->services = services;
    self->message = services->message(services->context, MESSAGE);
    return (hd_block *)self;
}

static void connect(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in)
{
    announcer *self = (announcer *)block;
    (void)element;
    if (port == PORT_SEND)
        self->out = out;
    else
        self->in = in;
}

static void reset(hd_block *block)
{
    ((announcer *)block)->sent = 0;
}

/* Of all classes, and one that nobody has named; most to one of the array, in turn. */
static hd_packet *announcement(announcer *self)
{
    const hd_services *services = self->services;
    hd_packet *packet = services->alloc(services->context, 0);
    packet->message = self->message;
    packet->source = (uint16_t)services->endpoint;
    packet->destination = (uint16_t)(services->endpoint - services->index);
    if (self->sent % 4)
        packet->destination = (uint16_t)(packet->destination + self->sent % services->count);
    else
        packet->destination_set = (UINT64_C(1) << services->count) - 1;
    packet->traffic_class = self->sent++ / 2 % (HD_CLASS_COUNT + 1);
    packet->wire_bytes = HD_HEADER_WIRE_BYTES + 32;
    return packet;
}

static hd_time advance(hd_block *block, hd_time now, hd_time horizon)
{
    announcer *self = (announcer *)block;
    const hd_services *services = self->services;
    const hd_time t = hd_clock_edge(services->clock, hd_clock_index_at_or_after(services->clock, now));
    if (t >= horizon)
        return t;
    for (hd_packet *packet; (packet = services->pop(services->context, self->in, t));)
        services->free(services->context, packet);
    while (self->sent < ANNOUNCEMENTS && services->credits(services->context, self->out, t))
        services->send(services->context, self->out, announcement(self), t);
    return HD_NEVER;
}

static const uint64_t *counters(hd_block *block)
{
    return &((announcer *)block)->none;
}

static void destroy(hd_block *block)
{
    free(block);
}

const hd_block_class live_announcer = {
    .abi_version = HD_ABI_VERSION,
    .struct_bytes = sizeof(hd_block_class),
    .kind = "announcer",
    .type = "sets",
    .doc = "tells all of its array of something",
    .source = "",
    .port_count = PORT_COUNT,
    .message_count = sizeof messages / sizeof *messages,
    .ports = ports,
    .messages = messages,
    .create = create,
    .connect = connect,
    .reset = reset,
    .advance = advance,
    .counters = counters,
    .destroy = destroy,
};
