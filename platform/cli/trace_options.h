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
    "  --trace FILE      write a trace for ui.perfetto.dev (docs/tracing.md)\n"                                        \
    "  --vcd FILE        write a trace for GTKWave; both may be given, and the options below apply to both\n"          \
    "  --trace-unit P    only units and tracks with this name, such as 'core[3]', 'core[*]/warp[0]', 'dram'\n"         \
    "  --trace-event P   only events with this name; detail events are recorded only if named\n"                       \
    "  --trace-kernel K  only while a kernel with this name, or the launch with this number, runs\n"                   \
    "  --trace-from T, --trace-to T  only this interval of simulated time: '20 us'\n"                                  \
    "  --trace-limit S   end the trace when the file reaches this size (default '256 MiB'); '0 B': no limit\n"         \
    "  --trace-picoseconds  write picoseconds as nanoseconds instead of rounding down (--trace only)\n"

/* Of words that were read. netlist: its path. Returns HD_EXIT_PASS, or HD_EXIT_USAGE after it has said why. */
int trace_options_fill(trace_options *trace, const char *netlist);
void trace_options_free(trace_options *trace);

#endif
