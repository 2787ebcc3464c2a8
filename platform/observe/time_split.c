/* SPDX-License-Identifier: MIT */
/* What the time of an app went into, as the command processor counts it (docs/statistics.md). */
#include "results.h"

#include <string.h>

static const netlist_block *command_processor_of(const netlist *machine)
{
    for (uint32_t b = 0; b < machine->block_count; b++)
        if (!strcmp(machine->blocks[b].block_class->kind, "command_processor"))
            return &machine->blocks[b];
    return NULL;
}

/* Takes the time of these cycles from what is left; never more. */
static hd_time take(hd_time *left, hd_clock clock, uint64_t cycles)
{
    const hd_time asked = hd_clock_edge(clock, cycles);
    const hd_time taken = asked < *left ? asked : *left;
    *left -= taken;
    return taken;
}

static uint64_t counted(const hd_results *results, const char *statistic)
{
    return hd_statistics_sum(results->statistics, hd_statistics_run(results->statistics), "command_processor",
                             statistic);
}

uint32_t hd_results_time(const hd_results *results, hd_time_split *split)
{
    const netlist *machine = hd_statistics_netlist(results->statistics);
    const netlist_block *block = command_processor_of(machine);
    if (!results->app || !block)
        return 0;
    const hd_clock clock = {machine->clocks[block->clock].hz};
    const uint64_t overlap = counted(results, "overlap_cycles"), busy = counted(results, "busy_cycles");
    hd_time left = results->simulated;
    split->total = results->simulated;
    split->overlap = take(&left, clock, overlap);
    split->kernel = take(&left, clock, busy > overlap ? busy - overlap : 0);
    split->transfer = take(&left, clock, counted(results, "transfer_cycles"));
    split->launch = take(&left, clock, counted(results, "command_cycles"));
    split->host = left;
    return 1;
}

static void print_part(const char *name, hd_time part, hd_time total, const char *end, FILE *out)
{
    char text[HD_QUANTITY_BYTES];
    fprintf(out, "%s %s (%.1f%%)%s", name, hd_print_time(text, part), total ? 100.0 * (double)part / (double)total : 0,
            end);
}

void hd_results_print_time(const hd_results *results, FILE *out)
{
    hd_time_split split;
    if (!hd_results_time(results, &split))
        return;
    fprintf(out, "%-12s", "time");
    print_part("host", split.host, split.total, ", ", out);
    print_part("transfers", split.transfer, split.total, ", ", out);
    print_part("launches", split.launch, split.total, ", ", out);
    print_part("kernels", split.kernel, split.total, split.overlap ? ",\n" : "\n", out);
    if (split.overlap) {
        fprintf(out, "%-12s", "");
        print_part("kernels beside transfers", split.overlap, split.total, "\n", out);
    }
}
