/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>

#include "crossbar.h"
#include "declaration.h"
#include "state.h"

/* All types have the first; what only some have stands at the end. */
#define PARAMETERS(queues)                                                                                             \
    {                                                                                                                  \
        [PARAMETER_FLIT_BYTES] = NETWORK_FLIT_BYTES,                                                                   \
        [PARAMETER_LATENCY] = {.name = "latency",                                                                      \
                               .type = HD_TYPE_UNSIGNED,                                                               \
                               .unit = HD_UNIT_CYCLES,                                                                 \
                               .standard = "5 cycles",                                                                 \
                               .minimum = 1,                                                                           \
                               .maximum = 1024,                                                                        \
                               .doc = "from the grant of a flit to its departure"},                                    \
        [PARAMETER_QUEUES] = {.name = "queues",                                                                        \
                              .type = HD_TYPE_CHOICE,                                                                  \
                              .standard = queues,                                                                      \
                              .choices = "fifo|virtual_output",                                                        \
                              .doc = "packets at an input wait in one queue, or in one per output"},                   \
        [PARAMETER_QUEUE_DEPTH] =                                                                                      \
            {.name = "queue_depth",                                                                                    \
             .type = HD_TYPE_UNSIGNED,                                                                                 \
             .standard = "8",                                                                                          \
             .minimum = 1,                                                                                             \
             .maximum = 1024,                                                                                          \
             .doc = "packets per channel of an input; the depth of a single FIFO queue is the link's credits"},        \
        [PARAMETER_CHANNELS] = NETWORK_CHANNELS, [PARAMETER_CHANNEL_BY] = NETWORK_CHANNEL_BY,                          \
        [PARAMETER_INPUTS_PER_PORT] = {.name = "inputs_per_port",                                                      \
                                       .type = HD_TYPE_UNSIGNED,                                                       \
                                       .standard = "1",                                                                \
                                       .minimum = 1,                                                                   \
                                       .maximum = CROSSBAR_QUEUES,                                                     \
                                       .doc = "input links that share a port, each with its own queues"},              \
        [PARAMETER_PORT_SHARING] =                                                                                     \
            {.name = "port_sharing",                                                                                   \
             .type = HD_TYPE_CHOICE,                                                                                   \
             .standard = "neighbours",                                                                                 \
             .choices = "neighbours|stride",                                                                           \
             .doc = "links that share a port: consecutive ones, or those whose distance is the number of ports"},      \
        [PARAMETER_MULTICAST_FANOUT] = {.name = "multicast_fanout",                                                    \
                                        .type = HD_TYPE_UNSIGNED,                                                      \
                                        .standard = "1",                                                               \
                                        .minimum = 1,                                                                  \
                                        .maximum = 64,                                                                 \
                                        .doc = "outputs that receive a multicast packet in one pass of its input"},    \
        [PARAMETER_CONTEXT_PATH] = {.name = "context_path",                                                            \
                                    .type = HD_TYPE_UNSIGNED,                                                          \
                                    .unit = HD_UNIT_BYTES,                                                             \
                                    .standard = "0 B",                                                                 \
                                    .maximum = 4096,                                                                   \
                                    .doc = "bytes per cycle of contexts of thread blocks, point to point and without " \
                                           "headers; 0 B: they go as all others do"},                                  \
        [PARAMETER_CONTEXT_SETUP] = {.name = "context_setup",                                                          \
                                     .type = HD_TYPE_UNSIGNED,                                                         \
                                     .unit = HD_UNIT_CYCLES,                                                           \
                                     .standard = "10 cycles",                                                          \
                                     .maximum = 1024,                                                                  \
                                     .doc = "with context_path: to set an input and an output up for each other"},     \
        [PARAMETER_OUTPUTS_PER_PORT] = {.name = "outputs_per_port",                                                    \
                                        .type = HD_TYPE_UNSIGNED,                                                      \
                                        .standard = "1",                                                               \
                                        .minimum = 1,                                                                  \
                                        .maximum = CROSSBAR_ELEMENTS,                                                  \
                                        .doc = "output links that share a port, each with its own credits"},           \
        [PARAMETER_INPUT_SPEEDUP] = {.name = "input_speedup",                                                          \
                                     .type = HD_TYPE_UNSIGNED,                                                         \
                                     .standard = "1",                                                                  \
                                     .minimum = 1,                                                                     \
                                     .maximum = CROSSBAR_LANES,                                                        \
                                     .doc = "packets that an input port moves at once, to different outputs"},         \
        [PARAMETER_ITERATIONS] = {.name = "iterations",                                                                \
                                  .type = HD_TYPE_UNSIGNED,                                                            \
                                  .standard = "1",                                                                     \
                                  .minimum = 1,                                                                        \
                                  .maximum = 16,                                                                       \
                                  .doc = "request-grant-accept rounds per cycle"},                                     \
    }

