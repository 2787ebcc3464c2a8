/*
 * A stage between two blocks: what arrives on one side leaves on the other, in order, `latency` cycles later, one packet per
 * cycle and direction. It stands between blocks that speak the memory protocol (ports access and memory), such as an L2 slice
 * and its DRAM controller, or in the path of messages (ports in and out), such as that from a core to the network.
 */
#include "@name@.h"

#include <stdlib.h>
#include <string.h>

#include "hd_extension.h"
#include "hd_message.h"

/* ---- Declaration -------------------------------------------------------------------------------------------------- */

static const hd_parameter parameters[@NAME@_PARAMETERS] = {
    [@NAME@_LATENCY] = {.name = "latency",
                        .type = HD_TYPE_UNSIGNED,
                        .unit = HD_UNIT_CYCLES,
                        .standard = "2 cycles",
                        .minimum = 1,
                        .maximum = 100000,
                        .doc = "from taking a packet to passing it on"},
    [@NAME@_ROOM] = {.name = "room",
                     .type = HD_TYPE_UNSIGNED,
                     .standard = "16",
                     .minimum = 1,
                     .maximum = 65536,
                     .doc = "packets held at a time, per direction"},
};
/* A side that is not bound is not used. */
static const hd_port ports[@NAME@_PORTS] = {
    [@NAME@_ACCESS] = {.name = "access",
                       .direction = HD_PORT_TARGET,
                       .maximum_count = 1,
                       .latency_cycles = 1,
                       .credits = 8,
                       .doc = "requests from above"},
    [@NAME@_MEMORY] = {.name = "memory",
                       .direction = HD_PORT_INITIATOR,
                       .maximum_count = 1,
                       .latency_cycles = 1,
                       .credits = 8,
                       .doc = "requests to what is below"},
    [@NAME@_IN] = {.name = "in",
                   .direction = HD_PORT_RECEIVE,
                   .maximum_count = 1,
                   .latency_cycles = 1,
                   .credits = 8,
                   .doc = "messages from one side"},
    [@NAME@_OUT] = {.name = "out",
                    .direction = HD_PORT_SEND,
                    .maximum_count = 1,
                    .latency_cycles = 1,
                    .credits = 8,
                    .doc = "the same messages to the other"},
};
static const hd_statistic statistics[@NAME@_STATISTICS] = {
    [@NAME@_REQUESTS] = {"requests", "packets", HD_STATISTIC_COUNT, 0, "requests passed on"},
    [@NAME@_RESPONSES] = {"responses", "packets", HD_STATISTIC_COUNT, 0, "responses passed on"},
    [@NAME@_MESSAGES] = {"messages", "packets", HD_STATISTIC_COUNT, 0, "messages passed on"},
    [@NAME@_HELD_MAXIMUM] = {"held_maximum", "packets", HD_STATISTIC_MAXIMUM, 0, "most packets held in one direction"},
};
static const hd_message_use messages[] = {
    {HD_MEMORY_READ, HD_MESSAGE_RECEIVED, 0, "access"},     {HD_MEMORY_WRITE, HD_MESSAGE_RECEIVED, 0, "access"},
    {HD_MEMORY_RESPONSE, HD_MESSAGE_SENT, 0, "access"},     {HD_MEMORY_READ, HD_MESSAGE_SENT, 0, "memory"},
    {HD_MEMORY_WRITE, HD_MESSAGE_SENT, 0, "memory"},        {HD_MEMORY_RESPONSE, HD_MESSAGE_RECEIVED, 0, "memory"},
};

/* ---- State -------------------------------------------------------------------------------------------------------- */

typedef struct held {
    hd_packet *packet;
    uint64_t edge; /* from which on it may leave */
} held;

/* One direction. */
typedef struct lane {
    hd_link *in, *out; /* NULL: not bound */
    held *packets;     /* a ring of `room` */
    uint64_t first, count;
    uint32_t starved; /* the oldest packet waits for a credit */
} lane;

enum { REQUESTS, RESPONSES, MESSAGES, LANES }; /* in the order of their statistics */

typedef struct stage {
    const hd_services *services;
    uint64_t latency, room;
    lane lanes[LANES];
    uint64_t edge; /* next edge to be processed */
    uint64_t counters[@NAME@_STATISTICS];
} stage;

static held *held_at(const stage *self, const lane *lane, uint64_t n)
{
    return &lane->packets[(lane->first + n) % self->room];
}

static uint32_t has_room(const stage *self, const lane *lane)
{
    return lane->count < self->room;
}

static void hold(stage *self, lane *lane, hd_packet *packet)
{
    *held_at(self, lane, lane->count++) = (held){.packet = packet, .edge = self->edge + self->latency};
    if (self->counters[@NAME@_HELD_MAXIMUM] < lane->count)
        self->counters[@NAME@_HELD_MAXIMUM] = lane->count;
}

/* ---- Life --------------------------------------------------------------------------------------------------------- */

static void drop_packets(stage *self)
{
    for (uint32_t i = 0; i < LANES; i++)
        for (; self->lanes[i].count; self->lanes[i].count--)
            self->services->free(self->services->context, held_at(self, &self->lanes[i], self->lanes[i].count - 1)->packet);
}

static void destroy(hd_block *block)
{
    stage *self = (stage *)block;
    drop_packets(self);
    for (uint32_t i = 0; i < LANES; i++)
        free(self->lanes[i].packets);
    free(self);
}

