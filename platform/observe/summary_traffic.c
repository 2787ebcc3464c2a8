/* SPDX-License-Identifier: MIT */
/* Two lines about generated traffic: what was asked for and done, and how long it took. */
#include <stdlib.h>
#include <string.h>

#include "results.h"

#define LABEL "%-12s"
#define LATENCY "latency.to_"

typedef struct traffic {
    const netlist_block *block;
    const uint64_t *values; /* over the run */
} traffic;

static uint64_t value_of(const traffic *from, const char *name)
{
    const hd_block_class *type = from->block->block_class;
    for (uint32_t i = 0; i < type->statistic_count; i++)
        if (!strcmp(type->statistics[i].name, name))
            return from->values[i];
    return 0;
}

/* The bucket in which so many percent of the requests are complete, as text. */
static void print_percentile(const traffic *from, uint64_t percent, FILE *out)
{
    const hd_block_class *type = from->block->block_class;
    const uint64_t wanted = (value_of(from, "offered") * percent + 99) / 100;
    uint64_t seen = 0;
    for (uint32_t i = 0; i < type->statistic_count; i++) {
        if (strncmp(type->statistics[i].name, LATENCY, strlen(LATENCY)))
            continue;
        seen += from->values[i];
        if (seen >= wanted) {
            fprintf(out, ", %llu%% within %s", (unsigned long long)percent, type->statistics[i].name + strlen(LATENCY));
            return;
        }
    }
}

static double per(double amount, double of)
{
    return of > 0 ? amount / of : 0;
}

static void print_traffic(const traffic *from, const netlist *machine, FILE *out)
{
    const double cycles = (double)value_of(from, "cycles");
    const double offered = (double)value_of(from, "offered");
    const double seconds = per(cycles, (double)from->block->count * (double)machine->clocks[from->block->clock].hz);
    char texts[3][HD_QUANTITY_BYTES];
    fprintf(out, LABEL "%s: %.3f requests offered, %.3f sent, %.3f answered in a cycle of each of %u\n", "traffic",
            from->block->name, per(offered, cycles), per((double)value_of(from, "accepted"), cycles),
            per((double)value_of(from, "answered"), cycles), from->block->count);
    fprintf(out, LABEL "%s/s read, %s/s written; %s compared\n", "",
            hd_print_bytes(texts[0], per((double)value_of(from, "bytes_read"), seconds)),
            hd_print_bytes(texts[1], per((double)value_of(from, "bytes_written"), seconds)),
            hd_print_bytes(texts[2], (double)value_of(from, "bytes_compared")));
    if (offered == 0)
        return;
    fprintf(out, LABEL "%.1f cycles on average", "latency", per((double)value_of(from, "latency_cycles"), offered));
    print_percentile(from, 50, out);
    print_percentile(from, 99, out);
    fprintf(out, ", longest %llu\n", (unsigned long long)value_of(from, "latency_maximum"));
}

void hd_results_traffic(const hd_results *results, FILE *out)
{
    const netlist *machine = hd_statistics_netlist(results->statistics);
    for (uint32_t b = 0; b < machine->block_count; b++) {
        const traffic from = {.block = &machine->blocks[b],
                              .values =
                                  hd_statistics_block(results->statistics, hd_statistics_run(results->statistics), b)};
        if (!strcmp(from.block->block_class->kind, "simt_core") && !strcmp(from.block->block_class->type, "traffic"))
            print_traffic(&from, machine, out);
    }
}
