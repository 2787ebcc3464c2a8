/* SPDX-License-Identifier: MIT */
#include "device_results.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct kernel_sum {
    const char *name;
    uint64_t launches;
    uint64_t cycles;
    uint64_t instructions;
    uint64_t time; /* ps */
} kernel_sum;

int device_results_are_there(const char *path)
{
    struct stat about;
    return !stat(path, &about) && about.st_size > 0;
}

static uint64_t number(const json_t *of, const char *name)
{
    return (uint64_t)json_integer_value(json_object_get(of, name));
}

static kernel_sum *sum_of(kernel_sum *sums, size_t *count, const char *name)
{
    for (size_t i = 0; i < *count; i++)
        if (!strcmp(sums[i].name, name))
            return &sums[i];
    sums[*count] = (kernel_sum){.name = name};
    return &sums[(*count)++];
}

/* Kernels in the order of their first launches. */
static size_t add_up(const json_t *launches, kernel_sum *sums)
{
    size_t index, count = 0;
    const json_t *launch;
    json_array_foreach(launches, index, launch)
    {
        const char *name = json_string_value(json_object_get(launch, "kernel"));
        const json_t *core = json_object_get(json_object_get(launch, "statistics"), "core");
        kernel_sum *sum = sum_of(sums, &count, name ? name : "");
        sum->launches++;
        sum->cycles += number(launch, "cycles");
        sum->time += number(launch, "end_ps") - number(launch, "begin_ps");
        sum->instructions += number(core, "warp_instructions");
    }
    return count;
}

static void show_kernels(const json_t *launches, FILE *out)
{
    kernel_sum *sums = calloc(json_array_size(launches) + 1, sizeof *sums);
    if (!sums)
        abort();
    const size_t count = add_up(launches, sums);
    if (count)
        fprintf(out, "%-24s %10s %14s %20s %12s\n", "kernel", "launches", "cycles", "warp instructions", "time");
    for (size_t i = 0; i < count; i++)
        fprintf(out, "%-24s %10" PRIu64 " %14" PRIu64 " %20" PRIu64 " %9.3f us\n", sums[i].name, sums[i].launches,
                sums[i].cycles, sums[i].instructions, (double)sums[i].time / 1e6);
    free(sums);
}

int device_results_show(const char *path, FILE *out)
{
    json_error_t why;
    if (!device_results_are_there(path)) {
        if (out)
            fputs("note: the program has left no results: it did not open the device, or did not end by exit\n",
                  stderr);
        return 1;
    }
    json_t *results = json_load_file(path, 0, &why);
    const char *status = json_string_value(json_object_get(results, "status"));
    const int is_good = status && !strcmp(status, "embedded");
    if (out && results) {
        const json_t *machine = json_object_get(json_object_get(results, "machine"), "name");
        fprintf(out, "simulated   %.3f us on %s\n", (double)number(results, "simulated_ps") / 1e6,
                json_is_string(machine) ? json_string_value(machine) : "the machine");
        show_kernels(json_object_get(results, "kernels"), out);
    }
    json_decref(results);
    return is_good;
}
