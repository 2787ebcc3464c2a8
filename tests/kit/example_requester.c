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
    while ((response = hd_link_pop(services, self->in, t))) {
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
            self->starved = !hd_link_has_credit(services, self->out, t);
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
    const hd_time arrival = hd_link_arrival(self->in);
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
