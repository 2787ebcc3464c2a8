/* SPDX-License-Identifier: MIT */
#include "commit_id_vendor.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hd_extension.h"
#include "hd_kilo.h"
#include "hd_link.h"
#include "hd_state.h"
#include "hd_tables.h"
#include "hd_trace.h"
#include "hd_work.h"

#define CORES_MAX 1024u
#define UNITS_MAX 64u
#define NOBODY UINT32_MAX

enum { PORT_REQUEST, PORT_REPLY, PORT_ROOM, PORT_COUNT };
enum { PARAMETER_LATENCY, PARAMETER_RATE, PARAMETER_COUNT };
enum { EVENT_TAKEN, EVENT_COUNT };

static const hd_parameter parameters[PARAMETER_COUNT] = {
    [PARAMETER_LATENCY] = {.name = "latency",
                           .type = HD_TYPE_UNSIGNED,
                           .unit = HD_UNIT_CYCLES,
                           .standard = "0 cycles",
                           .maximum = 100000,
                           .doc = "from a request's arrival to the departure of its reply"},
    [PARAMETER_RATE] = {.name = "rate",
                        .type = HD_TYPE_UNSIGNED,
                        .standard = "0",
                        .maximum = CORES_MAX,
                        .doc = "requests served per cycle, each of a warp; 0: any number"},
};

/* X(identifier, name, unit, kind, doc) */
#define VENDOR_STATISTICS(X)                                                                                           \
    X(requests, "requests", "requests", COUNT, "requests served, each of a warp")                                      \
    X(ids, "ids", "attempts", COUNT, "commit IDs given out")                                                           \
    X(request_cycles, "request_cycles", "cycles", COUNT, "time from a request's arrival to its reply, summed")         \
    X(room_wait_cycles, "wait_cycles.room", "cycles", COUNT, "a commit unit has no entries for the next request")      \
    X(reply_wait_cycles, "wait_cycles.reply", "cycles", COUNT, "no credit of the link to the core")

typedef struct vendor_counters {
    VENDOR_STATISTICS(HD_COUNTER)
} vendor_counters;

static const hd_statistic statistics[] = {VENDOR_STATISTICS(HD_STATISTIC_ROW)};

#define PORT(id, name_, direction_, minimum_, maximum_, credits_, doc_)                                                \
    [id] = {.name = name_,                                                                                             \
            .direction = direction_,                                                                                   \
            .minimum_count = minimum_,                                                                                 \
            .maximum_count = maximum_,                                                                                 \
            .latency_cycles = 1,                                                                                       \
            .credits = credits_,                                                                                       \
            .doc = doc_}
static const hd_port ports[PORT_COUNT] = {
    PORT(PORT_REQUEST, "request", HD_PORT_RECEIVE, 1, CORES_MAX, 64, "requests for commit IDs, from cores"),
    PORT(PORT_REPLY, "reply", HD_PORT_SEND, 1, CORES_MAX, 8, "replies"),
    PORT(PORT_ROOM, "room", HD_PORT_RECEIVE, 0, UNITS_MAX, 8, "for which IDs there is room, from commit units"),
};

static const hd_message_use messages[] = {
    {HD_KILO_TAKE_IDS, HD_MESSAGE_RECEIVED, 0, "request"},
    {HD_KILO_IDS, HD_MESSAGE_SENT, 0, "reply"},
    {HD_KILO_ROOM, HD_MESSAGE_RECEIVED, 0, "room"},
};

static const hd_trace_event trace_events[EVENT_COUNT] = {
    [EVENT_TAKEN] = {"ids", HD_TRACE_INSTANT, 0, "warp|first|count", NULL, "a warp takes commit IDs"},
};

typedef struct vendor {
    const hd_services *services;
    const hd_trace *trace;
    hd_cursor cursor;
    uint64_t latency;
    uint32_t rate;
    uint32_t take_ids, ids, room;
    hd_link *request[CORES_MAX], *reply[CORES_MAX], *rooms[UNITS_MAX];
    uint32_t request_count, room_count;
    uint64_t limit[UNITS_MAX]; /* of each unit: it has room for IDs below */
    uint64_t next;
    uint32_t waits_for_room, waits_for_reply;
    uint64_t accounted;
    vendor_counters counters;
} vendor;

