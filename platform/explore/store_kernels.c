/* SPDX-License-Identifier: MIT */
#include "store_kernels.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

static int put_launch(store *opened, int64_t run, const json_t *kernel)
{
    const json_t *taken = json_object_get(kernel, "cycles");
    const char *name = json_string_value(json_object_get(kernel, "kernel"));
    return sql_run(opened, "INSERT OR REPLACE INTO kernel VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                   taken ? "iitiiii" : "iitiiin", run, (int64_t)json_integer_value(json_object_get(kernel, "launch")),
                   name ? name : "", (int64_t)json_integer_value(json_object_get(kernel, "begin_ps")),
                   (int64_t)json_integer_value(json_object_get(kernel, "end_ps")),
                   (int64_t)json_is_true(json_object_get(kernel, "complete")), (int64_t)json_integer_value(taken));
}

static int is_maximum(const candidates *maxima, const char *name)
{
    for (uint32_t i = 0; maxima && i < maxima->count; i++)
        if (!strcmp(maxima->names[i], name))
            return 1;
    return 0;
}

/* Whole numbers from 2^63 on are texts. */
static int is_whole(const json_t *value, uint64_t *number)
{
    const char *text = json_string_value(value);
    *number = text ? strtoull(text, NULL, 10) : (uint64_t)json_integer_value(value);
    return json_is_integer(value) || (text && *text && strspn(text, "0123456789") == strlen(text));
}

static json_t *whole(uint64_t number)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, number);
    return number > INT64_MAX ? json_string(text) : json_integer((json_int_t)number);
}

/* A number of another launch of the same kernel. */
static void fold(json_t *totals, const char *name, const json_t *value, int takes_greatest)
{
    uint64_t added, sum, counted = 0;
    const json_t *before = json_object_get(totals, name);
    if (!is_whole(value, &added) || (before && !is_whole(before, &counted)))
        return;
    if (takes_greatest)
        sum = added > counted ? added : counted;
    else if (__builtin_add_overflow(counted, added, &sum))
        sum = UINT64_MAX;
    json_object_set_new(totals, name, whole(sum));
}

static void fold_statistics(json_t *totals, const json_t *statistics, const candidates *maxima)
{
    const char *block, *name;
    json_t *of_block, *value;
    json_object_foreach((json_t *)statistics, block, of_block)
    {
        json_object_foreach(of_block, name, value)
        {
            char *path = hd_text_format("%s.%s", block, name);
            fold(totals, path, value, is_maximum(maxima, path));
            free(path);
        }
    }
}

/* {kernel: {statistic: number}}; of the whole run under "". */
static json_t *totals_of(const json_t *kernels, const candidates *maxima)
{
    json_t *all = json_pack("{s:{s:i, s:i}}", "", "launches", 0, "cycles", 0), *one = json_integer(1);
    for (size_t i = 0; i < json_array_size(kernels); i++) {
        const json_t *kernel = json_array_get(kernels, i), *taken = json_object_get(kernel, "cycles");
        const char *name = json_string_value(json_object_get(kernel, "kernel"));
        json_t *run = json_object_get(all, ""), *totals = name && *name ? json_object_get(all, name) : NULL;
        if (name && *name && !totals) {
            totals = json_pack("{s:i, s:i}", "launches", 0, "cycles", 0);
            json_object_set_new(all, name, totals);
        }
        fold(run, "launches", one, 0);
        fold(run, "cycles", taken, 0);
        if (!totals)
            continue;
        fold(totals, "launches", one, 0);
        fold(totals, "cycles", taken, 0);
        fold_statistics(totals, json_object_get(kernel, "statistics"), maxima);
    }
    json_decref(one);
    return all;
}

/* The cycles of what did not end are no number of anything. */
static void forget_partial_cycles(json_t *all, const json_t *kernels)
{
    for (size_t i = 0; i < json_array_size(kernels); i++) {
        const json_t *kernel = json_array_get(kernels, i);
        const char *name = json_string_value(json_object_get(kernel, "kernel"));
        if (json_object_get(kernel, "cycles"))
            continue;
        json_object_del(json_object_get(all, ""), "cycles");
        json_object_del(name && *name ? json_object_get(all, name) : NULL, "cycles");
    }
}

static int put_totals(store *opened, int64_t run, const char *kernel, json_t *totals)
{
    const char *name;
    json_t *value;
    int good = 1;
    json_object_foreach(totals, name, value)
    {
        char *path = *kernel ? hd_text_format("%s/%s", kernel, name) : hd_text_format("%s", name);
        good = good && store_put_statistic(opened, run, path, value);
        free(path);
    }
    return good;
}

int store_put_kernels(store *opened, int64_t run, const json_t *results, const candidates *maxima)
{
    const json_t *kernels = json_object_get(results, "kernels");
    const char *kernel;
    json_t *totals, *all = totals_of(kernels, maxima);
    int good = 1;
    for (size_t i = 0; good && i < json_array_size(kernels); i++)
        good = put_launch(opened, run, json_array_get(kernels, i));
    forget_partial_cycles(all, kernels);
    json_object_foreach(all, kernel, totals) good = good && put_totals(opened, run, kernel, totals);
    json_decref(all);
    return good;
}
