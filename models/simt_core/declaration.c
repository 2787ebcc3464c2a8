/* SPDX-License-Identifier: MIT */
/* What the timed SIMT core says about itself. */
#include "simt_core.h"

#include "core_trace.h"

static const hd_parameter parameters[] = {CORE_PARAMETERS(SIMT_CORE_PARAMETER)};

static const hd_statistic statistics[] = {
#define CORE_STATISTIC(text, measure, sort, description)                                                               \
    {.name = #text, .unit = (measure), .kind = HD_STATISTIC_##sort, .doc = (description)},
    CORE_STATISTICS(CORE_STATISTIC) MEMORY_STATISTICS(CORE_STATISTIC) MEMORY_TRANSACTION_STATISTICS(CORE_STATISTIC)
#undef CORE_STATISTIC
};

_Static_assert(sizeof statistics / sizeof *statistics == sizeof(core_counters) / sizeof(uint64_t),
               "one declared statistic per counter, in the same order");

#define LENGTH(table) (sizeof(table) / sizeof *(table))

const hd_block_class hd_simt_core_timed = {
    .abi_version = HD_ABI_VERSION,
    .struct_bytes = sizeof(hd_block_class),
    .kind = "simt_core",
    .type = "timed",
    .doc = "in-order multithreaded SIMT core with every pipeline stage timed",
    .source = "Fung 2015 §2.3.3",
    .flags = HD_BLOCK_ADDRESS_MAP | HD_BLOCK_LOOKS_AHEAD,
    .parameter_count = PARAMETER_COUNT,
    .port_count = PORT_COUNT,
    .statistic_count = LENGTH(statistics),
    .message_count = SIMT_CORE_MESSAGES,
    .parameters = parameters,
    .ports = simt_core_ports,
    .statistics = statistics,
    .trace_events = core_trace_events,
    .trace_event_count = CORE_TRACE_EVENTS,
    .messages = simt_core_messages,
    .check = core_check,
    .create = core_create,
    .connect = core_connect,
    .reset = core_reset,
    .advance = core_advance,
    .promise = core_promise,
    .counters = core_counters_of,
    .destroy = core_destroy,
    .extension = core_extension,
};
