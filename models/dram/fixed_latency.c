/* SPDX-License-Identifier: MIT */
/* dram/fixed_latency: every access takes the same time, once its data have had their turn on the bus. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dram.h"
#include "front.h"
#include "hd_direct.h"

enum { PARAMETER_LATENCY, PARAMETER_BUS_BYTES, PARAMETER_RESPONSES, PARAMETER_COUNT };

struct fixed_dram {
    struct dram_front front;
    uint32_t latency;
    uint32_t bus_bytes;
    uint64_t bus_free; /* first edge at which no data move */
    hd_cursor cursor;  /* first edge not yet dealt with */
    uint64_t statistics[FRONT_STATISTICS];
};

static hd_block *create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes)
{
    struct fixed_dram *dram = calloc(1, sizeof *dram);
    if (!dram) {
        snprintf(error, error_bytes, "out of memory");
        return NULL;
    }
    dram->latency = (uint32_t)values[PARAMETER_LATENCY].u;
    dram->bus_bytes = (uint32_t)values[PARAMETER_BUS_BYTES].u;
    dram_front_init(&dram->front, services, dram->statistics, dram->latency, (uint32_t)values[PARAMETER_RESPONSES].u);
    return (hd_block *)dram;
}

static void connect(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in)
{
    (void)port;
    dram_front_connect(&((struct fixed_dram *)block)->front, element, out, in);
}

static void reset(hd_block *block)
{
    struct fixed_dram *dram = (struct fixed_dram *)block;
    dram_front_reset(&dram->front);
    dram->bus_free = 0;
    memset(dram->statistics, 0, sizeof dram->statistics);
    hd_cursor_init(&dram->cursor, dram->front.services->clock);
}

static void destroy(hd_block *block)
{
    struct fixed_dram *dram = (struct fixed_dram *)block;
    if (!dram)
        return;
    dram_front_destroy(&dram->front);
    free(dram);
}

static void accept(struct fixed_dram *dram, uint64_t n, hd_time t)
{
    uint32_t port;
    hd_packet *packet = dram_front_accept(&dram->front, n, t, &port);
    if (!packet)
        return;
    const uint32_t cycles = (packet->argument + dram->bus_bytes - 1) / dram->bus_bytes;
    dram->bus_free = (n > dram->bus_free ? n : dram->bus_free) + cycles;
    dram->statistics[STATISTIC_BUS_BUSY_CYCLES] += cycles;
    if (dram->front.trace)
        dram_front_trace_data(&dram->front, packet->message == dram->front.message_write, packet->address, 0,
                              dram->bus_free - cycles, dram->bus_free);
    dram_front_complete(&dram->front, port, packet, dram->bus_free + dram->latency);
}

static hd_work next_work(const struct fixed_dram *dram)
{
    hd_work work = {.edge = dram->front.response_edge, .time = dram_front_arrival(&dram->front)};
    hd_work_at_time(&work, dram_front_credit(&dram->front));
    return work;
}

static hd_time advance(hd_block *block, hd_time now, hd_time horizon)
{
    struct fixed_dram *dram = (struct fixed_dram *)block;
    hd_cursor_catch_up(&dram->cursor, now);
    for (;;) {
        const hd_work work = next_work(dram);
        const hd_time t = hd_work_seek_before(&work, &dram->cursor, horizon);
        if (t >= horizon)
            return t;
        dram_front_respond(&dram->front, dram->cursor.n, t);
        accept(dram, dram->cursor.n, t);
        hd_cursor_next(&dram->cursor);
    }
}

static hd_time promise(hd_block *block, hd_time now)
{
    const struct fixed_dram *dram = (const struct fixed_dram *)block;
    hd_cursor next = dram->cursor;
    hd_cursor_catch_up(&next, now);
    const hd_work work = next_work(dram);
    return hd_work_seek(&work, &next) ? next.t : HD_NEVER;
}