static hd_block *create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes)
{
    vendor *self = calloc(1, sizeof *self);
    if (!self) {
        snprintf(error, error_bytes, "out of memory");
        return NULL;
    }
    self->services = services;
    self->trace = services->extension(services->context, HD_EXTENSION_TRACE);
    self->latency = values[PARAMETER_LATENCY].u;
    self->rate = values[PARAMETER_RATE].u ? (uint32_t)values[PARAMETER_RATE].u : UINT32_MAX;
    self->take_ids = services->message(services->context, HD_KILO_TAKE_IDS);
    self->ids = services->message(services->context, HD_KILO_IDS);
    self->room = services->message(services->context, HD_KILO_ROOM);
    return (hd_block *)self;
}

static void connect_port(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in)
{
    vendor *self = (vendor *)block;
    if (port == PORT_REQUEST) {
        self->request[element] = in;
        self->request_count = element + 1 > self->request_count ? element + 1 : self->request_count;
    } else if (port == PORT_REPLY) {
        self->reply[element] = out;
    } else {
        self->rooms[element] = in;
        self->room_count = element + 1 > self->room_count ? element + 1 : self->room_count;
    }
}

static void reset(hd_block *block)
{
    vendor *self = (vendor *)block;
    memset(self->limit, 0, sizeof self->limit);
    self->next = 1;
    self->waits_for_room = self->waits_for_reply = 0;
    self->accounted = 0;
    memset(&self->counters, 0, sizeof self->counters);
    hd_cursor_init(&self->cursor, self->services->clock);
}

/* ---- Requests -------------------------------------------------------------------------------------------------------- */

/* Where the request waits that came first; NOBODY: none has come. *arrival: when. */
static uint32_t oldest(const vendor *self, hd_time *arrival)
{
    uint32_t element = NOBODY;
    *arrival = HD_NEVER;
    for (uint32_t i = 0; i < self->request_count; i++) {
        const hd_time t = hd_link_arrival(self->request[i]);
        if (t < *arrival) {
            *arrival = t;
            element = i;
        }
    }
    return element;
}

static uint64_t due_edge(const vendor *self, hd_time arrival)
{
    return hd_cursor_index_of(&self->cursor, arrival) + self->latency;
}

static uint32_t has_room(const vendor *self, uint32_t count)
{
    for (uint32_t i = 0; i < self->room_count; i++)
        if (self->next + count > self->limit[i])
            return 0;
    return 1;
}

static void take_rooms(vendor *self, hd_time t)
{
    const hd_services *services = self->services;
    for (uint32_t i = 0; i < self->room_count; i++)
        for (hd_packet *packet; (packet = hd_link_pop(services, self->rooms[i], t));) {
            self->limit[i] = packet->address;
            services->free(services->context, packet);
        }
}

static uint32_t is_sound(const vendor *self, const hd_packet *packet)
{
    return packet->message == self->take_ids && packet->argument && packet->argument <= HD_KILO_GROUP_MAX;
}

static void give(vendor *self, uint32_t element, uint32_t to, hd_time arrival, hd_time t)
{
    const hd_services *services = self->services;
    hd_packet *packet = services->pop(services->context, self->request[element], t);
    const uint32_t count = packet->argument;
    packet->message = self->ids;
    packet->destination = packet->source;
    packet->source = (uint16_t)services->endpoint;
    packet->unit = HD_DESTINATION_DEFAULT;
    packet->address = self->next;
    packet->body_bytes = 0;
    packet->wire_bytes = HD_HEADER_WIRE_BYTES;
    hd_trace_instant(self->trace, HD_TRACE_BLOCK, EVENT_TAKEN, t, packet->flow, self->next, count);
    self->next += count;
    self->counters.requests++;
    self->counters.ids += count;
    self->counters.request_cycles += self->cursor.n - hd_cursor_index_of(&self->cursor, arrival);
    services->send(services->context, self->reply[to], packet, t);
}

/* The request at the element, which came first. 0: it has to wait. */
static uint32_t serve(vendor *self, uint32_t element, hd_time arrival, hd_time t)
{
    const hd_services *services = self->services;
    const hd_packet *packet = hd_link_peek(self->request[element], t);
    const uint32_t to = services->route(services->context, PORT_REPLY, packet->source);
    if (!is_sound(self, packet) || to == NOBODY) {
        services->fault(services->context, t,
                        "%s: ill-formed request, or no way back: message %" PRIu32 " from endpoint %" PRIu16,
                        services->name, packet->message, packet->source);
        services->free(services->context, services->pop(services->context, self->request[element], t));
        return 1;
    }
    self->waits_for_room = !has_room(self, packet->argument);
    if (self->waits_for_room)
        return 0;
    self->waits_for_reply = !hd_link_has_credit(services, self->reply[to], t);
    if (self->waits_for_reply)
        return 0;
    give(self, element, to, arrival, t);
    return 1;
}

