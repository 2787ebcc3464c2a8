/* SPDX-License-Identifier: MIT */
#include "example_blocks.h"

#include <stdlib.h>
#include <string.h>

#include "hd_extension.h"
#include "hd_link.h"
#include "hd_message.h"

static void block_destroy(hd_block *block)
{
    free(block);
}

#define QUEUE 16u

enum { MEMORY_LATENCY, MEMORY_PARAMETERS };
static const hd_parameter memory_parameters[MEMORY_PARAMETERS] = {
    [MEMORY_LATENCY] = {.name = "latency",
                        .type = HD_TYPE_UNSIGNED,
                        .unit = HD_UNIT_CYCLES,
                        .standard = "10 cycles",
                        .minimum = 1,
                        .maximum = 10000,
                        .doc = "From taking a request to its response"},
};
static const hd_port memory_ports[] = {{.name = "host",
                                        .direction = HD_PORT_TARGET,
                                        .minimum_count = 1,
                                        .maximum_count = 1,
                                        .latency_cycles = 1,
                                        .credits = 2,
                                        .doc = "Requests"}};
enum { MEMORY_SERVED, MEMORY_STATISTICS };
static const hd_statistic memory_statistics[MEMORY_STATISTICS] = {
    [MEMORY_SERVED] = {.name = "served", .unit = "requests", .kind = HD_STATISTIC_COUNT, .doc = "Requests answered"},
};
static const hd_message_use memory_messages[] = {
    {.name = HD_MEMORY_READ, .direction = HD_MESSAGE_RECEIVED, .port = "host"},
    {.name = HD_MEMORY_WRITE, .direction = HD_MESSAGE_RECEIVED, .port = "host"},
    {.name = HD_MEMORY_RESPONSE, .direction = HD_MESSAGE_SENT, .port = "host"},
};

typedef struct memory {
    const hd_services *services;
    hd_link *out;
    hd_link *in;
    uint64_t latency;
    uint32_t read_message, response_message;
    hd_packet *queue[QUEUE];
    uint64_t due[QUEUE]; /* index of the edge */
    uint32_t head, tail;
    uint64_t edge; /* the first not yet done */
    uint32_t starved;
    uint64_t statistics[MEMORY_STATISTICS];
    uint8_t bytes[EXAMPLE_MEMORY_BYTES];
} memory;

static hd_block *memory_create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes)
{
    (void)error;
    (void)error_bytes;
    memory *self = calloc(1, sizeof *self);
    self->services = services;
    self->latency = values[MEMORY_LATENCY].u;
    self->read_message = services->message(services->context, HD_MEMORY_READ);
    self->response_message = services->message(services->context, HD_MEMORY_RESPONSE);
    return (hd_block *)self;
}

static void memory_connect(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in)
{
    memory *self = (memory *)block;
    (void)port;
    (void)element;
    self->out = out;
    self->in = in;
}

static void memory_reset(hd_block *block)
{
    memory *self = (memory *)block;
    for (; self->head != self->tail; self->head++)
        self->services->free(self->services->context, self->queue[self->head % QUEUE]);
    memset(self->bytes, 0, sizeof self->bytes);
    memset(self->statistics, 0, sizeof self->statistics);
    self->head = self->tail = self->starved = 0;
    self->edge = 0;
}

/* With byte enables behind the data if the body is longer than these. */
static void write_bytes(uint8_t *to, const hd_packet *request)
{
    const uint8_t *data = hd_body_const(request);
    for (uint32_t i = 0; i < request->argument; i++)
        if (request->body_bytes == request->argument || data[request->argument + i])
            to[i] = data[i];
}

static hd_packet *answer(memory *self, hd_packet *request)
{
    const hd_services *services = self->services;
    const uint32_t reads = request->message == self->read_message;
    hd_packet *response = services->alloc(services->context, reads ? request->argument : 0);
    response->message = self->response_message;
    response->tag = request->tag;
    response->address = request->address;
    response->argument = HD_STATUS_OK;
    response->wire_bytes = HD_HEADER_WIRE_BYTES + response->body_bytes;
    if (request->address + request->argument > EXAMPLE_MEMORY_BYTES)
        response->argument = HD_STATUS_ADDRESS_ERROR;
    else if (reads)
        memcpy(hd_body(response), self->bytes + request->address, request->argument);
    else
        write_bytes(self->bytes + request->address, request);
    services->free(services->context, request);
    return response;
}

