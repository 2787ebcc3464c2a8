/* SPDX-License-Identifier: MIT */
#include "energy_results.h"
#include "results.h"

#define SHOWN_FROM 0.05 /* percent */

static void print_categories(const hd_energy_sums *sums, FILE *out)
{
    const char *lead = "";
    fprintf(out, "%-12s", "");
    for (uint32_t i = 0; i < HD_ENERGY_CATEGORY_COUNT; i++) {
        const double percent = sums->total ? 100.0 * (double)sums->categories[i] / (double)sums->total : 0;
        if (percent >= SHOWN_FROM)
            fprintf(out, "%s%s %.1f%%", lead, netlist_energy_categories[i], percent);
        lead = percent >= SHOWN_FROM ? "  " : lead;
    }
    fputc('\n', out);
}

void hd_results_energy(const hd_results *results, FILE *out)
{
    const hd_statistics *s = results->statistics;
    const netlist *machine = hd_statistics_netlist(s);
    const hd_interval *interval = results->app ? hd_statistics_busy(s) : hd_statistics_run(s);
    if (!machine->energy)
        return;
    hd_energy_model model = hd_energy_model_of(machine);
    const hd_energy_sums sums = hd_energy_of_interval(&model, s, interval);
    char energy[HD_QUANTITY_BYTES];
    fprintf(out, "%-12s%s, %.1f W, %.1f pJ an instruction of a lane (%s)\n", "energy",
            hd_print_energy(energy, sums.total),
            hd_energy_watts(sums.total, interval->end + interval->beyond - interval->begin),
            hd_energy_per_instruction(sums.total, s, interval), machine->energy->name);
    print_categories(&sums, out);
    hd_energy_model_free(&model);
}
