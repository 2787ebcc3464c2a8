/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "quotient.h"
#include "report_parts.h"

/* Those of a run as a whole. */
static const struct {
    const char *name, *unit;
} of_run[] = {{"cycles", "cycles"}, {"launches", "launches"}, {"simulated_ps", "ps"}, {"busy_ps", "ps"}};

static int ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), end_length = strlen(end);
    return length >= end_length && !strcmp(text + length - end_length, end);
}

/* What the next machine has and none before it had. 0: there is none. */
static int learn_next(report_units *units, store *opened, const view_columns *columns)
{
    if (!units->is_begun)
        units->rest = sql_prepare(opened,
                                  "SELECT json FROM machine WHERE digest IN"
                                  " (SELECT machine FROM point JOIN input USING (input) WHERE experiment = ?1)",
                                  "i", columns->experiment);
    units->is_begun = 1;
    if (sql_step(opened, units->rest) != 1)
        return 0;
    json_t *machine = json_loads(sql_text(units->rest, 0), 0, NULL), *block;
    size_t i;
    if (!units->blocks)
        units->blocks = json_object();
    json_array_foreach(json_object_get(machine, "blocks"), i, block)
    {
        const char *name = json_string_value(json_object_get(block, "name"));
        if (name && !json_object_get(units->blocks, name))
            json_object_set(units->blocks, name, block);
    }
    json_decref(machine);
    return 1;
}

static const json_t *find_block(report_units *units, store *opened, const view_columns *columns, const char *name)
{
    do {
        const json_t *found = json_object_get(units->blocks, name);
        if (found)
            return found;
    } while (learn_next(units, opened, columns));
    return NULL;
}

static const char *declared_unit(const report_units *units, const json_t *block, const char *name)
{
    const hd_block_class *type = netlist_find_class(units->classes, json_string_value(json_object_get(block, "kind")),
                                                    json_string_value(json_object_get(block, "type")));
    for (uint32_t i = 0; type && i < type->statistic_count; i++)
        if (!strcmp(type->statistics[i].name, name))
            return type->statistics[i].unit;
    return "";
}

static const char *unit_of_one(report_units *units, store *opened, const view_columns *columns, const char *statistic)
{
    const char *slash = strchr(statistic, '/'); /* of one kernel */
    statistic = slash ? slash + 1 : statistic;
    for (size_t i = 0; i < sizeof of_run / sizeof *of_run; i++)
        if (!strcmp(statistic, of_run[i].name))
            return of_run[i].unit;
    const char *dot = strchr(statistic, '.');
    if (!dot || !strncmp(statistic, "app.", strlen("app.")))
        return "";
    if (!strncmp(statistic, "time.", strlen("time.")))
        return ends_with(statistic, "_ps") ? "ps" : "";
    char block[128];
    snprintf(block, sizeof block, "%.*s", (int)(dot - statistic), statistic);
    const json_t *found = find_block(units, opened, columns, block);
    return found ? declared_unit(units, found, dot + 1) : "";
}

/* "instructions / cycles"; "" for one of things of the same kind. */
const char *report_unit(report_units *units, store *opened, const view_columns *columns, const char *statistic)
{
    quotient parts = quotient_of(statistic);
    const char *unit = unit_of_one(units, opened, columns, parts.dividend);
    const char *below = parts.divisor ? unit_of_one(units, opened, columns, parts.divisor) : NULL;
    quotient_free(&parts);
    if (!below)
        return unit;
    if (!*unit || !*below || !strcmp(unit, below))
        return "";
    snprintf(units->of_quotient, sizeof units->of_quotient, "%s" QUOTIENT_SIGN "%s", unit, below);
    return units->of_quotient;
}

void report_units_free(report_units *units)
{
    sqlite3_finalize(units->rest);
    json_decref(units->blocks);
    *units = (report_units){0};
}