static void accept(memory *self, hd_time t)
{
    const hd_services *services = self->services;
    hd_packet *request;
    while (self->tail - self->head < QUEUE && (request = hd_link_pop(services, self->in, t))) {
        self->queue[self->tail % QUEUE] = answer(self, request);
        self->due[self->tail++ % QUEUE] = self->edge + self->latency;
    }
}

static void respond(memory *self, hd_time t)
{
    const hd_services *services = self->services;
    self->starved = 0;
    if (self->head == self->tail || self->due[self->head % QUEUE] > self->edge)
        return;
    self->starved = !hd_link_has_credit(services, self->out, t);
    if (self->starved)
        return;
    services->send(services->context, self->out, self->queue[self->head++ % QUEUE], t);
    self->statistics[MEMORY_SERVED]++;
}

/* Edge of the next work that needs nothing from outside, or UINT64_MAX. */
static uint64_t next_edge(const memory *self)
{
    const hd_time arrival = hd_link_arrival(self->in);
    uint64_t edge = UINT64_MAX;
    if (self->head != self->tail && !self->starved)
        edge = self->due[self->head % QUEUE];
    if (arrival != HD_NEVER && self->tail - self->head < QUEUE) {
        const uint64_t first = hd_clock_index_at_or_after(self->services->clock, arrival);
        edge = first < edge ? first : edge;
    }
    return edge < self->edge ? self->edge : edge;
}

static hd_time next_time(const memory *self)
{
    const uint64_t edge = next_edge(self);
    return edge == UINT64_MAX ? HD_NEVER : hd_clock_edge(self->services->clock, edge);
}

static hd_time memory_advance(hd_block *block, hd_time now, hd_time horizon)
{
    memory *self = (memory *)block;
    for (hd_time t = now; t < horizon; t = next_time(self)) {
        const uint64_t edge = hd_clock_index_at_or_after(self->services->clock, t);
        t = hd_clock_edge(self->services->clock, edge);
        if (t >= horizon)
            return t;
        self->edge = edge;
        accept(self, t);
        respond(self, t);
        self->edge++;
    }
    return next_time(self);
}

static hd_time memory_promise(hd_block *block, hd_time now)
{
    const memory *self = (memory *)block;
    const hd_time next = next_time(self);
    return next == HD_NEVER || self->starved || next < now ? now : next;
}

static const uint64_t *memory_counters(hd_block *block)
{
    return ((memory *)block)->statistics;
}

static uint32_t memory_debug_access(hd_block *block, uint64_t address, void *data, uint32_t bytes, uint32_t is_write)
{
    memory *self = (memory *)block;
    if (address >= EXAMPLE_MEMORY_BYTES)
        return 0;
    const uint32_t held = address + bytes > EXAMPLE_MEMORY_BYTES ? EXAMPLE_MEMORY_BYTES - (uint32_t)address : bytes;
    if (is_write)
        memcpy(self->bytes + address, data, held);
    else
        memcpy(data, self->bytes + address, held);
    return held;
}

static void memory_destroy(hd_block *block)
{
    memory_reset(block);
    block_destroy(block);
}

const hd_block_class example_memory = {
    .abi_version = HD_ABI_VERSION,
    .struct_bytes = sizeof(hd_block_class),
    .kind = "example_memory",
    .type = "fixed",
    .doc = "Answers after a fixed time",
    .source = "written for these tests",
    .parameter_count = MEMORY_PARAMETERS,
    .port_count = 1,
    .statistic_count = MEMORY_STATISTICS,
    .message_count = 3,
    .parameters = memory_parameters,
    .ports = memory_ports,
    .statistics = memory_statistics,
    .messages = memory_messages,
    .create = memory_create,
    .connect = memory_connect,
    .reset = memory_reset,
    .advance = memory_advance,
    .promise = memory_promise,
    .counters = memory_counters,
    .debug_access = memory_debug_access,
    .destroy = memory_destroy,
};
