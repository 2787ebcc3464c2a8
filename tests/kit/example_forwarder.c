/* SPDX-License-Identifier: MIT */
#include "example_blocks.h"
#include "hd_link.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ELEMENTS 16u

static const hd_message_use messages[] = {
    {.name = EXAMPLE_MESSAGE, .direction = HD_MESSAGE_RECEIVED, .port = "in"},
    {.name = EXAMPLE_MESSAGE, .direction = HD_MESSAGE_SENT, .port = "out"},
};

/* ---- Forwarder ---------------------------------------------------------------------------------------------------- */

static const hd_port forwarder_ports[] = {
    [EXAMPLE_FORWARDER_IN] = {.name = "in",
                              .direction = HD_PORT_RECEIVE,
                              .minimum_count = 1,
                              .maximum_count = ELEMENTS,
                              .latency_cycles = 1,
                              .credits = 2,
                              .doc = "From anywhere"},
    [EXAMPLE_FORWARDER_OUT] = {.name = "out",
                               .direction = HD_PORT_SEND,
                               .minimum_count = 1,
                               .maximum_count = ELEMENTS,
                               .latency_cycles = 1,
                               .doc = "To wherever the destination lies"},
};
enum { FORWARDED, BLOCKED, FORWARDER_STATISTICS };
static const hd_statistic forwarder_statistics[FORWARDER_STATISTICS] = {
    [FORWARDED] = {.name = "forwarded", .unit = "packets", .kind = HD_STATISTIC_COUNT, .doc = "Packets passed on"},
    [BLOCKED] = {.name = "blocked", .unit = "times", .kind = HD_STATISTIC_COUNT, .doc = "Packets that had to wait"},
};

typedef struct forwarder {
    const hd_services *services;
    hd_link *in[ELEMENTS];
    hd_link *out[ELEMENTS];
    uint32_t in_count;
    uint32_t was_blocked[ELEMENTS];
    uint64_t statistics[FORWARDER_STATISTICS];
    hd_cursor edge; /* the first not yet done */
} forwarder;

static hd_block *forwarder_create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes)
{
    (void)values;
    (void)error;
    (void)error_bytes;
    forwarder *self = calloc(1, sizeof *self);
    self->services = services;
    return (hd_block *)self;
}

static void forwarder_connect(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in)
{
    forwarder *self = (forwarder *)block;
    if (port == EXAMPLE_FORWARDER_OUT) {
        self->out[element] = out;
        return;
    }
    self->in[element] = in;
    if (element >= self->in_count)
        self->in_count = element + 1;
}

static void forwarder_reset(hd_block *block)
{
    forwarder *self = (forwarder *)block;
    memset(self->statistics, 0, sizeof self->statistics);
    memset(self->was_blocked, 0, sizeof self->was_blocked);
    hd_cursor_init(&self->edge, self->services->clock);
}

static void forward(forwarder *self, uint32_t element, hd_time t)
{
    const hd_services *services = self->services;
    const hd_packet *packet = hd_link_peek(self->in[element], t);
    if (!packet)
        return;
    const uint32_t to = services->route(services->context, EXAMPLE_FORWARDER_OUT, packet->destination);
    if (to == UINT32_MAX) {
        services->fault(services->context, t, "%s: no way to endpoint %u", services->name, packet->destination);
        services->free(services->context, services->pop(services->context, self->in[element], t));
        return;
    }
    if (!hd_link_has_credit(services, self->out[to], t)) {
        self->statistics[BLOCKED] += !self->was_blocked[element];
        self->was_blocked[element] = 1;
        return;
    }
    self->was_blocked[element] = 0;
    self->statistics[FORWARDED]++;
    services->send(services->context, self->out[to], services->pop(services->context, self->in[element], t), t);
}

/* A packet behind the one just taken; one that waits for a credit is no work. */
static hd_time next_work(const forwarder *self)
{
    hd_time first = HD_NEVER;
    for (uint32_t i = 0; i < self->in_count; i++) {
        const hd_time t = hd_link_arrival(self->in[i]);
        if (t < first && !self->was_blocked[i])
            first = t;
    }
    return first > self->edge.t ? first : self->edge.t;
}

static hd_time forwarder_advance(hd_block *block, hd_time now, hd_time horizon)
{
    forwarder *self = (forwarder *)block;
    for (hd_time t = now; t < horizon; t = next_work(self)) {
        if (self->edge.t < t)
            hd_cursor_seek(&self->edge, t);
        if (self->edge.t >= horizon)
            return self->edge.t;
        for (uint32_t i = 0; i < self->in_count; i++)
            forward(self, i, self->edge.t);
        hd_cursor_next(&self->edge);
    }
    return next_work(self);
}

