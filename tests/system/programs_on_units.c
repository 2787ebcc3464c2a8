/* SPDX-License-Identifier: MIT */
/*
 * How the programs of programs_on_units.txt end on each unit that says which lanes run together; and the table of docs/divergence.md, which is made
 * of the same file.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "machine_run.h"

#define WORDS_MAX 40u
#define UNITS_MAX 24u
#define ROWS_MAX 64u

/* A line's words. */
typedef struct line {
    char *words[WORDS_MAX + 1];
    size_t count;
} line;

typedef struct table {
    char *text; /* what words lie in */
    line all;   /* settings of every run */
    line units[UNITS_MAX], rows[ROWS_MAX];
    size_t unit_count, row_count;
} table;

static line words_of(char *text)
{
    line l = {.count = 0};
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " ")) {
        cr_assert_lt(l.count, WORDS_MAX);
        l.words[l.count++] = word;
    }
    return l;
}

static void table_add(table *t, line l)
{
    if (!strcmp(l.words[0], "all"))
        t->all = l;
    else if (!strcmp(l.words[0], "unit") && t->unit_count < UNITS_MAX)
        t->units[t->unit_count++] = l;
    else if (t->row_count < ROWS_MAX)
        t->rows[t->row_count++] = l;
    else
        cr_assert_fail("too many lines");
}

static table table_read(void)
{
    table t = {.text = file_read(PROGRAMS_ON_UNITS, NULL)};
    cr_assert_not_null(t.text, PROGRAMS_ON_UNITS);
    char *rest = t.text;
    for (char *text = strsep(&rest, "\n"); text; text = strsep(&rest, "\n"))
        if (*text && *text != '#')
            table_add(&t, words_of(text));
    return t;
}

static int is_kernel(const line *row)
{
    return !strcmp(row->words[0], "kernel");
}

/* The place of its "=". */
static size_t settings_end(const line *row)
{
    size_t end = 3;
    while (end < row->count && strcmp(row->words[end], "="))
        end++;
    return end;
}

/* How the row ends on the unit; 0: the file does not say. */
static char told(const line *row, size_t unit)
{
    const size_t at = settings_end(row) + 1 + unit;
    return at < row->count ? row->words[at][0] : 0;
}

/* ---- Runs -------------------------------------------------------------------------------------------------------------- */

static void add(const char **sets, size_t *count, const line *from, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) {
        cr_assert_lt(*count, RUN_CHANGES);
        sets[(*count)++] = from->words[i];
    }
}

/* P, W, H; '?' for any other end, which fails the test. */
static char letter_of(const machine_run *run)
{
    if (run->was_refused)
        return '?';
    switch (run->outcome) {
    case HD_OUTCOME_PASS: return 'P';
    case HD_OUTCOME_FAIL: return 'W';
    case HD_OUTCOME_DEADLOCK:
    case HD_OUTCOME_LIVELOCK:
    case HD_OUTCOME_SIMT_DEADLOCK: return 'H';
    default: return '?';
    }
}

static char ends(const table *t, const line *unit, const line *row)
{
    const char *sets[RUN_CHANGES + 1] = {NULL};
    size_t count = 0;
    add(sets, &count, &t->all, 1, t->all.count);
    add(sets, &count, unit, 3, unit->count);
    add(sets, &count, row, 3, settings_end(row));
    char *kernel = text_of("app.kernel=%s", row->words[2]);
    if (is_kernel(row))
        sets[count++] = kernel;
    char *app = is_kernel(row) ? text_of("%s/divergence", SYSTEM_APPS) : text_of("%s/%s", HEDDLE_APPS, row->words[2]);
    char *netlist = text_of("%s/../%s.yaml", HEDDLE_MACHINES, unit->words[2]);
    machine_run run = run_machine(&(run_request){.netlist = netlist, .app = app, .sets = sets});
    const char letter = letter_of(&run);
    cr_expect_neq(letter, '?', "%s %s on %s: %s", row->words[1], row->words[2], unit->words[1], run.message);
    run_free(&run);
    free(netlist);
    free(app);
    free(kernel);
    return letter;
}

Test(programs_on_units, end_as_the_table_says, .timeout = 900)
{
    const table t = table_read();
    size_t passed = 0, wrong = 0, hanging = 0;
    for (size_t r = 0; r < t.row_count; r++) {
        char got[UNITS_MAX + 1] = {0};
        for (size_t u = 0; u < t.unit_count; u++) {
            got[u] = ends(&t, &t.units[u], &t.rows[r]);
            passed += got[u] == 'P';
            wrong += got[u] == 'W';
            hanging += got[u] == 'H';
            cr_expect_eq(got[u], told(&t.rows[r], u), "%s %s on %s: %c, not %c", t.rows[r].words[1], t.rows[r].words[2],
                         t.units[u].words[1], got[u], told(&t.rows[r], u));
        }
        fprintf(stderr, "%s %s: %s\n", t.rows[r].words[1], t.rows[r].words[2], got);
    }
    fprintf(stderr, "%zu pass, %zu wrong, %zu hang\n", passed, wrong, hanging);
    cr_expect_geq(t.row_count, 21 + 22, "the programs and kernels of the study");
    free(t.text);
}

/* ---- The page ------------------------------------------------------------------------------------------------------------ */

static const char *word_of(char letter)
{
    return letter == 'P' ? "pass" : letter == 'W' ? "**wrong**" : letter == 'H' ? "**hangs**" : "?";
}

static void write_head(FILE *out, const table *t)
{
    fputs("| |", out);
    for (size_t u = 0; u < t->unit_count; u++)
        fprintf(out, " `%s` |", t->units[u].words[1]);
    fputs("\n|---|", out);
    for (size_t u = 0; u < t->unit_count; u++)
        fputs("---|", out);
    fputs("\n", out);
}

static void write_row(FILE *out, const table *t, const line *row)
{
    fprintf(out, "| %s `%s` |", row->words[1], row->words[2]);
    for (size_t u = 0; u < t->unit_count; u++)
        fprintf(out, " %s |", word_of(told(row, u)));
    fputs("\n", out);
}

static char *page_of(const table *t)
{
    char *text;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    write_head(out, t);
    for (size_t r = 0; r < t->row_count; r++)
        write_row(out, t, &t->rows[r]);
    fclose(out);
    return text;
}

Test(programs_on_units, are_in_the_table_of_the_page)
{
    const table t = table_read();
    char *page = page_of(&t), *committed = file_read(HEDDLE_DOCUMENTS "/divergence.md", NULL);
    cr_assert_not_null(committed);
    cr_expect_not_null(strstr(committed, page), "docs/divergence.md has another table than\n%s", page);
    free(page);
    free(committed);
    free(t.text);
}
