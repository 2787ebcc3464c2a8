/* SPDX-License-Identifier: MIT */
/* PROTOCOL, a protocol of the source tree, as a unit of a plug-in: PROTOCOL_outside, and its statistics and trace events
 * NAME_outside. */
#include <stdio.h>

#include "hd_plugin.h"
#include "hd_unit.h"

#define JOIN(a, b) JOIN_TOKENS(a, b)
#define JOIN_TOKENS(a, b) a##b
#define TEXT(word) TEXT_OF(word)
#define TEXT_OF(word) #word

extern const hd_unit JOIN(hd_tx_, PROTOCOL);

#define ROWS 64u
static hd_statistic statistics[ROWS];
static hd_trace_event trace_events[ROWS];
static char statistic_names[ROWS][HD_NAME_MAX + 1], event_names[ROWS][HD_NAME_MAX + 1];

static hd_unit outside;
static const hd_unit *const units[] = {&outside};

__attribute__((constructor)) static void rename_unit(void)
{
    outside = JOIN(hd_tx_, PROTOCOL);
    outside.name = TEXT(JOIN(PROTOCOL, _outside));
    outside.statistics = statistics;
    outside.trace_events = trace_events;
    for (uint32_t i = 0; i < outside.statistic_count && i < ROWS; i++) {
        statistics[i] = JOIN(hd_tx_, PROTOCOL).statistics[i];
        snprintf(statistic_names[i], sizeof statistic_names[i], "%s_outside", statistics[i].name);
        statistics[i].name = statistic_names[i];
    }
    for (uint32_t i = 0; i < outside.trace_event_count && i < ROWS; i++) {
        trace_events[i] = JOIN(hd_tx_, PROTOCOL).trace_events[i];
        snprintf(event_names[i], sizeof event_names[i], "%s_outside", trace_events[i].name);
        trace_events[i].name = event_names[i];
    }
}

HD_PLUGIN_ENTRY = {
    .abi_version = HD_ABI_VERSION,
    .struct_bytes = sizeof(hd_plugin),
    .name = TEXT(JOIN(PROTOCOL, _outside)),
    .version = "0.1",
    .licence = "MIT",
    .unit_count = sizeof units / sizeof *units,
    .units = units,
};