static const hd_parameter parameters[PARAMETER_COUNT] = PARAMETERS("fifo");
static const hd_parameter islip_parameters[PARAMETER_COUNT] = PARAMETERS("virtual_output");

static const hd_port ports[PORT_COUNT] = NETWORK_PORTS(CROSSBAR_ELEMENTS);

static const hd_statistic statistics[STATISTIC_COUNT] = {
    COUNT(STATISTIC_PACKETS, "packets", "packets", "packets granted, copies included"),
    COUNT(STATISTIC_FLITS, "flits", "flits", "flits granted: busy cycles, summed over inputs"),
    COUNT(STATISTIC_BUSY_CYCLES, "busy_cycles", "cycles", "cycles in which at least one input moves a flit"),
    COUNT(STATISTIC_QUEUEING_CYCLES, "queueing_cycles", "cycles",
          "from arrival to grant, summed over passes of inputs"),
    COUNT(STATISTIC_CREDIT_STALLS, "credit_stalls", "stalls", "times that a free output waited for a credit"),
    COUNT(STATISTIC_CREDIT_STALL_CYCLES, "credit_stall_cycles", "cycles", "duration of these waits, summed"),
    [STATISTIC_CONTENTION_MAXIMUM] = {"contention_maximum", "inputs", HD_STATISTIC_MAXIMUM, 0,
                                      "most inputs that requested one output at once"},
    COUNT(STATISTIC_MULTICAST_PACKETS, "multicast_packets", "packets", "multicast packets in"),
    COUNT(STATISTIC_MULTICAST_COPIES, "multicast_copies", "packets", "copies of them: packets out"),
    COUNT(STATISTIC_MULTICAST_BYTES, "multicast_bytes", "bytes", "additional bytes out: of all copies but one"),
    COUNT(STATISTIC_SHARED_COPIES, "shared_copies", "packets",
          "of multicast_copies, those that shared a pass with another copy"),
    [STATISTIC_CONTEXT_SETUPS] = {"context_setups", "paths", HD_STATISTIC_COUNT,
                                  HD_STATISTIC_WHEN(PARAMETER_CONTEXT_PATH, PARAMETER_CONTEXT_PATH),
                                  "times that an input and an output were set up for each other for contexts"},
    NETWORK_TRAFFIC("packets", STATISTIC_CLASS_PACKETS, STATISTIC_OTHER_PACKETS),
    NETWORK_TRAFFIC("bytes", STATISTIC_CLASS_BYTES, STATISTIC_OTHER_BYTES),
};

static const hd_trace_event trace_events[] = NETWORK_EVENTS(HD_TRACE_SPAN, "flits of a packet pass the output");
static const hd_trace_event ideal_trace_events[] = NETWORK_EVENTS(HD_TRACE_INSTANT, "a packet passes the output");

static const hd_energy_event energy_events[] = {
    HD_ENERGY_ROW("flit", "flits", NOC, "a flit passes the network"),
};

static const uint64_t *counters(hd_block *block)
{
    return ((struct crossbar *)block)->statistics;
}

static uint32_t conflict_of(hd_conflict *conflict, uint32_t parameter, uint32_t other, const char *text)
{
    conflict->parameter = parameter;
    conflict->other = other;
    snprintf(conflict->text, sizeof conflict->text, "%s", text);
    return 0;
}

