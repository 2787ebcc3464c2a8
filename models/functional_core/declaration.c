/* SPDX-License-Identifier: MIT */
/* What the functional core says about itself. */
#include "functional_core.h"

#include "reconvergence_units.h"
#include "state.h"

static const hd_parameter parameters[] = {FUNCTIONAL_PARAMETERS(HD_PARAMETER_ROW)};

static const hd_statistic statistics[] = {
#define FUNCTIONAL_STATISTIC(text, measure, sort, description)                                                         \
    {.name = #text, .unit = (measure), .kind = HD_STATISTIC_##sort, .doc = (description)},
    FUNCTIONAL_STATISTICS(FUNCTIONAL_STATISTIC)
#undef FUNCTIONAL_STATISTIC
};

#define STATISTIC_COUNT (sizeof statistics / sizeof *statistics)

_Static_assert(STATISTIC_COUNT == sizeof(functional_counters) / sizeof(uint64_t),
               "one declared statistic per counter, in the same order");

static const hd_unit *const reconvergences[] = {RECONVERGENCE_UNITS(HD_UNIT_POINTER)};

static const hd_unit_function reconvergence_needs[] = {RECONVERGENCE_FUNCTIONS};

static const hd_unit_slot slots[FUNCTIONAL_UNITS] = {
    [FUNCTIONAL_RECONVERGENCE] = {.kind = "reconvergence",
                                  .interface = RECONVERGENCE_INTERFACE,
                                  .parameter = PARAMETER_RECONVERGENCE,
                                  .unit_count = sizeof reconvergences / sizeof *reconvergences,
                                  .units = reconvergences,
                                  .function_count = sizeof reconvergence_needs / sizeof *reconvergence_needs,
                                  .functions = reconvergence_needs},
};

const hd_block_class hd_simt_core_functional = {
    .abi_version = HD_ABI_VERSION,
    .struct_bytes = sizeof(hd_block_class),
    .kind = "simt_core",
    .type = "functional",
    .doc = "SIMT core without pipeline, caches and traffic: loosely timed, for fast runs",
    .source = "Fung 2015 §2.3.3",
    .flags = HD_BLOCK_DIRECT,
    .parameter_count = PARAMETER_COUNT,
    .port_count = PORT_COUNT,
    .statistic_count = STATISTIC_COUNT,
    .message_count = SIMT_CORE_MESSAGES,
    .parameters = parameters,
    .ports = simt_core_ports,
    .statistics = statistics,
    .trace_events = functional_trace_events,
    .trace_event_count = FUNCTIONAL_TRACE_EVENTS,
    .messages = simt_core_messages,
    .create = functional_create,
    .connect = functional_connect,
    .reset = functional_reset,
    .advance = functional_advance,
    .counters = functional_counters_of,
    .destroy = functional_destroy,
    .extension = functional_extension,
    .unit_slot_count = FUNCTIONAL_UNITS,
    .unit_slots = slots,
};
