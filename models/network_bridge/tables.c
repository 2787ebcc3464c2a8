/* SPDX-License-Identifier: MIT */
#include "hd_address.h"
#include "state.h"

const hd_parameter bridge_parameters[PARAMETER_COUNT] = {
    [PARAMETER_REQUESTS] = {.name = "requests",
                            .type = HD_TYPE_UNSIGNED,
                            .standard = "8",
                            .minimum = 1,
                            .maximum = 256,
                            .doc = "requests in progress at a time"},
};

const hd_port bridge_ports[PORT_COUNT] = {
    [PORT_MEMORY] = {.name = "memory",
                     .direction = HD_PORT_TARGET,
                     .minimum_count = 1,
                     .maximum_count = 1,
                     .latency_cycles = 1,
                     .credits = 8,
                     .doc = "reads and writes of global memory"},
    [PORT_REQUEST] = {.name = "request",
                      .direction = HD_PORT_SEND,
                      .minimum_count = 1,
                      .maximum_count = 1,
                      .latency_cycles = 1,
                      .credits = 8,
                      .doc = "line accesses to the L2 slices"},
    [PORT_REPLY] = {.name = "reply",
                    .direction = HD_PORT_RECEIVE,
                    .minimum_count = 1,
                    .maximum_count = 1,
                    .latency_cycles = 1,
                    .credits = 8,
                    .doc = "replies"},
};

#define COUNT(id, text_name, text_unit, text) [id] = {text_name, text_unit, HD_STATISTIC_COUNT, 0, text}

const hd_statistic bridge_statistics[STATISTIC_COUNT] = {
    COUNT(STATISTIC_READS, "reads", "requests", "reads accepted"),
    COUNT(STATISTIC_WRITES, "writes", "requests", "writes accepted"),
    COUNT(STATISTIC_READ_BYTES, "read_bytes", "bytes", "bytes requested by reads"),
    COUNT(STATISTIC_WRITTEN_BYTES, "written_bytes", "bytes", "bytes of writes, enabled or not"),
    COUNT(STATISTIC_REFUSED, "refused", "requests", "requests answered with an error"),
    COUNT(STATISTIC_LINES, "line_accesses", "packets", "line accesses made"),
    COUNT(STATISTIC_BUSY_CYCLES, "busy_cycles", "cycles", "cycles with a request in progress"),
    COUNT(STATISTIC_LATENCY_CYCLES, "latency_cycles", "cycles", "from accepting a request to its response, summed"),
    [STATISTIC_REQUESTS_MAXIMUM] = {"max_requests", "requests", HD_STATISTIC_MAXIMUM, 0,
                                    "most requests in progress at once"},
};

const hd_trace_event bridge_trace_events[EVENT_COUNT] = {
    [EVENT_READ] = {"read", HD_TRACE_SPAN, 0, "0xaddress|bytes", NULL,
                    "a read is in progress, from request to response"},
    [EVENT_WRITE] = {"write", HD_TRACE_SPAN, 0, "0xaddress|bytes", NULL, "... a write"},
    [EVENT_REFUSED] = {"refused", HD_TRACE_INSTANT, 0, "0xaddress|status", NULL, "a request is answered with an error"},
    [EVENT_ACCESSES] = {"accesses", HD_TRACE_COUNTER, 0, NULL, "accesses", "requests in progress"},
};

const hd_message_use bridge_messages[MESSAGE_COUNT] = {
    [MESSAGE_READ] = {HD_MEMORY_READ, HD_MESSAGE_RECEIVED, 0, "memory"},
    [MESSAGE_WRITE] = {HD_MEMORY_WRITE, HD_MESSAGE_RECEIVED, 0, "memory"},
    [MESSAGE_RESPONSE] = {HD_MEMORY_RESPONSE, HD_MESSAGE_SENT, 0, "memory"},
    [MESSAGE_LOAD] = {HD_GLOBAL_LOAD, HD_MESSAGE_SENT, 0, "request"},
    [MESSAGE_LOAD_REPLY] = {HD_GLOBAL_LOAD_REPLY, HD_MESSAGE_RECEIVED, 0, "reply"},
    [MESSAGE_STORE] = {HD_GLOBAL_STORE, HD_MESSAGE_SENT, 0, "request"},
    [MESSAGE_STORE_ACK] = {HD_GLOBAL_STORE_ACK, HD_MESSAGE_RECEIVED, 0, "reply"},
};

const hd_window bridge_window = {.name = "global memory",
                                 .port = "memory",
                                 .base = HD_GLOBAL_BASE,
                                 .bytes = HD_PHYSICAL_CONTEXT_BASE - HD_GLOBAL_BASE,
                                 .flags = HD_WINDOW_SHARED,
                                 .doc = "code, data and what the host allocates"};
