/* SPDX-License-Identifier: MIT */
#include "results.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "registry.h"

static struct {
    json_t *a, *b;
    comparison made;
    char *error;
} kept;

static json_t *parse(const char *text)
{
    json_error_t why;
    char *json = strdup(text);
    for (char *c = json; *c; c++)
        *c = *c == '\'' ? '"' : *c;
    json_t *value = json_loads(json, JSON_DECODE_ANY, &why);
    cr_assert(value, "%s: %s", json, why.text);
    free(json);
    return value;
}

static const char standard[] =
    "{'schema': {'name': 'heddle.stats', 'version': 1}, 'status': 'pass', 'message': '', 'seed': 1,"
    " 'simulated_ps': 2000000, 'busy_ps': 1000000,"
    " 'app': {'name': 'app', 'inputs': {'n': 16}},"
    " 'machine': {'name': 'm', 'launch_align': true, 'limit_ps': null, 'watchdog_ps': 5,"
    "  'clocks_hz': {'core': 1000000000, 'dram': 500000000},"
    "  'address_map': {'partitions': 'dram', 'interleave_bytes': 256},"
    "  'blocks': [{'name': 'core', 'kind': 'simt_core', 'type': 'timed', 'count': 2, 'clock': 'core',"
    "              'parameters': {'warps': 16, 'schedulers': 2, 'scheduler': 'gto'}},"
    "             {'name': 'dram', 'kind': 'dram', 'type': 'banked', 'count': 1, 'clock': 'dram',"
    "              'parameters': {'banks': 8}}],"
    "  'links': [{'from': 'core[0].request', 'to': 'dram.access[0]', 'latency_ps': 1000, 'credits': 4},"
    "            {'from': 'core[1].request', 'to': 'dram.access[1]', 'latency_ps': 1000, 'credits': 4}]},"
    " 'kernels': [{'kernel': 'first', 'launch': 0, 'cycles': 600}, {'kernel': 'second', 'launch': 1, 'cycles': 400}],"
    " 'busy': {'core': {'slots_issued': 1000, 'slots_idle': 2600, 'cycles': 1800, 'empty_cycles': 200, "
    "'warp_instructions': 1000,"
    "                   'memory_instructions': 100, 'divergent_branches': 10},"
    "          'dram': {'bytes_read': 6400, 'row_hits': 50, 'row_conflicts': 50}},"
    " 'blocks': {'core': {'total': {'slots_issued': 1, 'cycles': 9999}}, 'dram': {'total': {'row_hits': 7}}}}";

json_t *results_new(void)
{
    return parse(standard);
}

static json_t *member(json_t *of, const char *name)
{
    return json_is_array(of) ? json_array_get(of, (size_t)atoi(name)) : json_object_get(of, name);
}

/* What a path leads to; *last is its last name. */
static json_t *parent_of(json_t *results, char *path, char **last)
{
    for (char *slash; (slash = strchr(path, '/')); path = slash + 1) {
        *slash = '\0';
        results = member(results, path);
        cr_assert(results, "no %s", path);
    }
    *last = path;
    return results;
}

void results_set(json_t *results, const char *path, const char *json)
{
    char *last, *own = strdup(path);
    json_t *parent = parent_of(results, own, &last);
    if (json_is_object(parent))
        json_object_set_new(parent, last, parse(json));
    else if (json_array_set_new(parent, (size_t)atoi(last), parse(json)))
        json_array_append_new(parent, parse(json));
    free(own);
}

void results_remove(json_t *results, const char *path)
{
    char *last, *own = strdup(path);
    json_t *parent = parent_of(results, own, &last);
    if (json_is_object(parent))
        json_object_del(parent, last);
    else
        json_array_remove(parent, (size_t)atoi(last));
    free(own);
}

static int make(json_t *a, json_t *b)
{
    const compared_run runs[2] = {{"a.json", a}, {"b.json", b}};
    kept.a = a;
    kept.b = b;
    return comparison_make(&kept.made, runs, hd_builtin_classes(), &kept.error);
}

const comparison *results_compare(json_t *a, json_t *b)
{
    cr_assert(make(a, b), "%s", kept.error);
    return &kept.made;
}

const char *results_refuse(json_t *a, json_t *b)
{
    cr_assert(!make(a, b));
    return kept.error;
}

void results_done(void)
{
    comparison_free(&kept.made);
    json_decref(kept.a);
    json_decref(kept.b);
    free(kept.error);
    memset(&kept, 0, sizeof kept);
}

const machine_difference *difference_of(const comparison *made, const char *what)
{
    for (uint32_t i = 0; i < made->difference_count; i++)
        if (!strcmp(made->differences[i].what, what))
            return &made->differences[i];
    return NULL;
}

const statistic_comparison *statistic_of(const comparison *made, const char *name)
{
    for (uint32_t i = 0; i < made->statistic_count; i++)
        if (!strcmp(made->statistics[i].name, name))
            return &made->statistics[i];
    return NULL;
}

const cycle_comparison *cycles_of(const comparison *made, const char *name)
{
    for (uint32_t i = 0; i < made->cycle_count; i++)
        if (!strcmp(made->cycles[i].name, name))
            return &made->cycles[i];
    return NULL;
}
