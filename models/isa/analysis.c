/* SPDX-License-Identifier: MIT */
/* Last step of loading, and the tables that programs have. */
#include "analysis.h"

#include "control_flow.h"
#include "definitions.h"
#include "likely_points.h"
#include "loading.h"
#include "reservations.h"

#include <stdlib.h>
#include <string.h>

const isa_analysis *const isa_analyses[] = {
    &isa_reconvergence, &isa_delayed_reconvergence, &isa_commits, &isa_definitions,
    &isa_uses,          &isa_likely_points,         NULL};

const isa_analysis *isa_analysis_named(const char *name)
{
    for (const isa_analysis *const *at = isa_analyses; *at; at++)
        if (!strcmp((*at)->name, name))
            return *at;
    return NULL;
}

int isa_analysis_is(const isa_analysis *analysis, const isa_analysis *other)
{
    return analysis == other ||
           (analysis->fill_from && analysis->fill_from == other->fill_from && !strcmp(analysis->input, other->input));
}

static isa_table *table_named(const isa_program *program, const char *name)
{
    for (uint32_t i = 0; i < program->table_count; i++)
        if (!strcmp(program->tables[i].analysis->name, name))
            return &program->tables[i];
    return NULL;
}

const uint32_t *isa_program_table(const isa_program *program, const char *name)
{
    const isa_table *table = table_named(program, name);
    return table ? table->values : NULL;
}

const uint32_t *isa_program_lists(const isa_program *program, const char *name)
{
    const isa_table *table = table_named(program, name);
    return table ? table->lists : NULL;
}

static int compute(const isa_program *program, isa_table *table, char *error, size_t error_bytes)
{
    const uint32_t count = isa_program_instructions(program);
    table->values = malloc(count * sizeof *table->values);
    if (!table->values)
        return isa_fail(error, error_bytes, "out of memory");
    for (uint32_t i = 0; i < count; i++)
        table->values[i] = table->analysis->none;
    if (table->analysis->fill_lists)
        return table->analysis->fill_lists(program, table->values, &table->lists, error, error_bytes);
    if (table->analysis->fill_from)
        return table->analysis->fill_from(program, table->analysis->input, table->values, error, error_bytes);
    return table->analysis->fill(program, table->values, error, error_bytes);
}

int isa_program_require(isa_program *program, const isa_analysis *analysis, char *error, size_t error_bytes)
{
    const isa_table *had = table_named(program, analysis->name);
    if (had)
        return isa_analysis_is(had->analysis, analysis)
                   ? 0
                   : isa_fail(error, error_bytes, "there are two analyses '%s'", analysis->name);
    isa_table *tables = realloc(program->tables, (program->table_count + 1) * sizeof *tables);
    if (!tables)
        return isa_fail(error, error_bytes, "out of memory");
    program->tables = tables;
    tables[program->table_count] = (isa_table){.analysis = analysis};
    return compute(program, &tables[program->table_count++], error, error_bytes);
}

int isa_program_analyse(isa_program *program, char *error, size_t error_bytes)
{
    isa_program_forget_analysis(program);
    if (isa_control_flow(program, error, error_bytes))
        return -1;
    isa_mark_reservations(program);
    for (uint32_t i = 0; i < program->table_count; i++)
        if (compute(program, &program->tables[i], error, error_bytes))
            return -1;
    return isa_program_require(program, &isa_commits, error, error_bytes);
}

void isa_program_forget_analysis(isa_program *program)
{
    free(program->reachable);
    free(program->returns);
    program->reachable = program->returns = NULL;
    for (uint32_t i = 0; i < program->table_count; i++) {
        free(program->tables[i].values);
        free(program->tables[i].lists);
        program->tables[i].values = program->tables[i].lists = NULL;
    }
}