static const uint64_t *forwarder_counters(hd_block *block)
{
    return ((forwarder *)block)->statistics;
}

static void block_destroy(hd_block *block)
{
    free(block);
}

const hd_block_class example_forwarder = {
    .abi_version = HD_ABI_VERSION,
    .struct_bytes = sizeof(hd_block_class),
    .kind = "example_forwarder",
    .type = "bufferless",
    .doc = "Passes packets on by destination",
    .source = "written for these tests",
    .flags = HD_BLOCK_FORWARDS,
    .port_count = 2,
    .statistic_count = FORWARDER_STATISTICS,
    .message_count = 2,
    .ports = forwarder_ports,
    .statistics = forwarder_statistics,
    .messages = messages,
    .create = forwarder_create,
    .connect = forwarder_connect,
    .reset = forwarder_reset,
    .advance = forwarder_advance,
    .counters = forwarder_counters,
    .destroy = block_destroy,
};

/* ---- Delayer ------------------------------------------------------------------------------------------------------ */

enum { DELAYER_LEAST, DELAYER_MOST, DELAYER_ROOM, DELAYER_PARAMETERS };
static const hd_parameter delayer_parameters[DELAYER_PARAMETERS] = {
    [DELAYER_LEAST] = {.name = "least",
                       .type = HD_TYPE_UNSIGNED,
                       .unit = HD_UNIT_CYCLES,
                       .standard = "3 cycles",
                       .minimum = 1,
                       .maximum = 1000,
                       .doc = "Shortest delay"},
    [DELAYER_MOST] = {.name = "most",
                      .type = HD_TYPE_UNSIGNED,
                      .unit = HD_UNIT_CYCLES,
                      .standard = "9 cycles",
                      .minimum = 1,
                      .maximum = 1000,
                      .doc = "Longest delay"},
    [DELAYER_ROOM] = {.name = "room",
                      .type = HD_TYPE_UNSIGNED,
                      .standard = "4",
                      .minimum = 1,
                      .maximum = ELEMENTS,
                      .doc = "Packets it holds at most"},
};
static const hd_port delayer_ports[] = {
    [EXAMPLE_DELAYER_IN] = {.name = "in",
                            .direction = HD_PORT_RECEIVE,
                            .minimum_count = 1,
                            .maximum_count = 1,
                            .latency_cycles = 1,
                            .credits = 2,
                            .doc = "Where packets arrive"},
    [EXAMPLE_DELAYER_OUT] = {.name = "out",
                             .direction = HD_PORT_SEND,
                             .minimum_count = 1,
                             .maximum_count = 1,
                             .latency_cycles = 1,
                             .doc = "Where they leave, in order"},
};
enum { DELAYED, DELAYER_PEAK, DELAYER_STATISTICS };
static const hd_statistic delayer_statistics[DELAYER_STATISTICS] = {
    [DELAYED] = {.name = "delayed", .unit = "packets", .kind = HD_STATISTIC_COUNT, .doc = "Packets passed on"},
    [DELAYER_PEAK] = {.name = "peak", .unit = "packets", .kind = HD_STATISTIC_MAXIMUM, .doc = "Most held at once"},
};

typedef struct delayer {
    const hd_services *services;
    hd_link *in;
    hd_link *out;
    uint64_t least, spread, room;
    uint64_t statistics[DELAYER_STATISTICS];
    hd_packet *held[ELEMENTS];
    uint64_t ready[ELEMENTS]; /* index of the edge */
    uint32_t head, tail;
    uint32_t starved;
} delayer;

static uint32_t delayer_check(const hd_value *values, hd_clock clock, hd_conflict *conflict)
{
    (void)clock;
    if (values[DELAYER_MOST].u >= values[DELAYER_LEAST].u)
        return 1;
    *conflict = (hd_conflict){DELAYER_MOST, DELAYER_LEAST, "most is less than least"};
    return 0;
}

static hd_block *delayer_create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes)
{
    delayer *self = calloc(1, sizeof *self);
    (void)error;
    (void)error_bytes;
    self->services = services;
    self->least = values[DELAYER_LEAST].u;
    self->spread = values[DELAYER_MOST].u - self->least + 1;
    self->room = values[DELAYER_ROOM].u;
    return (hd_block *)self;
}

static void delayer_connect(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in)
{
    delayer *self = (delayer *)block;
    (void)element;
    if (port == EXAMPLE_DELAYER_IN)
        self->in = in;
    else
        self->out = out;
}

