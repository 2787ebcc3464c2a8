/* SPDX-License-Identifier: MIT */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "results.h"
#include "session.h"

#define NAME_BYTES 256

/* ---- The table ------------------------------------------------------------------------------------------------------------ */

static uint32_t instances_of(const netlist_block *block)
{
    return block->block_class->create ? block->count : 0; /* foreign models have no statistics */
}

static heddle_error allocate_table(session *s)
{
    const netlist *list = hd_machine_netlist(s->machine);
    uint32_t instances = 0, statistics = 0;
    for (uint32_t b = 0; b < list->block_count; b++) {
        instances += instances_of(&list->blocks[b]);
        statistics += instances_of(&list->blocks[b]) * list->blocks[b].block_class->statistic_count;
    }
    s->instance_names = calloc(instances + 1, sizeof *s->instance_names);
    s->statistics = calloc(statistics + 1, sizeof *s->statistics);
    return s->instance_names && s->statistics ? HEDDLE_OK : fail_memory();
}

static heddle_error add_instance(session *s, uint32_t block, uint32_t instance)
{
    const netlist *list = hd_machine_netlist(s->machine);
    const hd_block_class *type = list->blocks[block].block_class;
    char text[NAME_BYTES];
    char *name = strdup(netlist_instance_name(list, block, instance, text, sizeof text));
    if (!name)
        return fail_memory();
    s->instance_names[s->instance_count++] = name;
    for (uint32_t i = 0; i < type->statistic_count; i++)
        s->statistics[s->statistic_count++] =
            (heddle_statistic){.block = name,
                               .name = type->statistics[i].name,
                               .unit = type->statistics[i].unit,
                               .doc = type->statistics[i].doc,
                               .is_maximum = type->statistics[i].kind == HD_STATISTIC_MAXIMUM};
    return HEDDLE_OK;
}

heddle_error statistics_begin(session *s)
{
    const netlist *list = hd_machine_netlist(s->machine);
    heddle_error error = allocate_table(s);
    for (uint32_t b = 0; b < list->block_count; b++)
        for (uint32_t i = 0; i < instances_of(&list->blocks[b]) && !error; i++)
            error = add_instance(s, b, i);
    return error;
}

void statistics_end(session *s)
{
    for (uint32_t i = 0; i < s->instance_count; i++)
        free(s->instance_names[i]);
    free(s->instance_names);
    free(s->statistics);
}

/* Brings everything to the machine's time. */
static void read_all(session *s)
{
    const netlist *list = hd_machine_netlist(s->machine);
    const hd_time now = hd_machine_time(s->machine);
    heddle_statistic *next = s->statistics;
    if (s->statistics_time == now)
        return;
    hd_machine_update(s->machine);
    for (uint32_t b = 0; b < list->block_count; b++)
        for (uint32_t i = 0; i < instances_of(&list->blocks[b]); i++) {
            const uint64_t *values = hd_statistics_instance(hd_machine_statistics(s->machine), b, i);
            for (uint32_t n = 0; n < list->blocks[b].block_class->statistic_count; n++)
                (next++)->value = values[n];
        }
    s->statistics_time = now;
}

/* ---- Values ------------------------------------------------------------------------------------------------------------- */

heddle_error heddle_statistic_count(heddle_machine *machine, uint32_t *count)
{
    session *s;
    uint32_t index;
    if (!count)
        return fail_null(__func__, "count");
    const heddle_error error = session_enter(machine, HANDLE_MACHINE, __func__, &s, &index);
    if (error)
        return error;
    *count = s->statistic_count;
    return session_leave(s, HEDDLE_OK);
}

heddle_error heddle_statistic_at(heddle_machine *machine, uint32_t number, heddle_statistic *statistic)
{
    session *s;
    uint32_t index;
    if (!statistic)
        return fail_null(__func__, "statistic");
    const heddle_error error = session_enter(machine, HANDLE_MACHINE, __func__, &s, &index);
    if (error)
        return error;
    if (number >= s->statistic_count)
        return session_leave(s, fail(HEDDLE_ERROR_ARGUMENT, "%s: there are %u statistics, %u is asked for", __func__,
                                     s->statistic_count, number));
    read_all(s);
    *statistic = s->statistics[number];
    return session_leave(s, HEDDLE_OK);
}

