/* SPDX-License-Identifier: MIT */
/* What the traffic generator says about itself. */
#include "state.h"
#include "traffic_generator.h"

static const hd_parameter parameters[PARAMETER_COUNT] = {TRAFFIC_PARAMETERS(HD_PARAMETER_ROW)};

static const hd_statistic statistics[STATISTIC_COUNT] = {
#define X_(identifier, text, measure, sort, description)                                                               \
    [STATISTIC_##identifier] = {.name = (text), .unit = (measure), .kind = HD_STATISTIC_##sort, .doc = (description)},
    TRAFFIC_STATISTICS
#undef X_
};

#define REQUEST "0xaddress|bytes|waited"

static const hd_trace_event trace_events[EVENT_COUNT] = {
    [EVENT_LOAD] = {"load", HD_TRACE_SPAN, 0, REQUEST, NULL, "a load is in flight; `waited` cycles before it was sent"},
    [EVENT_STORE] = {"store", HD_TRACE_SPAN, 0, REQUEST, NULL, "... a store"},
    [EVENT_ATOMIC] = {"atomic", HD_TRACE_SPAN, 0, REQUEST, NULL, "... an atomic"},
    [EVENT_OUTSTANDING] = {"outstanding", HD_TRACE_COUNTER, 0, NULL, "requests", "requests in flight"},
};

static const uint64_t *counters(hd_block *block)
{
    return ((generator *)block)->counters;
}

const hd_block_class hd_simt_core_traffic = {
    .abi_version = HD_ABI_VERSION,
    .struct_bytes = sizeof(hd_block_class),
    .kind = "simt_core",
    .type = "traffic",
    .doc = "memory traffic where a core was, by pattern or from a file; what comes back is checked",
    .source = "the open and closed loops of network evaluation: Dally and Towles 2004, chapter 23",
    .flags = HD_BLOCK_ADDRESS_MAP | HD_BLOCK_SELF_DRIVEN,
    .parameter_count = PARAMETER_COUNT,
    .port_count = PORT_COUNT,
    .statistic_count = STATISTIC_COUNT,
    .message_count = SIMT_CORE_MESSAGES,
    .parameters = parameters,
    .ports = simt_core_ports,
    .statistics = statistics,
    .messages = simt_core_messages,
    .trace_events = trace_events,
    .trace_event_count = EVENT_COUNT,
    .check = generator_check,
    .create = generator_create,
    .connect = generator_connect,
    .reset = generator_reset,
    .advance = generator_advance,
    .counters = counters,
    .destroy = generator_destroy,
    .extension = generator_extension,
};
