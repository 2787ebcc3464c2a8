/* SPDX-License-Identifier: MIT */
#include "../declaration.h"

#include <stdio.h>

#include "../crossbar.h"
#include "mesh.h"

#define NUMBER(text_name, text_default, most, text)                                                                    \
    {                                                                                                                  \
        .name = text_name, .type = HD_TYPE_UNSIGNED, .standard = text_default, .minimum = 1, .maximum = most,          \
        .doc = text                                                                                                    \
    }
#define CYCLES(text_name, text_default, text)                                                                          \
    {                                                                                                                  \
        .name = text_name, .type = HD_TYPE_UNSIGNED, .unit = HD_UNIT_CYCLES, .standard = text_default, .minimum = 1,   \
        .maximum = 64, .doc = text                                                                                     \
    }

static const hd_parameter parameters[PARAMETER_COUNT] = {
    [PARAMETER_COLUMNS] = NUMBER("columns", "4", MESH_NODES, "nodes per row; node 0 is in the north-west"),
    [PARAMETER_ROWS] = NUMBER("rows", "4", MESH_NODES, "nodes per column"),
    [PARAMETER_FLIT_BYTES] = NETWORK_FLIT_BYTES,
    [PARAMETER_ROUTER_LATENCY] = CYCLES("router_latency", "3 cycles", "minimum time of a flit in a router"),
    [PARAMETER_LINK_LATENCY] =
        CYCLES("link_latency", "1 cycle", "from router to router, of flits and of returned credits"),
    [PARAMETER_BUFFER_FLITS] =
        NUMBER("buffer_flits", "8", 64, "buffer size in flits, per virtual channel and side of a router"),
    [PARAMETER_CHANNELS] = NETWORK_CHANNELS,
    [PARAMETER_CHANNEL_BY] = NETWORK_CHANNEL_BY,
    [PARAMETER_INPUT_NODES] = {.name = "input_nodes",
                               .type = HD_TYPE_TEXT,
                               .standard = "",
                               .doc =
                                   "nodes of inputs 0, 1, ..., such as '0-3, 7', repeated as needed; empty: all nodes"},
    [PARAMETER_OUTPUT_NODES] = {.name = "output_nodes",
                                .type = HD_TYPE_TEXT,
                                .standard = "",
                                .doc = "likewise for outputs; several outputs at one node share its port"},
};

static const hd_port ports[PORT_COUNT] = NETWORK_PORTS(MESH_ELEMENTS);

static const hd_statistic statistics[STATISTIC_COUNT] = {
    COUNT(STATISTIC_PACKETS, "packets", "packets", "packets out, copies included"),
    COUNT(STATISTIC_FLITS, "flits", "flits", "flits injected"),
    COUNT(STATISTIC_FLIT_HOPS, "flit_hops", "flits", "flits moved between routers: busy cycles, summed over links"),
    COUNT(STATISTIC_ACTIVE_CYCLES, "active_cycles", "cycles", "cycles in which at least one flit moves"),
    COUNT(STATISTIC_QUEUEING_CYCLES, "queueing_cycles", "cycles",
          "from arrival to the first flit, summed over packets"),
    COUNT(STATISTIC_TRAVERSAL_CYCLES, "traversal_cycles", "cycles",
          "from the first flit to the departure of the tail, summed over packets"),
    COUNT(STATISTIC_CREDIT_STALLS, "credit_stalls", "stalls", "times that a packet waited for a credit of its output"),
    COUNT(STATISTIC_CREDIT_STALL_CYCLES, "credit_stall_cycles", "cycles", "duration of these waits, summed"),
    COUNT(STATISTIC_MULTICAST_PACKETS, "multicast_packets", "packets", "multicast packets in"),
    COUNT(STATISTIC_MULTICAST_COPIES, "multicast_copies", "packets", "copies of them: packets out"),
    COUNT(STATISTIC_MULTICAST_BYTES, "multicast_bytes", "bytes", "additional bytes out: of all copies but one"),
    NETWORK_TRAFFIC("packets", STATISTIC_CLASS_PACKETS, STATISTIC_OTHER_PACKETS),
    NETWORK_TRAFFIC("bytes", STATISTIC_CLASS_BYTES, STATISTIC_OTHER_BYTES),
};

static const hd_trace_event trace_events[] = NETWORK_EVENTS(HD_TRACE_INSTANT, "the tail of a packet leaves the mesh");

static const hd_energy_event energy_events[] = {
    HD_ENERGY_ROW("flit", "flits", NOC, "a flit enters the network"),
    HD_ENERGY_ROW("flit_hop", "flit_hops", NOC, "a flit passes a link between two routers and the router behind it"),
};

static const uint64_t *counters(hd_block *block)
{
    return ((struct mesh *)block)->statistics;
}

static uint32_t check_list(const hd_value *values, uint32_t parameter, hd_conflict *conflict)
{
    const char *error;
    const uint32_t nodes = (uint32_t)(values[PARAMETER_COLUMNS].u * values[PARAMETER_ROWS].u);
    if (mesh_list_length(values[parameter].text, nodes, &error))
        return 1;
    conflict->parameter = conflict->other = parameter;
    snprintf(conflict->text, sizeof conflict->text, "%s %s", parameters[parameter].name, error);
    return 0;
}

static uint32_t check(const hd_value *values, hd_clock clock, hd_conflict *conflict)
{
    (void)clock;
    if (values[PARAMETER_COLUMNS].u * values[PARAMETER_ROWS].u > MESH_NODES) {
        conflict->parameter = PARAMETER_COLUMNS;
        conflict->other = PARAMETER_ROWS;
        snprintf(conflict->text, sizeof conflict->text, "columns times rows exceed %u nodes", MESH_NODES);
        return 0;
    }
    return check_list(values, PARAMETER_INPUT_NODES, conflict) && check_list(values, PARAMETER_OUTPUT_NODES, conflict);
}

__attribute__((visibility("default"))) const hd_block_class hd_crossbar_mesh_2d = {
    .abi_version = HD_ABI_VERSION,
    .struct_bytes = sizeof(hd_block_class),
    .kind = "crossbar",
    .type = "mesh_2d",
    .doc = "one direction of the network: a mesh of routers with wormhole switching and XY routing",
    .source = "Dally, Virtual-Channel Flow Control, 1992; XY routing",
    .flags = HD_BLOCK_FORWARDS | HD_BLOCK_LOOKS_AHEAD,
    .parameter_count = PARAMETER_COUNT,
    .port_count = PORT_COUNT,
    .statistic_count = STATISTIC_COUNT,
    .parameters = parameters,
    .ports = ports,
    .statistics = statistics,
    .trace_events = trace_events,
    .trace_event_count = 1,
    .check = check,
    .create = mesh_create,
    .connect = mesh_connect,
    .energy_events = energy_events,
    .energy_event_count = sizeof energy_events / sizeof *energy_events,
    .reset = mesh_reset,
    .advance = mesh_advance,
    .promise = mesh_promise,
    .counters = counters,
    .destroy = mesh_destroy,
    .extension = mesh_extension,
};
