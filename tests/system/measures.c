/* SPDX-License-Identifier: MIT */
#include "measures.h"

#include <stdio.h>
#include <string.h>

#include "hd_time.h"

static void add(json_t *measures, const char *block, const char *name, const char *kind, json_t *values)
{
    json_array_append_new(
        measures, json_pack("{s: s, s: s, s: s, s: o}", "block", block, "name", name, "kind", kind, "values", values));
}

static const json_t *machine_block(const json_t *stats, const char *block)
{
    size_t i;
    json_t *candidate;
    json_array_foreach(json_object_get(json_object_get(stats, "machine"), "blocks"), i, candidate)
    {
        if (!strcmp(json_string_value(json_object_get(candidate, "name")), block))
            return candidate;
    }
    return NULL;
}

static json_t *values_of(const json_t *statistics, const json_t *parameters)
{
    const char *name;
    json_t *value, *values = json_copy((json_t *)statistics);
    json_object_foreach((json_t *)parameters, name, value)
    {
        if (json_is_integer(value) && !json_object_get(values, name))
            json_object_set(values, name, value);
    }
    return values;
}

static json_int_t product(const json_t *size)
{
    json_int_t result = 1;
    for (size_t i = 0; i < 3; i++)
        result *= json_integer_value(json_array_get(size, i));
    return result;
}

static void add_kernels(json_t *measures, const json_t *stats)
{
    size_t i;
    json_t *kernel;
    json_int_t launches = 0, blocks = 0, threads = 0;
    json_array_foreach(json_object_get(stats, "kernels"), i, kernel)
    {
        const json_int_t grid = product(json_object_get(kernel, "grid"));
        launches++;
        blocks += grid;
        threads += grid * product(json_object_get(kernel, "block"));
    }
    add(measures, "kernels", "kernels", "kernels",
        json_pack("{s: I, s: I, s: I}", "launches", launches, "blocks", blocks, "threads", threads));
}

json_t *measures_of_results(const json_t *stats)
{
    const char *block;
    json_t *entry, *instance, *measures = json_array();
    json_object_foreach(json_object_get(stats, "blocks"), block, entry)
    {
        size_t i;
        json_array_foreach(json_object_get(entry, "instances"), i, instance)
        {
            char name[128];
            snprintf(name, sizeof name, "%s[%zu]", block, i);
            if (!json_is_null(instance))
                add(measures, block, name, json_string_value(json_object_get(entry, "kind")),
                    values_of(instance, json_object_get(machine_block(stats, block), "parameters")));
        }
    }
    add_kernels(measures, stats);
    return measures;
}

/* Cycles of the block's clock in the kernel's interval, both ends of which are edges of it; 0 if the run cut it short. */
static json_int_t clock_cycles(const json_t *stats, const json_t *block, const json_t *kernel)
{
    const json_t *clocks = json_object_get(json_object_get(stats, "machine"), "clocks_hz");
    const char *clock = json_string_value(json_object_get(block, "clock"));
    const uint64_t hz = (uint64_t)json_integer_value(json_object_get(clocks, clock));
    const hd_clock of_block = {hz};
    const hd_time begin = (hd_time)json_integer_value(json_object_get(kernel, "begin_ps"));
    const hd_time end = (hd_time)json_integer_value(json_object_get(kernel, "end_ps"));
    return (json_int_t)(hd_clock_index_at_or_after(of_block, end) - hd_clock_index_at_or_after(of_block, begin));
}

json_t *measures_of_kernel(const json_t *stats, size_t index)
{
    const char *block;
    json_t *statistics, *measures = json_array();
    const json_t *kernel = json_array_get(json_object_get(stats, "kernels"), index);
    json_object_foreach(json_object_get(kernel, "statistics"), block, statistics)
    {
        char name[128];
        const json_t *entry = json_object_get(json_object_get(stats, "blocks"), block);
        const json_t *of = machine_block(stats, block);
        json_t *values = values_of(statistics, json_object_get(of, "parameters"));
        if (json_is_true(json_object_get(kernel, "complete")))
            json_object_set_new(
                values, "clock_cycles",
                json_integer(clock_cycles(stats, of, kernel) * json_integer_value(json_object_get(of, "count"))));
        snprintf(name, sizeof name, "%s in kernel %zu", block, index);
        add(measures, block, name, json_string_value(json_object_get(entry, "kind")), values);
    }
    return measures;
}

json_t *measure_find(const json_t *measures, const char *block, size_t instance)
{
    char name[128];
    size_t i;
    json_t *element;
    snprintf(name, sizeof name, "%s[%zu]", block, instance);
    json_array_foreach((json_t *)measures, i, element)
    {
        if (!strcmp(json_string_value(json_object_get(element, "name")), name))
            return element;
    }
    return NULL;
}

static int sum_of_prefix(const json_t *values, const char *prefix, size_t length, uint64_t *sum)
{
    const char *name;
    json_t *value;
    int found = 0;
    json_object_foreach((json_t *)values, name, value)
    {
        if (strncmp(name, prefix, length))
            continue;
        *sum += (uint64_t)json_integer_value(value);
        found = 1;
    }
    return found;
}

/* Of a message that the port has not seen. */
static int is_silent(const json_t *values, const char *name)
{
    char port[128];
    const char *dot = strchr(name, '.');
    const size_t length = dot ? (size_t)(dot - name) + 1 + strcspn(dot + 1, ".") : 0;
    if (!length || length >= sizeof port || (strncmp(name, "sent.", 5) && strncmp(name, "received.", 9)))
        return 0;
    memcpy(port, name, length);
    port[length] = '\0';
    return json_object_get(values, port) != NULL;
}

int measure_of(const json_t *element, const char *name, uint64_t *value)
{
    const json_t *values = json_object_get(element, "values");
    const size_t length = strlen(name);
    *value = 0;
    if (length && name[length - 1] == '*')
        return sum_of_prefix(values, name, length - 1, value);
    const json_t *found = json_object_get(values, name);
    *value = (uint64_t)json_integer_value(found);
    return found || is_silent(values, name);
}

int measures_sum(const json_t *measures, const char *kind, const char *name, uint64_t *sum)
{
    size_t i;
    json_t *element;
    int found = 0;
    *sum = 0;
    json_array_foreach((json_t *)measures, i, element)
    {
        uint64_t value;
        if (strcmp(json_string_value(json_object_get(element, "kind")), kind))
            continue;
        if (!measure_of(element, name, &value))
            return 0;
        *sum += value;
        found = 1;
    }
    return found;
}
