/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commit_unit.h"
#include "state.h"

static const hd_parameter parameters[PARAMETER_COUNT] = {
    [PARAMETER_BYTES] =
        {.name = "bytes",
         .type = HD_TYPE_UNSIGNED,
         .unit = HD_UNIT_BYTES,
         .standard = "16 KiB",
         .minimum = 512,
         .maximum = 16777216,
         .doc = "size of the buffer, 32 B per region, held from the log's arrival to the slice's acknowledgement"},
    [PARAMETER_BYTES_PER_CYCLE] = {.name = "bytes_per_cycle",
                                   .type = HD_TYPE_UNSIGNED,
                                   .unit = HD_UNIT_BYTES,
                                   .standard = "32 B",
                                   .minimum = 1,
                                   .maximum = 128,
                                   .doc = "bytes applied per cycle, of one region"},
    [PARAMETER_COALESCE] = {.name = "coalesce",
                            .type = HD_TYPE_BOOLEAN,
                            .standard = "true",
                            .doc = "merge an attempt's regions with the same address"},
    [PARAMETER_LOGS] = {.name = "logs",
                        .type = HD_TYPE_UNSIGNED,
                        .standard = "256",
                        .minimum = 1,
                        .maximum = 65536,
                        .doc = "packets accepted but not yet acknowledged"},
};

static const hd_statistic statistics[] = {COMMIT_STATISTICS(HD_STATISTIC_ROW)};

#define PORT(id, name_, direction_, credits_, doc_)                                                                    \
    [id] = {.name = name_,                                                                                             \
            .direction = direction_,                                                                                   \
            .minimum_count = 1,                                                                                        \
            .maximum_count = 1,                                                                                        \
            .latency_cycles = 1,                                                                                       \
            .credits = credits_,                                                                                       \
            .doc = doc_}
static const hd_port ports[PORT_COUNT] = {
    PORT(PORT_LOG, "log", HD_PORT_RECEIVE, 16, "write logs"),
    PORT(PORT_ACK, "ack", HD_PORT_SEND, 8, "acknowledgements, when a whole packet is applied"),
    PORT(PORT_STORE, "store", HD_PORT_SEND, 8, "regions written to the slice"),
    PORT(PORT_STORED, "stored", HD_PORT_RECEIVE, 8, "replies"),
    PORT(PORT_RELEASE, "release", HD_PORT_SEND, 8, "reservations of aborted lanes, to the validation unit"),
    PORT(PORT_RELEASED, "released", HD_PORT_RECEIVE, 8, "replies"),
};

static const hd_message_use messages[] = {
    {HD_GETM_LOG, HD_MESSAGE_RECEIVED, 0, "log"},     {HD_GETM_LOG_ACK, HD_MESSAGE_SENT, 0, "ack"},
    {HD_GLOBAL_STORE, HD_MESSAGE_SENT, 0, "store"},   {HD_GLOBAL_STORE_ACK, HD_MESSAGE_RECEIVED, 0, "stored"},
    {HD_GETM_RELEASE, HD_MESSAGE_SENT, 0, "release"}, {HD_GETM_RELEASED, HD_MESSAGE_RECEIVED, 0, "released"},
};

static const hd_trace_event trace_events[EVENT_COUNT] = {
    [EVENT_APPLIED] = {.name = "applied",
                       .form = HD_TRACE_INSTANT,
                       .values = "warp|0xaddress|bytes",
                       .doc = "a region goes to the slice, or, without data, to the validation unit"},
    [EVENT_REGIONS] = {.name = "regions", .form = HD_TRACE_COUNTER, .unit = "regions", .doc = "regions in the buffer"},
};

static void destroy(hd_block *block);

static void intern_messages(commit *self)
{
    const hd_services *services = self->services;
    self->message.log = services->message(services->context, HD_GETM_LOG);
    self->message.log_ack = services->message(services->context, HD_GETM_LOG_ACK);
    self->message.store = services->message(services->context, HD_GLOBAL_STORE);
    self->message.store_ack = services->message(services->context, HD_GLOBAL_STORE_ACK);
    self->message.release = services->message(services->context, HD_GETM_RELEASE);
    self->message.released = services->message(services->context, HD_GETM_RELEASED);
}