static uint32_t check_common(const hd_value *values, hd_clock clock, hd_conflict *conflict)
{
    (void)clock;
    if (values[PARAMETER_INPUTS_PER_PORT].u * values[PARAMETER_CHANNELS].u > CROSSBAR_QUEUES)
        return conflict_of(conflict, PARAMETER_INPUTS_PER_PORT, PARAMETER_CHANNELS,
                           "inputs_per_port times virtual_channels exceeds 64 queues of a port");
    if ((values[PARAMETER_LATENCY].u + 1) * values[PARAMETER_MULTICAST_FANOUT].u > CROSSBAR_FLIGHTS)
        return conflict_of(conflict, PARAMETER_LATENCY, PARAMETER_MULTICAST_FANOUT,
                           "latency times multicast_fanout exceeds 16384 packets on the way");
    return 1;
}

static uint32_t check(const hd_value *values, hd_clock clock, hd_conflict *conflict)
{
    if (!check_common(values, clock, conflict))
        return 0;
    const uint64_t each = (values[PARAMETER_LATENCY].u + 1) * values[PARAMETER_MULTICAST_FANOUT].u;
    if (each * values[PARAMETER_INPUT_SPEEDUP].u > CROSSBAR_FLIGHTS)
        return conflict_of(conflict, PARAMETER_LATENCY, PARAMETER_INPUT_SPEEDUP,
                           "latency times multicast_fanout times input_speedup exceeds 16384 packets on the way");
    return 1;
}

static hd_block *create_round_robin(const hd_services *services, const hd_value *values, char *error,
                                    size_t error_bytes)
{
    return crossbar_create(services, values, PARAMETER_ROUND_ROBIN_COUNT, crossbar_round_robin, error, error_bytes);
}

static hd_block *create_islip(const hd_services *services, const hd_value *values, char *error, size_t error_bytes)
{
    return crossbar_create(services, values, PARAMETER_COUNT, crossbar_islip, error, error_bytes);
}

static hd_block *create_ideal(const hd_services *services, const hd_value *values, char *error, size_t error_bytes)
{
    return crossbar_create(services, values, PARAMETER_IDEAL_COUNT, crossbar_ideal, error, error_bytes);
}

/* What all types have in common. */
#define CROSSBAR                                                                                                       \
    .abi_version = HD_ABI_VERSION, .struct_bytes = sizeof(hd_block_class), .kind = "crossbar",                         \
    .flags = HD_BLOCK_FORWARDS | HD_BLOCK_LOOKS_AHEAD, .port_count = PORT_COUNT, .statistic_count = STATISTIC_COUNT,   \
    .ports = ports, .statistics = statistics, .connect = crossbar_connect, .reset = crossbar_reset,                    \
    .advance = crossbar_advance, .promise = crossbar_promise, .counters = counters, .destroy = crossbar_destroy,       \
    .extension = crossbar_extension, .trace_event_count = 1, .energy_events = energy_events, .energy_event_count = 1

__attribute__((visibility("default"))) const hd_block_class hd_crossbar_round_robin = {
    CROSSBAR,
    .type = "round_robin",
    .trace_events = trace_events,
    .doc = "one direction of the network: input queues, one round-robin arbiter for each output",
    .source = "Fung 2015 §4.3, Table 6.1",
    .parameter_count = PARAMETER_ROUND_ROBIN_COUNT,
    .parameters = parameters,
    .check = check,
    .create = create_round_robin,
};

__attribute__((visibility("default"))) const hd_block_class hd_crossbar_islip = {
    CROSSBAR,
    .type = "islip",
    .trace_events = trace_events,
    .doc = "one direction of the network: virtual output queues, matched by iSLIP",
    .source = "McKeown, The iSLIP Scheduling Algorithm for Input-Queued Switches, 1999, §III",
    .parameter_count = PARAMETER_COUNT,
    .parameters = islip_parameters,
    .check = check,
    .create = create_islip,
};

__attribute__((visibility("default"))) const hd_block_class hd_crossbar_ideal = {
    CROSSBAR,
    .type = "ideal",
    .trace_events = ideal_trace_events,
    .doc = "one direction of the network without contention: the upper bound for networks of this width and latency",
    .source = "the network of Fung 2015 §4.3 without its output arbiters",
    .parameter_count = PARAMETER_IDEAL_COUNT,
    .parameters = parameters,
    .check = check_common,
    .create = create_ideal,
};
