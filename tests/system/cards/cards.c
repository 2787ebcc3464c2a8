/* SPDX-License-Identifier: MIT */
/*
 * Every card of configs/cards, and simulator of configs/simulators, against what is known of it. What a small kernel measures must be what the machine's file says by
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
    char ratio[24] = "";
    if (known->is_ratio)
        snprintf(ratio, sizeof ratio, "%.2f of it, ", measured / strtod(of->value, NULL));
    char number[24];
    snprintf(number, sizeof number, known->is_ratio ? "%.0f" : "%.4g", measured);
    return text_of(" %s | %s | %s%s%s | %s |\n", formula, number, ratio, holds ? "within" : "**misses**: ", of->cause,
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

/* What is given to another process: no pointers. */
typedef struct card_name {
    uint32_t is_simulator;
    char name[64];
} card_name;

static const char *folder_of(uint32_t is_simulator)
{
    return is_simulator ? SIMULATORS : CARDS;
}

/* Adds those of a folder; names may be NULL. Returns their number. */
static size_t list_folder(uint32_t is_simulator, card_name *names)
{
    struct dirent **entries;
    const int found = scandir(folder_of(is_simulator), &entries, is_machine, alphasort);
    for (int i = 0; i < found; i++) {
        if (names) {
            names[i].is_simulator = is_simulator;
            snprintf(names[i].name, sizeof names->name, "%.*s", (int)strlen(entries[i]->d_name) - 5,
                     entries[i]->d_name);
        }
        free(entries[i]);
    }
    if (found >= 0)
        free(entries);
    return found > 0 ? (size_t)found : 0;
}

ParameterizedTestParameters(cards, do_what_is_known_of_them)
{
    const size_t cards = list_folder(0, NULL), simulators = list_folder(1, NULL);
    card_name *names = cr_malloc((cards + simulators + 1) * sizeof *names);
    list_folder(0, names);
    list_folder(1, names + cards);
    return cr_make_param_array(card_name, names, cards + simulators, NULL);
}

ParameterizedTest(const card_name *name, cards, do_what_is_known_of_them)
{
    uint32_t count;
    answer *answers = answers_read(&count);
    card card;
    card_open(&card, folder_of(name->is_simulator), name->name);
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

static int is_there(const char *folder, const char *name)
{
    char *path = text_of("%s/%s.yaml", folder, name), *text = file_read(path, NULL);
    const int is = text != NULL;
    free(text);
    free(path);
    return is;
}

/* A row of a card that is not there would never be looked at. */
Test(cards, all_rows_are_of_a_card)
{
    uint32_t count;
    answer *answers = answers_read(&count);
    for (uint32_t i = 0; i < count; i++) {
        cr_expect(is_there(CARDS, answers[i].card) || is_there(SIMULATORS, answers[i].card),
                  "docs/cards.csv: no machine is called %s", answers[i].card);
    }
    free(answers);
}
