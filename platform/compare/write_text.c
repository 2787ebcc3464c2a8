/* SPDX-License-Identifier: MIT */
/* A comparison on one page. */
#include <math.h>
#include <string.h>

#include "comparison.h"
#include "results.h"
#include "table.h"
#include "utf8.h"

#define NAME_WIDTH_LEAST 28
#define NUMBER "%16s"
#define CHANGE "%10s"
#define MEAN_WIDTH 24 /* of "91,473 \u00b1 520" */
#define VERDICT "%13s"
#define LITTLE 0.005 /* of all */

static const char *ratio(char *text, double a, double b)
{
    snprintf(text, HD_QUANTITY_BYTES, a > 0 ? "%.3f" : "-", a > 0 ? b / a : 0);
    return text;
}

/* "+28.9%" of `whole`. */
static const char *percent(char *text, double part, double whole)
{
    double share = whole > 0 ? 100 * part / whole : 0;
    snprintf(text, HD_QUANTITY_BYTES, whole > 0 ? "%+.1f%%" : "from 0", fabs(share) < 0.05 ? 0 : share);
    return text;
}

static const char *signed_count(char *text, double value)
{
    char digits[HD_QUANTITY_BYTES];
    snprintf(text, HD_QUANTITY_BYTES, "%s%s",
             value < -0.5  ? "-"
             : value > 0.5 ? "+"
                           : "",
             hd_print_count(digits, (uint64_t)llround(fabs(value))));
    return text;
}

static const char *count(char *text, double value)
{
    return hd_print_count(text, (uint64_t)llround(value));
}

/* ---- Means ---------------------------------------------------------------------------------------------------------- */

/* The last column of a row. */
static void end_row(const comparison *made, const row_spread *spread, FILE *out)
{
    if (made->repetitions > 1)
        fprintf(out, VERDICT, spread->is_significant ? "yes" : "no");
    fputc('\n', out);
}

static void end_head(const comparison *made, FILE *out)
{
    if (made->repetitions > 1)
        fprintf(out, VERDICT, "significant");
    fputc('\n', out);
}

typedef const char *show_number(char *text, uint64_t value);

/* A value; where it is a mean, with half of its interval. */
static void write_mean(const comparison *made, uint64_t value, double half_width, show_number *show, FILE *out)
{
    char texts[2][HD_QUANTITY_BYTES], whole[2 * HD_QUANTITY_BYTES + 8];
    if (made->repetitions == 1) {
        fprintf(out, NUMBER, show(texts[0], value));
        return;
    }
    snprintf(whole, sizeof whole, "%s \u00b1 %s", show(texts[0], value), show(texts[1], (uint64_t)llround(half_width)));
    fprintf(out, "%*s%s", MEAN_WIDTH - (int)utf8_columns(whole, strlen(whole)), "", whole);
}

static void write_mean_head(const comparison *made, const char *side, FILE *out)
{
    fprintf(out, "%*s", made->repetitions > 1 ? MEAN_WIDTH : 16, side);
}

/* How much chance there is in what stands above. */
static void write_certainty(const comparison *made, FILE *out)
{
    if (made->repetitions > 1)
        fprintf(out,
                "\nmeans of %u runs each, \u00b1 half of the interval of 95 %%; significant: by Welch's t-test, "
                "p < 0.05\n",
                made->repetitions);
    else if (made->time_ps[0] != made->time_ps[1] && comparison_is_contended(made))
        fputs("\none run each: threads contend here, so part of this is chance; --repeat N tells\n", out);
}

/* ---- What was different --------------------------------------------------------------------------------------------- */

static void write_head(const comparison *made, FILE *out)
{
    arena memory = {0};
    table rows = {.memory = &memory, .columns = 3};
    fprintf(out, "%s on A and B\n\n", made->app ? made->app : "no app");
    for (int side = 0; side < 2; side++)
        TABLE_ROW(&rows, side ? "B" : "A", made->machines[side], made->names[side]);
    table_write(&rows, NULL, "", TEXT_PLAIN, out);
    arena_free(&memory);
}

static void write_differences(const comparison *made, int all, FILE *out)
{
    arena memory = {0};
    table rows = {.memory = &memory, .columns = 3};
    uint32_t left_out = 0;
    TABLE_ROW(&rows, "difference", "A", "B");
    for (uint32_t i = 0; i < made->difference_count; i++) {
        const machine_difference *row = &made->differences[i];
        if (all || !row->is_consequence)
            TABLE_ROW(&rows, row->what, row->values[0] ? row->values[0] : "-", row->values[1] ? row->values[1] : "-");
        else
            left_out++;
    }
    fputc('\n', out);
    if (made->difference_count)
        table_write(&rows, NULL, "", TEXT_PLAIN, out);
    else
        fputs("no difference in machine and inputs\n", out);
    if (left_out)
        fprintf(out, "and %u that follow from these (--all)\n", left_out);
    arena_free(&memory);
}

/* ---- What came of it ------------------------------------------------------------------------------------------------ */

static int name_width(const comparison *made, uint32_t statistics)
{
    size_t width = NAME_WIDTH_LEAST;
    for (uint32_t i = 0; i < made->kernel_count; i++)
        width = strlen(made->kernels[i].name) > width ? strlen(made->kernels[i].name) : width;
    for (uint32_t i = 0; i < statistics; i++)
        width = strlen(made->statistics[i].name) > width ? strlen(made->statistics[i].name) : width;
    return (int)width;
}

static void write_row(const comparison *made, int width, const char *name, const uint64_t values[2],
                      const row_spread *spread, show_number *show, FILE *out)
{
    char text[HD_QUANTITY_BYTES];
    fprintf(out, "%-*s", width, name);
    for (int side = 0; side < 2; side++)
        write_mean(made, values[side], spread->half_width[side], show, out);
    fprintf(out, CHANGE, ratio(text, (double)values[0], (double)values[1]));
    end_row(made, spread, out);
}

