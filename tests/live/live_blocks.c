/* SPDX-License-Identifier: MIT */
/* A block that asks for what no other block of a sound machine asks for. */
#include "live_blocks.h"

#include <stdlib.h>
#include <string.h>

#include "hd_address.h"
#include "hd_direct.h"
#include "hd_extension.h"
#include "hd_message.h"
#include "hd_queue.h"
#include "scripted_core.h"
#include "scripted_kilo.h"

enum { PORT_REQUEST, PORT_REPLY, PORT_MEMORY, PORT_HOST, PORT_LAUNCH, PORT_DONE, PORT_INTERRUPT, PORT_COUNT };

static const hd_port ports[PORT_COUNT] = {
    [PORT_REQUEST] = {.name = "request",
                      .direction = HD_PORT_SEND,
                      .minimum_count = 1,
                      .maximum_count = 1,
                      .latency_cycles = 1,
                      .doc = "loads of classes that nobody else uses"},
    [PORT_REPLY] = {.name = "reply",
                    .direction = HD_PORT_RECEIVE,
                    .minimum_count = 1,
                    .maximum_count = 1,
                    .credits = 8,
                    .doc = "their replies"},
    [PORT_MEMORY] = {.name = "memory",
                     .direction = HD_PORT_INITIATOR,
                     .minimum_count = 1,
                     .maximum_count = 1,
                     .latency_cycles = 1,
                     .credits = 8,
                     .doc = "reads that a memory refuses"},
    [PORT_HOST] = {.name = "host",
                   .direction = HD_PORT_INITIATOR,
                   .minimum_count = 1,
                   .maximum_count = 1,
                   .latency_cycles = 1,
                   .credits = 8,
                   .doc = "mistakes of a host"},
    [PORT_LAUNCH] = {.name = "launch",
                     .direction = HD_PORT_RECEIVE,
                     .minimum_count = 1,
                     .maximum_count = 1,
                     .credits = 1,
                     .doc = "grids; none comes"},
    [PORT_DONE] = {.name = "done",
                   .direction = HD_PORT_SEND,
                   .minimum_count = 1,
                   .maximum_count = 1,
                   .latency_cycles = 1,
                   .doc = "finished grids; none leaves"},
    [PORT_INTERRUPT] = {.name = "interrupt",
                        .direction = HD_PORT_RECEIVE,
                        .minimum_count = 1,
                        .maximum_count = 1,
                        .credits = 1,
                        .doc = "what comes of the mistakes"},
};
static const hd_message_use messages[] = {
    {HD_GLOBAL_LOAD, HD_MESSAGE_SENT, 0, "request"},      {HD_GLOBAL_LOAD_REPLY, HD_MESSAGE_RECEIVED, 0, "reply"},
    {HD_MEMORY_READ, HD_MESSAGE_SENT, 0, "memory"},       {HD_MEMORY_READ, HD_MESSAGE_SENT, 0, "host"},
    {HD_MEMORY_WRITE, HD_MESSAGE_SENT, 0, "host"},        {HD_MEMORY_RESPONSE, HD_MESSAGE_RECEIVED, 0, "memory"},
    {HD_MEMORY_RESPONSE, HD_MESSAGE_RECEIVED, 0, "host"}, {HD_GRID_LAUNCH, HD_MESSAGE_RECEIVED, 0, "launch"},
    {HD_GRID_DONE, HD_MESSAGE_SENT, 0, "done"},           {HD_INTERRUPT, HD_MESSAGE_RECEIVED, 0, "interrupt"},
};

typedef struct probe {
    const hd_services *services;
    const hd_address_map *map;
    uint32_t load, read, write;
    hd_link *out[PORT_COUNT];
    hd_link *in[PORT_COUNT];
    uint32_t sent[PORT_COUNT];
    uint64_t none;
} probe;

/* Where a ring may lie whose first descriptor is none: the program's code. */
#define RING HD_GLOBAL_BASE
#define QUEUE(reg) (HD_HOST_MMIO_BASE + HD_REGISTER_QUEUE_BASE + (reg))

/* In this order. */
static const uint32_t classes[] = {HD_CLASS_CONTROL, HD_CLASS_CODE,    HD_CLASS_TRANSACTION,
                                   HD_CLASS_TEXTURE, HD_CLASS_CONTEXT, HD_CLASS_COUNT + 1};
static const struct host_write {
    uint64_t address;
    uint32_t value;
} host_writes[] = {
    {QUEUE(HD_QUEUE_RING), RING}, {QUEUE(HD_QUEUE_COMPLETION), RING},
    {QUEUE(HD_QUEUE_ENTRIES), 1}, {QUEUE(HD_QUEUE_DOORBELL), 1},
    {HD_HOST_MMIO_BASE, 0},
};
#define LENGTH(table) (sizeof(table) / sizeof *(table))