static void delayer_reset(hd_block *block)
{
    delayer *self = (delayer *)block;
    for (; self->head != self->tail; self->head++)
        self->services->free(self->services->context, self->held[self->head % ELEMENTS]);
    memset(self->statistics, 0, sizeof self->statistics);
    self->head = self->tail = self->starved = 0;
}

static hd_time ready_time(const delayer *self)
{
    if (self->head == self->tail || self->starved)
        return HD_NEVER;
    return hd_clock_edge(self->services->clock, self->ready[self->head % ELEMENTS]);
}

static hd_time take_time(const delayer *self)
{
    const hd_time arrival = hd_link_arrival(self->in);
    if (arrival == HD_NEVER || self->tail - self->head == self->room)
        return HD_NEVER;
    return hd_clock_edge(self->services->clock, hd_clock_index_at_or_after(self->services->clock, arrival));
}

static void leave(delayer *self, hd_time t)
{
    const hd_services *services = self->services;
    const uint32_t slot = self->head % ELEMENTS;
    if (self->head == self->tail || hd_clock_edge(services->clock, self->ready[slot]) > t)
        return;
    self->starved = !hd_link_has_credit(services, self->out, t);
    if (self->starved)
        return;
    services->send(services->context, self->out, self->held[slot], t);
    self->statistics[DELAYED]++;
    self->head++;
    /* one packet per edge */
    const uint64_t after = hd_clock_index_at_or_after(services->clock, t) + 1;
    if (self->head != self->tail && self->ready[self->head % ELEMENTS] < after)
        self->ready[self->head % ELEMENTS] = after;
}

static void enter(delayer *self, hd_time t)
{
    const hd_services *services = self->services;
    while (self->tail - self->head < self->room) {
        hd_packet *packet = hd_link_pop(services, self->in, t);
        if (!packet)
            return;
        const uint32_t slot = self->tail++ % ELEMENTS;
        self->held[slot] = packet;
        self->ready[slot] = hd_clock_index_at_or_after(services->clock, t) + self->least +
                            services->random(services->context) % self->spread;
        if (self->tail - self->head > self->statistics[DELAYER_PEAK])
            self->statistics[DELAYER_PEAK] = self->tail - self->head;
    }
}

static hd_time delayer_next(const delayer *self)
{
    const hd_time ready = ready_time(self);
    const hd_time take = take_time(self);
    return ready < take ? ready : take;
}

static hd_time delayer_advance(hd_block *block, hd_time now, hd_time horizon)
{
    delayer *self = (delayer *)block;
    const hd_clock clock = self->services->clock;
    hd_time t = hd_clock_edge(clock, hd_clock_index_at_or_after(clock, now));
    if (t >= horizon)
        return self->starved ? t : delayer_next(self);
    while (t < horizon) {
        leave(self, t);
        enter(self, t);
        const hd_time next = delayer_next(self);
        const hd_time after = hd_clock_edge(clock, hd_clock_index_at_or_after(clock, t) + 1);
        if (next == HD_NEVER)
            return HD_NEVER;
        t = next > after ? next : after;
    }
    return t;
}

/* A packet leaves no earlier than the first one held; one that has yet to be taken gives its credit back then. */
static hd_time delayer_promise(hd_block *block, hd_time now)
{
    const delayer *self = (delayer *)block;
    const hd_time next = self->starved ? now : delayer_next(self);
    return next > now ? next : now;
}

static const uint64_t *delayer_counters(hd_block *block)
{
    return ((delayer *)block)->statistics;
}

static void delayer_destroy(hd_block *block)
{
    delayer_reset(block);
    block_destroy(block);
}

const hd_block_class example_delayer = {
    .abi_version = HD_ABI_VERSION,
    .struct_bytes = sizeof(hd_block_class),
    .kind = "example_delayer",
    .type = "random",
    .doc = "Keeps packets for a random time, in order",
    .source = "written for these tests",
    .parameter_count = DELAYER_PARAMETERS,
    .port_count = 2,
    .statistic_count = DELAYER_STATISTICS,
    .message_count = 2,
    .parameters = delayer_parameters,
    .ports = delayer_ports,
    .statistics = delayer_statistics,
    .messages = messages,
    .check = delayer_check,
    .create = delayer_create,
    .connect = delayer_connect,
    .reset = delayer_reset,
    .advance = delayer_advance,
    .promise = delayer_promise,
    .counters = delayer_counters,
    .destroy = delayer_destroy,
};
