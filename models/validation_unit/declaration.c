/* SPDX-License-Identifier: MIT */
#include "state.h"
#include "validation_unit.h"

static const hd_parameter parameters[PARAMETER_COUNT] = {VALIDATION_PARAMETERS(HD_PARAMETER_ROW)};

static const hd_statistic statistics[] = {VALIDATION_STATISTICS(HD_STATISTIC_ROW)};

#define PORT(id, name_, direction_, latency_, credits_, doc_)                                                          \
    [id] = {.name = name_,                                                                                             \
            .direction = direction_,                                                                                   \
            .minimum_count = 1,                                                                                        \
            .maximum_count = 1,                                                                                        \
            .latency_cycles = latency_,                                                                                \
            .credits = credits_,                                                                                       \
            .doc = doc_}
static const hd_port ports[PORT_COUNT] = {
    PORT(PORT_REQUEST, "request", HD_PORT_RECEIVE, 1, 16, "transactional accesses"),
    PORT(PORT_REPLY, "reply", HD_PORT_SEND, 1, 8, "replies, except to approved loads"),
    PORT(PORT_LOAD, "load", HD_PORT_SEND, 1, 8, "loads that passed the table look-up, to the slice, which replies"),
    PORT(PORT_RELEASE, "release", HD_PORT_RECEIVE, 1, 8,
         "releases of aborted lanes' reservations, from the commit unit"),
    PORT(PORT_RELEASED, "released", HD_PORT_SEND, 1, 8, "acknowledgements of releases"),
    PORT(PORT_NEXT, "next", HD_PORT_SEND, 1, 4, "ring of all validation units, for rollovers"),
    PORT(PORT_PREVIOUS, "previous", HD_PORT_RECEIVE, 1, 4, "likewise"),
    PORT(PORT_TAP, "tap", HD_PORT_TAP, 0, 0, "accesses accepted by the slice; must be element 0 of its port"),
};

static const hd_message_use messages[] = {
    {HD_GETM_LOAD, HD_MESSAGE_RECEIVED, 0, "request"},
    {HD_GETM_STORE, HD_MESSAGE_RECEIVED, 0, "request"},
    {HD_GETM_ROLLED_OVER, HD_MESSAGE_RECEIVED, 0, "request"},
    {HD_GETM_STORE_OK, HD_MESSAGE_SENT, 0, "reply"},
    {HD_GETM_ABORT, HD_MESSAGE_SENT, 0, "reply"},
    {HD_GETM_ROLLOVER, HD_MESSAGE_SENT, 0, "reply"},
    {HD_GETM_ROLLOVER_END, HD_MESSAGE_SENT, 0, "reply"},
    {HD_GLOBAL_LOAD, HD_MESSAGE_SENT, 0, "load"},
    {HD_GETM_RELEASE, HD_MESSAGE_RECEIVED, 0, "release"},
    {HD_GETM_RELEASED, HD_MESSAGE_SENT, 0, "released"},
    {HD_GETM_RING_STOP, HD_MESSAGE_SENT, 0, "next"},
    {HD_GETM_RING_GO, HD_MESSAGE_SENT, 0, "next"},
    {HD_GETM_RING_STOP, HD_MESSAGE_RECEIVED, 0, "previous"},
    {HD_GETM_RING_GO, HD_MESSAGE_RECEIVED, 0, "previous"},
};

static const uint64_t *counters(hd_block *block)
{
    return (const uint64_t *)&((validation *)block)->counters;
}

/* Fields of entries: Ren & Lis 2018, Tables I, II. Sizes of the two tables are given for all partitions together. */
#define PRECISE_ENTRY_BYTES 16
#define FILTER_ENTRY_BYTES 8
#define STALL_LINE_BITS 32
#define STALL_ENTRY_BITS 52

static double precise_bytes(const hd_structure_use *use)
{
    return (double)(use->values[PARAMETER_PRECISE_ENTRIES].u * PRECISE_ENTRY_BYTES);
}

static double filter_bytes(const hd_structure_use *use)
{
    const uint32_t is_filter = use->values[PARAMETER_APPROXIMATE].u == APPROXIMATE_BLOOM;
    return is_filter ? (double)(use->values[PARAMETER_APPROXIMATE_ENTRIES].u * FILTER_ENTRY_BYTES) : 0;
}

static double stall_bytes(const hd_structure_use *use)
{
    const uint64_t bits = STALL_LINE_BITS + use->values[PARAMETER_STALL_ENTRIES].u * STALL_ENTRY_BITS;
    return (double)(use->values[PARAMETER_STALL_LINES].u * bits * use->count) / 8;
}

#define TABLE_V .source = "Ren & Lis 2018, Table V", .process = "32 nm"

static const hd_structure structures[] = {
    {.name = "precise metadata tables",
     TABLE_V,
     .reference_bytes = 64 * 1024,
     .square_millimetres = 0.181,
     .milliwatts = 69.59,
     .megahertz = 1400,
     .bytes = precise_bytes},
    {.name = "approximate metadata tables",
     TABLE_V,
     .reference_bytes = 8 * 1024,
     .square_millimetres = 0.018,
     .milliwatts = 8.51,
     .megahertz = 1400,
     .bytes = filter_bytes},
    {.name = "stall buffers",
     TABLE_V,
     .reference_bytes = 6 * 4 * 30,
     .square_millimetres = 0.0004,
     .milliwatts = 2.67,
     .megahertz = 1400,
     .bytes = stall_bytes},
};

static const hd_energy_event energy_events[] = {
    HD_ENERGY_ROW("table_access", "look_ups + kicks", TM, "an entry of the metadata table is read or written"),
    HD_ENERGY_ROW("filter_access", "table_misses + evictions", TM, "the filter of evicted entries is read or written"),
    HD_ENERGY_ROW("stash_access", "stashed + hits.stash", TM, "an entry of the stash is read or written"),
    HD_ENERGY_ROW("stall_buffer_access", "stalled + woken", TM, "a request enters or leaves the stall buffer"),
};

__attribute__((visibility("default"))) const hd_block_class hd_validation_unit_getm = {
    .abi_version = HD_ABI_VERSION,
    .struct_bytes = sizeof(hd_block_class),
    .kind = "validation_unit",
    .type = "getm",
    .doc = "validates transactional accesses when they are made, by logical time",
    .source = "Ren & Lis 2018 §IV, §V, Table II",
    .parameter_count = PARAMETER_COUNT,
    .port_count = PORT_COUNT,
    .statistic_count = sizeof statistics / sizeof *statistics,
    .message_count = sizeof messages / sizeof *messages,
    .parameters = parameters,
    .ports = ports,
    .statistics = statistics,
    .messages = messages,
    .trace_events = validation_trace_events,
    .trace_event_count = EVENT_COUNT,
    .check = validation_check,
    .create = validation_create,
    .connect = validation_connect,
    .reset = validation_reset,
    .advance = validation_advance,
    .counters = counters,
    .destroy = validation_destroy,
    .extension = validation_extension,
    .structures = structures,
    .structure_count = sizeof structures / sizeof *structures,
    .energy_events = energy_events,
    .energy_event_count = sizeof energy_events / sizeof *energy_events,
};
