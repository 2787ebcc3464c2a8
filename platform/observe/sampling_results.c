/* SPDX-License-Identifier: MIT */
#include "sampling_results.h"

#include <jansson.h>
#include <string.h>

#include "json_text.h"
#include "results.h"

static double cycles_of(const hd_sampling_results *found, double picoseconds)
{
    return picoseconds * 1e-12 * (double)found->hertz;
}

double hd_sampling_cycles(const hd_sampling_results *found, double *half_width)
{
    *half_width = found->half_width < 0 ? -1 : cycles_of(found, found->half_width);
    return cycles_of(found, found->picoseconds);
}

/* Of a run with parts that no window stands for there is none. */
static int has_estimate(const hd_sampling_results *found)
{
    return found->windows || found->half_width >= 0;
}

/* What is not known is null. */
static json_t *estimate_json(const hd_sampling_results *found, double value, double half_width)
{
    json_t *object = json_object();
    json_object_set_new(object, "estimate", has_estimate(found) ? json_real(value) : json_null());
    json_object_set_new(object, "half_width", half_width < 0 ? json_null() : json_real(half_width));
    return object;
}

/* What is counted as in a run in detail, whoever has executed it. */
static int is_exact(const char *statistic)
{
    static const char *const names[] = {
        "warp_instructions",   "thread_instructions", "integer_instructions", "float_instructions",
        "memory_instructions", "control_instructions", "synchronisation_instructions",
        "lanes_1_4",           "lanes_5_8",           "lanes_9_12",           "lanes_13_16",
        "lanes_17_20",         "lanes_21_24",         "lanes_25_28",          "lanes_29_32",
        "divergent_branches",  "barriers_released",   "blocks_run",           "warps_run",
        "threads_run",         "loads",               "stores",               "atomics"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(statistic, names[i]) == 0)
            return 1;
    return 0;
}

static json_t *exact_json(const hd_statistics *statistics)
{
    const netlist *machine = hd_statistics_netlist(statistics);
    json_t *object = json_object();
    for (uint32_t b = 0; b < machine->block_count; b++) {
        const hd_block_class *type = machine->blocks[b].block_class;
        const uint64_t *values = hd_statistics_block(statistics, hd_statistics_run(statistics), b);
        for (uint32_t i = 0; i < type->statistic_count && strcmp(type->kind, "simt_core") == 0; i++)
            if (is_exact(type->statistics[i].name))
                json_object_set_new(object, type->statistics[i].name, hd_json_number(values[i]));
    }
    return object;
}

struct json_t *hd_sampling_json(const hd_results *results)
{
    const hd_sampling_results *found = results->sampling;
    double half_width;
    const double cycles = hd_sampling_cycles(found, &half_width);
    const double instructions = (double)found->instructions;
    const double ratio = cycles > 0 ? instructions / cycles : 0;
    json_t *object = json_object();
    json_object_set_new(object, "is_estimate", json_true());
    json_object_set_new(object, "confidence", json_real(0.95));
    json_object_set_new(object, "period", hd_json_number(found->setup.period));
    json_object_set_new(object, "window", hd_json_number(found->setup.window));
    json_object_set_new(object, "warmup", hd_json_number(found->setup.warmup));
    json_object_set_new(object, "start", hd_json_number(found->setup.start));
    json_object_set_new(object, "offset", hd_json_number(found->offset));
    json_object_set_new(object, "windows", json_integer(found->windows));
    json_object_set_new(object, "warp_instructions", hd_json_number(found->instructions));
    json_object_set_new(object, "timed_warp_instructions", hd_json_number(found->timed_instructions));
    json_object_set_new(object, "exact", exact_json(results->statistics));
    json_object_set_new(object, "busy_ps", estimate_json(found, found->picoseconds, found->half_width));
    json_object_set_new(object, "cycles", estimate_json(found, cycles, half_width));
    json_object_set_new(object, "warp_instructions_per_cycle",
                        estimate_json(found, ratio, half_width < 0 ? -1 : ratio * half_width / cycles));
    return object;
}

void hd_sampling_summary(const hd_results *results, FILE *out)
{
    const hd_sampling_results *found = results->sampling;
    char value[HD_QUANTITY_BYTES], instructions[HD_QUANTITY_BYTES];
    double half_width;
    if (!found)
        return;
    const double cycles = hd_sampling_cycles(found, &half_width);
    fprintf(out, "  sampled        %u windows of %llu warp instructions, of %s in all; %.2f %% were simulated in detail\n",
            found->windows, (unsigned long long)found->setup.window, hd_print_count(instructions, found->instructions),
            found->instructions ? 100. * (double)found->timed_instructions / (double)found->instructions : 0);
    if (!has_estimate(found))
        fprintf(out, "  cycles         no estimate: no window was reached; choose a smaller period\n");
    else if (half_width < 0)
        fprintf(out, "  cycles         %s (estimate, of too few windows for an interval)\n", hd_print_rate(value, cycles));
    else
        fprintf(out, "  cycles         %s +- %.2f %% (estimate, 95 %%), in which kernels ran\n", hd_print_rate(value, cycles),
                100 * half_width / cycles);
}
