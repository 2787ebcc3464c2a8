/* SPDX-License-Identifier: MIT */
/* What `heddle run` is asked to trace. */
#ifndef HD_TRACE_OPTIONS_H
#define HD_TRACE_OPTIONS_H

#include "command.h"
#include "recorder.h"

typedef struct trace_options {
    hd_recorder_options recorder;
    const char **units, **events, **kernels;
    const char *from, *to, *limit, *picoseconds;
    char *machine;
} trace_options;

#define TRACE_OPTION_USES(trace)                                                                                       \
    {.name = "--trace", .takes_value = 1, .value = &(trace)->recorder.perfetto},                                       \
        {.name = "--vcd", .takes_value = 1, .value = &(trace)->recorder.vcd},                                          \
        {.name = "--trace-unit", .takes_value = 1, .all = &(trace)->units, .count = &(trace)->recorder.unit_count},    \
        {.name = "--trace-event", .takes_value = 1, .all = &(trace)->events, .count = &(trace)->recorder.event_count}, \
        {.name = "--trace-kernel",                                                                                     \
         .takes_value = 1,                                                                                             \
         .all = &(trace)->kernels,                                                                                     \
         .count = &(trace)->recorder.kernel_count},                                                                    \
        {.name = "--trace-from", .takes_value = 1, .value = &(trace)->from},                                           \
        {.name = "--trace-to", .takes_value = 1, .value = &(trace)->to},                                               \
        {.name = "--trace-limit", .takes_value = 1, .value = &(trace)->limit},                                         \
    {                                                                                                                  \
        .name = "--trace-picoseconds", .value = &(trace)->picoseconds                                                  \
    }

#define TRACE_OPTION_USAGE                                                                                             \
    "[--trace FILE] [--vcd FILE] [--trace-unit PATTERN]... [--trace-event PATTERN]... [--trace-kernel N|PATTERN]... "  \
    "[--trace-from TIME] [--trace-to TIME] [--trace-limit SIZE] [--trace-picoseconds]"
#define TRACE_OPTION_HELP                                                                                              \
    "  --trace FILE      write a trace for ui.perfetto.dev; docs/tracing.md says what is in it\n"                      \
    "  --vcd FILE        write a trace for GTKWave; both may be given, and what follows is about both\n"               \
    "  --trace-unit P    only units and tracks of this name, such as 'core[3]', 'core[*]/warp[0]', 'dram'\n"           \
    "  --trace-event P   only events of this name; those that only show detail are shown only if named\n"              \
    "  --trace-kernel K  only while a kernel of this name, or launch of this number, runs\n"                           \
    "  --trace-from T, --trace-to T  only this time of the run: '20 us'\n"                                             \
    "  --trace-limit S   end the trace when the file has this size, '256 MiB' unless given; '0 B': never\n"            \
    "  --trace-picoseconds  show a picosecond as a nanosecond instead of rounding down (--trace only)\n"

/* Of words that were read. netlist: its path. Returns HD_EXIT_PASS, or HD_EXIT_USAGE after it has said why. */
int trace_options_fill(trace_options *trace, const char *netlist);
void trace_options_free(trace_options *trace);

#endif
