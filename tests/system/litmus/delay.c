/* SPDX-License-Identifier: MIT */
#include "delay.h"

#include <stdlib.h>
#include <string.h>

#define ROOM_MAX 256u

static const hd_parameter parameters[DELAY_PARAMETERS] = {
    [DELAY_MOST] = {.name = "most",
                    .type = HD_TYPE_UNSIGNED,
                    .unit = HD_UNIT_CYCLES,
                    .standard = "200 cycles",
                    .minimum = 0,
                    .maximum = 100000,
                    .doc = "a quarter of the packets stay for up to this long, the others for up to an eighth of it"},
    [DELAY_ROOM] = {.name = "room",
                    .type = HD_TYPE_UNSIGNED,
                    .standard = "64",
                    .minimum = 1,
                    .maximum = ROOM_MAX,
                    .doc = "packets it holds at most"},
};

static const hd_port ports[DELAY_PORTS] = {
    [DELAY_IN] = {.name = "in",
                  .direction = HD_PORT_RECEIVE,
                  .minimum_count = 1,
                  .maximum_count = 1,
                  .latency_cycles = 1,
                  .credits = 8,
                  .doc = "where packets arrive"},
    [DELAY_OUT] = {.name = "out",
                   .direction = HD_PORT_SEND,
                   .minimum_count = 1,
                   .maximum_count = 1,
                   .latency_cycles = 1,
                   .doc = "where they leave"},
};

static const hd_statistic statistics[DELAY_STATISTICS] = {
    [DELAY_FORWARDED] = {.name = "forwarded",
                         .unit = "packets",
                         .kind = HD_STATISTIC_COUNT,
                         .doc = "packets passed on"},
    [DELAY_OVERTAKEN] = {.name = "overtaken",
                         .unit = "packets",
                         .kind = HD_STATISTIC_COUNT,
                         .doc = "packets that had to let a later one pass"},
};

typedef struct held {
    hd_packet *packet;
    uint64_t ready; /* edge */
} held;

typedef struct delay {
    const hd_services *services;
    hd_link *in;
    hd_link *out;
    uint64_t most;
    uint32_t room;
    uint32_t count;
    uint32_t starved;
    held held[ROOM_MAX]; /* in order of arrival */
    uint64_t statistics[DELAY_STATISTICS];
} delay;

static hd_block *create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes)
{
    (void)error;
    (void)error_bytes;
    delay *self = calloc(1, sizeof *self);
    self->services = services;
    self->most = values[DELAY_MOST].u;
    self->room = (uint32_t)values[DELAY_ROOM].u;
    return (hd_block *)self;
}

static void connect(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in)
{
    delay *self = (delay *)block;
    (void)element;
    if (port == DELAY_IN)
        self->in = in;
    else
        self->out = out;
}

static void reset(hd_block *block)
{
    delay *self = (delay *)block;
    for (uint32_t i = 0; i < self->count; i++)
        self->services->free(self->services->context, self->held[i].packet);
    self->count = self->starved = 0;
    memset(self->statistics, 0, sizeof self->statistics);
}

static void destroy(hd_block *block)
{
    reset(block);
    free(block);
}

static uint32_t same_flow(const hd_packet *a, const hd_packet *b)
{
    return a->source == b->source && a->destination == b->destination && a->unit == b->unit && a->flow == b->flow;
}

static uint64_t random_edges(delay *self)
{
    const uint64_t random = self->services->random(self->services->context);
    const uint64_t limit = random % 4 == 0 ? self->most : self->most / 8;
    return 1 + (random >> 8) % (limit + 1);
}

static void take(delay *self, hd_time t, uint64_t edge)
{
    const hd_services *services = self->services;
    while (self->count < self->room) {
        hd_packet *packet = services->pop(services->context, self->in, t);
        if (packet == NULL)
            return;
        uint64_t ready = edge + random_edges(self);
        for (uint32_t i = 0; i < self->count; i++)
            if (same_flow(self->held[i].packet, packet) && self->held[i].ready > ready)
                ready = self->held[i].ready;
        self->held[self->count++] = (held){packet, ready};
    }
}

/* The one that has been ready for longest; of those ready at once the first that came. */
static uint32_t first_ready(const delay *self)
{
    uint32_t first = 0;
    for (uint32_t i = 1; i < self->count; i++)
        if (self->held[i].ready < self->held[first].ready)
            first = i;
    return first;
}

static void leave(delay *self, hd_time t, uint64_t edge)
{
    const hd_services *services = self->services;
    self->starved = 0;
    while (self->count != 0) {
        const uint32_t first = first_ready(self);
        if (self->held[first].ready > edge)
            return;
        self->starved = services->credits(services->context, self->out, t) == 0;
        if (self->starved)
            return;
        services->send(services->context, self->out, self->held[first].packet, t);
        self->statistics[DELAY_FORWARDED]++;
        self->statistics[DELAY_OVERTAKEN] += first != 0;
        self->count--;
        memmove(&self->held[first], &self->held[first + 1], (self->count - first) * sizeof *self->held);
    }
}

/* What waits for a credit is no work. */
static hd_time next_work(const delay *self)
{
    const hd_clock clock = self->services->clock;
    hd_time next = HD_NEVER;
    if (self->count != 0 && !self->starved)
        next = hd_clock_edge(clock, self->held[first_ready(self)].ready);
    const hd_time arrival = self->services->arrival(self->services->context, self->in);
    if (arrival == HD_NEVER || self->count == self->room)
        return next;
    const hd_time taken = hd_clock_edge(clock, hd_clock_index_at_or_after(clock, arrival));
    return taken < next ? taken : next;
}

static hd_time advance(hd_block *block, hd_time now, hd_time horizon)
{
    delay *self = (delay *)block;
    const hd_clock clock = self->services->clock;
    uint64_t edge = hd_clock_index_at_or_after(clock, now);
    for (hd_time t = hd_clock_edge(clock, edge); t < horizon; t = hd_clock_edge(clock, edge)) {
        leave(self, t, edge);
        take(self, t, edge);
        const hd_time next = next_work(self);
        if (next == HD_NEVER)
            return HD_NEVER;
        const uint64_t after = hd_clock_index_at_or_after(clock, next);
        edge = after > edge ? after : edge + 1;
    }
    if (self->starved)
        return hd_clock_edge(clock, edge);
    const hd_time next = next_work(self);
    return next;
}

static hd_time promise(hd_block *block, hd_time now)
{
    const delay *self = (delay *)block;
    const hd_time next = self->starved ? now : next_work(self);
    return next > now ? next : now;
}

static const uint64_t *counters(hd_block *block)
{
    return ((delay *)block)->statistics;
}

const hd_block_class delay_random = {
    .abi_version = HD_ABI_VERSION,
    .struct_bytes = sizeof(hd_block_class),
    .kind = "delay",
    .type = "random",
    .doc = "keeps packets of different flows for random times",
    .source = "written for these tests",
    .flags = HD_BLOCK_FORWARDS,
    .parameter_count = DELAY_PARAMETERS,
    .port_count = DELAY_PORTS,
    .statistic_count = DELAY_STATISTICS,
    .parameters = parameters,
    .ports = ports,
    .statistics = statistics,
    .create = create,
    .connect = connect,
    .reset = reset,
    .advance = advance,
    .promise = promise,
    .counters = counters,
    .destroy = destroy,
};