static const uint64_t *counters(hd_block *block)
{
    return ((struct fixed_dram *)block)->statistics;
}

static void align(hd_block *block, hd_time t, const hd_write_back_sink *sink)
{
    struct fixed_dram *dram = (struct fixed_dram *)block;
    (void)t;
    (void)sink;
    dram_front_align(&dram->front);
    dram->bus_free = 0;
}

static void transfer(hd_block *block, const hd_state_stream *stream)
{
    struct fixed_dram *dram = (struct fixed_dram *)block;
    dram_front_transfer(&dram->front, stream);
    HD_STATE_VALUE(stream, dram->bus_free);
    HD_STATE_VALUE(stream, dram->cursor);
    HD_STATE_VALUE(stream, dram->statistics);
}

static const void *extension(hd_block *block, const char *id)
{
    static const hd_pending pending = {dram_front_has_work, dram_front_describe};
    static const hd_align alignment = {align};
    static const hd_state state = {.transfer = transfer};
    (void)block;
    if (strcmp(id, HD_EXTENSION_HOLDER) == 0)
        return &dram_front_holder;
    if (strcmp(id, HD_EXTENSION_STATE) == 0)
        return &state;
    return hd_ability(id, &pending, &alignment, NULL);
}

static const hd_parameter parameters[PARAMETER_COUNT] = {
    [PARAMETER_LATENCY] = {.name = "latency",
                           .type = HD_TYPE_UNSIGNED,
                           .unit = HD_UNIT_CYCLES,
                           .standard = "122 cycles",
                           .maximum = 100000,
                           .doc = "from the end of the data transfer on the bus to the response"},
    [PARAMETER_BUS_BYTES] = {.name = "bus_bytes",
                             .type = HD_TYPE_UNSIGNED,
                             .unit = HD_UNIT_BYTES,
                             .standard = "32 B",
                             .minimum = 1,
                             .maximum = 1024,
                             .doc = "bytes that the data bus moves per cycle: the bandwidth"},
    [PARAMETER_RESPONSES] = {.name = "responses",
                             .type = HD_TYPE_UNSIGNED,
                             .standard = "256",
                             .minimum = 1,
                             .maximum = 4096,
                             .doc = "requests and responses in progress per port"},
};

static const hd_trace_event trace_events[FRONT_EVENTS] = {DRAM_FRONT_EVENTS};

static const hd_statistic statistics[FRONT_STATISTICS] = {DRAM_FRONT_STATISTICS};

static const hd_energy_event energy_events[] = {
    HD_ENERGY_ROW("read_byte", "bytes_read", DRAM, "a byte is read"),
    HD_ENERGY_ROW("write_byte", "bytes_written", DRAM, "a byte is written"),
};

__attribute__((visibility("default"))) const hd_block_class hd_dram_fixed_latency = {
    .abi_version = HD_ABI_VERSION,
    .struct_bytes = sizeof(hd_block_class),
    .kind = "dram",
    .type = "fixed_latency",
    .doc = "memory with fixed latency and bandwidth, for bounds and for experiments that are not about memory",
    .source = "a bound, no machine",
    .flags = HD_BLOCK_LOOKS_AHEAD,
    .parameter_count = PARAMETER_COUNT,
    .port_count = 1,
    .statistic_count = FRONT_STATISTICS,
    .message_count = DRAM_FRONT_MESSAGES,
    .parameters = parameters,
    .ports = dram_front_ports,
    .statistics = statistics,
    .trace_events = trace_events,
    .trace_event_count = FRONT_EVENTS,
    .messages = dram_front_messages,
    .create = create,
    .connect = connect,
    .reset = reset,
    .advance = advance,
    .promise = promise,
    .counters = counters,
    .debug_access = dram_front_debug_access,
    .destroy = destroy,
    .energy_events = energy_events,
    .energy_event_count = sizeof energy_events / sizeof *energy_events,
    .extension = extension,
};
