/* SPDX-License-Identifier: MIT */
/* Every key that a netlist may have changes what its row says; every clock and every link of a machine shows. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "live.h"
#include "netlist.h"
#include "registry.h"

static const char *const sections[] = {"machine", "address_map", "perturb", "block", "link"};

/* What is tried on every link: key, values, settings of the link that hold for both. Later is slower. */
static const struct {
    const char *key;
    const char *values[2];
    const char *with;
} link_trials[] = {
    {"latency", {"8 cycles", "20000 cycles"}, ""},
    {"credits", {"24", "1"}, ", credit_latency: 20000 cycles"},
    {"credit_latency", {"8 cycles", "20000 cycles"}, ", credits: 1"},
    {"response_latency", {"8 cycles", "20000 cycles"}, ""},
    {"response_credits", {"24", "1"}, ", response_credit_latency: 20000 cycles"},
    {"response_credit_latency", {"8 cycles", "20000 cycles"}, ", response_credits: 1"},
};
#define LINK_TRIALS (sizeof link_trials / sizeof *link_trials)

static size_t link_trial_of(const char *key)
{
    size_t i = 0;
    while (i < LINK_TRIALS && strcmp(link_trials[i].key, key))
        i++;
    return i;
}

static int has_row(const live_table *table, const char *key)
{
    for (size_t i = 0; i < table->count; i++)
        if (!strcmp(table->rows[i].parameter, key))
            return 1;
    return 0;
}

static int is_key(const char *section, const char *name)
{
    const char *key;
    for (size_t i = 0; (key = netlist_key(section, i)); i++)
        if (!strcmp(key, name))
            return 1;
    return 0;
}

Test(live, every_key_has_a_row_and_every_row_a_key)
{
    for (size_t s = 0; s < sizeof sections / sizeof *sections; s++) {
        const live_table *table = live_table_of(sections[s]);
        const char *key;
        cr_assert(table);
        for (size_t i = 0; (key = netlist_key(sections[s], i)); i++)
            cr_expect(has_row(table, key) || (!strcmp(sections[s], "link") && link_trial_of(key) < LINK_TRIALS),
                      "key '%s' of a %s has no row that shows what it changes; add one to %s", key, sections[s],
                      table->file);
        for (size_t i = 0; i < table->count; i++)
            cr_expect(is_key(sections[s], table->rows[i].parameter), "there is no key '%s' (%s)",
                      table->rows[i].parameter, table->file);
    }
}

static void set_layer(const live_run *run, const char *subject, const char *parameter, const char *value,
                      live_setting *setting)
{
    (void)run, (void)subject, (void)parameter;
    cr_assert_lt(strlen(value), sizeof setting->layer);
    strcpy(setting->layer, value);
}

Test(live, keys_change_what_their_rows_say)
{
    for (size_t s = 0; s < sizeof sections / sizeof *sections; s++) {
        const live_table *table = live_table_of(sections[s]);
        for (size_t i = 0; i < table->count; i++)
            live_expect(table->subject, &table->rows[i], set_layer);
    }
    live_forget();
}

static netlist *load(const live_run *run)
{
    char *errors;
    netlist *machine = netlist_load(run->machine, hd_builtin_classes(), NULL, 0, &errors);
    cr_assert(machine, "%s", errors);
    return machine;
}

Test(live, every_clock_shows)
{
    const live_run *run = live_run_of("everything");
    netlist *machine = load(run);
    for (uint32_t c = 0; c < machine->clock_count; c++) {
        const netlist_clock *clock = &machine->clocks[c];
        char *values = text_of("clocks: {%s: %llu Hz} | clocks: {%s: %llu Hz}", clock->name,
                               (unsigned long long)clock->hz, clock->name, (unsigned long long)clock->hz / 2);
        live_expect("clock", &(live_row){clock->name, values, run->name, "time grows"}, set_layer);
        free(values);
    }
    netlist_free(machine);
    live_forget();
}

static const char *port_of(const netlist *machine, netlist_end end)
{
    return machine->blocks[end.block].block_class->ports[end.port].name;
}

/* Between the same ports of the same blocks as a link before it. */
static int is_repeated(const netlist *machine, uint32_t index)
{
    const netlist_link *link = &machine->links[index];
    for (uint32_t i = 0; i < index; i++) {
        const netlist_link *other = &machine->links[i];
        if (other->from.block == link->from.block && other->from.port == link->from.port &&
            other->to.block == link->to.block && other->to.port == link->to.port)
            return 1;
    }
    return 0;
}

static void try_link(const live_run *run, const netlist *machine, const netlist_link *link, size_t trial)
{
    char *name = text_of("%s.%s -> %s.%s", machine->blocks[link->from.block].name, port_of(machine, link->from),
                         machine->blocks[link->to.block].name, port_of(machine, link->to));
    char *ends = text_of("links: [{from: %s.%s, to: %s.%s%s, %s:", machine->blocks[link->from.block].name,
                         port_of(machine, link->from), machine->blocks[link->to.block].name, port_of(machine, link->to),
                         link_trials[trial].with, link_trials[trial].key);
    char *values = text_of("%s %s}] | %s %s}]", ends, link_trials[trial].values[0], ends, link_trials[trial].values[1]);
    live_expect(name, &(live_row){link_trials[trial].key, values, run->name, "time grows"}, set_layer);
    free(values);
    free(ends);
    free(name);
}

Test(live, every_link_shows)
{
    const live_run *run = live_run_of("overlapping");
    netlist *machine = load(run);
    for (uint32_t i = 0; i < machine->link_count; i++)
        for (size_t trial = 0; trial < LINK_TRIALS && !is_repeated(machine, i); trial++)
            if (machine->links[i].is_memory || strncmp(link_trials[trial].key, "response_", strlen("response_")))
                try_link(run, machine, &machine->links[i], trial);
    netlist_free(machine);
    live_forget();
}
