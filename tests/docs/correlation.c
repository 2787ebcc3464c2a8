/* SPDX-License-Identifier: MIT */
/*
 * Programs on GPGPU-Sim and on the machine that stands for its configuration, of docs/correlation.csv:
 *
 *     heddle_correlation table CSV       how both compare, for docs/fidelity.md
 *     heddle_correlation plot CSV SVG    IPC of one against that of the other
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plot.h"

enum { ROWS_MAX = 64, LINE_BYTES = 1024 };
#define MEGAHERTZ 700.0
#define TOLERANCE 0.2

enum {
    FIELD_PROGRAM,
    FIELD_INPUTS,
    FIELD_L1,
    FIELD_THEIR_CYCLES,
    FIELD_THEIR_WARP_INSTRUCTIONS,
    FIELD_THEIR_THREAD_INSTRUCTIONS,
    FIELD_OUR_CYCLES,
    FIELD_OUR_INTERVAL,
    FIELD_OUR_WARP_INSTRUCTIONS,
    FIELD_OUR_THREAD_INSTRUCTIONS,
    FIELD_REMARK,
    FIELD_COUNT
};

typedef struct row {
    char text[LINE_BYTES];
    const char *fields[FIELD_COUNT];
} row;

typedef struct rows {
    row of[ROWS_MAX];
    uint32_t count;
} rows;

static void fail(const char *what, const char *of)
{
    fprintf(stderr, "%s: %s\n", of, what);
    exit(1);
}

static double number(const row *r, uint32_t field)
{
    char *end;
    const double value = strtod(r->fields[field], &end);
    if (end == r->fields[field] || *end || !(value >= 0))
        fail("not a number where one is expected", r->fields[FIELD_PROGRAM]);
    return value;
}

static void split(row *r)
{
    char *next = r->text;
    next[strcspn(next, "\n")] = 0;
    uint32_t field = 0;
    for (; field < FIELD_COUNT && next; field++) {
        char *comma = strchr(next, ',');
        r->fields[field] = next;
        if (comma)
            *comma++ = 0;
        next = comma;
    }
    if (field < FIELD_COUNT || next)
        fail("not a row of as many fields as the first line has", r->text);
}

static rows *read_rows(const char *path)
{
    FILE *file = fopen(path, "r");
    rows *all = calloc(1, sizeof *all);
    if (!file || !all)
        fail("cannot be read", path);
    while (all->count < ROWS_MAX && fgets(all->of[all->count].text, LINE_BYTES, file)) {
        row *r = &all->of[all->count];
        if (r->text[0] == '#' || !strncmp(r->text, "program,", 8))
            continue;
        split(r);
        all->count++;
    }
    fclose(file);
    if (all->count < 2)
        fail("has no rows", path);
    return all;
}

static double their_ipc(const row *r)
{
    return number(r, FIELD_THEIR_THREAD_INSTRUCTIONS) / number(r, FIELD_THEIR_CYCLES);
}

static double our_ipc(const row *r)
{
    return number(r, FIELD_OUR_THREAD_INSTRUCTIONS) / number(r, FIELD_OUR_CYCLES);
}

static double ratio(const row *r)
{
    return number(r, FIELD_OUR_CYCLES) / number(r, FIELD_THEIR_CYCLES);
}

static uint32_t is_within(const row *r)
{
    return fabs(ratio(r) - 1) <= TOLERANCE;
}

/* Pearson's. */
static double correlation(const double *x, const double *y, uint32_t count)
{
    double mean_x = 0, mean_y = 0, xx = 0, yy = 0, xy = 0;
    for (uint32_t i = 0; i < count; i++) {
        mean_x += x[i] / count;
        mean_y += y[i] / count;
    }
    for (uint32_t i = 0; i < count; i++) {
        xx += (x[i] - mean_x) * (x[i] - mean_x);
        yy += (y[i] - mean_y) * (y[i] - mean_y);
        xy += (x[i] - mean_x) * (y[i] - mean_y);
    }
    return xy / sqrt(xx * yy);
}

