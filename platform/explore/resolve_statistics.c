/* SPDX-License-Identifier: MIT */
#include <fnmatch.h>
#include <string.h>

#include "energy.h"
#include "resolve.h"

/* Those of a run as a whole. What an app reports, and what its kernels are called, is known when it has run. */
static const char *const of_run[] = {"cycles",         "launches",       "simulated_ps",     "busy_ps",
                                     "time.total_ps",  "time.host_ps",   "time.transfer_ps", "time.launch_ps",
                                     "time.kernel_ps", "time.overlap_ps"};
#define OF_RUN (sizeof of_run / sizeof *of_run)

static const node *node_of(const sweep *of, uint32_t index)
{
    return index < of->statistic_count ? of->statistics[index] : of->published[index - of->statistic_count].statistic;
}

static void mark(resolution *at, const char *name)
{
    const sweep *of = at->sweep;
    for (uint32_t i = 0; i < of->statistic_count + of->published_count; i++) {
        const char *pattern = node_of(of, i)->text, *slash = strchr(pattern, '/'); /* KERNEL/STATISTIC */
        if (!at->is_known[i] && !fnmatch(slash ? slash + 1 : pattern, name, 0))
            at->is_known[i] = 1;
    }
}

static int is_listed(const candidates *list, const char *name)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (!strcmp(list->names[i], name))
            return 1;
    return 0;
}

static void add_statistic(resolution *at, const char *block, const char *statistic, uint32_t is_maximum)
{
    const char *name = arena_format(&at->memory, "%s.%s", block, statistic);
    mark(at, name);
    if (!is_listed(&at->statistics, name))
        candidates_add(&at->memory, &at->statistics, name);
    if (is_maximum && !is_listed(&at->maxima, name))
        candidates_add(&at->memory, &at->maxima, name);
}

void resolve_statistics(resolution *at, const netlist *machine)
{
    at->has_energy |= machine->energy != NULL;
    for (uint32_t i = 0; machine->energy && i < NETLIST_ENERGY_SUMS; i++)
        add_statistic(at, NETLIST_ENERGY_BLOCK, netlist_energy_sum_name(i), 0);
    for (uint32_t b = 0; b < machine->block_count; b++) {
        const hd_block_class *type = machine->blocks[b].block_class;
        for (uint32_t s = 0; s < type->statistic_count; s++)
            add_statistic(at, machine->blocks[b].name, type->statistics[s].name,
                          type->statistics[s].kind == HD_STATISTIC_MAXIMUM);
    }
}

int check_statistics(resolution *at)
{
    const sweep *of = at->sweep;
    for (size_t i = 0; i < OF_RUN; i++) {
        mark(at, of_run[i]);
        candidates_add(&at->memory, &at->statistics, of_run[i]);
    }
    for (uint32_t i = 0; i < of->statistic_count + of->published_count; i++) {
        const node *statistic = node_of(of, i);
        if (at->is_known[i] || !strncmp(statistic->text, "app.", 4))
            continue;
        if (netlist_asks_for_energy(statistic->text) && !at->has_energy) {
            report_error(&at->log, SWEEP_ERROR_STATISTIC, statistic->at,
                         "'%s': no machine of the sweep has an energy table", statistic->text);
            continue;
        }
        report_error(&at->log, SWEEP_ERROR_STATISTIC, statistic->at, "no block of the machines has a statistic '%s'",
                     statistic->text);
        candidates_suggest(&at->log, statistic->text, &at->statistics);
    }
    return !at->log.errors;
}
