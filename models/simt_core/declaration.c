/* SPDX-License-Identifier: MIT */
/* What the timed SIMT core says about itself. */
#include "simt_core.h"

#include "core.h"
#include "hd_message.h"

static const hd_parameter parameters[] = {
#define CORE_PARAMETER(identifier, text, kind, measure, fallback, low, high, alternatives, description)                \
    [PARAMETER_##identifier] = {.name = (text),                                                                        \
                                .type = HD_TYPE_##kind,                                                                \
                                .unit = HD_UNIT_##measure,                                                             \
                                .standard = (fallback),                                                                \
                                .minimum = (low),                                                                      \
                                .maximum = (high),                                                                     \
                                .choices = (alternatives),                                                             \
                                .doc = (description)},
#define HD_UNIT_UNITLESS HD_UNITLESS
    CORE_PARAMETERS(CORE_PARAMETER)
#undef HD_UNIT_UNITLESS
#undef CORE_PARAMETER
};

static const hd_port ports[] = {
    [PORT_REQUEST] = {.name = "request",
                      .direction = HD_PORT_SEND,
                      .minimum_count = 1,
                      .maximum_count = 1,
                      .latency_cycles = 8,
                      .credits = 1,
                      .doc = "loads, stores and atomics to the memory partitions"},
    [PORT_REPLY] = {.name = "reply",
                    .direction = HD_PORT_RECEIVE,
                    .minimum_count = 1,
                    .maximum_count = 1,
                    .latency_cycles = 1,
                    .credits = 32,
                    .doc = "replies from the memory partitions; always taken on arrival"},
    [PORT_DISPATCH] = {.name = "dispatch",
                       .direction = HD_PORT_RECEIVE,
                       .minimum_count = 1,
                       .maximum_count = 1,
                       .latency_cycles = 1,
                       .credits = 8,
                       .doc = "thread blocks to run"},
    [PORT_EVENT] = {.name = "event",
                    .direction = HD_PORT_SEND,
                    .minimum_count = 1,
                    .maximum_count = 1,
                    .latency_cycles = 8,
                    .credits = 1,
                    .doc = "capacity at start, then finished blocks"},
};

static const hd_statistic statistics[] = {
#define CORE_STATISTIC(text, measure, sort, description)                                                               \
    {.name = #text, .unit = (measure), .kind = HD_STATISTIC_##sort, .doc = (description)},
    CORE_STATISTICS(CORE_STATISTIC) MEMORY_STATISTICS(CORE_STATISTIC)
#undef CORE_STATISTIC
};

_Static_assert(sizeof statistics / sizeof *statistics == sizeof(core_counters) / sizeof(uint64_t),
               "one declared statistic per counter, in the same order");

static const hd_message_use messages[] = {
    {.name = HD_GLOBAL_LOAD, .direction = HD_MESSAGE_SENT, .port = "request"},
    {.name = HD_GLOBAL_STORE, .direction = HD_MESSAGE_SENT, .port = "request"},
    {.name = HD_GLOBAL_ATOMIC, .direction = HD_MESSAGE_SENT, .port = "request"},
    {.name = HD_GLOBAL_LOAD_REPLY, .direction = HD_MESSAGE_RECEIVED, .port = "reply"},
    {.name = HD_GLOBAL_STORE_ACK, .direction = HD_MESSAGE_RECEIVED, .port = "reply"},
    {.name = HD_GLOBAL_ATOMIC_REPLY, .direction = HD_MESSAGE_RECEIVED, .port = "reply"},
    {.name = HD_BLOCK_LAUNCH, .direction = HD_MESSAGE_RECEIVED, .port = "dispatch"},
    {.name = HD_CORE_CAPACITY, .direction = HD_MESSAGE_SENT, .port = "event"},
    {.name = HD_BLOCK_DONE, .direction = HD_MESSAGE_SENT, .port = "event"},
};

#define LENGTH(table) (sizeof(table) / sizeof *(table))

const hd_block_class hd_simt_core_timed = {
    .abi_version = HD_ABI_VERSION,
    .struct_bytes = sizeof(hd_block_class),
    .kind = "simt_core",
    .type = "timed",
    .doc = "in-order multithreaded SIMT core with every pipeline stage timed",
    .source = "Fung 2015 §2.3.3",
    .flags = HD_BLOCK_ADDRESS_MAP,
    .parameter_count = PARAMETER_COUNT,
    .port_count = PORT_COUNT,
    .statistic_count = LENGTH(statistics),
    .message_count = LENGTH(messages),
    .parameters = parameters,
    .ports = ports,
    .statistics = statistics,
    .messages = messages,
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
