/* SPDX-License-Identifier: MIT */
/* The ticket office: it gives the ticket to one warp after the other, as they have asked, and writes what they commit. */
#include <stdio.h>
#include <stdlib.h>

#include "hd_extension.h"
#include "hd_message.h"
#include "hd_work.h"
#include "ticket.h"

#define CORES_MAX 1024u
#define PARTITIONS_MAX 64u

enum { PORT_REQUEST, PORT_REPLY, PORT_STORE, PORT_STORED, PORTS };
enum { WARPS, PARAMETERS };
enum { GRANTED, MOST_WAITING, STATISTICS };
enum { NO_ANSWER, GRANT, STORED };

typedef struct customer {
    uint32_t warp;
    uint32_t endpoint; /* of its core */
} customer;

typedef struct office {
    const hd_services *services;
    const hd_address_map *map;
    hd_cursor cursor; /* first edge not yet worked */
    hd_link *request[CORES_MAX], *reply[CORES_MAX], *store[PARTITIONS_MAX], *stored[PARTITIONS_MAX];
    uint32_t request_count, stored_count;
    uint32_t ask, granted, word, written, stores_done, global_store;

    customer *queue; /* ring: the first has the ticket, if it is out */
    uint32_t capacity, first, count;
    uint32_t is_out;
    uint32_t in_flight;  /* stores */
    uint32_t is_written; /* the holder has sent its last word */
    uint32_t gives_back;
    uint64_t counters[STATISTICS];
} office;

static void destroy(hd_block *block)
{
    office *self = (office *)block;
    free(self->queue);
    free(self);
}

static hd_block *create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes)
{
    office *self = calloc(1, sizeof *self);
    customer *queue = calloc(values[WARPS].u, sizeof *queue);
    if (!self || !queue) {
        snprintf(error, error_bytes, "out of memory");
        free(self);
        free(queue);
        return NULL;
    }
    self->services = services;
    self->queue = queue;
    self->capacity = (uint32_t)values[WARPS].u;
    self->map = services->extension(services->context, HD_EXTENSION_ADDRESS_MAP);
    self->ask = services->message(services->context, TICKET_ASK);
    self->granted = services->message(services->context, TICKET_GRANTED);
    self->word = services->message(services->context, TICKET_WORD);
    self->written = services->message(services->context, TICKET_WRITTEN);
    self->stores_done = services->message(services->context, TICKET_STORED);
    self->global_store = services->message(services->context, HD_GLOBAL_STORE);
    return (hd_block *)self;
}

static void connect(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in)
{
    office *self = (office *)block;
    switch (port) {
    case PORT_REQUEST:
        self->request[element] = in;
        self->request_count += element >= self->request_count;
        break;
    case PORT_REPLY: self->reply[element] = out; break;
    case PORT_STORE: self->store[element] = out; break;
    default:
        self->stored[element] = in;
        self->stored_count += element >= self->stored_count;
        break;
    }
}

static void reset(hd_block *block)
{
    office *self = (office *)block;
    self->first = self->count = self->is_out = self->in_flight = self->is_written = self->gives_back = 0;
    for (uint32_t i = 0; i < STATISTICS; i++)
        self->counters[i] = 0;
    hd_cursor_init(&self->cursor, self->services->clock);
}

/* ---- The ticket --------------------------------------------------------------------------------------------------------- */

/* To the core of the first in the queue. 0: there is no credit. */
static uint32_t answer(office *self, uint32_t message, hd_time t)
{
    const hd_services *services = self->services;
    const customer *holder = &self->queue[self->first];
    hd_link *link = self->reply[services->route(services->context, PORT_REPLY, holder->endpoint)];
    if (!services->credits(services->context, link, t))
        return 0;
    hd_packet *packet = services->alloc(services->context, 0);
    packet->message = message;
    packet->source = (uint16_t)services->endpoint;
    packet->destination = (uint16_t)holder->endpoint;
    packet->traffic_class = HD_CLASS_TRANSACTION;
    packet->flow = holder->warp;
    packet->tag = self->counters[GRANTED];
    packet->wire_bytes = HD_HEADER_WIRE_BYTES;
    services->send(services->context, link, packet, t);
    return 1;
}