static hd_block *create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes)
{
    stage *self = calloc(1, sizeof *self);
    (void)error, (void)error_bytes;
    if (!self)
        abort();
    self->services = services;
    self->latency = values[@NAME@_LATENCY].u;
    self->room = values[@NAME@_ROOM].u;
    for (uint32_t i = 0; i < LANES; i++)
        if (!(self->lanes[i].packets = calloc(self->room, sizeof *self->lanes[i].packets)))
            abort();
    return (hd_block *)self;
}

/* Requests enter at access and leave at memory, responses the other way round. */
static void connect(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in)
{
    stage *self = (stage *)block;
    (void)element;
    switch (port) {
    case @NAME@_ACCESS:
        self->lanes[REQUESTS].in = in;
        self->lanes[RESPONSES].out = out;
        break;
    case @NAME@_MEMORY:
        self->lanes[REQUESTS].out = out;
        self->lanes[RESPONSES].in = in;
        break;
    case @NAME@_IN: self->lanes[MESSAGES].in = in; break;
    default: self->lanes[MESSAGES].out = out;
    }
}

static void reset(hd_block *block)
{
    stage *self = (stage *)block;
    drop_packets(self);
    for (uint32_t i = 0; i < LANES; i++)
        self->lanes[i].first = self->lanes[i].starved = 0;
    memset(self->counters, 0, sizeof self->counters);
    self->edge = 0;
}

/* ---- Work --------------------------------------------------------------------------------------------------------- */

static void take(stage *self, lane *lane, hd_time t)
{
    hd_packet *packet = NULL;
    if (lane->in && has_room(self, lane))
        packet = self->services->pop(self->services->context, lane->in, t);
    if (packet)
        hold(self, lane, packet);
}

static void pass_on(stage *self, lane *lane, hd_time t)
{
    const hd_services *services = self->services;
    lane->starved = 0;
    if (!lane->out || !lane->count || held_at(self, lane, 0)->edge > self->edge)
        return;
    lane->starved = !services->credits(services->context, lane->out, t);
    if (lane->starved)
        return;
    services->send(services->context, lane->out, held_at(self, lane, 0)->packet, t);
    lane->first++;
    lane->count--;
    self->counters[@NAME@_REQUESTS + (lane - self->lanes)]++;
}

/* When a lane has something to do without further input. A credit that is awaited is input. */
static hd_time lane_next(const stage *self, const lane *lane)
{
    hd_clock clock = self->services->clock;
    hd_time arrival = HD_NEVER;
    uint64_t edge = UINT64_MAX;
    if (lane->in && has_room(self, lane))
        arrival = self->services->arrival(self->services->context, lane->in);
    if (lane->count && !lane->starved)
        edge = held_at(self, lane, 0)->edge;
    if (arrival != HD_NEVER) {
        uint64_t first = hd_clock_index_at_or_after(clock, arrival);
        edge = first < edge ? first : edge;
    }
    if (edge == UINT64_MAX)
        return HD_NEVER;
    return hd_clock_edge(clock, edge < self->edge ? self->edge : edge);
}

static hd_time next_time(const stage *self)
{
    hd_time next = HD_NEVER;
    for (uint32_t i = 0; i < LANES; i++) {
        hd_time t = lane_next(self, &self->lanes[i]);
        next = t < next ? t : next;
    }
    return next;
}

static hd_time advance(hd_block *block, hd_time now, hd_time horizon)
{
    stage *self = (stage *)block;
    hd_clock clock = self->services->clock;
    for (hd_time t = now; t < horizon; t = next_time(self)) {
        uint64_t edge = hd_clock_index_at_or_after(clock, t);
        t = hd_clock_edge(clock, edge);
        if (t >= horizon)
            return t;
        self->edge = edge;
        for (uint32_t i = 0; i < LANES; i++)
            pass_on(self, &self->lanes[i], t);
        for (uint32_t i = 0; i < LANES; i++)
            take(self, &self->lanes[i], t);
        self->edge++;
    }
    return next_time(self);
}

static const uint64_t *counters(hd_block *block)
{
    return ((stage *)block)->counters;
}

/* ---- What others ask it ------------------------------------------------------------------------------------------- */

/* Packets are on their way: in a hang, they are what is waited for. */
static uint32_t has_work(hd_block *block)
{
    const stage *self = (const stage *)block;
    uint64_t count = 0;
    for (uint32_t i = 0; i < LANES; i++)
        count += self->lanes[i].count;
    return count > 0;
}

static void describe(hd_block *block, const hd_text_sink *sink)
{
    static const char *const names[LANES] = {"requests", "responses", "messages"};
    const stage *self = (const stage *)block;
    for (uint32_t i = 0; i < LANES; i++)
        if (self->lanes[i].count)
            sink->line(sink->context, "%llu %s %s", (unsigned long long)self->lanes[i].count, names[i],
                       self->lanes[i].starved ? "wait for a credit" : "are about to leave");
}

static const void *extension(hd_block *block, const char *id)
{
    static const hd_pending pending = {has_work, describe};
    (void)block;
    return hd_ability(id, &pending, NULL, NULL);
}

/* It holds no data: who writes back to memory, or looks into it without taking time, is led to the block below. */
const hd_block_class @name@_class = {
    .abi_version = HD_ABI_VERSION,
    .struct_bytes = sizeof(hd_block_class),
    .kind = "stage",
    .type = "@name@",
    .doc = "passes packets on after a fixed time",
    .source = "heddle new block --between",
    .flags = HD_BLOCK_FORWARDS,
    .parameter_count = @NAME@_PARAMETERS,
    .port_count = @NAME@_PORTS,
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
    .counters = counters,
    .destroy = destroy,
    .extension = extension,
};