/* ---- At an edge ------------------------------------------------------------------------------------------------------ */

static void account_until(void *block, uint64_t edge)
{
    vendor *self = block;
    const uint64_t cycles = hd_walk_account(&self->accounted, edge);
    self->counters.room_wait_cycles += cycles * self->waits_for_room;
    self->counters.reply_wait_cycles += cycles * self->waits_for_reply;
}

static void work(void *block, hd_time t)
{
    vendor *self = block;
    hd_time arrival;
    take_rooms(self, t);
    self->waits_for_room = self->waits_for_reply = 0;
    for (uint32_t served = 0; served < self->rate; served++) {
        const uint32_t element = oldest(self, &arrival);
        if (element == NOBODY || arrival > t || due_edge(self, arrival) > self->cursor.n ||
            !serve(self, element, arrival, t))
            return;
    }
}

static hd_time next(const void *block)
{
    const vendor *self = block;
    hd_cursor cursor = self->cursor;
    hd_work work = hd_work_none();
    hd_time arrival;
    for (uint32_t i = 0; i < self->room_count; i++)
        hd_work_at_time(&work, hd_link_arrival(self->rooms[i]));
    if (!self->waits_for_room && !self->waits_for_reply && oldest(self, &arrival) != NOBODY)
        hd_work_at_edge(&work, due_edge(self, arrival));
    return hd_work_seek(&work, &cursor) ? cursor.t : HD_NEVER;
}

static hd_time advance(hd_block *block, hd_time now, hd_time horizon)
{
    static const hd_walk walk = {.account_until = account_until, .work = work, .next = next};
    vendor *self = (vendor *)block;
    return hd_walk_span(&walk, self, &self->cursor, now, horizon);
}

static const uint64_t *counters(hd_block *block)
{
    return (const uint64_t *)&((vendor *)block)->counters;
}

static void destroy(hd_block *block)
{
    free(block);
}

/* ---- Abilities ------------------------------------------------------------------------------------------------------- */

static uint32_t has_work(hd_block *block)
{
    hd_time arrival;
    return oldest((const vendor *)block, &arrival) != NOBODY;
}

static void describe(hd_block *block, const hd_text_sink *sink)
{
    const vendor *self = (const vendor *)block;
    for (uint32_t i = 0; self->waits_for_room && i < self->room_count; i++)
        if (self->next >= self->limit[i])
            sink->line(sink->context, "waits for room in commit unit %" PRIu32 " for commit ID %" PRIu64, i,
                       self->next);
    if (self->waits_for_reply)
        sink->line(sink->context, "waits for a credit to a core");
}

static void transfer(hd_block *block, const hd_state_stream *stream)
{
    vendor *self = (vendor *)block;
    HD_STATE_SHAPE(stream, "commit units", self->room_count);
    HD_STATE_VALUE(stream, self->cursor);
    HD_STATE_VALUE(stream, self->limit);
    HD_STATE_VALUE(stream, self->next);
    HD_STATE_VALUE(stream, self->waits_for_room);
    HD_STATE_VALUE(stream, self->waits_for_reply);
    HD_STATE_VALUE(stream, self->accounted);
    HD_STATE_VALUE(stream, self->counters);
}

static const void *extension(hd_block *block, const char *id)
{
    static const hd_pending pending = {has_work, describe};
    static const hd_state state = {.transfer = transfer};
    (void)block;
    if (strcmp(id, HD_EXTENSION_STATE) == 0)
        return &state;
    return hd_ability(id, &pending, NULL, NULL);
}

__attribute__((visibility("default"))) const hd_block_class hd_commit_id_vendor_contiguous = {
    .abi_version = HD_ABI_VERSION,
    .struct_bytes = sizeof(hd_block_class),
    .kind = "commit_id_vendor",
    .type = "contiguous",
    .doc = "gives out commit IDs, in the order in which transactions commit",
    .source = "Fung 2015 §4.2.5",
    .parameter_count = PARAMETER_COUNT,
    .port_count = PORT_COUNT,
    .statistic_count = sizeof statistics / sizeof *statistics,
    .message_count = sizeof messages / sizeof *messages,
    .parameters = parameters,
    .ports = ports,
    .statistics = statistics,
    .messages = messages,
    .trace_events = trace_events,
    .trace_event_count = EVENT_COUNT,
    .create = create,
    .connect = connect_port,
    .reset = reset,
    .advance = advance,
    .counters = counters,
    .destroy = destroy,
    .extension = extension,
};
