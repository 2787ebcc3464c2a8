/* SPDX-License-Identifier: MIT */
/* Several comparisons of the same two sides as one: means, and how sure they are. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "parts.h"

/* ---- Numbers of one row --------------------------------------------------------------------------------------------- */

static void add_pair(row_spread *to, double a, double b)
{
    sample_add(&to->samples[0], a);
    sample_add(&to->samples[1], b);
}

static void judge(row_spread *of)
{
    const sample_test test = sample_compare(&of->samples[0], &of->samples[1]);
    for (int side = 0; side < 2; side++)
        of->half_width[side] = sample_half_width(&of->samples[side]);
    of->p = test.p;
    of->is_significant = sample_is_significant(&test);
}

static void take_means(uint64_t values[2], row_spread *of)
{
    judge(of);
    for (int side = 0; side < 2; side++)
        values[side] = (uint64_t)llround(of->samples[side].mean);
}

/* ---- Rows by name --------------------------------------------------------------------------------------------------- */

static const kernel_comparison *find_kernel(const comparison *in, const char *name)
{
    for (uint32_t i = 0; i < in->kernel_count; i++)
        if (!strcmp(in->kernels[i].name, name))
            return &in->kernels[i];
    return NULL;
}

static const cycle_comparison *find_cycles(const comparison *in, const char *name)
{
    for (uint32_t i = 0; i < in->cycle_count; i++)
        if (!strcmp(in->cycles[i].name, name))
            return &in->cycles[i];
    return NULL;
}

static int by_name(const void *a, const void *b)
{
    const statistic_comparison *x = a, *y = b;
    return strcmp(x->name, y->name);
}

/* What threads wait for each other with. */
int comparison_is_contended(const comparison *made)
{
    static const char *const ends[] = {".atomics", ".tx_begins"};
    for (uint32_t i = 0; i < made->statistic_count; i++) {
        const statistic_comparison *row = &made->statistics[i];
        const char *end = strrchr(row->name, '.');
        for (size_t e = 0; e < sizeof ends / sizeof *ends; e++)
            if (end && !strcmp(end, ends[e]) && (row->values[0] || row->values[1]))
                return 1;
    }
    return 0;
}

/* ---- All rows ------------------------------------------------------------------------------------------------------- */

/* What one of the comparisons says of the rows of another; a row that it does not have is of nothing that happened. */
static void add_numbers(comparison *to, const comparison *from)
{
    add_pair(&to->time_spread, (double)from->time_ps[0], (double)from->time_ps[1]);
    add_pair(&to->cycles_spread, (double)comparison_kernel_cycles(from, 0), (double)comparison_kernel_cycles(from, 1));
    for (uint32_t i = 0; i < to->kernel_count; i++) {
        const kernel_comparison *row = find_kernel(from, to->kernels[i].name);
        add_pair(&to->kernels[i].spread, row ? (double)row->cycles[0] : 0, row ? (double)row->cycles[1] : 0);
    }
    for (uint32_t i = 0; i < to->cycle_count; i++) {
        const cycle_comparison *row = find_cycles(from, to->cycles[i].name);
        add_pair(&to->cycles[i].spread, row ? row->cycles[0] : 0, row ? row->cycles[1] : 0);
    }
    for (uint32_t i = 0; i < to->statistic_count; i++) {
        const statistic_comparison *row =
            bsearch(&to->statistics[i], from->statistics, from->statistic_count, sizeof *row, by_name);
        add_pair(&to->statistics[i].spread, row ? (double)row->values[0] : 0, row ? (double)row->values[1] : 0);
    }
}

static void settle(comparison *of)
{
    take_means(of->time_ps, &of->time_spread);
    judge(&of->cycles_spread);
    for (uint32_t i = 0; i < of->kernel_count; i++)
        take_means(of->kernels[i].cycles, &of->kernels[i].spread);
    for (uint32_t i = 0; i < of->cycle_count; i++) {
        judge(&of->cycles[i].spread);
        for (int side = 0; side < 2; side++)
            of->cycles[i].cycles[side] = of->cycles[i].spread.samples[side].mean;
    }
    for (uint32_t i = 0; i < of->statistic_count; i++)
        take_means(of->statistics[i].values, &of->statistics[i].spread);
    compare_rank_cycles(of);
    compare_rank_statistics(of);
}

static int add_repetition(comparison *to, const compared_run runs[2], netlist_registry classes, char **error)
{
    comparison one;
    const int good = comparison_make(&one, runs, classes, error);
    if (good && one.statistic_count)
        qsort(one.statistics, one.statistic_count, sizeof *one.statistics, by_name);
    if (good)
        add_numbers(to, &one);
    comparison_free(&one);
    return good;
}

int comparison_make_repeated(comparison *result, const compared_run *runs, uint32_t count, netlist_registry classes,
                             char **error)
{
    const compared_run first[2] = {runs[0], runs[count]};
    if (!comparison_make(result, first, classes, error))
        return 0;
    if (count == 1)
        return 1;
    result->repetitions = count;
    for (uint32_t i = 0; i < count; i++) {
        const compared_run pair[2] = {runs[i], runs[count + i]};
        if (!add_repetition(result, pair, classes, error))
            return 0;
    }
    settle(result);
    return 1;
}
