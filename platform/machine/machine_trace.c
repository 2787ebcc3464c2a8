/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* strndup */
#include "machine_trace.h"

#include <string.h>

char *hd_machine_trace_name(const char *netlist)
{
    const char *slash = strrchr(netlist, '/'), *name = slash ? slash + 1 : netlist, *dot = strrchr(name, '.');
    return strndup(name, dot && dot > name ? (size_t)(dot - name) : strlen(name));
}

static void on_kernel(void *context, uint32_t launch, const char *name, uint32_t begins, hd_time t)
{
    hd_recorder_kernel(context, launch, name, begins, t);
}

static void on_power(void *context, const char *name, uint64_t milliwatts, hd_time end)
{
    hd_recorder_power(context, name, milliwatts, end);
}

hd_recorder *hd_machine_trace_prepare(const hd_recorder_options *options, hd_machine_setup *setup,
                                      hd_series_setup *series)
{
    if (!options->perfetto && !options->vcd)
        return NULL;
    hd_recorder *recorder = hd_recorder_create(options);
    setup->tracer = hd_recorder_tracer(recorder);
    setup->kernel = on_kernel;
    setup->kernel_context = recorder;
    series->power = on_power;
    series->power_context = recorder;
    return recorder;
}

const char *hd_machine_trace_begin(hd_recorder *recorder, const hd_machine_setup *setup, const hd_machine *machine,
                                   const char **what)
{
    if (recorder && setup->series && hd_machine_netlist(machine)->energy)
        hd_recorder_expect_power(recorder);
    return recorder ? hd_recorder_useless(recorder, what) : NULL;
}
