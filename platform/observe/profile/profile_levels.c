/* SPDX-License-Identifier: MIT */
/* What the blocks of each kernel have used, for the scheduler of another run (hd_block_levels.h). */
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "hd_block_levels.h"
#include "profile_view.h"

static const char *const statistics[] = {
#define NAME(name, statistic) statistic,
    BLOCK_LEVELS(NAME)
#undef NAME
};

typedef struct kernel_levels {
    const char *kernel, *fingerprint;
    uint64_t counts[BLOCK_LEVELS_COUNTS];
} kernel_levels;

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

/* Of the app that has launched it; of a run with one app, of that. */
static const char *fingerprint_of(const json_t *results, const json_t *launch)
{
    const json_t *programs = json_object_get(json_object_get(results, "profile"), "programs");
    for (size_t i = 0; i < json_array_size(programs); i++) {
        const json_t *program = json_array_get(programs, i);
        if (!strcmp(text_of(program, "app"), text_of(launch, "app")))
            return text_of(program, "fingerprint");
    }
    return "";
}

static uint64_t count_of(const json_t *launch, const char *statistic)
{
    json_t *blocks = json_object_get(launch, "statistics"), *block;
    const char *name;
    uint64_t sum = 0;
    json_object_foreach(blocks, name, block)
    {
        sum += (uint64_t)json_integer_value(json_object_get(block, statistic));
    }
    return sum;
}

static kernel_levels *kernel_at(kernel_levels *kernels, uint32_t *count, const char *kernel, const char *fingerprint)
{
    for (uint32_t i = 0; i < *count; i++)
        if (!strcmp(kernels[i].kernel, kernel) && !strcmp(kernels[i].fingerprint, fingerprint))
            return &kernels[i];
    kernels[*count] = (kernel_levels){.kernel = kernel, .fingerprint = fingerprint};
    return &kernels[(*count)++];
}

static void print_kernel(const kernel_levels *kernel, FILE *out)
{
    fprintf(out, "%s %s", kernel->fingerprint, kernel->kernel);
    for (uint32_t i = 0; i < BLOCK_LEVELS_COUNTS; i++)
        fprintf(out, " %" PRIu64, kernel->counts[i]);
    fputc('\n', out);
}

uint32_t profile_levels_print(const profile_view *view, FILE *out)
{
    const json_t *launches = json_object_get(view->results, "kernels");
    uint32_t count = 0, printed = 0;
    kernel_levels *kernels = calloc(json_array_size(launches) + 1, sizeof *kernels);
    if (!kernels)
        abort();
    for (size_t i = 0; i < json_array_size(launches); i++) {
        const json_t *launch = json_array_get(launches, i);
        kernel_levels *to =
            kernel_at(kernels, &count, text_of(launch, "kernel"), fingerprint_of(view->results, launch));
        for (uint32_t s = 0; s < BLOCK_LEVELS_COUNTS; s++)
            to->counts[s] += count_of(launch, statistics[s]);
    }
    fprintf(out, "%s\n", BLOCK_LEVELS_HEAD);
    for (uint32_t i = 0; i < count; i++) {
        if (!kernels[i].counts[BLOCK_LEVELS_CYCLES] || !*kernels[i].fingerprint)
            continue;
        print_kernel(&kernels[i], out);
        printed++;
    }
    fprintf(out, "%s\n", BLOCK_LEVELS_END);
    free(kernels);
    return printed;
}
