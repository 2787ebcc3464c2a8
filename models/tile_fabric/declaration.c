/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "state.h"

static const hd_parameter parameters[PARAMETER_COUNT] = {FABRIC_PARAMETERS(HD_PARAMETER_ROW)};
static const hd_statistic statistics[] = {FABRIC_STATISTICS(HD_STATISTIC_ROW)};

static const hd_port ports[TILE_FABRIC_PORTS] = {
    [TILE_FABRIC_REQUEST] = {.name = "request",
                             .direction = HD_PORT_RECEIVE,
                             .minimum_count = 1,
                             .maximum_count = FABRIC_PES_MAX,
                             .latency_cycles = 1,
                             .credits = 8,
                             .doc = "of the PEs, tile by tile"},
    [TILE_FABRIC_REPLY] = {.name = "reply",
                           .direction = HD_PORT_SEND,
                           .minimum_count = 1,
                           .maximum_count = FABRIC_PES_MAX,
                           .latency_cycles = 1,
                           .credits = 8,
                           .doc = "to the PEs, in the same order"},
    [TILE_FABRIC_MEMORY] = {.name = "memory",
                            .direction = HD_PORT_SEND,
                            .minimum_count = 1,
                            .maximum_count = FABRIC_L1_MAX,
                            .latency_cycles = 1,
                            .credits = 8,
                            .doc = "of the second-level banks, in turn: lines that are fetched, writes and atomics"},
    [TILE_FABRIC_FILL] = {.name = "fill",
                          .direction = HD_PORT_RECEIVE,
                          .minimum_count = 1,
                          .maximum_count = FABRIC_L1_MAX,
                          .latency_cycles = 1,
                          .credits = 64,
                          .doc = "what memory answers"},
};

static const hd_message_use messages[] = {
    {HD_GLOBAL_LOAD, HD_MESSAGE_RECEIVED, 0, "request"},      {HD_GLOBAL_STORE, HD_MESSAGE_RECEIVED, 0, "request"},
    {HD_GLOBAL_ATOMIC, HD_MESSAGE_RECEIVED, 0, "request"},    {HD_GLOBAL_LOAD_REPLY, HD_MESSAGE_SENT, 0, "reply"},
    {HD_GLOBAL_STORE_ACK, HD_MESSAGE_SENT, 0, "reply"},       {HD_GLOBAL_ATOMIC_REPLY, HD_MESSAGE_SENT, 0, "reply"},
    {HD_GLOBAL_MISTAKE, HD_MESSAGE_SENT, 0, "reply"},         {HD_GLOBAL_LOAD, HD_MESSAGE_SENT, 0, "memory"},
    {HD_GLOBAL_STORE, HD_MESSAGE_SENT, 0, "memory"},          {HD_GLOBAL_ATOMIC, HD_MESSAGE_SENT, 0, "memory"},
    {HD_GLOBAL_LOAD_REPLY, HD_MESSAGE_RECEIVED, 0, "fill"},   {HD_GLOBAL_STORE_ACK, HD_MESSAGE_RECEIVED, 0, "fill"},
    {HD_GLOBAL_ATOMIC_REPLY, HD_MESSAGE_RECEIVED, 0, "fill"},
};

/* Above all memory that a machine has. */
static const hd_window windows[] = {
    {.name = "tile managers",
     .base = HD_TILE_REGISTERS,
     .bytes = HD_TILE_REGISTERS_END - HD_TILE_REGISTERS,
     .doc = "registers of the PE's own tile and of the machine"},
    {.name = "scratchpad banks",
     .base = HD_TILE_SCRATCHPAD,
     .bytes = HD_TILE_SCRATCHPAD_END - HD_TILE_SCRATCHPAD,
     .doc = "those that a PE reaches, one behind the other"},
};

static uint32_t conflict_of(hd_conflict *conflict, uint32_t parameter, uint32_t other, const char *text)
{
    *conflict = (hd_conflict){.parameter = parameter, .other = other};
    snprintf(conflict->text, sizeof conflict->text, "%s", text);
    return 0;
}

static uint32_t check(const hd_value *values, hd_clock clock, hd_conflict *conflict)
{
    (void)clock;
    if (values[PARAMETER_TILES].u * values[PARAMETER_PES].u > FABRIC_PES_MAX)
        return conflict_of(conflict, PARAMETER_TILES, PARAMETER_PES, "tiles times pes exceeds 256 PEs of a machine");
    if (values[PARAMETER_L0_BYTES].u % (FABRIC_LINE * values[PARAMETER_L0_WAYS].u * values[PARAMETER_L0_BANKS].u))
        return conflict_of(conflict, PARAMETER_L0_BYTES, PARAMETER_L0_WAYS,
                           "l0.bytes is no multiple of l0.banks times l0.ways lines of 64 B");
    if (values[PARAMETER_L0_BYTES].u > HD_TILE_SCRATCHPAD_END - HD_TILE_SCRATCHPAD)
        return conflict_of(conflict, PARAMETER_L0_BYTES, PARAMETER_L0_BYTES,
                           "l0.bytes exceeds the 256 KiB that programs see of scratchpad banks");
    if (values[PARAMETER_L1_BYTES].u % (FABRIC_LINE * values[PARAMETER_L1_WAYS].u))
        return conflict_of(conflict, PARAMETER_L1_BYTES, PARAMETER_L1_WAYS,
                           "l1.bytes is no multiple of l1.ways lines of 64 B");
    return 1;
}

static const uint64_t *counters(hd_block *block)
{
    return (const uint64_t *)&((tile_fabric *)block)->counters;
}

const hd_block_class hd_tile_fabric_reconfigurable = {
    .abi_version = HD_ABI_VERSION,
    .struct_bytes = sizeof(hd_block_class),
    .kind = "tile_fabric",
    .type = "reconfigurable",
    .doc = "tiles of PEs: banks that are cache or scratchpad, crossbars that programs set, and tile managers",
    .source = "Beaumont 2019 §4.2",
    .flags = HD_BLOCK_ADDRESS_MAP,
    .parameter_count = PARAMETER_COUNT,
    .port_count = TILE_FABRIC_PORTS,
    .statistic_count = sizeof(fabric_counters) / sizeof(uint64_t),
    .message_count = sizeof messages / sizeof *messages,
    .window_count = sizeof windows / sizeof *windows,
    .parameters = parameters,
    .ports = ports,
    .statistics = statistics,
    .messages = messages,
    .windows = windows,
    .check = check,
    .create = fabric_create,
    .connect = fabric_connect,
    .reset = fabric_reset,
    .advance = fabric_advance,
    .counters = counters,
    .debug_access = fabric_debug_access,
    .trace_events = fabric_trace_events,
    .trace_event_count = FABRIC_TRACE_EVENTS,
    .destroy = fabric_destroy,
    .extension = fabric_extension,
};
