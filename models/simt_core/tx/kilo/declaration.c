/* SPDX-License-Identifier: MIT */
/* What Kilo TM says about itself, and requires of the machine. */
#include "tx/kilo/tables.h"
#include "tx/tx_units.h"

static const hd_parameter parameters[KILO_PARAMETERS] = {KILO_PARAMETER_ROWS};

static const hd_statistic statistics[KILO_REASONS + KILO_STATISTICS] = {KILO_REASON_ROWS(""),
                                                                        KILO_STATISTIC_ROWS(KILO_REASONS, "")};

static const hd_message_use messages[] = {KILO_MESSAGE_ROWS};

static const hd_requirement requirements[] = {KILO_REQUIREMENT_ROWS};

static const hd_trace_event trace_events[KILO_EVENTS] = {
    KILO_EVENT_ROWS("kilo."),
    [KILO_EVENT_FAILURE] = {.name = "failure",
                            .form = HD_TRACE_FLOW,
                            .doc = "from a unit's verdict that a lane fails to its arrival in the core"},
};

static const hd_structure structures[] = {KILO_STRUCTURE_ROWS};

#define LENGTH(table) (sizeof(table) / sizeof *(table))

const hd_unit hd_tx_kilo = {
    HD_UNIT_HEAD(tx, TX, kilo),
    .doc =
        "Kilo TM: transactions are compared with memory by value when they commit, in the order of commit IDs; WarpTM "
        "and temporal conflict detection by parameters",
    .source = "Fung 2015 §4.2, §6.2, §6.4",
    .abilities = TX_GLOBAL_ABILITY "|" INTRA_WARP_ABILITY,
    .parameter_count = KILO_PARAMETERS,
    .parameters = parameters,
    .statistic_count = KILO_REASONS + KILO_STATISTICS,
    .statistics = statistics,
    .trace_event_count = KILO_EVENTS,
    .trace_events = trace_events,
    .profiled_count = KILO_REASONS,
    .message_count = LENGTH(messages),
    .messages = messages,
    .requirement_count = LENGTH(requirements),
    .requirements = requirements,
    .structure_count = LENGTH(structures),
    .structures = structures,
};