static hd_block *create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes)
{
    commit *self = calloc(1, sizeof *self);
    if (self) {
        self->services = services;
        self->trace = services->extension(services->context, HD_EXTENSION_TRACE);
        self->bytes_per_cycle = (uint32_t)values[PARAMETER_BYTES_PER_CYCLE].u;
        self->coalesces = (uint32_t)values[PARAMETER_COALESCE].u;
        self->region_limit = (uint32_t)(values[PARAMETER_BYTES].u / HD_GETM_REGION_BYTES);
        self->logs_pending.capacity = (uint32_t)values[PARAMETER_LOGS].u;
        self->regions = calloc(self->region_limit, sizeof *self->regions);
        self->pending = calloc(self->logs_pending.capacity, sizeof *self->pending);
    }
    if (!self || !self->regions || !self->pending) {
        snprintf(error, error_bytes, "out of memory");
        destroy((hd_block *)self);
        return NULL;
    }
    intern_messages(self);
    return (hd_block *)self;
}

static void connect_port(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in)
{
    commit *self = (commit *)block;
    (void)element;
    switch (port) {
    case PORT_LOG: self->logs = in; break;
    case PORT_ACK: self->ack = out; break;
    case PORT_STORE: self->store = out; break;
    case PORT_STORED: self->stored = in; break;
    case PORT_RELEASE: self->release = out; break;
    default: self->released = in; break;
    }
}

static void drop_packets(commit *self)
{
    const hd_services *services = self->services;
    for (uint32_t i = 0; i < self->logs_pending.count; i++)
        services->free(services->context, self->pending[hd_ring_place(&self->logs_pending, i)].packet);
    hd_ring_clear(&self->logs_pending);
}

static void reset(hd_block *block)
{
    commit *self = (commit *)block;
    drop_packets(self);
    self->first = self->next = self->end = 0;
    self->free_edge = 0;
    self->store_waits = self->release_waits = self->ack_waits = self->is_full = 0;
    memset(&self->counters, 0, sizeof self->counters);
    hd_cursor_init(&self->cursor, self->services->clock);
}

static void destroy(hd_block *block)
{
    commit *self = (commit *)block;
    if (!self)
        return;
    drop_packets(self);
    free(self->regions);
    free(self->pending);
    free(self);
}

static const uint64_t *counters(hd_block *block)
{
    return (const uint64_t *)&((commit *)block)->counters;
}

static double buffer_bytes(const hd_structure_use *use)
{
    return (double)(use->values[PARAMETER_BYTES].u * use->count);
}

static const hd_structure structures[] = {
    {.name = "write buffers of the commit units",
     .source = "Ren & Lis 2018, Table V",
     .process = "32 nm",
     .reference_bytes = 6 * 16 * 1024,
     .square_millimetres = 0.522,
     .milliwatts = 85.56,
     .megahertz = 700,
     .bytes = buffer_bytes},
};

static const hd_energy_event energy_events[] = {
    HD_ENERGY_ROW("buffer_access", "regions + stores + releases", TM, "a region enters or leaves the buffer"),
};

__attribute__((visibility("default"))) const hd_block_class hd_commit_unit_getm = {
    .abi_version = HD_ABI_VERSION,
    .struct_bytes = sizeof(hd_block_class),
    .kind = "commit_unit",
    .type = "getm",
    .doc = "applies the write logs of transactions and releases their reservations",
    .source = "Ren & Lis 2018 §V-C, Table II",
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
    .advance = commit_advance,
    .counters = counters,
    .destroy = destroy,
    .extension = commit_extension,
    .structures = structures,
    .structure_count = sizeof structures / sizeof *structures,
    .energy_events = energy_events,
    .energy_event_count = sizeof energy_events / sizeof *energy_events,
};
