/* SPDX-License-Identifier: MIT */
#include "estimate.h"
#include "results.h"

static void print(const hd_estimate *estimate, FILE *out)
{
    if (estimate->source && !estimate->process)
        fprintf(out, "%-12s%.0f B of storage, after %s\n", "estimate", estimate->bytes, estimate->source);
    else if (estimate->source)
        fprintf(out, "%-12s%.3f mm2, %.1f mW for transactions at %s, scaled from %s\n", "estimate",
                estimate->square_millimetres, estimate->milliwatts, estimate->process, estimate->source);
}

void hd_results_estimate(const hd_results *results, FILE *out)
{
    const netlist *machine = hd_statistics_netlist(results->statistics);
    const char *processes[HD_ESTIMATE_PROCESSES];
    const hd_estimate estimate = hd_estimate_of(machine);
    print(&estimate, out);
    const uint32_t others = hd_estimate_other_processes(machine, processes);
    for (uint32_t i = 0; i < others; i++) {
        const hd_estimate other = hd_estimate_in(machine, processes[i]);
        print(&other, out);
    }
}
