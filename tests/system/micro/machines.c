/* SPDX-License-Identifier: MIT */
/* Every machine of configs/machines: what follows from its file by formula, what is published, and what is measured. */
#include <criterion/criterion.h>
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "document.h"
#include "folder.h"
#include "measured.h"

/* Of a figure: its unit in the tables, and what at least is reached of it. */
static const struct {
    double unit;
    double least; /* 0: not measured */
} kinds[FIGURE_COUNT] = {
    [FIGURE_IPC] = {1, 0.95},          [FIGURE_THREADS] = {1e9, 0.95},    [FIGURE_SCRATCHPAD] = {1e9, 0.95},
    [FIGURE_L1] = {1e9, 0.93},         [FIGURE_NETWORK_OUT] = {1e9, 0},   [FIGURE_NETWORK_IN] = {1e9, 0},
    [FIGURE_L2] = {1e9, 0.75},         [FIGURE_L2_WRITES] = {1e9, 0.75},  [FIGURE_DRAM] = {1e9, 0},
    [FIGURE_DRAM_READS] = {1e9, 0.88}, [FIGURE_SCRATCHPAD_LOAD] = {1, 1}, [FIGURE_L1_LOAD] = {1, 1},
    [FIGURE_L2_LOAD] = {1, 1},         [FIGURE_DRAM_LOAD] = {1, 1},
};

/* Columns of the two tables. */
static const enum figure formula_columns[] = {
    FIGURE_IPC,  FIGURE_THREADS,         FIGURE_SCRATCHPAD, FIGURE_L1,      FIGURE_NETWORK_OUT, FIGURE_L2,
    FIGURE_DRAM, FIGURE_SCRATCHPAD_LOAD, FIGURE_L1_LOAD,    FIGURE_L2_LOAD, FIGURE_DRAM_LOAD};
static const enum figure share_columns[] = {FIGURE_IPC, FIGURE_SCRATCHPAD, FIGURE_L1,
                                            FIGURE_L2,  FIGURE_L2_WRITES,  FIGURE_DRAM_READS};
#define LENGTH(table) (sizeof(table) / sizeof *(table))

typedef struct machine {
    char name[64];
    char path[512];
    double figures[FIGURE_COUNT];
    double measured[FIGURE_COUNT];
    double l2_without_contention;
} machine;

static int is_machine(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');
    return dot && !strcmp(dot, ".yaml");
}

