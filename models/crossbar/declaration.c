/* SPDX-License-Identifier: MIT */
#include "crossbar.h"
#include "state.h"

static const hd_parameter parameters[PARAMETER_COUNT] = {
    [PARAMETER_FLIT_BYTES] = {.name = "flit_bytes",
                              .type = HD_TYPE_UNSIGNED,
                              .unit = HD_UNIT_BYTES,
                              .standard = "32 B",
                              .minimum = 1,
                              .maximum = 4096,
                              .doc = "bytes that a port moves in a cycle"},
    [PARAMETER_LATENCY] = {.name = "latency",
                           .type = HD_TYPE_UNSIGNED,
                           .unit = HD_UNIT_CYCLES,
                           .standard = "5 cycles",
                           .minimum = 1,
                           .maximum = 1024,
                           .doc = "from the grant of a flit to its leaving"},
};

static const hd_port ports[PORT_COUNT] = {
    [PORT_INPUT] = {.name = "input",
                    .direction = HD_PORT_RECEIVE,
                    .minimum_count = 1,
                    .maximum_count = CROSSBAR_PORTS,
                    .latency_cycles = 1,
                    .credits = 8,
                    .doc = "packets in; its credits are the depth of the input queue"},
    [PORT_OUTPUT] = {.name = "output",
                     .direction = HD_PORT_SEND,
                     .minimum_count = 1,
                     .maximum_count = CROSSBAR_PORTS,
                     .latency_cycles = 1,
                     .credits = 8,
                     .doc = "packets out, by destination"},
};

#define COUNT(id, text_name, text_unit, text) [id] = {text_name, text_unit, HD_STATISTIC_COUNT, 0, text}

static const hd_statistic statistics[STATISTIC_COUNT] = {
    COUNT(STATISTIC_PACKETS, "packets", "packets", "packets granted"),
    COUNT(STATISTIC_FLITS, "flits", "flits", "flits granted: the cycles of all inputs in use, summed"),
    COUNT(STATISTIC_BUSY_CYCLES, "busy_cycles", "cycles", "cycles in which at least one input moves a flit"),
    COUNT(STATISTIC_QUEUEING_CYCLES, "queueing_cycles", "cycles", "from arrival to grant, summed over packets"),
    COUNT(STATISTIC_CREDIT_STALLS, "credit_stalls", "stalls", "times that a free output had to wait for a credit"),
    COUNT(STATISTIC_CREDIT_STALL_CYCLES, "credit_stall_cycles", "cycles", "length of those waits, summed"),
    [STATISTIC_CONTENTION_MAXIMUM] = {"contention_maximum", "inputs", HD_STATISTIC_MAXIMUM, 0,
                                      "most inputs that wanted one output at once"},
    COUNT(STATISTIC_BYTES_OTHER, "bytes.other", "bytes", "bytes of traffic classes not named here"),
    COUNT(STATISTIC_BYTES + HD_CLASS_CONTROL, "bytes.control", "bytes", "bytes of control messages"),
    COUNT(STATISTIC_BYTES + HD_CLASS_GLOBAL, "bytes.global", "bytes", "bytes of global accesses"),
    COUNT(STATISTIC_BYTES + HD_CLASS_PRIVATE, "bytes.private", "bytes", "bytes of private accesses"),
    COUNT(STATISTIC_BYTES + HD_CLASS_CONSTANT, "bytes.constant", "bytes", "bytes of constant accesses"),
    COUNT(STATISTIC_BYTES + HD_CLASS_ATOMIC, "bytes.atomic", "bytes", "bytes of atomic operations"),
    COUNT(STATISTIC_BYTES + HD_CLASS_HOST, "bytes.host", "bytes", "bytes of host accesses"),
    COUNT(STATISTIC_BYTES + HD_CLASS_CODE, "bytes.code", "bytes", "bytes of instruction fetches"),
};

static const uint64_t *counters(hd_block *block)
{
    return ((struct crossbar *)block)->statistics;
}

static hd_block *create_round_robin(const hd_services *services, const hd_value *values, char *error,
                                    size_t error_bytes)
{
    return crossbar_create(services, values, crossbar_round_robin, error, error_bytes);
}

static hd_block *create_ideal(const hd_services *services, const hd_value *values, char *error, size_t error_bytes)
{
    return crossbar_create(services, values, crossbar_ideal, error, error_bytes);
}

/* What all types have in common. */
#define CROSSBAR                                                                                                       \
    .abi_version = HD_ABI_VERSION, .struct_bytes = sizeof(hd_block_class), .kind = "crossbar",                         \
    .flags = HD_BLOCK_FORWARDS | HD_BLOCK_LOOKS_AHEAD, .parameter_count = PARAMETER_COUNT, .port_count = PORT_COUNT,   \
    .statistic_count = STATISTIC_COUNT, .parameters = parameters, .ports = ports, .statistics = statistics,            \
    .connect = crossbar_connect, .reset = crossbar_reset, .advance = crossbar_advance, .promise = crossbar_promise,    \
    .counters = counters, .destroy = crossbar_destroy, .extension = crossbar_extension

__attribute__((visibility("default"))) const hd_block_class hd_crossbar_round_robin = {
    CROSSBAR,
    .type = "round_robin",
    .doc = "one direction of the network: input queues, one round-robin arbiter for each output",
    .source = "Fung 2015 §4.3, Table 6.1",
    .create = create_round_robin,
};

__attribute__((visibility("default"))) const hd_block_class hd_crossbar_ideal = {
    CROSSBAR,
    .type = "ideal",
    .doc = "one direction of the network without contention: the upper bound for networks of this width and latency",
    .source = "the network of Fung 2015 §4.3 without its output arbiters",
    .create = create_ideal,
};