/* What the first in the queue is to be told. */
static uint32_t next_answer(const office *self)
{
    if (self->is_out)
        return self->is_written && !self->in_flight ? STORED : NO_ANSWER;
    return self->count ? GRANT : NO_ANSWER;
}

static void grant(office *self, hd_time t)
{
    self->counters[GRANTED]++;
    self->is_out = answer(self, self->granted, t);
    self->counters[GRANTED] -= !self->is_out;
}

static void tell_stored(office *self, hd_time t)
{
    if (!answer(self, self->stores_done, t))
        return;
    self->is_written = 0;
    if (!self->gives_back)
        return;
    self->is_out = 0;
    self->first = (self->first + 1) % self->capacity;
    self->count--;
}

static void enter(office *self, const hd_packet *packet, hd_time t)
{
    if (self->count == self->capacity) {
        self->services->fault(self->services->context, t, "%s: warps (%u) does not suffice: raise it",
                              self->services->name, self->capacity);
        return;
    }
    self->queue[(self->first + self->count++) % self->capacity] = (customer){packet->flow, packet->source};
    if (self->count > self->counters[MOST_WAITING])
        self->counters[MOST_WAITING] = self->count;
}

/* ---- Words ---------------------------------------------------------------------------------------------------------------- */

static hd_link *link_of(const office *self, uint64_t address)
{
    const hd_services *services = self->services;
    const uint32_t partition = hd_partition_of(self->map, address);
    return self->store[services->route(services->context, PORT_STORE, self->map->endpoints[partition])];
}

static void write_word(office *self, const hd_packet *word, hd_time t)
{
    const hd_services *services = self->services;
    hd_packet *packet =
        hd_partition_request(services, self->map, word->address, (uint32_t)(sizeof(hd_store) + sizeof(uint32_t)));
    hd_store *body = hd_body(packet);
    *body = (hd_store){.byte_mask = {(uint32_t)word->tag}};
    for (uint32_t byte = 0; byte < sizeof(uint32_t); byte++)
        hd_store_data(body)[byte] = (uint8_t)(word->argument >> 8 * byte);
    packet->message = self->global_store;
    packet->traffic_class = HD_CLASS_TRANSACTION;
    packet->argument = sizeof(uint32_t);
    packet->wire_bytes += sizeof(uint32_t);
    packet->flow = word->flow;
    packet->epoch = word->epoch;
    self->in_flight++;
    services->send(services->context, link_of(self, word->address), packet, t);
}

/* ---- Time ------------------------------------------------------------------------------------------------------------------ */

/* 0: a word waits for room on the way to its slice. */
static uint32_t take(office *self, hd_link *link, hd_time t)
{
    const hd_services *services = self->services;
    const hd_packet *next = services->peek(services->context, link, t);
    if (!next ||
        (next->message == self->word && !services->credits(services->context, link_of(self, next->address), t)))
        return 0;
    hd_packet *packet = services->pop(services->context, link, t);
    if (packet->message == self->ask) {
        enter(self, packet, t);
    } else if (packet->message == self->word) {
        write_word(self, packet, t);
    } else {
        self->is_written = 1;
        self->gives_back = packet->argument;
    }
    services->free(services->context, packet);
    return 1;
}

static void work(void *block, hd_time t)
{
    office *self = block;
    const hd_services *services = self->services;
    hd_packet *packet;
    for (uint32_t i = 0; i < self->stored_count; i++)
        while ((packet = services->pop(services->context, self->stored[i], t))) {
            self->in_flight--;
            services->free(services->context, packet);
        }
    for (uint32_t i = 0; i < self->request_count; i++)
        while (take(self, self->request[i], t))
            ;
    if (next_answer(self) == STORED)
        tell_stored(self, t);
    if (next_answer(self) == GRANT)
        grant(self, t);
}

/* At every edge while an answer or a word waits for a credit. */
static hd_time next(const void *block)
{
    const office *self = block;
    const hd_services *services = self->services;
    hd_cursor cursor = self->cursor;
    hd_work work = hd_work_none();
    for (uint32_t i = 0; i < self->stored_count; i++)
        hd_work_at_time(&work, services->arrival(services->context, self->stored[i]));
    for (uint32_t i = 0; i < self->request_count; i++)
        hd_work_at_time(&work, services->arrival(services->context, self->request[i]));
    if (next_answer(self) != NO_ANSWER)
        hd_work_at_edge(&work, self->cursor.n);
    return hd_work_seek(&work, &cursor) ? cursor.t : HD_NEVER;
}

