/* SPDX-License-Identifier: MIT */
#include "dispatcher.h"

#include <stdlib.h>
#include <string.h>

#include "hd_extension.h"
#include "hd_message.h"
#include "hd_work.h"
#include "kit_outbox.h"

enum { PARAMETER_THREADS, PARAMETER_ENTRY, PARAMETER_PRIVATE, PARAMETER_SPREAD, PARAMETER_COUNT };

typedef struct dispatcher {
    const hd_services *services;
    hd_cursor cursor;
    uint32_t parameters[PARAMETER_COUNT];
    uint32_t message_launch, message_done;
    hd_link *out[DISPATCHER_CORES], *in[DISPATCHER_CORES];
    uint64_t begins[DISPATCHER_CORES]; /* edges; UINT64_MAX: it has */
    uint32_t cores, ended;
} dispatcher;

#define NUMBER(id, name_, standard_, doc_)                                                                             \
    [id] = {.name = name_, .type = HD_TYPE_UNSIGNED, .standard = standard_, .maximum = UINT32_MAX, .doc = doc_}
static const hd_parameter parameters[] = {
    NUMBER(PARAMETER_THREADS, "threads", "32", "of each block"),
    NUMBER(PARAMETER_ENTRY, "entry", "0", "where they begin"),
    NUMBER(PARAMETER_PRIVATE, "private", "128", "private memory of a thread in bytes"),
    NUMBER(PARAMETER_SPREAD, "spread", "0", "blocks begin at any of so many cycles"),
};

#define PORT(id, name_, direction_, doc_)                                                                              \
    [id] = {.name = name_,                                                                                             \
            .direction = direction_,                                                                                   \
            .minimum_count = 1,                                                                                        \
            .maximum_count = DISPATCHER_CORES,                                                                         \
            .latency_cycles = 1,                                                                                       \
            .credits = 8,                                                                                              \
            .doc = doc_}
static const hd_port ports[] = {PORT(DISPATCHER_DISPATCH, "dispatch", HD_PORT_SEND, "thread blocks"),
                                PORT(DISPATCHER_EVENT, "event", HD_PORT_RECEIVE, "their ends")};

static const hd_message_use messages[] = {
    {HD_BLOCK_LAUNCH, HD_MESSAGE_SENT, 0, "dispatch"},
    {HD_BLOCK_DONE, HD_MESSAGE_RECEIVED, 0, "event"},
    {HD_CORE_CAPACITY, HD_MESSAGE_RECEIVED, 0, "event"},
};

static hd_block *create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes)
{
    dispatcher *self = calloc(1, sizeof *self);
    (void)error, (void)error_bytes;
    self->services = services;
    self->message_launch = services->message(services->context, HD_BLOCK_LAUNCH);
    self->message_done = services->message(services->context, HD_BLOCK_DONE);
    for (uint32_t i = 0; i < PARAMETER_COUNT; i++)
        self->parameters[i] = (uint32_t)values[i].u;
    return (hd_block *)self;
}

static void connect_port(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in)
{
    dispatcher *self = (dispatcher *)block;
    if (port == DISPATCHER_DISPATCH) {
        self->out[element] = out;
        self->cores = element + 1 > self->cores ? element + 1 : self->cores;
    } else {
        self->in[element] = in;
    }
}

static void reset(hd_block *block)
{
    dispatcher *self = (dispatcher *)block;
    self->ended = 0;
    hd_cursor_init(&self->cursor, self->services->clock);
    for (uint32_t i = 0; i < self->cores; i++)
        self->begins[i] =
            self->services->random(self->services->context) % (1 + (uint64_t)self->parameters[PARAMETER_SPREAD]);
}

static void launch(dispatcher *self, uint32_t core, hd_time t)
{
    const hd_services *services = self->services;
    hd_packet *packet = services->alloc(services->context, sizeof(hd_block_launch));
    packet->message = self->message_launch;
    packet->source = (uint16_t)services->endpoint;
    packet->tag = core;
    packet->body_bytes = sizeof(hd_block_launch);
    packet->wire_bytes = HD_HEADER_WIRE_BYTES;
    *(hd_block_launch *)hd_body(packet) =
        (hd_block_launch){.grid = {.grid_size = {self->cores, 1, 1},
                                   .block_size = {self->parameters[PARAMETER_THREADS], 1, 1},
                                   .entry_pc = self->parameters[PARAMETER_ENTRY],
                                   .private_bytes = self->parameters[PARAMETER_PRIVATE]},
                          .block_index = {core, 0, 0},
                          .first_of_grid = 1,
                          .context_slot = core,
                          .context_slots = self->cores};
    services->send(services->context, self->out[core], packet, t);
}

static void work(void *block, hd_time t)
{
    dispatcher *self = block;
    const hd_services *services = self->services;
    for (uint32_t i = 0; i < self->cores; i++) {
        if (self->begins[i] <= self->cursor.n) {
            launch(self, i, t);
            self->begins[i] = UINT64_MAX;
        }
        for (hd_packet *packet; (packet = services->pop(services->context, self->in[i], t));) {
            self->ended += packet->message == self->message_done;
            services->free(services->context, packet);
        }
    }
}

static hd_time next(const void *block)
{
    const dispatcher *self = block;
    hd_cursor cursor = self->cursor;
    hd_work work = hd_work_none();
    for (uint32_t i = 0; i < self->cores; i++) {
        hd_work_at_time(&work, self->services->arrival(self->services->context, self->in[i]));
        hd_work_at_edge(&work, self->begins[i]);
    }
    return hd_work_seek(&work, &cursor) ? cursor.t : HD_NEVER;
}

static hd_time advance(hd_block *block, hd_time now, hd_time horizon)
{
    dispatcher *self = (dispatcher *)block;
    return kit_walk_edges(self, &self->cursor, work, next, now, horizon);
}

static void destroy(hd_block *block)
{
    free(block);
}

static uint32_t has_work(hd_block *block)
{
    const dispatcher *self = (const dispatcher *)block;
    return self->ended != self->cores;
}

static void describe(hd_block *block, const hd_text_sink *sink)
{
    const dispatcher *self = (const dispatcher *)block;
    if (has_work(block))
        sink->line(sink->context, "%u of %u blocks have ended", self->ended, self->cores);
}

static const void *extension(hd_block *block, const char *id)
{
    static const hd_pending pending = {has_work, describe};
    (void)block;
    return strcmp(id, HD_EXTENSION_PENDING) ? NULL : &pending;
}

const hd_block_class scripted_dispatcher = {
    .abi_version = HD_ABI_VERSION,
    .struct_bytes = sizeof(hd_block_class),
    .kind = "scripted_dispatcher",
    .type = "blocks",
    .doc = "gives each core a thread block",
    .source = "",
    .flags = HD_BLOCK_SELF_DRIVEN,
    .parameter_count = PARAMETER_COUNT,
    .port_count = sizeof ports / sizeof *ports,
    .message_count = sizeof messages / sizeof *messages,
    .parameters = parameters,
    .ports = ports,
    .messages = messages,
    .create = create,
    .connect = connect_port,
    .reset = reset,
    .advance = advance,
    .destroy = destroy,
    .extension = extension,
};
