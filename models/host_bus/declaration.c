/* SPDX-License-Identifier: MIT */
#include "state.h"

const hd_parameter host_bus_parameters[PARAMETER_COUNT] = {
    [PARAMETER_WIDTH] = {.name = "width",
                         .type = HD_TYPE_UNSIGNED,
                         .unit = HD_UNIT_BYTES,
                         .standard = "16 B",
                         .minimum = 1,
                         .maximum = 1024,
                         .doc = "bandwidth of each of the two channels per cycle"},
    [PARAMETER_REQUESTS] = {.name = "requests",
                            .type = HD_TYPE_UNSIGNED,
                            .standard = "16",
                            .minimum = 1,
                            .maximum = 65536,
                            .doc = "accesses in progress at a time"},
};

const hd_port host_bus_ports[PORT_COUNT] = {
    [PORT_INITIATOR] = {.name = "initiator",
                        .direction = HD_PORT_TARGET,
                        .minimum_count = 1,
                        .maximum_count = INITIATORS_MAX,
                        .latency_cycles = 1,
                        .credits = 8,
                        .doc = "initiators"},
    [PORT_TARGET] = {.name = "target",
                     .direction = HD_PORT_INITIATOR,
                     .minimum_count = 1,
                     .maximum_count = TARGETS_MAX,
                     .latency_cycles = 1,
                     .credits = 8,
                     .doc = "targets"},
};

#define COUNT(id, text_name, text_unit, text) [id] = {text_name, text_unit, HD_STATISTIC_COUNT, 0, text}

const hd_statistic host_bus_statistics[STATISTIC_COUNT] = {
    COUNT(STATISTIC_REQUESTS, "requests", "accesses", "accesses forwarded"),
    COUNT(STATISTIC_UNMAPPED, "unmapped", "accesses", "accesses to unmapped addresses"),
    COUNT(STATISTIC_REQUEST_BUSY_CYCLES, "request_busy_cycles", "cycles", "cycles in which requests moved"),
    COUNT(STATISTIC_RESPONSE_BUSY_CYCLES, "response_busy_cycles", "cycles", "cycles in which responses moved"),
    COUNT(STATISTIC_REQUEST_WAIT_CYCLES, "request_wait_cycles", "cycles",
          "cycles in which a request waited for room, or for the channel"),
    [STATISTIC_MAX_REQUESTS] = {"max_requests", "accesses", HD_STATISTIC_MAXIMUM, 0,
                                "most accesses in progress at a time"},
};

const hd_trace_event host_bus_trace_events[EVENT_COUNT] = {
    [EVENT_READ] = {"read", HD_TRACE_SPAN, 0, "0xaddress|bytes|initiator|target", NULL,
                    "a read is in progress, from request to response"},
    [EVENT_WRITE] = {"write", HD_TRACE_SPAN, 0, "0xaddress|bytes|initiator|target", NULL, "... a write"},
    [EVENT_UNMAPPED] = {"unmapped", HD_TRACE_INSTANT, 0, "0xaddress|initiator", NULL,
                        "an access to an unmapped address"},
    [EVENT_ACCESSES] = {"accesses", HD_TRACE_COUNTER, 0, NULL, "accesses", "accesses in progress"},
};

const hd_message_use host_bus_messages[MESSAGE_USES] = {
    {HD_MEMORY_READ, HD_MESSAGE_RECEIVED, 0, "initiator"}, {HD_MEMORY_WRITE, HD_MESSAGE_RECEIVED, 0, "initiator"},
    {HD_MEMORY_RESPONSE, HD_MESSAGE_SENT, 0, "initiator"}, {HD_MEMORY_READ, HD_MESSAGE_SENT, 0, "target"},
    {HD_MEMORY_WRITE, HD_MESSAGE_SENT, 0, "target"},       {HD_MEMORY_RESPONSE, HD_MESSAGE_RECEIVED, 0, "target"},
};
