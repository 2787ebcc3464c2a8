/* SPDX-License-Identifier: MIT */
#include "example_blocks.h"
#include "hd_link.h"

#include <stdlib.h>
#include <string.h>

#define MESSAGE_USE(direction_, port_)                                                                                 \
    {                                                                                                                  \
        .name = EXAMPLE_MESSAGE, .direction = direction_, .port = port_                                                \
    }

/* ---- Source ------------------------------------------------------------------------------------------------------- */

enum { SOURCE_PACKETS, SOURCE_GAP, SOURCE_FIRST, SOURCE_DESTINATIONS, SOURCE_PARAMETERS };
static const hd_parameter source_parameters[SOURCE_PARAMETERS] = {
    [SOURCE_PACKETS] = {.name = "packets", .type = HD_TYPE_UNSIGNED, .standard = "10", .doc = "How many it sends"},
    [SOURCE_GAP] = {.name = "gap",
                    .type = HD_TYPE_UNSIGNED,
                    .unit = HD_UNIT_CYCLES,
                    .standard = "1 cycle",
                    .minimum = 1,
                    .maximum = 1000,
                    .doc = "Between two packets: 1 cycle to this many, at random"},
    [SOURCE_FIRST] = {.name = "first_destination",
                      .type = HD_TYPE_UNSIGNED,
                      .standard = "1",
                      .maximum = 65535,
                      .doc = "First endpoint it sends to"},
    [SOURCE_DESTINATIONS] = {.name = "destinations",
                             .type = HD_TYPE_UNSIGNED,
                             .standard = "1",
                             .minimum = 1,
                             .maximum = 64,
                             .doc = "Endpoints it chooses among"},
};
static const hd_port source_ports[] = {{.name = "out",
                                        .direction = HD_PORT_SEND,
                                        .minimum_count = 1,
                                        .maximum_count = 1,
                                        .latency_cycles = 1,
                                        .doc = "Where the packets leave"}};
enum { SOURCE_SENT, SOURCE_STARVED, SOURCE_STATISTICS };
static const hd_statistic source_statistics[SOURCE_STATISTICS] = {
    [SOURCE_SENT] = {.name = "sent", .unit = "packets", .kind = HD_STATISTIC_COUNT, .doc = "Packets sent"},
    [SOURCE_STARVED] = {.name = "starved", .unit = "times", .kind = HD_STATISTIC_COUNT, .doc = "Sends put off"},
};
static const hd_message_use source_messages[] = {MESSAGE_USE(HD_MESSAGE_SENT, "out")};

typedef struct source {
    const hd_services *services;
    hd_link *out;
    hd_value values[SOURCE_PARAMETERS];
    uint64_t statistics[SOURCE_STATISTICS];
    uint32_t message;
    uint32_t waits; /* for a credit */
    hd_cursor edge; /* of the next packet */
} source;

static hd_block *source_create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes)
{
    (void)error;
    (void)error_bytes;
    source *self = calloc(1, sizeof *self);
    self->services = services;
    memcpy(self->values, values, sizeof self->values);
    self->message = services->message(services->context, EXAMPLE_MESSAGE);
    return (hd_block *)self;
}

static void source_connect(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in)
{
    (void)port;
    (void)element;
    (void)in;
    ((source *)block)->out = out;
}

static void source_reset(hd_block *block)
{
    source *self = (source *)block;
    memset(self->statistics, 0, sizeof self->statistics);
    hd_cursor_init(&self->edge, self->services->clock);
    self->waits = 0;
}

static void send_one(source *self)
{
    const hd_services *services = self->services;
    hd_packet *packet = services->alloc(services->context, 16);
    const uint64_t words[2] = {self->statistics[SOURCE_SENT], services->random(services->context)};
    packet->message = self->message;
    packet->source = (uint16_t)services->endpoint;
    packet->destination =
        (uint16_t)(self->values[SOURCE_FIRST].u + (words[1] >> 32) % self->values[SOURCE_DESTINATIONS].u);
    packet->tag = self->statistics[SOURCE_SENT]++;
    packet->wire_bytes = 16;
    memcpy(hd_body(packet), words, sizeof words);
    services->send(services->context, self->out, packet, self->edge.t);
}

static hd_time source_advance(hd_block *block, hd_time now, hd_time horizon)
{
    source *self = (source *)block;
    const hd_services *services = self->services;
    while (self->statistics[SOURCE_SENT] < self->values[SOURCE_PACKETS].u) {
        while (self->edge.t < now)
            hd_cursor_next(&self->edge);
        if (self->edge.t >= horizon)
            return self->waits ? HD_NEVER : self->edge.t;
        if (!hd_link_has_credit(services, self->out, self->edge.t)) {
            self->statistics[SOURCE_STARVED] += !self->waits;
            self->waits = 1;
            return HD_NEVER;
        }
        self->waits = 0;
        send_one(self);
        for (uint64_t gap = 1 + services->random(services->context) % self->values[SOURCE_GAP].u; gap > 0; gap--)
            hd_cursor_next(&self->edge);
    }
    return HD_NEVER;
}

static const uint64_t *source_counters(hd_block *block)
{
    return ((source *)block)->statistics;
}

static void block_destroy(hd_block *block)
{
    free(block);
}

