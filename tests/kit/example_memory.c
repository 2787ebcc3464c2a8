/* SPDX-License-Identifier: MIT */
#include "example_blocks.h"

#include <stdlib.h>
#include <string.h>

#include "hd_extension.h"
#include "hd_message.h"

static void block_destroy(hd_block *block)
{
    free(block);
}

/* ---- Requester ---------------------------------------------------------------------------------------------------- */

#define WORDS 64u

enum { REQUESTER_REQUESTS, REQUESTER_OUTSTANDING, REQUESTER_PARAMETERS };
static const hd_parameter requester_parameters[REQUESTER_PARAMETERS] = {
    [REQUESTER_REQUESTS] = {.name = "requests", .type = HD_TYPE_UNSIGNED, .standard = "50", .doc = "How many in all"},
    [REQUESTER_OUTSTANDING] = {.name = "outstanding",
                               .type = HD_TYPE_UNSIGNED,
                               .standard = "4",
                               .minimum = 1,
                               .maximum = 64,
                               .doc = "Unanswered requests at most"},
};
static const hd_port requester_ports[] = {{.name = "memory",
                                           .direction = HD_PORT_INITIATOR,
                                           .minimum_count = 1,
                                           .maximum_count = 1,
                                           .latency_cycles = 1,
                                           .credits = 4,
                                           .doc = "What it tests"}};
enum { REQUESTER_DONE, REQUESTER_READS, REQUESTER_ALIGNED_AT, REQUESTER_STATISTICS };
static const hd_statistic requester_statistics[REQUESTER_STATISTICS] = {
    [REQUESTER_DONE] = {.name = "done", .unit = "requests", .kind = HD_STATISTIC_COUNT, .doc = "Requests answered"},
    [REQUESTER_READS] = {.name = "reads", .unit = "requests", .kind = HD_STATISTIC_COUNT, .doc = "Of them, reads"},
    [REQUESTER_ALIGNED_AT] = {.name = "aligned_at", .unit = "ps", .kind = HD_STATISTIC_COUNT, .doc = "When it aligned"},
};
static const hd_message_use requester_messages[] = {
    {.name = HD_MEMORY_READ, .direction = HD_MESSAGE_SENT, .port = "memory"},
    {.name = HD_MEMORY_WRITE, .direction = HD_MESSAGE_SENT, .port = "memory"},
    {.name = HD_MEMORY_RESPONSE, .direction = HD_MESSAGE_RECEIVED, .port = "memory"},
};

typedef struct requester {
    const hd_services *services;
    const hd_rendezvous *rendezvous;
    hd_link *out;
    hd_link *in;
    uint64_t requests, outstanding;
    uint32_t read_message, write_message;
    uint64_t expected[WORDS];
    uint64_t sent;
    uint32_t starved;
    hd_time meeting; /* HD_NEVER: not asked for yet */
    uint64_t statistics[REQUESTER_STATISTICS];
} requester;

static hd_block *requester_create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes)
{
    (void)error;
    (void)error_bytes;
    requester *self = calloc(1, sizeof *self);
    self->services = services;
    self->rendezvous = services->extension(services->context, HD_EXTENSION_RENDEZVOUS);
    self->requests = values[REQUESTER_REQUESTS].u;
    self->outstanding = values[REQUESTER_OUTSTANDING].u;
    self->read_message = services->message(services->context, HD_MEMORY_READ);
    self->write_message = services->message(services->context, HD_MEMORY_WRITE);
    return (hd_block *)self;
}

static void requester_connect(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in)
{
    requester *self = (requester *)block;
    (void)port;
    (void)element;
    self->out = out;
    self->in = in;
}

static void requester_reset(hd_block *block)
{
    requester *self = (requester *)block;
    memset(self->expected, 0, sizeof self->expected);
    memset(self->statistics, 0, sizeof self->statistics);
    self->sent = 0;
    self->starved = 0;
    self->meeting = HD_NEVER;
}

static void receive(requester *self, hd_time t)
{
    const hd_services *services = self->services;
    hd_packet *response;
    while ((response = services->pop(services->context, self->in, t))) {
        uint64_t word;
        if (response->body_bytes == sizeof word) {
            memcpy(&word, hd_body(response), sizeof word);
            self->statistics[REQUESTER_READS]++;
            if (word != response->tag)
                services->fault(services->context, t, "%s reads 0x%llx at 0x%llx", services->name,
                                (unsigned long long)word, (unsigned long long)response->address);
        }
        self->statistics[REQUESTER_DONE]++;
        services->progress(services->context, t);
        services->free(services->context, response);
    }
}