static void write_kernels(const comparison *made, int width, FILE *out)
{
    const uint64_t all[] = {comparison_kernel_cycles(made, 0), comparison_kernel_cycles(made, 1)};
    fprintf(out, "\n%-*s", width, made->kernel_count ? "cycles of kernels" : "time");
    write_mean_head(made, "A", out);
    write_mean_head(made, "B", out);
    fprintf(out, CHANGE, "B / A");
    end_head(made, out);
    for (uint32_t i = 0; i < made->kernel_count; i++)
        write_row(made, width, made->kernels[i].name, made->kernels[i].cycles, &made->kernels[i].spread, hd_print_count,
                  out);
    if (made->kernel_count > 1)
        write_row(made, width, "all kernels", all, &made->cycles_spread, hd_print_count, out);
    write_row(made, width, made->is_of_kernels ? "time in which kernels ran" : "simulated", made->time_ps,
              &made->time_spread, hd_print_time, out);
    for (uint32_t i = 0; i < made->kernel_count; i++)
        if (made->kernels[i].launches[0] != made->kernels[i].launches[1])
            fprintf(out, "%s: %u launches on A, %u on B\n", made->kernels[i].name, made->kernels[i].launches[0],
                    made->kernels[i].launches[1]);
}

static void write_cycle(const comparison *made, const cycle_comparison *row, int width, double whole, FILE *out)
{
    char texts[4][HD_QUANTITY_BYTES];
    const double more = row->cycles[1] - row->cycles[0];
    fprintf(out, "%-*s" NUMBER NUMBER NUMBER CHANGE, width, row->name, count(texts[0], row->cycles[0]),
            count(texts[1], row->cycles[1]), signed_count(texts[2], more), percent(texts[3], more, whole));
    if (row->spread.samples[0].count)
        end_row(made, &row->spread, out);
    else
        fputc('\n', out);
}

static void add_cycles(cycle_comparison *sum, const cycle_comparison *row)
{
    for (int side = 0; side < 2; side++)
        sum->cycles[side] += row->cycles[side];
}

/* What is little on both sides stands together, unless all is asked for. */
static void write_cycles(const comparison *made, int all, int width, FILE *out)
{
    cycle_comparison sum = {.name = "all"}, little = {.name = "others"};
    if (!made->cycle_count)
        return;
    for (uint32_t i = 0; i < made->cycle_count; i++)
        add_cycles(&sum, &made->cycles[i]);
    fprintf(out, "\n%-*s" NUMBER NUMBER NUMBER CHANGE, width, "where the cycles went", "A", "B", "B - A", "of all");
    end_head(made, out);
    for (uint32_t i = 0; i < made->cycle_count; i++) {
        const cycle_comparison *row = &made->cycles[i];
        if (all || row->cycles[0] > LITTLE * sum.cycles[0] || row->cycles[1] > LITTLE * sum.cycles[1])
            write_cycle(made, row, width, sum.cycles[0], out);
        else
            add_cycles(&little, row);
    }
    if (little.cycles[0] >= 0.5 || little.cycles[1] >= 0.5)
        write_cycle(made, &little, width, sum.cycles[0], out);
    write_cycle(made, &sum, width, sum.cycles[0], out);
    fputs("of an issue port of a core, on average\n", out);
}

static void write_statistic(const comparison *made, const statistic_comparison *row, int width, FILE *out)
{
    char texts[3][HD_QUANTITY_BYTES], effect[HD_QUANTITY_BYTES] = "-";
    double a = (double)row->values[0], b = (double)row->values[1];
    int both = row->is_there[0] && row->is_there[1];
    if (both)
        snprintf(effect, sizeof effect, "%.3f", row->effect);
    fprintf(out, "%-*s" NUMBER NUMBER CHANGE "%8s", width, row->name,
            row->is_there[0] ? hd_print_count(texts[0], row->values[0]) : "-",
            row->is_there[1] ? hd_print_count(texts[1], row->values[1]) : "-", both ? percent(texts[2], b - a, a) : "-",
            effect);
    if (both)
        end_row(made, &row->spread, out);
    else
        fputc('\n', out);
}

/* What the page has not said yet: no slots again, and differences alone unless all are asked for. */
static void write_statistics(const comparison *made, uint32_t rows, int width, FILE *out)
{
    uint32_t different = 0, shown = 0;
    fprintf(out, "\n%-*s" NUMBER NUMBER CHANGE "%8s", width, "statistics, by effect", "A", "B", "change", "effect");
    end_head(made, out);
    for (uint32_t i = 0; i < made->statistic_count; i++) {
        const statistic_comparison *row = &made->statistics[i];
        const int is_new = row->effect > 0 && !(made->cycle_count && row->is_slot);
        different += (uint32_t)is_new;
        if (rows != UINT32_MAX && (!is_new || shown == rows))
            continue;
        write_statistic(made, row, width, out);
        shown++;
    }
    if (!different)
        fputs("all of them are the same\n", out);
    else if (shown < different)
        fprintf(out, "and %u more that are different (--top N, --all)\n", different - shown);
}

void comparison_write_text(const comparison *made, uint32_t rows, FILE *out)
{
    int width = name_width(made, rows < made->statistic_count ? rows : made->statistic_count);
    write_head(made, out);
    write_differences(made, rows == UINT32_MAX, out);
    write_kernels(made, width, out);
    write_cycles(made, rows == UINT32_MAX, width, out);
    write_statistics(made, rows, width, out);
    write_certainty(made, out);
}