static machine *all_machines(uint32_t *count)
{
    struct dirent **entries;
    const int found = scandir(HEDDLE_MACHINES, &entries, is_machine, alphasort);
    cr_assert(found > 0);
    machine *machines = calloc((size_t)found, sizeof *machines);
    cr_assert(machines);
    for (int i = 0; i < found; i++) {
        snprintf(machines[i].path, sizeof machines[i].path, HEDDLE_MACHINES "/%s", entries[i]->d_name);
        snprintf(machines[i].name, sizeof machines[i].name, "%.*s", (int)strlen(entries[i]->d_name) - 5,
                 entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    *count = (uint32_t)found;
    return machines;
}

static void measure(machine *of)
{
    const micro_setup setup = {.netlist = of->path, .app = "micro_chain", .options = {{"scratchpad", "1"}}};
    hd_machine *opened = micro_run(&setup);
    figures_of(opened, of->figures);
    measure_latencies(of->path, opened, of->measured);
    measure_rates(of->path, opened, of->measured);
    of->l2_without_contention = measure_l2_without_contention(of->path, opened);
    hd_machine_close(opened);
    /* The formulas of latencies need the phases of the clocks; that both are the same to the cycle is asserted there. */
    for (uint32_t i = FIGURE_SCRATCHPAD_LOAD; i < FIGURE_COUNT; i++)
        of->figures[i] = of->measured[i];
}

static void expect_shares(const machine *of)
{
    for (uint32_t i = 0; i < FIGURE_COUNT; i++) {
        if (kinds[i].least == 0)
            continue;
        const double share = of->measured[i] / of->figures[i];
        printf("%-20s %-20s %10.4g of %10.4g: %5.1f %%\n", of->name, figure_names[i], of->measured[i] / kinds[i].unit,
               of->figures[i] / kinds[i].unit, 100 * share);
        cr_expect(share >= kinds[i].least && share <= 1.01, "%s: %s is %.4g, by formula %.4g", of->name,
                  figure_names[i], of->measured[i] / kinds[i].unit, of->figures[i] / kinds[i].unit);
    }
}

/* What the L2 lacks is the fault of the networks' queues. */
static void expect_l2_without_contention(const machine *of)
{
    const double share = of->l2_without_contention / of->figures[FIGURE_L2];
    printf("%-20s %-20s %5.1f %%\n", of->name, "L2, ideal networks", 100 * share);
    cr_expect(share >= 0.99 && share <= 1.01, "%s: %.1f %% of the L2 with ideal networks", of->name, 100 * share);
}

/* Four significant digits, as the document has them. */
static void expect_formulas_documented(const machine *of)
{
    document_row row;
    char line[512];
    int length = snprintf(line, sizeof line, "| `%s` |", of->name);
    const int is_there = document_find("## Peak rates and latencies", of->name, &row);
    int is_same = is_there && row.count == 1 + LENGTH(formula_columns);
    for (uint32_t i = 0; i < LENGTH(formula_columns); i++) {
        char cell[32];
        const enum figure figure = formula_columns[i];
        snprintf(cell, sizeof cell, figure >= FIGURE_SCRATCHPAD_LOAD ? "%.0f" : "%.4g",
                 of->figures[figure] / kinds[figure].unit);
        length += snprintf(line + length, sizeof line - (size_t)length, " %s |", cell);
        is_same = is_same && !strcmp(row.cells[1 + i], cell);
    }
    cr_expect(is_same, "docs/machines.md, Peak rates and latencies: the row must be\n%s", line);
}

/* Within three points, so that a better scheduler is no reason to write a document. */
static void expect_shares_documented(const machine *of)
{
    document_row row;
    char line[512];
    int length = snprintf(line, sizeof line, "| `%s` |", of->name);
    const int is_there = document_find("## Measured fraction of the peak", of->name, &row);
    int is_near = is_there && row.count == 1 + LENGTH(share_columns);
    for (uint32_t i = 0; i < LENGTH(share_columns); i++) {
        const double share = 100 * of->measured[share_columns[i]] / of->figures[share_columns[i]];
        length += snprintf(line + length, sizeof line - (size_t)length, " %.0f %% |", share);
        is_near = is_near && fabs(strtod(row.cells[1 + i], NULL) - share) <= 3;
    }
    cr_expect(is_near, "docs/machines.md, Measured fraction of the peak: the row must be near\n%s", line);
}

/* | `machine` | figure | value | within % | source | */
static void expect_published(const machine *machines, uint32_t count)
{
    document_row row;
    uint32_t compared = 0;
    for (uint32_t r = 0; document_read("## Comparison with published figures", r, &row); r++) {
        cr_assert_eq(row.count, 5, "a row of five cells, not '%s'", row.cells[0]);
        for (uint32_t i = 0; i < count * FIGURE_COUNT; i++) {
            const machine *of = &machines[i / FIGURE_COUNT];
            const uint32_t figure = i % FIGURE_COUNT;
            char name[72];
            snprintf(name, sizeof name, "`%s`", of->name);
            if (strcmp(row.cells[0], name) || strcmp(row.cells[1], figure_names[figure]))
                continue;
            const double published = strtod(row.cells[2], NULL), ours = of->figures[figure] / kinds[figure].unit;
            printf("%-20s %-20s %10.4g, published %10.4g\n", of->name, figure_names[figure], ours, published);
            cr_expect_leq(100 * fabs(ours - published), strtod(row.cells[3], NULL) * published,
                          "%s: %s is %.5g, published %.5g", of->name, figure_names[figure], ours, published);
            compared++;
        }
        cr_expect_eq(compared, r + 1, "no machine and figure are '%s', '%s'", row.cells[0], row.cells[1]);
        compared = r + 1;
    }
    cr_expect_gt(compared, 0);
}

Test(machines, do_what_follows_from_their_files)
{
    uint32_t count;
    machine *machines = all_machines(&count);
    for (uint32_t i = 0; i < count; i++) {
        measure(&machines[i]);
        expect_shares(&machines[i]);
        expect_l2_without_contention(&machines[i]);
        expect_formulas_documented(&machines[i]);
        expect_shares_documented(&machines[i]);
        fflush(stdout);
    }
    expect_published(machines, count);
    free(machines);
}