static void request(requester *self, hd_time t)
{
    const hd_services *services = self->services;
    const uint64_t random = services->random(services->context);
    const uint32_t word = (uint32_t)(random % WORDS);
    const uint32_t writes = random >> 63;
    hd_packet *packet = services->alloc(services->context, writes ? 8 : 0);
    packet->message = writes ? self->write_message : self->read_message;
    packet->address = 8 * word;
    packet->argument = 8;
    packet->wire_bytes = HD_HEADER_WIRE_BYTES + packet->body_bytes;
    if (writes) {
        self->expected[word] = random;
        memcpy(hd_body(packet), &random, sizeof random);
    }
    packet->tag = self->expected[word]; /* what a read has to give */
    services->send(services->context, self->out, packet, t);
    self->sent++;
}

static uint32_t may_send(const requester *self)
{
    return self->sent < self->requests && self->sent - self->statistics[REQUESTER_DONE] < self->outstanding;
}

static hd_time requester_advance(hd_block *block, hd_time now, hd_time horizon)
{
    requester *self = (requester *)block;
    const hd_services *services = self->services;
    const hd_clock clock = services->clock;
    for (uint64_t n = hd_clock_index_at_or_after(clock, now); hd_clock_edge(clock, n) < horizon; n++) {
        const hd_time t = hd_clock_edge(clock, n);
        receive(self, t);
        self->starved = 0;
        if (may_send(self)) {
            self->starved = services->credits(services->context, self->out, t) == 0;
            if (!self->starved)
                request(self, t);
        }
        if (self->statistics[REQUESTER_DONE] == self->requests && self->meeting == HD_NEVER)
            self->meeting = self->rendezvous->request(self->rendezvous->context, t,
                                                      HD_RENDEZVOUS_ALIGN | HD_RENDEZVOUS_KERNEL_END, self->requests);
    }
    const hd_time edge = hd_clock_edge(clock, hd_clock_index_at_or_after(clock, horizon));
    if (may_send(self) && !self->starved)
        return edge;
    const hd_time arrival = services->arrival(services->context, self->in);
    return arrival == HD_NEVER || arrival >= horizon ? HD_NEVER : edge;
}

static const uint64_t *requester_counters(hd_block *block)
{
    return ((requester *)block)->statistics;
}

static void requester_align(hd_block *block, hd_time t, const hd_write_back_sink *sink)
{
    requester *self = (requester *)block;
    const uint64_t word = EXAMPLE_DIRTY_WORD;
    self->statistics[REQUESTER_ALIGNED_AT] = t;
    sink->write_back(sink->context, EXAMPLE_DIRTY_ADDRESS, &word, sizeof word);
}

static uint32_t requester_has_work(hd_block *block)
{
    const requester *self = (requester *)block;
    return self->statistics[REQUESTER_DONE] < self->requests;
}

static void requester_describe(hd_block *block, const hd_text_sink *sink)
{
    const requester *self = (requester *)block;
    sink->line(sink->context, "waits for %llu responses",
               (unsigned long long)(self->sent - self->statistics[REQUESTER_DONE]));
}

static const void *requester_extension(hd_block *block, const char *id)
{
    static const hd_align align = {.align = requester_align};
    static const hd_pending pending = {.has_work = requester_has_work, .describe = requester_describe};
    (void)block;
    if (strcmp(id, HD_EXTENSION_ALIGN) == 0)
        return &align;
    return strcmp(id, HD_EXTENSION_PENDING) == 0 ? &pending : NULL;
}

const hd_block_class example_requester = {
    .abi_version = HD_ABI_VERSION,
    .struct_bytes = sizeof(hd_block_class),
    .kind = "example_requester",
    .type = "checking",
    .doc = "Writes words and reads them back",
    .source = "written for these tests",
    .parameter_count = REQUESTER_PARAMETERS,
    .port_count = 1,
    .statistic_count = REQUESTER_STATISTICS,
    .message_count = 3,
    .parameters = requester_parameters,
    .ports = requester_ports,
    .statistics = requester_statistics,
    .messages = requester_messages,
    .create = requester_create,
    .connect = requester_connect,
    .reset = requester_reset,
    .advance = requester_advance,
    .counters = requester_counters,
    .destroy = block_destroy,
    .extension = requester_extension,
};

/* ---- Memory -------------------------------------------------------------------------------------------------------- */

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
        memcpy(self->bytes + request->address, hd_body(request), request->argument);
    services->free(services->context, request);
    return response;
}

static void accept(memory *self, hd_time t)
{
    const hd_services *services = self->services;
    hd_packet *request;
    while (self->tail - self->head < QUEUE && (request = services->pop(services->context, self->in, t))) {
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
    self->starved = services->credits(services->context, self->out, t) == 0;
    if (self->starved)
        return;
    services->send(services->context, self->out, self->queue[self->head++ % QUEUE], t);
    self->statistics[MEMORY_SERVED]++;
}

/* Edge of the next work that needs nothing from outside, or UINT64_MAX. */
static uint64_t next_edge(const memory *self)
{
    const hd_time arrival = self->services->arrival(self->services->context, self->in);
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
