/* SPDX-License-Identifier: MIT */
/* Every statistic of every block counts something in one of the runs, and every identity is about something. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "identities.h"
#include "live.h"
#include "measures.h"
#include "registry.h"
#include "stats.h"

#define STATISTICS_MAX 512u

/* Adds the values of all instances of the class. */
static void collect(const machine_run *run, const hd_block_class *type, uint64_t *sums)
{
    size_t i;
    json_t *element;
    json_array_foreach(run->measures, i, element)
    {
        const json_t *block = json_object_get(json_object_get(run->results, "blocks"),
                                              json_string_value(json_object_get(element, "block")));
        if (!block || strcmp(json_string_value(json_object_get(block, "kind")), type->kind) ||
            strcmp(json_string_value(json_object_get(block, "type")), type->type))
            continue;
        for (uint32_t s = 0; s < type->statistic_count; s++) {
            uint64_t value;
            cr_assert(measure_of(element, type->statistics[s].name, &value));
            sums[s] += value;
        }
    }
}

/* What only some units count is tested with these. */
static void expect_all_counted(const hd_block_class *type)
{
    uint64_t sums[STATISTICS_MAX] = {0};
    cr_assert_leq(type->statistic_count, STATISTICS_MAX);
    for (const live_run *run = live_runs; run->name; run++)
        collect(live_result(run, "", ""), type, sums);
    for (uint32_t s = 0; s < type->statistic_count; s++)
        cr_expect(sums[s] > 0 || type->statistics[s].when == HD_STATISTIC_SELDOM,
                  "%s/%s: statistic '%s' is 0 in every run of tests/live/runs; add one that counts it",
                  type->kind, type->type, type->statistics[s].name);
}

/* Instances of a class may be many: whoever recorded the event in whatever run. */
static json_int_t recorded(const hd_block_class *type, const char *event)
{
    json_int_t sum = 0;
    char *name = text_of("%s/%s", type->kind, type->type);
    for (const live_run *run = live_runs; run->name; run++)
        sum += json_integer_value(json_object_get(json_object_get(live_result(run, "", "")->traced, name), event));
    free(name);
    return sum;
}

static void expect_all_recorded(const hd_block_class *type)
{
    for (uint32_t e = 0; e < type->trace_event_count; e++)
        cr_expect_gt(recorded(type, type->trace_events[e].name), 0,
                     "%s/%s: trace event '%s' happens in no run of tests/live/runs; add one that shows it",
                     type->kind, type->type, type->trace_events[e].name);
}

Test(live, every_statistic_counts_something_and_every_identity_says_something)
{
    const netlist_registry registry = hd_builtin_classes();
    for (const live_run *run = live_runs; run->name; run++) {
        const machine_run *result = live_result(run, "", "");
        cr_assert(!result->was_refused && result->outcome == HD_OUTCOME_PASS, "run '%s': %s", run->name,
                  result->message);
    }
    for (size_t i = 0; i < registry.count; i++)
        expect_all_counted(registry.classes[i]);
    for (size_t i = 0; i < registry.count; i++)
        expect_all_recorded(registry.classes[i]);
    unsigned uses;
    const char *text;
    for (size_t i = 0; (text = identity_use(i, &uses)); i++)
        cr_expect_gt(uses, 0, "docs/statistics.md: no run of tests/live/runs has anything to do with '%s'", text);
    live_forget();
}