/* Is it the block of the path, "core[3]" or "core" for all of them? */
static uint32_t is_block(const char *block, const char *path, size_t length)
{
    return !strncmp(block, path, length) && (!block[length] || block[length] == '[');
}

static heddle_error find(session *s, const char *path, uint64_t *value)
{
    const char *dot = strchr(path, '.');
    uint32_t blocks = 0, found = 0;
    if (!dot)
        return fail(HEDDLE_ERROR_UNKNOWN, "'%s' is no path of a statistic, such as core[3].warp_instructions", path);
    uint64_t result = 0;
    for (uint32_t i = 0; i < s->statistic_count; i++) {
        const heddle_statistic *at = &s->statistics[i];
        if (!is_block(at->block, path, (size_t)(dot - path)))
            continue;
        blocks++;
        if (strcmp(at->name, dot + 1))
            continue;
        found++;
        result = at->is_maximum ? (at->value > result ? at->value : result) : result + at->value;
    }
    if (!blocks)
        return fail(HEDDLE_ERROR_UNKNOWN, "'%s': the machine has no block '%.*s' with statistics", path,
                    (int)(dot - path), path);
    if (!found)
        return fail(HEDDLE_ERROR_UNKNOWN, "'%s': block '%.*s' has no statistic '%s'", path, (int)(dot - path), path,
                    dot + 1);
    *value = result;
    return HEDDLE_OK;
}

heddle_error heddle_statistic_value(heddle_machine *machine, const char *path, uint64_t *value)
{
    session *s;
    uint32_t index;
    if (!path || !value)
        return fail_null(__func__, path ? "value" : "path");
    const heddle_error error = session_enter(machine, HANDLE_MACHINE, __func__, &s, &index);
    if (error)
        return error;
    read_all(s);
    return session_leave(s, find(s, path, value));
}

/* ---- Results ------------------------------------------------------------------------------------------------------------ */

static heddle_error report(session *s, const char *name, uint64_t value)
{
    for (uint32_t i = 0; i < s->report_count; i++)
        if (!strcmp(s->reports[i].name, name)) {
            s->reports[i].value = value;
            return HEDDLE_OK;
        }
    hd_host_report *reports = realloc(s->reports, (s->report_count + 1) * sizeof *reports);
    char *copy = strdup(name);
    if (reports)
        s->reports = reports;
    if (!reports || !copy) {
        free(copy);
        return fail_memory();
    }
    s->reports[s->report_count++] = (hd_host_report){.name = copy, .value = value};
    return HEDDLE_OK;
}

heddle_error heddle_report(heddle_machine *machine, const char *name, uint64_t value)
{
    session *s;
    if (!name)
        return fail_null(__func__, "name");
    const heddle_error error = session_enter_host(machine, __func__, &s);
    return error ? error : session_leave(s, report(s, name, value));
}

static char *write_results(session *s)
{
    hd_results results;
    hd_machine_update(s->machine);
    hd_machine_results(s->machine, &results);
    if (hd_machine_outcome(s->machine) == HD_OUTCOME_GOING) {
        results.status = "embedded";
        results.partial = 0;
    }
    results.host.tlm = hd_machine_tlm_name(&s->tlm);
    results.host.threads = hd_engine_threads(hd_machine_engine(s->machine));
    results.host.transport_calls = hd_machine_transport_calls(s->machine);
    if (s->driver) {
        results.app = s->name ? s->name : "embedded";
        results.reports = s->reports;
        results.report_count = s->report_count;
    } else {
        results.inputs = s->app_options.inputs;
        results.input_count = s->app_options.count;
    }
    json_t *json = hd_results_json(&results);
    char *text = json_dumps(json, JSON_INDENT(1) | JSON_SORT_KEYS);
    json_decref(json);
    return text;
}

heddle_error heddle_results(heddle_machine *machine, const char **text)
{
    session *s;
    uint32_t index;
    if (!text)
        return fail_null(__func__, "text");
    *text = NULL;
    const heddle_error error = session_enter(machine, HANDLE_MACHINE, __func__, &s, &index);
    if (error)
        return error;
    free(s->results);
    s->results = write_results(s);
    *text = s->results;
    return session_leave(s, s->results ? HEDDLE_OK : fail_memory());
}
