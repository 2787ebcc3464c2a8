/* SPDX-License-Identifier: MIT */
/*
 * detection TABLE KERNELS_O0 KERNELS_O1 KERNELS_O2: compares what is found in each function with the table, cell by cell.
 * detection --print TABLE KERNELS...: the rows as they are found, with the column "runs" of the table.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "deadlock.h"

#define LEVELS 3u
#define COLUMNS 4u
#define ROWS_MAX 64u

static const isa_deadlock_options options[COLUMNS] = {
    {.parameters_do_not_alias = 1, .keep_uniform = 1, .keep_own_locks = 1},
    {.divergence = ISA_DIVERGENCE_SPLITS, .parameters_do_not_alias = 1, .keep_uniform = 1, .keep_own_locks = 1},
    {.keep_uniform = 1, .keep_own_locks = 1},
    {.parameters_do_not_alias = 1},
};
static const char *const columns[COLUMNS] = {"stack", "splits", "alias", "uniform"};

typedef struct row {
    char kernel[16];
    char runs[16];
    char cells[COLUMNS][16];
} row;

static void fail(const char *what, const char *why)
{
    fprintf(stderr, "%s: %s\n", what, why);
    exit(1);
}

static isa_program *load(const char *path)
{
    static char bytes[1 << 20];
    char error[512];
    FILE *file = fopen(path, "rb");
    const size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    if (!file || size == sizeof bytes)
        fail(path, "cannot be read");
    fclose(file);
    isa_program *program = isa_program_load(bytes, size, error, sizeof error);
    if (!program)
        fail(path, error);
    return program;
}

static uint32_t count_in(const isa_program *program, const char *kernel, const isa_deadlocks *deadlocks)
{
    uint32_t count = 0, offset;
    for (uint32_t i = 0; i < deadlocks->count; i++) {
        const uint32_t branch = deadlocks->found[i].branch;
        const char *function = isa_program_symbol_at(program, branch, &offset);
        if ((!i || deadlocks->found[i - 1].branch != branch) && function && !strcmp(function, kernel))
            count++;
    }
    return count;
}

static uint32_t read_rows(const char *path, row *rows)
{
    char line[256];
    uint32_t count = 0;
    FILE *file = fopen(path, "r");
    if (!file)
        fail(path, "cannot be read");
    while (fgets(line, sizeof line, file)) {
        row *r = &rows[count];
        if (*line == '#')
            continue;
        if (count == ROWS_MAX || sscanf(line, "%15s %15s %15s %15s %15s %15s", r->kernel, r->runs, r->cells[0],
                                        r->cells[1], r->cells[2], r->cells[3]) < 2)
            fail(path, line);
        count++;
    }
    fclose(file);
    return count;
}

static void find_cell(isa_program *const programs[LEVELS], const char *kernel, uint32_t column, uint32_t found[LEVELS])
{
    for (uint32_t level = 0; level < LEVELS; level++) {
        isa_deadlocks deadlocks;
        uint32_t address;
        if (!isa_program_symbol(programs[level], kernel, &address))
            fail(kernel, "is in the table, and no kernel");
        if (isa_deadlocks_find(programs[level], &options[column], &deadlocks))
            abort();
        found[level] = count_in(programs[level], kernel, &deadlocks);
        isa_deadlocks_free(&deadlocks);
    }
}

/* Who does not end on a stack is found, but for a lock in functions of its own. */
static uint32_t count_missed(const row *r, const uint32_t found[LEVELS])
{
    char runs[3][8];
    uint32_t missed = 0;
    if (sscanf(r->runs, "%7[^/]/%7[^/]/%7s", runs[0], runs[1], runs[2]) != 3)
        fail(r->kernel, "runs: expected three results");
    for (uint32_t level = 0; level < LEVELS; level++)
        if (strchr("DTN", runs[level][0]) && !found[level] && strcmp(r->kernel, "M01")) {
            fprintf(stderr, "%s at -O%u does not end, and is not found\n", r->kernel, level);
            missed++;
        }
    return missed;
}

static void print_filter(const isa_program *program, uint32_t level)
{
    isa_deadlocks deadlocks;
    if (isa_deadlocks_find(program, &options[0], &deadlocks))
        abort();
    const isa_deadlock_filter *f = &deadlocks.filter;
    printf("-O%u: %u branches, %u loops, %u depend on memory, %u on reads inside, %u found\n", level, f->branches,
           f->loops, f->on_memory, f->on_reads, f->found);
    isa_deadlocks_free(&deadlocks);
}

int main(int count, char **words)
{
    static row rows[ROWS_MAX];
    isa_program *programs[LEVELS];
    uint32_t wrong = 0;
    const int prints = count > 1 && !strcmp(words[1], "--print");
    if (count != 2 + (int)LEVELS + prints)
        fail("detection", "[--print] TABLE KERNELS_O0 KERNELS_O1 KERNELS_O2");
    const uint32_t row_count = read_rows(words[1 + prints], rows);
    for (uint32_t level = 0; level < LEVELS; level++)
        programs[level] = load(words[2 + prints + (int)level]);
    for (uint32_t i = 0; i < row_count; i++) {
        const row *r = &rows[i];
        if (prints)
            printf("%-8s %-8s", r->kernel, r->runs);
        for (uint32_t column = 0; column < COLUMNS; column++) {
            uint32_t found[LEVELS];
            char cell[16];
            find_cell(programs, r->kernel, column, found);
            snprintf(cell, sizeof cell, "%u/%u/%u", found[0], found[1], found[2]);
            if (column == 0 && !prints)
                wrong += count_missed(r, found);
            if (prints) {
                printf(" %s", cell);
            } else if (strcmp(cell, r->cells[column])) {
                fprintf(stderr, "%s, %s: found %s, expected %s\n", r->kernel, columns[column], cell, r->cells[column]);
                wrong++;
            }
        }
        if (prints)
            puts("");
    }
    for (uint32_t level = 0; level < LEVELS && !prints; level++)
        print_filter(programs[level], level);
    for (uint32_t level = 0; level < LEVELS; level++)
        isa_program_free(programs[level]);
    printf("%s%u kernels\n", prints ? "# " : "", row_count);
    return wrong || row_count < 32;
}
