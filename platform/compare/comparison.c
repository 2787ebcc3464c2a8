/* SPDX-License-Identifier: MIT */
#include "comparison.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "parts.h"
#include "results.h"
#include "results_form.h"
#include "text.h"

const char *compare_member(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

uint64_t compare_number(const json_t *object, const char *key)
{
    const json_int_t value = json_integer_value(json_object_get(object, key));
    return value > 0 ? (uint64_t)value : 0;
}

const char *compare_text(comparing *at, const json_t *value)
{
    arena *memory = &at->result->memory;
    switch (json_typeof(value)) {
    case JSON_STRING: return arena_copy(memory, json_string_value(value), json_string_length(value));
    case JSON_INTEGER: return arena_format(memory, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    case JSON_REAL: return arena_format(memory, "%.9g", json_real_value(value));
    case JSON_TRUE: return "true";
    case JSON_FALSE: return "false";
    default: return "none";
    }
}

const json_t *compare_values_of(const comparing *at, int side, const char *block)
{
    const json_t *results = at->results[side];
    if (at->result->is_of_kernels)
        return json_object_get(json_object_get(results, "busy"), block);
    return json_object_get(json_object_get(json_object_get(results, "blocks"), block), "total");
}

/* ---- What can be compared ------------------------------------------------------------------------------------------- */

static int is_of_this_schema(const json_t *schema)
{
    return !strcmp(compare_member(schema, "name"), HD_RESULTS_SCHEMA) &&
           json_is_integer(json_object_get(schema, "version"));
}

static char *check_run(const compared_run *run)
{
    const json_t *schema = json_object_get(run->results, "schema");
    if (!is_of_this_schema(schema))
        return hd_text_format("error: %s is no file of results, as 'heddle run --stats FILE' writes it\n", run->name);
    if (compare_number(schema, "version") > HD_RESULTS_VERSION)
        return hd_text_format("error: %s has version %" PRIu64
                              ", written by a newer heddle; this one supports version %d\n",
                              run->name, compare_number(schema, "version"), HD_RESULTS_VERSION);
    if (json_object_get(run->results, "sampling"))
        return hd_text_format("error: %s is of a sampled run: its cycles are an estimate, and it has no statistics of "
                              "time to compare; run it without --sample\n",
                              run->name);
    char *fault = results_form_fault(run->results);
    if (fault) {
        char *error = hd_text_format("error: %s is no file of results: %s\n", run->name, fault);
        free(fault);
        return error;
    }
    if (strcmp(compare_member(run->results, "status"), "pass") != 0)
        return hd_text_format("error: %s: the run did not pass (%s): %s\n", run->name,
                              compare_member(run->results, "status"), compare_member(run->results, "message"));
    return NULL;
}

static const char *app_of(const compared_run *run)
{
    return compare_member(json_object_get(run->results, "app"), "name");
}

static char *check_runs(const compared_run runs[2])
{
    for (int side = 0; side < 2; side++) {
        char *error = check_run(&runs[side]);
        if (error)
            return error;
    }
    if (!strcmp(app_of(&runs[0]), app_of(&runs[1])))
        return NULL;
    return hd_text_format("error: these are different apps: %s in %s, %s in %s\n",
                          *app_of(&runs[0]) ? app_of(&runs[0]) : "none", runs[0].name,
                          *app_of(&runs[1]) ? app_of(&runs[1]) : "none", runs[1].name);
}

/* ---- All of it ------------------------------------------------------------------------------------------------------ */

static void fill_head(comparing *at, const compared_run runs[2])
{
    comparison *result = at->result;
    const char *app = app_of(&runs[0]);
    result->app = *app ? app : NULL;
    result->is_of_kernels = 1;
    for (int side = 0; side < 2; side++) {
        result->names[side] = runs[side].name;
        result->machines[side] = compare_member(json_object_get(at->results[side], "machine"), "name");
        result->is_of_kernels &= json_is_object(json_object_get(at->results[side], "busy")) &&
                                 json_array_size(json_object_get(at->results[side], "kernels")) > 0;
    }
    for (int side = 0; side < 2; side++)
        result->time_ps[side] = compare_number(at->results[side], result->is_of_kernels ? "busy_ps" : "simulated_ps");
}

int comparison_make(comparison *result, const compared_run runs[2], netlist_registry classes, char **error)
{
    comparing at = {.result = result, .results = {runs[0].results, runs[1].results}, .classes = classes};
    *result = (comparison){.repetitions = 1};
    *error = check_runs(runs);
    if (*error)
        return 0;
    fill_head(&at, runs);
    compare_machines(&at);
    compare_kernels(&at);
    compare_cycles(&at);
    compare_statistics(&at);
    return 1;
}

void comparison_free(comparison *made)
{
    arena_free(&made->memory);
    *made = (comparison){0};
}

/* ---- Kernels -------------------------------------------------------------------------------------------------------- */

/* Rows by function, in the order of their first launch. */
static kernel_comparison *kernel_row(comparison *result, uint32_t *capacity, const char *name)
{
    for (uint32_t i = 0; i < result->kernel_count; i++)
        if (!strcmp(result->kernels[i].name, name))
            return &result->kernels[i];
    result->kernels =
        arena_grow(&result->memory, result->kernels, result->kernel_count, capacity, sizeof *result->kernels);
    kernel_comparison *row = &result->kernels[result->kernel_count++];
    *row = (kernel_comparison){.name = name};
    return row;
}

void compare_kernels(comparing *at)
{
    uint32_t capacity = 0;
    for (int side = 0; side < 2; side++) {
        const json_t *kernels = json_object_get(at->results[side], "kernels");
        for (size_t i = 0; i < json_array_size(kernels); i++) {
            const json_t *kernel = json_array_get(kernels, i);
            kernel_comparison *row = kernel_row(at->result, &capacity, compare_member(kernel, "kernel"));
            row->launches[side]++;
            row->cycles[side] += compare_number(kernel, "cycles");
        }
    }
}

uint64_t comparison_kernel_cycles(const comparison *made, int side)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < made->kernel_count; i++)
        sum += made->kernels[i].cycles[side];
    return sum;
}