const hd_block_class example_source = {
    .abi_version = HD_ABI_VERSION,
    .struct_bytes = sizeof(hd_block_class),
    .kind = "example_source",
    .type = "random",
    .doc = "Sends packets at random times",
    .source = "written for these tests",
    .parameter_count = SOURCE_PARAMETERS,
    .port_count = 1,
    .statistic_count = SOURCE_STATISTICS,
    .message_count = 1,
    .parameters = source_parameters,
    .ports = source_ports,
    .statistics = source_statistics,
    .messages = source_messages,
    .create = source_create,
    .connect = source_connect,
    .reset = source_reset,
    .advance = source_advance,
    .counters = source_counters,
    .destroy = block_destroy,
};

/* ---- Sink --------------------------------------------------------------------------------------------------------- */

enum { SINK_INTERVAL, SINK_PARAMETERS };
static const hd_parameter sink_parameters[SINK_PARAMETERS] = {
    [SINK_INTERVAL] = {.name = "interval",
                       .type = HD_TYPE_UNSIGNED,
                       .unit = HD_UNIT_CYCLES,
                       .standard = "1 cycle",
                       .minimum = 1,
                       .maximum = 1000000,
                       .doc = "From one packet taken to the next"},
};
static const hd_port sink_ports[] = {{.name = "in",
                                      .direction = HD_PORT_RECEIVE,
                                      .minimum_count = 1,
                                      .maximum_count = 8,
                                      .latency_cycles = 1,
                                      .credits = 4,
                                      .doc = "Where packets arrive"}};
enum { SINK_TAKEN, SINK_CHECKSUM, SINK_TIMES, SINK_STATISTICS };
static const hd_statistic sink_statistics[SINK_STATISTICS] = {
    [SINK_TAKEN] = {.name = "taken", .unit = "packets", .kind = HD_STATISTIC_COUNT, .doc = "Packets taken"},
    [SINK_CHECKSUM] = {.name = "checksum", .unit = "none", .kind = HD_STATISTIC_COUNT, .doc = "Hash of what and when"},
    [SINK_TIMES] = {.name = "times", .unit = "ps", .kind = HD_STATISTIC_COUNT, .doc = "Sum of the times of taking"},
};
static const hd_message_use sink_messages[] = {MESSAGE_USE(HD_MESSAGE_RECEIVED, "in")};

typedef struct sink {
    const hd_services *services;
    hd_link *in[8];
    uint32_t count;
    uint64_t interval;
    uint64_t statistics[SINK_STATISTICS];
    hd_cursor edge; /* the first at which it may take again */
} sink;

static hd_block *sink_create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes)
{
    (void)error;
    (void)error_bytes;
    sink *self = calloc(1, sizeof *self);
    self->services = services;
    self->interval = values[SINK_INTERVAL].u;
    return (hd_block *)self;
}

static void sink_connect(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in)
{
    sink *self = (sink *)block;
    (void)port;
    (void)out;
    self->in[element] = in;
    if (element >= self->count)
        self->count = element + 1;
}

static void sink_reset(hd_block *block)
{
    sink *self = (sink *)block;
    memset(self->statistics, 0, sizeof self->statistics);
    hd_cursor_init(&self->edge, self->services->clock);
}

static void take(sink *self, hd_packet *packet)
{
    const hd_services *services = self->services;
    uint64_t words[2];
    memcpy(words, hd_body(packet), sizeof words);
    self->statistics[SINK_TAKEN]++;
    self->statistics[SINK_CHECKSUM] = self->statistics[SINK_CHECKSUM] * 31 + words[0] + words[1] + self->edge.t;
    self->statistics[SINK_TIMES] += self->edge.t;
    services->progress(services->context, self->edge.t);
    services->free(services->context, packet);
}

/* Lowest element first. */
static hd_packet *pop_any(sink *self, hd_time t)
{
    hd_packet *packet = NULL;
    for (uint32_t i = 0; i < self->count && !packet; i++)
        packet = self->services->pop(self->services->context, self->in[i], t);
    return packet;
}

static hd_time earliest(const sink *self)
{
    hd_time first = HD_NEVER;
    for (uint32_t i = 0; i < self->count; i++) {
        const hd_time t = hd_link_arrival(self->in[i]);
        if (t < first)
            first = t;
    }
    return first;
}

/* Another packet may yet come in earlier than the earliest on its way, so the edge moves only when it is used. */
static hd_time sink_advance(hd_block *block, hd_time now, hd_time horizon)
{
    sink *self = (sink *)block;
    (void)now;
    for (;;) {
        const hd_time first = earliest(self);
        const hd_time t = first > self->edge.t ? first : self->edge.t;
        if (first == HD_NEVER || t >= horizon)
            return first == HD_NEVER ? HD_NEVER : t;
        hd_cursor edge = self->edge;
        hd_cursor_seek(&edge, t);
        if (edge.t >= horizon)
            return edge.t;
        self->edge = edge;
        take(self, pop_any(self, edge.t));
        hd_cursor_seek(&self->edge, hd_clock_edge(edge.clock, edge.n + self->interval));
    }
}

static const uint64_t *sink_counters(hd_block *block)
{
    return ((sink *)block)->statistics;
}

const hd_block_class example_sink = {
    .abi_version = HD_ABI_VERSION,
    .struct_bytes = sizeof(hd_block_class),
    .kind = "example_sink",
    .type = "paced",
    .doc = "Takes packets, one per interval",
    .source = "written for these tests",
    .parameter_count = SINK_PARAMETERS,
    .port_count = 1,
    .statistic_count = SINK_STATISTICS,
    .message_count = 1,
    .parameters = sink_parameters,
    .ports = sink_ports,
    .statistics = sink_statistics,
    .messages = sink_messages,
    .create = sink_create,
    .connect = sink_connect,
    .reset = sink_reset,
    .advance = sink_advance,
    .counters = sink_counters,
    .destroy = block_destroy,
};