static void print_summary(const rows *all)
{
    double x[ROWS_MAX], y[ROWS_MAX], log_x[ROWS_MAX], log_y[ROWS_MAX], error = 0;
    uint32_t within = 0;
    for (uint32_t i = 0; i < all->count; i++) {
        const row *r = &all->of[i];
        x[i] = their_ipc(r);
        y[i] = our_ipc(r);
        log_x[i] = log(x[i]);
        log_y[i] = log(y[i]);
        error += fabs(ratio(r) - 1) / all->count;
        within += is_within(r);
    }
    printf("Over %u programs the correlation of IPC is **%.3f** (Pearson), that of its logarithm %.3f. The mean "
           "absolute error of\n"
           "cycles is **%.1f %%**; %u of %u are within %.0f %%.\n\n",
           all->count, correlation(x, y, all->count), correlation(log_x, log_y, all->count), 100 * error, within,
           all->count, 100 * TOLERANCE);
}

static void print_row(const row *r, uint32_t index)
{
    const double interval = number(r, FIELD_OUR_INTERVAL);
    char half[32] = "";
    if (interval > 0)
        snprintf(half, sizeof half, " ± %.0f", interval);
    printf("| %u | %s | %s | %s | %s | %s | %.4g | %.2f | %.0f%s | %s | %.4g | %.2f | %.2f | %s%s%s |\n", index + 1,
           r->fields[FIELD_PROGRAM], r->fields[FIELD_INPUTS], r->fields[FIELD_L1], r->fields[FIELD_THEIR_CYCLES],
           r->fields[FIELD_THEIR_WARP_INSTRUCTIONS], their_ipc(r), number(r, FIELD_THEIR_CYCLES) / MEGAHERTZ,
           number(r, FIELD_OUR_CYCLES), half, r->fields[FIELD_OUR_WARP_INSTRUCTIONS], our_ipc(r),
           number(r, FIELD_OUR_CYCLES) / MEGAHERTZ, ratio(r), is_within(r) ? "within" : "**misses**",
           r->fields[FIELD_REMARK][0] ? ": " : "", r->fields[FIELD_REMARK]);
}

static void print_table(const rows *all)
{
    print_summary(all);
    printf("| | Program | Inputs | L1 | Theirs: cycles | warp instr. | IPC | µs | Ours: cycles | warp instr. | IPC | "
           "µs | Cycles, ours / "
           "theirs | |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
    for (uint32_t i = 0; i < all->count; i++)
        print_row(&all->of[i], i);
}

static void draw(const rows *all, const char *path)
{
    double ends[] = {1e-3, 0};
    double x[ROWS_MAX], y[ROWS_MAX];
    const char *names[ROWS_MAX];
    for (uint32_t i = 0; i < all->count; i++) {
        x[i] = their_ipc(&all->of[i]);
        y[i] = our_ipc(&all->of[i]);
        names[i] = all->of[i].fields[FIELD_PROGRAM];
        ends[1] = fmax(ends[1], fmax(x[i], y[i]));
    }
    const plot picture = {
        .title = "Instructions of threads a cycle",
        .x_title = "GPGPU-Sim 4.2",
        .y_title = "gtx480_gpgpusim4",
        .line_count = 2,
        .lines = {{.name = "equal", .x = ends, .y = ends, .count = 2, .drawn = PLOT_LINE},
                  {.name = "programs", .x = x, .y = y, .points = names, .count = all->count, .drawn = PLOT_POINTS}},
    };
    if (!plot_write(&picture, path))
        fail("cannot be written", path);
}

int main(int count, char **words)
{
    if (count == 3 && !strcmp(words[1], "table"))
        print_table(read_rows(words[2]));
    else if (count == 4 && !strcmp(words[1], "plot"))
        draw(read_rows(words[2]), words[3]);
    else
        fail("table CSV | plot CSV SVG", words[0]);
    return 0;
}
