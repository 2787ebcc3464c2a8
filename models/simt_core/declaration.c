/* SPDX-License-Identifier: MIT */
/* What the timed SIMT core says about itself. */
#include "simt_core.h"

#include "back_off/back_off_units.h"
#include "context_structures.h"
#include "core.h"
#include "energy_events.h"
#include "reconvergence/reconvergence_units.h"
#include "replacement_units.h"
#include "scheduler/scheduler_units.h"
#include "scoreboard/scoreboard_units.h"
#include "spin/spin_units.h"
#include "tx/tx.h"
#include "tx/tx_units.h"

static const hd_parameter parameters[] = {CORE_PARAMETERS(HD_PARAMETER_ROW)};

static const hd_statistic statistics[] = {
#define CORE_STATISTIC(text, measure, sort, description, ...)                                                          \
    {.name = #text, .unit = (measure), .kind = HD_STATISTIC_##sort, .doc = (description), __VA_ARGS__},
    CORE_STATISTICS(CORE_STATISTIC) MEMORY_STATISTICS(CORE_STATISTIC) MEMORY_TRANSACTION_STATISTICS(CORE_STATISTIC)
#undef CORE_STATISTIC
};

_Static_assert(sizeof statistics / sizeof *statistics == sizeof(core_counters) / sizeof(uint64_t),
               "one declared statistic per counter, in the same order");

#define WITH_ENGINE HD_MESSAGE_WHEN(PARAMETER_CONTEXT_ENGINE, 1)
#define PAST_CACHES HD_MESSAGE_WHEN(PARAMETER_CONTEXT_STORAGE, CONTEXT_IN_MEMORY)
#define WITH_BUFFERS HD_MESSAGE_WHEN(PARAMETER_CONTEXT_STORAGE, CONTEXT_IN_BUFFERS)
#define WITH_LEVELS HD_MESSAGE_WHEN(PARAMETER_CONTEXT_LEVELS, 1)

static const hd_message_use messages[] = {SIMT_CORE_MESSAGE_ROWS,
                                          {HD_GLOBAL_MISTAKE, HD_MESSAGE_RECEIVED, 0, "reply"},
                                          {HD_BLOCK_STOP, HD_MESSAGE_RECEIVED, WITH_ENGINE, "dispatch"},
                                          {HD_BLOCK_RESTORE, HD_MESSAGE_RECEIVED, WITH_ENGINE, "dispatch"},
                                          {HD_BLOCK_CONTEXT, HD_MESSAGE_RECEIVED, WITH_ENGINE, "dispatch"},
                                          {HD_BLOCK_CONTEXT, HD_MESSAGE_SENT, WITH_ENGINE, "event"},
                                          {HD_BLOCK_SAVED, HD_MESSAGE_SENT, WITH_ENGINE, "event"},
                                          {HD_BLOCK_REFUSED, HD_MESSAGE_SENT, WITH_ENGINE, "event"},
                                          {HD_UNCACHED_LOAD, HD_MESSAGE_SENT, PAST_CACHES, "request"},
                                          {HD_UNCACHED_STORE, HD_MESSAGE_SENT, PAST_CACHES, "request"},
                                          {HD_UNCACHED_LOAD, HD_MESSAGE_SENT, WITH_BUFFERS, "request"},
                                          {HD_UNCACHED_STORE, HD_MESSAGE_SENT, WITH_BUFFERS, "request"},
                                          {HD_BUFFER_LOAD, HD_MESSAGE_SENT, WITH_BUFFERS, "request"},
                                          {HD_BUFFER_STORE, HD_MESSAGE_SENT, WITH_BUFFERS, "request"},
                                          {HD_BLOCK_SHUFFLE, HD_MESSAGE_RECEIVED, WITH_BUFFERS, "dispatch"},
                                          {HD_BLOCK_LEAVING, HD_MESSAGE_SENT, WITH_BUFFERS, "event"},
                                          {HD_BLOCK_RESTORED, HD_MESSAGE_SENT, WITH_BUFFERS, "event"},
                                          {HD_BLOCK_WATCH, HD_MESSAGE_RECEIVED, WITH_LEVELS, "dispatch"},
                                          {HD_BLOCK_LEVEL, HD_MESSAGE_SENT, WITH_LEVELS, "event"}};

static const hd_unit *const schedulers[] = {SCHEDULER_UNITS(HD_UNIT_POINTER)};
static const hd_unit *const scoreboards[] = {SCOREBOARD_UNITS(HD_UNIT_POINTER)};
static const hd_unit *const reconvergences[] = {RECONVERGENCE_UNITS(HD_UNIT_POINTER) REGROUPING_UNITS(HD_UNIT_POINTER)};
static const hd_unit *const protocols[] = {TX_UNITS(HD_UNIT_POINTER)};
static const hd_unit *const detectors[] = {SPIN_UNITS(HD_UNIT_POINTER)};
static const hd_unit *const back_offs[] = {BACK_OFF_UNITS(HD_UNIT_POINTER)};
static const hd_unit *const replacements[] = {REPLACEMENT_UNITS(HD_UNIT_POINTER)};

/* Of transactions, whatever the protocol. What the literature does not define is refused by name. */
static const hd_requirement tx_requirements[] = {
    {.what = HD_REQUIRES_ABILITY,
     .sentence = "needs lanes that run together, and a reconvergence unit that has transactions",
     .parameter = "reconvergence",
     .word = "transactions"},
    {.what = HD_REQUIRES_CHOICE,
     .sentence = "is not defined with global memory in the L1: l1.global must be bypass",
     .parameter = "l1.global",
     .word = "bypass"},
    {.what = HD_REQUIRES_RANGE,
     .sentence = "is not defined with address units: memory.address.interval must be 0 cycles",
     .parameter = "memory.address.interval"},
    {.what = HD_REQUIRES_ABILITY,
     .sentence = "does not find conflicts within a warp by itself: tx.intra_warp must not be protocol",
     .parameter = "tx",
     .word = INTRA_WARP_ABILITY,
     .when = "tx.intra_warp",
     .when_word = "protocol"},
    {.what = HD_REQUIRES_POWER_OF_TWO,
     .sentence = "needs a tx.ownership that is a power of two, or 0 B",
     .parameter = "tx.ownership"},
    {.what = HD_REQUIRES_RANGE,
     .sentence = "needs a memory.queue of 2: a store in a transaction may take two places",
     .parameter = "memory.queue",
     .minimum = 2,
     .maximum = UINT64_MAX},
    {.what = HD_REQUIRES_RANGE,
     .sentence = "needs memory.accesses of 2: a store in a transaction may be two accesses",
     .parameter = "memory.accesses",
     .minimum = TX_ACCESSES,
     .maximum = UINT64_MAX},
    {.what = HD_REQUIRES_CHOICE,
     .sentence = "with tx.log_traffic 'l1' needs private memory in the L1: l1.private must be cache",
     .parameter = "l1.private",
     .word = "cache",
     .when = "tx.log_traffic",
     .when_word = "l1"},
    {.what = HD_REQUIRES_ALONE, .sentence = "needs all cores with transactions to be one array"},
};

/* Of a protocol beside that of `tx`. */
static const hd_requirement tx_beside_requirements[] = {
    {.what = HD_REQUIRES_ABILITY,
     .sentence = "goes beside a protocol for global memory, which tx must be; alone it is what tx is",
     .parameter = "tx",
     .word = TX_GLOBAL_ABILITY},
};

static const hd_unit_function scheduler_needs[] = {SCHEDULER_FUNCTIONS};
static const hd_unit_function reconvergence_needs[] = {RECONVERGENCE_FUNCTIONS};
static const hd_unit_function protocol_needs[] = {TX_FUNCTIONS};
static const hd_unit_function replacement_needs[] = {REPLACEMENT_FUNCTIONS};
static const hd_unit_function scoreboard_needs[] = {SCOREBOARD_FUNCTIONS};
static const hd_unit_function spin_needs[] = {SPIN_FUNCTIONS};
static const hd_unit_function back_off_needs[] = {BACK_OFF_FUNCTIONS};

#define SLOT(kind_word, capitals, list, needs, ...)                                                                    \
    [CORE_##capitals] = {.kind = kind_word,                                                                            \
                         .interface = capitals##_INTERFACE,                                                            \
                         .parameter = PARAMETER_##capitals,                                                            \
                         .unit_count = sizeof(list) / sizeof *(list),                                                  \
                         .units = (list),                                                                              \
                         .function_count = sizeof(needs) / sizeof *(needs),                                            \
                         .functions = (needs),                                                                         \
                         __VA_ARGS__}

static const hd_unit_slot slots[CORE_UNITS] = {
    SLOT("scheduler", SCHEDULER, schedulers, scheduler_needs, ),
    SLOT("reconvergence", RECONVERGENCE, reconvergences, reconvergence_needs, ),
    SLOT("tx", TX, protocols, protocol_needs, .none = "none",
         .requirement_count = sizeof tx_requirements / sizeof *tx_requirements, .requirements = tx_requirements),
    [CORE_TX_SCRATCHPAD] = {.kind = "tx",
                            .interface = TX_INTERFACE,
                            .parameter = PARAMETER_TX_SCRATCHPAD,
                            .unit_count = sizeof protocols / sizeof *protocols,
                            .units = protocols,
                            .none = "none",
                            .requirement_count = sizeof tx_beside_requirements / sizeof *tx_beside_requirements,
                            .function_count = sizeof protocol_needs / sizeof *protocol_needs,
                            .requirements = tx_beside_requirements,
                            .functions = protocol_needs,
                            .ability = TX_SCRATCHPAD_ABILITY},
    [CORE_L1_REPLACEMENT] = {.kind = "replacement",
                             .interface = REPLACEMENT_INTERFACE,
                             .parameter = PARAMETER_L1_REPLACEMENT,
                             .unit_count = sizeof replacements / sizeof *replacements,
                             .units = replacements,
                             .function_count = sizeof replacement_needs / sizeof *replacement_needs,
                             .functions = replacement_needs},
    SLOT("scoreboard", SCOREBOARD, scoreboards, scoreboard_needs, ),
    SLOT("spin", SPIN, detectors, spin_needs, .none = "none"),
    SLOT("back_off", BACK_OFF, back_offs, back_off_needs, .none = "none"),
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
    .energy_events = core_energy_events,
    .energy_event_count = CORE_ENERGY_EVENTS,
    .structures = context_structures,
    .structure_count = CONTEXT_STRUCTURES,
};
