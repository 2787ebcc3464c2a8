/* SPDX-License-Identifier: MIT */
#include <fnmatch.h>
#include <string.h>

#include "energy.h"
#include "quotient.h"
#include "resolve.h"

/* Those of a run as a whole. What an app reports, and what its kernels are called, is known when it has run. */
static const char *const of_run[] = {"cycles",         "launches",       "simulated_ps",     "busy_ps",
                                     "time.total_ps",  "time.host_ps",   "time.transfer_ps", "time.launch_ps",
                                     "time.kernel_ps", "time.overlap_ps"};
#define OF_RUN (sizeof of_run / sizeof *of_run)

static void want(resolution *at, const char *pattern, span place, int is_one)
{
    at->wanted[at->wanted_count++] = (wanted_statistic){pattern, place, (uint8_t)is_one, 0};
}

/* The place of a part of a text; of all of it, if it is not written as it is meant: in quotes. */
static span place_of(const node *whole, const char *part)
{
    span place = whole->at;
    if (place.width != strlen(whole->text))
        return place;
    place.column += (uint32_t)(part - whole->text);
    place.width = (uint32_t)strcspn(part, " ");
    return place;
}

static void want_all_of(resolution *at, const node *statistic, int is_published)
{
    quotient parts = quotient_of(statistic->text);
    if (!parts.divisor) {
        want(at, statistic->text, statistic->at, is_published);
    } else {
        want(at, arena_copy(&at->memory, parts.dividend, strlen(parts.dividend)), place_of(statistic, statistic->text),
             1);
        want(at, parts.divisor, place_of(statistic, parts.divisor), 1);
    }
    quotient_free(&parts);
}

void want_statistics(resolution *at)
{
    const sweep *of = at->sweep;
    at->wanted =
        arena_alloc(&at->memory, 2 * ((size_t)of->statistic_count + of->published_count) * sizeof *at->wanted + 1);
    for (uint32_t i = 0; i < of->statistic_count; i++)
        want_all_of(at, of->statistics[i], 0);
    for (uint32_t i = 0; i < of->published_count; i++)
        want_all_of(at, of->published[i].statistic, 1);
}

static void mark(resolution *at, const char *name)
{
    for (uint32_t i = 0; i < at->wanted_count; i++) {
        const char *pattern = at->wanted[i].pattern, *slash = strchr(pattern, '/'); /* KERNEL/STATISTIC */
        if (!at->wanted[i].is_known && !fnmatch(slash ? slash + 1 : pattern, name, 0))
            at->wanted[i].is_known = 1;
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

/* "core.a/core.b" would be core.b of a kernel called core.a. */
static int is_quotient_without_spaces(resolution *at, const char *name)
{
    const char *slash = strchr(name, '/');
    return slash && is_listed(&at->statistics, arena_copy(&at->memory, name, (size_t)(slash - name)));
}

/* "app.NAME", or of several "app2.NAME": what they report is known when they have run. */
static int is_of_app(const char *statistic)
{
    if (strncmp(statistic, "app", 3) != 0)
        return 0;
    statistic += 3;
    return statistic[*statistic >= '2' && *statistic <= '0' + (int)HD_HOST_PROGRAMS_MAX] == '.';
}

static void check_one(resolution *at, const wanted_statistic *one)
{
    const char *name = one->pattern;
    if (strstr(name, QUOTIENT_SIGN)) {
        report_error(&at->log, SWEEP_ERROR_STATISTIC, one->at, "a quotient is of two statistics: 'A / B'");
    } else if (one->is_one && strpbrk(name, "*?[")) {
        report_error(&at->log, SWEEP_ERROR_STATISTIC, one->at, "'%s' is a pattern; there has to be one statistic",
                     name);
    } else if (is_quotient_without_spaces(at, name)) {
        report_error(&at->log, SWEEP_ERROR_STATISTIC, one->at, "'%s': a quotient has spaces around its '/'", name);
    } else if (one->is_known || is_of_app(name)) {
        return;
    } else if (netlist_asks_for_energy(name) && !at->has_energy) {
        report_error(&at->log, SWEEP_ERROR_STATISTIC, one->at, "'%s': no machine of the sweep has an energy table",
                     name);
    } else {
        report_error(&at->log, SWEEP_ERROR_STATISTIC, one->at, "no block of the machines has a statistic '%s'", name);
        candidates_suggest(&at->log, name, &at->statistics);
    }
}

int check_statistics(resolution *at)
{
    for (size_t i = 0; i < OF_RUN; i++) {
        mark(at, of_run[i]);
        candidates_add(&at->memory, &at->statistics, of_run[i]);
    }
    for (uint32_t i = 0; i < at->wanted_count; i++)
        check_one(at, &at->wanted[i]);
    return !at->log.errors;
}
