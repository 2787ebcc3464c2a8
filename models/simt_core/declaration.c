/* SPDX-License-Identifier: MIT */
/* What the timed SIMT core says about itself. */
#include "simt_core.h"

#include "core_trace.h"
#include "hd_getm.h"
#include "hd_ideal.h"
#include "reconvergence/reconvergence_units.h"
#include "scheduler/scheduler_units.h"

static const hd_parameter parameters[] = {CORE_PARAMETERS(SIMT_CORE_PARAMETER)};

static const hd_statistic statistics[] = {
#define CORE_STATISTIC(text, measure, sort, description, ...)                                                          \
    {.name = #text, .unit = (measure), .kind = HD_STATISTIC_##sort, .doc = (description), __VA_ARGS__},
    CORE_STATISTICS(CORE_STATISTIC) MEMORY_STATISTICS(CORE_STATISTIC) MEMORY_TRANSACTION_STATISTICS(CORE_STATISTIC)
#undef CORE_STATISTIC
};

_Static_assert(sizeof statistics / sizeof *statistics == sizeof(core_counters) / sizeof(uint64_t),
               "one declared statistic per counter, in the same order");

/* Of a core with this protocol. */
#define TX_MESSAGE(text, way, through, choice)                                                                         \
    {                                                                                                                  \
        .name = (text), .direction = HD_MESSAGE_##way, .when = HD_MESSAGE_WHEN(PARAMETER_TX, TX_CHOICE_##choice),      \
        .port = (through)                                                                                              \
    }
#define GETM(text, way, through) TX_MESSAGE(text, way, through, GETM)
#define IDEAL(text, way, through) TX_MESSAGE(text, way, through, IDEAL)

static const hd_message_use messages[] = {
    SIMT_CORE_MESSAGE_ROWS,
    GETM(HD_GETM_LOAD, SENT, "request"),
    GETM(HD_GETM_STORE, SENT, "request"),
    GETM(HD_GETM_LOG, SENT, "request"),
    GETM(HD_GETM_ROLLED_OVER, SENT, "request"),
    GETM(HD_GETM_STORE_OK, RECEIVED, "reply"),
    GETM(HD_GETM_ABORT, RECEIVED, "reply"),
    GETM(HD_GETM_LOG_ACK, RECEIVED, "reply"),
    GETM(HD_GETM_ROLLOVER, RECEIVED, "reply"),
    GETM(HD_GETM_ROLLOVER_END, RECEIVED, "reply"),
    IDEAL(HD_IDEAL_READ, SENT, "transaction_request"),
    IDEAL(HD_IDEAL_COMMIT, SENT, "transaction_request"),
    IDEAL(HD_IDEAL_WORDS, RECEIVED, "transaction_reply"),
    IDEAL(HD_IDEAL_VERDICT, RECEIVED, "transaction_reply"),
    IDEAL(HD_IDEAL_DOOM, RECEIVED, "transaction_reply"),
    IDEAL(HD_IDEAL_SETTLED, RECEIVED, "transaction_reply"),
};

static const hd_unit *const schedulers[] = {SCHEDULER_UNITS(HD_UNIT_POINTER)};
static const hd_unit *const reconvergences[] = {RECONVERGENCE_UNITS(HD_UNIT_POINTER)};

#define SLOT(kind_word, capitals, list)                                                                                \
    [CORE_##capitals] = {.kind = kind_word,                                                                            \
                         .interface = capitals##_INTERFACE,                                                            \
                         .parameter = PARAMETER_##capitals,                                                            \
                         .unit_count = sizeof(list) / sizeof *(list),                                                  \
                         .units = (list)}

static const hd_unit_slot slots[CORE_UNITS] = {
    SLOT("scheduler", SCHEDULER, schedulers),
    SLOT("reconvergence", RECONVERGENCE, reconvergences),
};

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
    .message_count = LENGTH(messages),
    .parameters = parameters,
    .ports = simt_core_ports,
    .statistics = statistics,
    .trace_events = core_trace_events,
    .trace_event_count = CORE_TRACE_EVENTS,
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
    .unit_slot_count = CORE_UNITS,
    .unit_slots = slots,
};
