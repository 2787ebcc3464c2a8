/* SPDX-License-Identifier: MIT */
#include "sampling_results.h"

#include <jansson.h>

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

/* An interval that is not known is null. */
static json_t *estimate_json(double value, double half_width)
{
    json_t *object = json_object();
    json_object_set_new(object, "estimate", json_real(value));
    json_object_set_new(object, "half_width", half_width < 0 ? json_null() : json_real(half_width));
    return object;
}

struct json_t *hd_sampling_json(const hd_sampling_results *found)
{
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
    json_object_set_new(object, "busy_ps", estimate_json(found->picoseconds, found->half_width));
    json_object_set_new(object, "cycles", estimate_json(cycles, half_width));
    json_object_set_new(object, "warp_instructions_per_cycle",
                        estimate_json(ratio, half_width < 0 ? -1 : ratio * half_width / cycles));
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
    if (!found->windows)
        fprintf(out, "  cycles         no estimate: no window was reached; choose a smaller period\n");
    else if (half_width < 0)
        fprintf(out, "  cycles         %s (estimate, of too few windows for an interval)\n", hd_print_rate(value, cycles));
    else
        fprintf(out, "  cycles         %s +- %.2f %% (estimate, 95 %%), in which kernels ran\n", hd_print_rate(value, cycles),
                100 * half_width / cycles);
}
