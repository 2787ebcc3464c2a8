/*
 * A memory that answers every request a fixed time after accepting it, one per cycle, in order. It replaces a
 * DRAM controller: kind dram, type @name@.
 */
#include "@name@.h"

#include <stdlib.h>
#include <string.h>

#include "hd_message.h"

/* ---- Declaration -------------------------------------------------------------------------------------------------- */

static const hd_parameter parameters[@NAME@_PARAMETERS] = {
    [@NAME@_LATENCY] = {.name = "latency",
                        .type = HD_TYPE_UNSIGNED,
                        .unit = HD_UNIT_CYCLES,
                        .standard = "100 cycles",
                        .minimum = 1,
                        .maximum = 100000,
                        .doc = "from accepting a request to its response"},
    [@NAME@_QUEUE] = {.name = "queue",
                      .type = HD_TYPE_UNSIGNED,
                      .standard = "128",
                      .minimum = 1,
                      .maximum = 65536,
                      .doc = "requests in progress at a time"},
};
static const hd_port ports[] = {
    [@NAME@_ACCESS] = {.name = "access",
                       .direction = HD_PORT_TARGET,
                       .minimum_count = 1,
                       .maximum_count = 1,
                       .latency_cycles = 1,
                       .credits = 8,
                       .doc = "reads and writes"},
};
static const hd_statistic statistics[@NAME@_STATISTICS] = {
    [@NAME@_READS] = {"reads", "requests", HD_STATISTIC_COUNT, 0, "reads accepted"},
    [@NAME@_WRITES] = {"writes", "requests", HD_STATISTIC_COUNT, 0, "writes accepted"},
    [@NAME@_QUEUE_MAXIMUM] = {"queue_maximum", "requests", HD_STATISTIC_MAXIMUM, 0, "most requests in progress"},
};
static const hd_message_use messages[] = {
    {HD_MEMORY_READ, HD_MESSAGE_RECEIVED, 0, "access"},
    {HD_MEMORY_WRITE, HD_MESSAGE_RECEIVED, 0, "access"},
    {HD_MEMORY_RESPONSE, HD_MESSAGE_SENT, 0, "access"},
};

/* ---- State -------------------------------------------------------------------------------------------------------- */

#define PAGE_BYTES 65536u
#define TABLE 4096u /* pages of a group, and groups: 2^40 bytes in all */

typedef struct answer {
    hd_packet *packet;
    uint64_t edge; /* at which it is sent */
} answer;

typedef struct memory {
    const hd_services *services;
    uint64_t latency, queue;
    uint32_t read_message, response_message;
    hd_link *requests, *responses;

    answer *answers; /* a ring of `queue` */
    uint64_t first, count;
    uint64_t edge;    /* next edge to be processed */
    uint32_t starved; /* a response waits for a credit */
    uint64_t counters[@NAME@_STATISTICS];
    uint8_t **groups[TABLE]; /* of pages, made when they are first touched */
} memory;

static uint8_t *page_at(memory *self, uint64_t address)
{
    uint8_t ***group = &self->groups[address / PAGE_BYTES / TABLE % TABLE];
    if (!*group && !(*group = calloc(TABLE, sizeof **group)))
        abort();
    uint8_t **page = &(*group)[address / PAGE_BYTES % TABLE];
    if (!*page && !(*page = calloc(1, PAGE_BYTES)))
        abort();
    return *page;
}

/* enables: one byte per byte of data, 0 = leave it; NULL = all. */
static void access_data(memory *self, uint64_t address, uint8_t *data, const uint8_t *enables, uint32_t bytes,
                        uint32_t is_write)
{
    for (uint32_t i = 0; i < bytes; i++) {
        uint8_t *held = page_at(self, address + i) + (address + i) % PAGE_BYTES;
        if (!is_write)
            data[i] = *held;
        else if (!enables || enables[i])
            *held = data[i];
    }
}

static void forget_data(memory *self)
{
    for (uint32_t i = 0; i < TABLE; i++) {
        for (uint32_t j = 0; self->groups[i] && j < TABLE; j++)
            free(self->groups[i][j]);
        free(self->groups[i]);
        self->groups[i] = NULL;
    }
}

/* ---- Life --------------------------------------------------------------------------------------------------------- */

static void destroy(hd_block *block)
{
    memory *self = (memory *)block;
    for (; self->count; self->count--)
        self->services->free(self->services->context, self->answers[self->first++ % self->queue].packet);
    forget_data(self);
    free(self->answers);
    free(self);
}

static hd_block *create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes)
{
    memory *self = calloc(1, sizeof *self);
    (void)error, (void)error_bytes;
    if (!self)
        abort();
    self->services = services;
    self->latency = values[@NAME@_LATENCY].u;
    self->queue = values[@NAME@_QUEUE].u;
    self->read_message = services->message(services->context, HD_MEMORY_READ);
    self->response_message = services->message(services->context, HD_MEMORY_RESPONSE);
    self->answers = calloc(self->queue, sizeof *self->answers);
    if (!self->answers)
        abort();
    return (hd_block *)self;
}

