/* SPDX-License-Identifier: MIT */
/*
 * Every card of configs/cards against what is known of it. What a small kernel measures must be what the machine's file says by
 * formula, must be as near to what is known as docs/cards.csv wants, or have a cause there, and must stand in docs/cards.md.
 *
 * HEDDLE_CARDS=all measures also what needs whole cards; HEDDLE_CARDS=write does so, and writes docs/cards.md.
 */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answers.h"
#include "folder.h"
#include "known.h"
#include "page.h"

#define HEAD "\n| | Measured by | Unit | Known | Formula | Measured | | Source |\n|---|---|---|---|---|---|---|---|\n"

static int has_mode(const char *mode)
{
    const char *chosen = getenv("HEDDLE_CARDS");
    return chosen && !strcmp(chosen, mode);
}

static void expect_formula(const answer *of, const known *known, double measured, double formula)
{
    cr_expect(fabs(measured - formula) <= known->within * formula + 1e-6, "%s, %s: %.5g by formula, measured %.5g",
              of->card, of->row, formula, measured);
}

/* The beginning of a row of the table, up to what is measured. */
static char *row_head(const answer *of, const known *known, const char *argument)
{
    char *what = text_of(known->what, argument);
    const char *kind = !strcmp(of->tolerance, "least") ? "at least " : !strcmp(of->tolerance, "most") ? "at most " : "";
    char *number =
        strchr(of->tolerance, '%') || strtod(of->tolerance, NULL) > 0 ? text_of(" ± %s", of->tolerance) : strdup("");
    char *head =
        text_of("| %s | %s | %s | %s%s%s |", known->id, what, known->unit, kind, of->value, *kind ? "" : number);
    free(what);
    free(number);
    return head;
}

/* Measures, and returns the rest of the row, to be freed. */
static char *row_tail(const answer *of, const known *known, const card *card, const char *argument)
{
    const double measured = known->measure(card, argument);
    char formula[24] = "";
    if (known->formula) {
        const double value = known->formula(card, argument);
        expect_formula(of, known, measured, value);
        snprintf(formula, sizeof formula, "%.4g", value);
    }
    const int holds = answer_holds(of, measured);
    printf("%-14s %-10s %9.4g, by formula %9s, known %12s %-6s %s\n", of->card, of->row, measured, formula, of->value,
           of->tolerance, holds ? "" : "MISSES");
    fflush(stdout);
    cr_expect(holds || *of->cause, "%s, %s: %.5g is not within %s (%s), and docs/cards.csv does not say why", of->card,
              of->row, measured, of->value, of->tolerance);
    cr_expect(!holds || !*of->cause, "%s, %s: %.5g is within %s; docs/cards.csv has a cause why it were not", of->card,
              of->row, measured, of->value);
    return text_of(" %s | %.4g | %s%s | %s |\n", formula, measured, holds ? "within" : "**misses**: ", of->cause,
                   of->source);
}

/* A row that is not measured now has to be there as it was. */
static char *row_of_page(const char *part, const char *head)
{
    const char *at = strstr(part, head);
    cr_assert_not_null(at, "docs/cards.md has no row %s: cmake --build --preset release --target cards", head);
    return strndup(at + strlen(head), strcspn(at + strlen(head), "\n") + 1);
}

static char *table_of(const card *card, const answer *answers, uint32_t count, const char *part, int is_all)
{
    char *table = strdup(HEAD);
    for (uint32_t i = 0; i < count; i++) {
        const answer *of = &answers[i];
        if (strcmp(of->card, card->name))
            continue;
        const char *argument;
        const known *known = known_find(of->row, &argument);
        cr_assert_not_null(known, "docs/cards.csv: no quantity is called '%s'", of->row);
        char *head = row_head(of, known, argument);
        char *tail = known->is_long && !is_all ? row_of_page(part, head) : row_tail(of, known, card, argument);
        char *longer = page_joined(table, head, tail);
        free(table);
        free(head);
        free(tail);
        table = longer;
    }
    return table;
}

static int is_machine(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');
    return dot && !strcmp(dot, ".yaml");
}

typedef struct card_name {
    char name[64];
} card_name;

ParameterizedTestParameters(cards, do_what_is_known_of_them)
{
    struct dirent **entries;
    const int found = scandir(CARDS, &entries, is_machine, alphasort);
    card_name *names = cr_malloc((size_t)(found > 0 ? found : 1) * sizeof *names);
    for (int i = 0; i < found; i++) {
        snprintf(names[i].name, sizeof names->name, "%.*s", (int)strlen(entries[i]->d_name) - 5, entries[i]->d_name);
        free(entries[i]);
    }
    if (found >= 0)
        free(entries);
    return cr_make_param_array(card_name, names, (size_t)(found > 0 ? found : 0), NULL);
}

ParameterizedTest(const card_name *name, cards, do_what_is_known_of_them)
{
    uint32_t count;
    answer *answers = answers_read(&count);
    card card;
    card_open(&card, CARDS, name->name);
    char *part = page_part(card.name);
    const int is_written = has_mode("write");
    char *table = table_of(&card, answers, count, part, is_written || has_mode("all"));
    cr_expect_gt(strlen(table), strlen(HEAD), "docs/cards.csv has no row of %s", card.name);
    if (is_written)
        page_write(card.name, table);
    else
        cr_expect_str_eq(part, table, "docs/cards.md: cmake --build --preset release --target cards");
    free(table);
    free(part);
    card_close(&card);
    free(answers);
}

/* A row of a card that is not there would never be looked at. */
Test(cards, all_rows_are_of_a_card)
{
    uint32_t count;
    answer *answers = answers_read(&count);
    for (uint32_t i = 0; i < count; i++) {
        char *path = text_of("%s/%s.yaml", CARDS, answers[i].card), *text = file_read(path, NULL);
        cr_expect_not_null(text, "docs/cards.csv: %s is no file", path);
        free(text);
        free(path);
    }
    free(answers);
}