static hd_time advance(hd_block *block, hd_time now, hd_time horizon)
{
    static const hd_walk walk = {.work = work, .next = next};
    office *self = (office *)block;
    return hd_walk_span(&walk, self, &self->cursor, now, horizon);
}

static const uint64_t *counters(hd_block *block)
{
    return ((office *)block)->counters;
}

/* ---- What it says about itself ------------------------------------------------------------------------------------------- */

static uint32_t has_work(hd_block *block)
{
    const office *self = (const office *)block;
    return self->count != 0;
}

static void describe(hd_block *block, const hd_text_sink *sink)
{
    const office *self = (const office *)block;
    if (self->count)
        sink->line(sink->context, "%u warps wait for the ticket, or have it; %u stores are on their way", self->count,
                   self->in_flight);
}

static void align(hd_block *block, hd_time t, const hd_write_back_sink *sink)
{
    (void)block, (void)t, (void)sink;
}

static void mark(hd_block *block)
{
    office *self = (office *)block;
    self->counters[MOST_WAITING] = self->count;
}

static const void *extension(hd_block *block, const char *id)
{
    static const hd_pending pending = {has_work, describe};
    static const hd_align alignment = {align};
    static const hd_mark marking = {mark};
    (void)block;
    return hd_ability(id, &pending, &alignment, &marking);
}

static const hd_parameter parameters[PARAMETERS] = {
    [WARPS] = {.name = "warps",
               .type = HD_TYPE_UNSIGNED,
               .standard = "4096",
               .minimum = 1,
               .maximum = 65536,
               .doc = "limit on the warps of all cores"},
};

static const hd_statistic statistics[STATISTICS] = {
    [GRANTED] = {.name = "granted", .unit = "tickets", .kind = HD_STATISTIC_COUNT, .doc = "tickets given out"},
    [MOST_WAITING] = {.name = "most_waiting",
                      .unit = "warps",
                      .kind = HD_STATISTIC_MAXIMUM,
                      .doc = "most warps that waited for the ticket or had it"},
};

static const hd_port ports[PORTS] = {
    [PORT_REQUEST] = {"request", HD_PORT_RECEIVE, 1, CORES_MAX, 1, 8, "what cores ask and write"},
    [PORT_REPLY] = {"reply", HD_PORT_SEND, 1, CORES_MAX, 1, 8, "tickets, and that all is written, to the cores"},
    [PORT_STORE] = {"store", HD_PORT_SEND, 1, PARTITIONS_MAX, 1, 8, "committed words, to the slices"},
    [PORT_STORED] = {"stored", HD_PORT_RECEIVE, 1, PARTITIONS_MAX, 1, 8, "replies of the slices"},
};

static const hd_message_use messages[] = {
    {TICKET_ASK, HD_MESSAGE_RECEIVED, 0, "request"},
    {TICKET_WORD, HD_MESSAGE_RECEIVED, 0, "request"},
    {TICKET_WRITTEN, HD_MESSAGE_RECEIVED, 0, "request"},
    {TICKET_GRANTED, HD_MESSAGE_SENT, 0, "reply"},
    {TICKET_STORED, HD_MESSAGE_SENT, 0, "reply"},
    {HD_GLOBAL_STORE, HD_MESSAGE_SENT, 0, "store"},
    {HD_GLOBAL_STORE_ACK, HD_MESSAGE_RECEIVED, 0, "stored"},
};

const hd_block_class ticket_office = {
    .abi_version = HD_ABI_VERSION,
    .struct_bytes = sizeof(hd_block_class),
    .kind = "ticket_office",
    .type = "toy",
    .doc = "has one ticket, which warps have in turn, and writes what they commit",
    .source = "an example",
    .flags = HD_BLOCK_ADDRESS_MAP,
    .parameter_count = PARAMETERS,
    .parameters = parameters,
    .port_count = PORTS,
    .ports = ports,
    .statistic_count = STATISTICS,
    .statistics = statistics,
    .message_count = sizeof messages / sizeof *messages,
    .messages = messages,
    .create = create,
    .connect = connect,
    .reset = reset,
    .advance = advance,
    .counters = counters,
    .destroy = destroy,
    .extension = extension,
};
