/* SPDX-License-Identifier: MIT */
/* Every parameter of every block class changes what its row says. */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "live.h"
#include "live_blocks.h"
#include "registry.h"

static int has_value(const live_row *row, const char *value)
{
    const size_t length = strlen(value);
    for (const char *at = row->values; (at = strstr(at, value)); at += length)
        if ((at == row->values || at[-1] == ' ') && (!at[length] || at[length] == ' '))
            return 1;
    return 0;
}

static int rows_of(const live_table *table, const char *parameter, const char *value)
{
    int count = 0;
    for (size_t i = 0; table && i < table->count; i++)
        count += !strcmp(table->rows[i].parameter, parameter) && (!value || has_value(&table->rows[i], value));
    return count;
}

static void expect_every_choice(const live_table *table, const hd_parameter *declared)
{
    char *choices = strdup(declared->choices), *rest = choices;
    for (char *choice; (choice = strsep(&rest, "|"));)
        cr_expect(rows_of(table, declared->name, choice), "%s: no row of '%s' has the value '%s' (%s)", table->subject,
                  declared->name, choice, table->file);
    free(choices);
}

static void expect_row(const char *subject, const hd_parameter *declared)
{
    const live_table *table = live_table_of(subject);
    cr_expect(rows_of(table, declared->name, NULL),
              "%s: parameter '%s' has no row that shows what it changes. Add to %s\n"
              "    {\"%s\", \"%s | OTHER\", \"everything\", \"KIND.STATISTIC grows\"},\n"
              "  with what it does change; docs/add-a-block.md, A block of Heddle itself, says more",
              subject, declared->name, table ? table->file : "a table of its own beside tests/live/tables.c",
              declared->name, declared->standard ? declared->standard : "VALUE");
    if (table && declared->type == HD_TYPE_CHOICE)
        expect_every_choice(table, declared);
}

static void expect_declared(const live_table *table, const hd_block_class *type)
{
    for (size_t i = 0; i < table->count; i++) {
        uint32_t p = 0;
        while (p < type->parameter_count && strcmp(type->parameters[p].name, table->rows[i].parameter))
            p++;
        cr_expect_lt(p, type->parameter_count, "%s: there is no parameter '%s' (%s)", table->subject,
                     table->rows[i].parameter, table->file);
    }
}

static char *subject_of(const hd_block_class *type)
{
    return text_of("%s/%s", type->kind, type->type);
}

static const hd_block_class *class_of(const char *subject)
{
    const netlist_registry registry = hd_builtin_classes();
    for (size_t i = 0; i < registry.count; i++) {
        char *own = subject_of(registry.classes[i]);
        const int found = !strcmp(own, subject);
        free(own);
        if (found)
            return registry.classes[i];
    }
    return NULL;
}

Test(live, every_parameter_has_a_row_and_every_row_a_parameter)
{
    const netlist_registry registry = hd_builtin_classes();
    for (size_t i = 0; i < registry.count; i++) {
        char *subject = subject_of(registry.classes[i]);
        for (uint32_t p = 0; p < registry.classes[i]->parameter_count; p++)
            expect_row(subject, &registry.classes[i]->parameters[p]);
        free(subject);
    }
    for (const live_table *const *table = live_tables; *table; table++) {
        const hd_block_class *type = class_of((*table)->subject);
        if (strchr((*table)->subject, '/'))
            cr_expect(type, "there is no block %s (%s)", (*table)->subject, (*table)->file);
        if (type)
            expect_declared(*table, type);
    }
}

/* The parameter of all blocks of that class. */
static void set_parameter(const live_run *run, const char *subject, const char *parameter, const char *value,
                          live_setting *setting)
{
    const netlist_registry built_in = hd_builtin_classes(), more = live_blocks();
    const hd_block_class *classes[64];
    const char *overrides[RUN_CHANGES];
    char *errors;
    size_t length = 0, count = 0;
    cr_assert_leq(built_in.count + more.count, 64);
    memcpy(classes, built_in.classes, built_in.count * sizeof *classes);
    memcpy(classes + built_in.count, more.classes, more.count * sizeof *classes);
    for (const char *const *set = run->sets; *set; set++)
        if (strncmp(*set, "app.", 4))
            overrides[count++] = *set;
    netlist *machine =
        netlist_load(run->machine, (netlist_registry){.classes = classes, .count = built_in.count + more.count},
                     overrides, count, &errors);
    cr_assert(machine, "%s", errors);
    for (uint32_t b = 0; b < machine->block_count; b++)
        if (machine->blocks[b].block_class == class_of(subject))
            length += (size_t)snprintf(setting->settings + length, sizeof setting->settings - length, "%s%s.%s=%s",
                                       length ? "; " : "", machine->blocks[b].name, parameter, value);
    cr_assert(length && length < sizeof setting->settings, "the run '%s' has no block %s", run->name, subject);
    netlist_free(machine);
}

/* A test per class: they run side by side. */
ParameterizedTestParameters(live, parameters_change_what_their_rows_say)
{
    static size_t indices[64];
    const size_t count = hd_builtin_classes().count;
    cr_assert_leq(count, 64);
    for (size_t i = 0; i < count; i++)
        indices[i] = i;
    return cr_make_param_array(size_t, indices, count);
}

ParameterizedTest(size_t *index, live, parameters_change_what_their_rows_say)
{
    char *subject = subject_of(hd_builtin_classes().classes[*index]);
    const live_table *table = live_table_of(subject);
    for (size_t i = 0; table && i < table->count; i++)
        live_expect(subject, &table->rows[i], set_parameter);
    live_forget();
    free(subject);
}
