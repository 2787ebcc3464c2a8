/* SPDX-License-Identifier: MIT */
#include "trace_options.h"

#include <stdio.h>
#include <stdlib.h>

#include "machine_trace.h"
#include "text_value.h"

static int read_value(const char *option, const char *text, uint32_t unit, uint64_t *value)
{
    if (!text || text_to_unsigned(text, unit, value) == TEXT_OK)
        return HD_EXIT_PASS;
    return hd_usage_error(NULL, NULL, 0, "%s %s: it must be %s", option, text, unit_description(unit));
}

static int is_traced(const trace_options *trace)
{
    return trace->recorder.perfetto || trace->recorder.vcd;
}

static int says_what_to_trace(const trace_options *trace)
{
    return trace->recorder.unit_count || trace->recorder.event_count || trace->recorder.kernel_count || trace->from ||
           trace->to || trace->limit || trace->picoseconds;
}

static int check_files(const hd_recorder_options *recorder)
{
    char *error;
    if (hd_recorder_check(recorder, &error))
        return HD_EXIT_PASS;
    fputs(error, stderr);
    free(error);
    return HD_EXIT_USAGE;
}

int trace_options_fill(trace_options *trace, const char *netlist)
{
    hd_recorder_options *recorder = &trace->recorder;
    recorder->to = HD_NEVER;
    recorder->limit = HD_RECORDER_LIMIT_STANDARD;
    if (!is_traced(trace))
        return says_what_to_trace(trace) ? hd_usage_error(NULL, NULL, 0,
                                                          "what to trace is said, but neither --trace "
                                                          "nor --vcd where to write it")
                                         : HD_EXIT_PASS;
    if (read_value("--trace-from", trace->from, HD_UNIT_SECONDS, &recorder->from) ||
        read_value("--trace-to", trace->to, HD_UNIT_SECONDS, &recorder->to) ||
        read_value("--trace-limit", trace->limit, HD_UNIT_BYTES, &recorder->limit))
        return HD_EXIT_USAGE;
    if (recorder->from >= recorder->to)
        return hd_usage_error(NULL, NULL, 0, "--trace-to %s is not after --trace-from %s", trace->to,
                              trace->from ? trace->from : "0 ns");
    if (trace->picoseconds && !recorder->perfetto)
        return hd_usage_error(NULL, NULL, 0, "--trace-picoseconds: it is about --trace, which is not given");
    recorder->units = trace->units;
    recorder->events = trace->events;
    recorder->kernels = trace->kernels;
    recorder->picoseconds = trace->picoseconds != NULL;
    recorder->machine = trace->machine = hd_machine_trace_name(netlist);
    return check_files(recorder);
}

void trace_options_free(trace_options *trace)
{
    free(trace->units);
    free(trace->events);
    free(trace->kernels);
    free(trace->machine);
    *trace = (trace_options){0};
}