static void connect(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in)
{
    memory *self = (memory *)block;
    (void)port, (void)element;
    self->responses = out;
    self->requests = in;
}

static void reset(hd_block *block)
{
    memory *self = (memory *)block;
    for (; self->count; self->count--)
        self->services->free(self->services->context, self->answers[self->first++ % self->queue].packet);
    forget_data(self);
    memset(self->counters, 0, sizeof self->counters);
    self->first = self->edge = 0;
    self->starved = 0;
}

/* ---- Work --------------------------------------------------------------------------------------------------------- */

/* The data is read or written when the request is taken; the answer leaves later. */
static hd_packet *serve(memory *self, hd_packet *request)
{
    const hd_services *services = self->services;
    uint32_t bytes = request->argument, is_read = request->message == self->read_message;
    hd_packet *response = services->alloc(services->context, is_read ? bytes : 0);
    response->message = self->response_message;
    response->source = (uint16_t)services->endpoint;
    response->destination = request->source;
    response->tag = request->tag;
    response->address = request->address;
    response->argument = HD_STATUS_OK;
    response->wire_bytes = HD_HEADER_WIRE_BYTES + response->body_bytes;
    self->counters[is_read ? @NAME@_READS : @NAME@_WRITES]++;
    if (is_read)
        access_data(self, request->address, hd_body(response), NULL, bytes, 0);
    else
        access_data(self, request->address, hd_body(request),
                    request->body_bytes > bytes ? (uint8_t *)hd_body(request) + bytes : NULL, bytes, 1);
    services->free(services->context, request);
    return response;
}

static void take(memory *self, hd_time t)
{
    const hd_services *services = self->services;
    hd_packet *request;
    while (self->count < self->queue && (request = services->pop(services->context, self->requests, t))) {
        answer *next = &self->answers[(self->first + self->count++) % self->queue];
        *next = (answer){.packet = serve(self, request), .edge = self->edge + self->latency};
        if (self->counters[@NAME@_QUEUE_MAXIMUM] < self->count)
            self->counters[@NAME@_QUEUE_MAXIMUM] = self->count;
    }
}

static void respond(memory *self, hd_time t)
{
    const hd_services *services = self->services;
    answer *oldest = &self->answers[self->first % self->queue];
    self->starved = 0;
    if (!self->count || oldest->edge > self->edge)
        return;
    self->starved = !services->credits(services->context, self->responses, t);
    if (self->starved)
        return;
    services->send(services->context, self->responses, oldest->packet, t);
    self->first++;
    self->count--;
}

/* When there is something to do without further input. A credit that is awaited is input. */
static hd_time next_time(const memory *self)
{
    hd_clock clock = self->services->clock;
    hd_time arrival = self->services->arrival(self->services->context, self->requests);
    uint64_t edge = UINT64_MAX;
    if (self->count && !self->starved)
        edge = self->answers[self->first % self->queue].edge;
    if (self->count < self->queue && arrival != HD_NEVER) {
        uint64_t first = hd_clock_index_at_or_after(clock, arrival);
        edge = first < edge ? first : edge;
    }
    if (edge == UINT64_MAX)
        return HD_NEVER;
    return hd_clock_edge(clock, edge < self->edge ? self->edge : edge);
}

static hd_time advance(hd_block *block, hd_time now, hd_time horizon)
{
    memory *self = (memory *)block;
    hd_clock clock = self->services->clock;
    for (hd_time t = now; t < horizon; t = next_time(self)) {
        uint64_t edge = hd_clock_index_at_or_after(clock, t);
        t = hd_clock_edge(clock, edge);
        if (t >= horizon)
            return t;
        self->edge = edge;
        respond(self, t);
        take(self, t);
        self->edge++;
    }
    return next_time(self);
}

static hd_time promise(hd_block *block, hd_time now)
{
    const memory *self = (memory *)block;
    hd_time next = next_time(self);
    return next == HD_NEVER || self->starved || next < now ? now : next;
}

static const uint64_t *counters(hd_block *block)
{
    return ((memory *)block)->counters;
}

static uint32_t debug_access(hd_block *block, uint64_t address, void *data, uint32_t bytes, uint32_t is_write)
{
    access_data((memory *)block, address, data, NULL, bytes, is_write);
    return bytes;
}

const hd_block_class @name@_class = {
    .abi_version = HD_ABI_VERSION,
    .struct_bytes = sizeof(hd_block_class),
    .kind = "dram",
    .type = "@name@",
    .doc = "a memory that answers after a fixed time",
    .source = "heddle new block",
    .parameter_count = @NAME@_PARAMETERS,
    .port_count = sizeof ports / sizeof *ports,
    .statistic_count = @NAME@_STATISTICS,
    .message_count = sizeof messages / sizeof *messages,
    .parameters = parameters,
    .ports = ports,
    .statistics = statistics,
    .messages = messages,
    .create = create,
    .connect = connect,
    .reset = reset,
    .advance = advance,
    .promise = promise,
    .counters = counters,
    .debug_access = debug_access,
    .destroy = destroy,
};
