/* SPDX-License-Identifier: MIT */
#include "native.h"

const hd_parameter native_parameters[PARAMETER_COUNT] = {
    [PARAMETER_OVERHEAD] = {.name = "overhead",
                            .type = HD_TYPE_UNSIGNED,
                            .unit = HD_UNIT_CYCLES,
                            .standard = "0 cycles",
                            .doc = "host time of each call of the program to the device"},
    [PARAMETER_REQUESTS] = {.name = "requests",
                            .type = HD_TYPE_UNSIGNED,
                            .standard = "16",
                            .minimum = 1,
                            .maximum = 256,
                            .doc = "bus accesses in flight at a time"},
    [PARAMETER_PACKET_BYTES] = {.name = "packet_bytes",
                                .type = HD_TYPE_UNSIGNED,
                                .unit = HD_UNIT_BYTES,
                                .standard = "1 KiB",
                                .minimum = 4,
                                .maximum = HD_PACKET_BODY_MAX,
                                .doc = "largest bus access; copies are split at multiples of it"},
    [PARAMETER_RAM_PORT_BYTES] = HD_MEMORY_PORT_BYTES,
    [PARAMETER_RAM_LATENCY] = HD_MEMORY_PORT_LATENCY,
    [PARAMETER_RAM_REQUESTS] = HD_MEMORY_PORT_REQUESTS,
};

const hd_port native_ports[PORT_COUNT] = {
    [PORT_BUS] = {.name = "bus",
                  .direction = HD_PORT_INITIATOR,
                  .minimum_count = 1,
                  .maximum_count = 1,
                  .latency_cycles = 1,
                  .credits = 8,
                  .doc = "device memory and registers"},
    [PORT_INTERRUPT] = {.name = "interrupt",
                        .direction = HD_PORT_RECEIVE,
                        .minimum_count = 0,
                        .maximum_count = 1,
                        .latency_cycles = 1,
                        .credits = 4,
                        .doc = "completions and errors of the device"},
    [PORT_MEMORY] = {.name = "memory",
                     .direction = HD_PORT_TARGET,
                     .minimum_count = 0,
                     .maximum_count = 1,
                     .latency_cycles = 1,
                     .credits = 8,
                     .doc = "accesses of other blocks to host memory of copies in progress"},
};

const hd_statistic native_statistics[STATISTIC_COUNT] = {
    [STATISTIC_CALLS] = {"calls", "calls", HD_STATISTIC_COUNT, 0, "calls of the program to the device"},
    [STATISTIC_READS] = {"reads", "accesses", HD_STATISTIC_COUNT, 0, "bus reads"},
    [STATISTIC_WRITES] = {"writes", "accesses", HD_STATISTIC_COUNT, 0, "bus writes"},
    [STATISTIC_READ_BYTES] = {"read_bytes", "bytes", HD_STATISTIC_COUNT, 0, "bytes requested by reads"},
    [STATISTIC_WRITE_BYTES] = {"write_bytes", "bytes", HD_STATISTIC_COUNT, 0, "bytes sent by writes"},
    [STATISTIC_INTERRUPTS] = {"interrupts", "interrupts", HD_STATISTIC_COUNT, 0, "interrupts taken"},
    [STATISTIC_TRANSFER_CYCLES] = {"transfer_cycles", "cycles", HD_STATISTIC_COUNT, 0,
                                   "cycles in which the program waited for the bus"},
    [STATISTIC_WAIT_CYCLES] = {"wait_cycles", "cycles", HD_STATISTIC_COUNT, 0,
                               "cycles in which the program waited for an interrupt"},
    [STATISTIC_MAX_REQUESTS] = {"max_requests", "accesses", HD_STATISTIC_MAXIMUM, 0,
                                "most bus accesses in flight at a time"},
    [STATISTIC_RAM] = HD_MEMORY_PORT_STATISTICS,
};

const hd_trace_event native_trace_events[EVENT_COUNT] = {
    [EVENT_PROGRAM] = {"program", HD_TRACE_SPAN, 0, NULL, NULL, "the host program runs"},
    [EVENT_READ] = {"host.read", HD_TRACE_SPAN, 0, "0xaddress|bytes", NULL,
                    "the program waits for a read over the bus"},
    [EVENT_WRITE] = {"host.write", HD_TRACE_SPAN, 0, "0xaddress|bytes", NULL,
                     "the program waits for a write over the bus"},
    [EVENT_WAIT] = {"host.wait", HD_TRACE_SPAN, 0, "queue|completions", NULL,
                    "the program waits for launches to complete"},
};

const hd_message_use native_messages[MESSAGE_USES] = {
    [MESSAGE_READ] = {HD_MEMORY_READ, HD_MESSAGE_SENT, 0, "bus"},
    [MESSAGE_WRITE] = {HD_MEMORY_WRITE, HD_MESSAGE_SENT, 0, "bus"},
    [MESSAGE_RESPONSE] = {HD_MEMORY_RESPONSE, HD_MESSAGE_RECEIVED, 0, "bus"},
    [MESSAGE_INTERRUPT] = {HD_INTERRUPT, HD_MESSAGE_RECEIVED, 0, "interrupt"},
    HD_MEMORY_PORT_MESSAGES,
};

const hd_window native_window = {.name = "memory of the host program",
                                 .port = "memory",
                                 .base = HD_HOST_RAM_BASE,
                                 .bytes = HD_HOST_RAM_MAX,
                                 .doc = "host memory of copies in progress"};