static hd_packet *packet_of(probe *self, uint32_t port, uint32_t message, uint64_t address, uint32_t body_bytes)
{
    hd_packet *packet = self->services->alloc(self->services->context, body_bytes);
    packet->message = message;
    packet->source = (uint16_t)self->services->endpoint;
    packet->address = address;
    packet->tag = self->sent[port];
    packet->wire_bytes = HD_HEADER_WIRE_BYTES + body_bytes;
    packet->body_bytes = body_bytes;
    return packet;
}

/* The next packet of the port, or NULL. */
static hd_packet *next_of(probe *self, uint32_t port)
{
    const uint32_t n = self->sent[port];
    hd_packet *packet = NULL;
    if (port == PORT_REQUEST && n < LENGTH(classes)) {
        packet = packet_of(self, port, self->load, HD_GLOBAL_BASE, 0);
        packet->destination = (uint16_t)self->map->endpoints[hd_partition_of(self->map, packet->address)];
        packet->unit = HD_DESTINATION_L2_SLICE;
        packet->traffic_class = classes[n];
        packet->argument = 4;
    } else if (port == PORT_MEMORY && n == 0) {
        packet = packet_of(self, port, self->read, 0, 0); /* of no bytes */
    } else if (port == PORT_HOST && n < LENGTH(host_writes)) {
        packet = packet_of(self, port, self->write, host_writes[n].address, 4);
        packet->argument = 4;
        memcpy(hd_body(packet), &host_writes[n].value, 4);
    }
    return packet;
}

static hd_block *create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes)
{
    probe *self = calloc(1, sizeof *self);
    (void)values, (void)error, (void)error_bytes;
    self->services = services;
    self->map = services->extension(services->context, HD_EXTENSION_ADDRESS_MAP);
    self->load = services->message(services->context, HD_GLOBAL_LOAD);
    self->read = services->message(services->context, HD_MEMORY_READ);
    self->write = services->message(services->context, HD_MEMORY_WRITE);
    return (hd_block *)self;
}

static void connect(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in)
{
    (void)element;
    ((probe *)block)->out[port] = out;
    ((probe *)block)->in[port] = in;
}

static void reset(hd_block *block)
{
    memset(((probe *)block)->sent, 0, sizeof((probe *)block)->sent);
}

/* All that it ever sends fits into the credits of its links. */
static hd_time advance(hd_block *block, hd_time now, hd_time horizon)
{
    probe *self = (probe *)block;
    const hd_services *services = self->services;
    const hd_time t = hd_clock_edge(services->clock, hd_clock_index_at_or_after(services->clock, now));
    if (t >= horizon)
        return t;
    for (uint32_t port = 0; port < PORT_COUNT; port++) {
        hd_packet *packet;
        while (self->in[port] && (packet = services->pop(services->context, self->in[port], t)))
            services->free(services->context, packet);
        while (self->out[port] && services->credits(services->context, self->out[port], t) &&
               (packet = next_of(self, port))) {
            services->send(services->context, self->out[port], packet, t);
            self->sent[port]++;
        }
    }
    return HD_NEVER;
}

static const uint64_t *counters(hd_block *block)
{
    return &((probe *)block)->none;
}

static void destroy(hd_block *block)
{
    free(block);
}

static void turn(hd_block *block, hd_time t)
{
    (void)block, (void)t;
}

static const void *extension(hd_block *block, const char *id)
{
    static const hd_turn turns = {.turn = turn};
    (void)block;
    return strcmp(id, HD_EXTENSION_TURN) ? NULL : &turns;
}

static const hd_block_class probe_class = {
    .abi_version = HD_ABI_VERSION,
    .struct_bytes = sizeof(hd_block_class),
    .kind = "probe",
    .type = "mistakes",
    .doc = "asks for what no other block of a sound machine asks for",
    .source = "",
    .flags = HD_BLOCK_DIRECT, /* it never asks for a turn, but slices take it for one that might */
    .port_count = PORT_COUNT,
    .message_count = LENGTH(messages),
    .ports = ports,
    .messages = messages,
    .create = create,
    .connect = connect,
    .reset = reset,
    .advance = advance,
    .counters = counters,
    .destroy = destroy,
    .extension = extension,
};

netlist_registry live_blocks(void)
{
    static const hd_block_class *const all[] = {&probe_class, &live_requester, &live_announcer, &scripted_core,
                                                &scripted_kilo};
    return (netlist_registry){.classes = all, .count = LENGTH(all)};
}
