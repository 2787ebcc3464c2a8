/* SPDX-License-Identifier: MIT */
/*
 * Whatever two units of different kinds a core, or a machine, has: a random program ends with what each of its threads does alone, and
 * its transactions are serialisable; or the machine is refused by name. docs/combinations.md is the table of these pairs.
 *
 * HEDDLE_COMBINATIONS_SEED = seed of the first program; each pair has the next one.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "machine_run.h"
#include "process.h"

#define APP SYSTEM_APPS "/random_programs"
#define PAIRS_MAX 4096u
#define OPTIONS_MAX 12u

/* A line of combinations.sh. */
enum { FIRST, FIRST_VALUE, SECOND, SECOND_VALUE, MACHINE, SYNC, SETTINGS, VERDICT, FIELD_COUNT };
typedef struct pair {
    char *fields[FIELD_COUNT];
} pair;

static char *script_output(const char *const *words)
{
    char *folder = folder_new();
    finished run = heddle_wait(folder, program_start(folder, words));
    expect_code(&run, 0);
    folder_remove(folder);
    char *text = strdup(run.out);
    finished_free(&run);
    return text;
}

/* docs/combinations.md is of these lines. */
static void expect_page(const char *lines)
{
    char *folder = folder_new(), *path = path_in(folder, "lines");
    file_write(path, lines, strlen(lines));
    char *page = script_output((const char *[]){COMBINATIONS, "--page", path, NULL});
    char *committed = file_read(HEDDLE_DOCUMENTS "/combinations.md", NULL);
    cr_expect(committed && !strcmp(page, committed),
              "docs/combinations.md is out of date: cmake --build --preset dev --target combinations");
    free(committed);
    free(page);
    free(path);
    folder_remove(folder);
}

/* Of lines that are cut up in place. */
static size_t pairs_read(char *text, pair *pairs)
{
    size_t count = 0;
    for (char *line = strsep(&text, "\n"); line && *line; line = strsep(&text, "\n")) {
        cr_assert_lt(count, PAIRS_MAX);
        for (size_t f = 0; f < FIELD_COUNT; f++)
            cr_assert_not_null(pairs[count].fields[f] = strsep(&line, "\t"));
        count++;
    }
    return count;
}

static machine_run run_pair(const pair *of, uint64_t seed)
{
    char sync[40], random[40], settings[512];
    const char *sets[OPTIONS_MAX + 1] = {sync, random};
    size_t count = 2;
    snprintf(sync, sizeof sync, "app.sync=%s", of->fields[SYNC]);
    snprintf(random, sizeof random, "app.seed=%lu", seed);
    snprintf(settings, sizeof settings, "%s", of->fields[SETTINGS]);
    char *rest = settings;
    for (char *word = strsep(&rest, " "); word; word = strsep(&rest, " ")) {
        cr_assert_lt(count, OPTIONS_MAX);
        if (*word)
            sets[count++] = word;
    }
    sets[count] = NULL;
    return run_machine(&(run_request){.netlist = of->fields[MACHINE],
                                      .app = APP,
                                      .sets = sets,
                                      .check_transactions = strcmp(sync, "app.sync=atomics") != 0});
}

static uint64_t checked(const machine_run *run)
{
    const json_t *check = json_object_get(run->results, "transaction_check");
    return (uint64_t)json_integer_value(json_object_get(check, "transactions"));
}

static uint64_t preempted(const machine_run *run)
{
    const json_t *scheduler = json_object_get(json_object_get(run->results, "blocks"), "tb_scheduler");
    return (uint64_t)json_integer_value(json_object_get(json_object_get(scheduler, "total"), "preemptions"));
}

/* One error, which names a unit of the pair. */
static void expect_refusal(const machine_run *run, const pair *of)
{
    const char *error = strstr(run->message, "error[");
    cr_expect(run->was_refused && error && !strstr(error + 1, "error[") && strstr(error, "tx '"), "%s %s, %s %s: %s",
              of->fields[FIRST], of->fields[FIRST_VALUE], of->fields[SECOND], of->fields[SECOND_VALUE], run->message);
}

Test(combinations, every_pair_passes_a_random_program_or_is_refused, .timeout = 900)
{
    const char *given = getenv("HEDDLE_COMBINATIONS_SEED");
    uint64_t seed = given ? strtoull(given, NULL, 0) : 20261127, refused = 0, moves = 0, transactions = 0;
    char *text = script_output((const char *[]){COMBINATIONS, HEDDLE_COMMAND, HEDDLE_MACHINES "/..", NULL});
    expect_page(text);
    static pair pairs[PAIRS_MAX];
    const size_t count = pairs_read(text, pairs);
    for (size_t i = 0; i < count; i++, seed++) {
        const pair *of = &pairs[i];
        machine_run run = run_pair(of, seed);
        if (!strcmp(of->fields[VERDICT], "accepted")) {
            cr_expect(!run.was_refused && run.outcome == HD_OUTCOME_PASS, "%s %s, %s %s, seed %lu: %s",
                      of->fields[FIRST], of->fields[FIRST_VALUE], of->fields[SECOND], of->fields[SECOND_VALUE], seed,
                      run.message);
            moves += preempted(&run);
            transactions += checked(&run);
        } else {
            expect_refusal(&run, of);
            refused++;
        }
        run_free(&run);
    }
    fprintf(stderr, "%zu pairs, seeds to %lu: %lu refused, %lu transactions, %lu blocks moved\n", count, seed - 1,
            refused, transactions, moves);
    cr_expect_gt(count, 500);
    cr_expect_gt(refused, 50);
    cr_expect_gt(transactions, 50000);
    cr_expect_gt(moves, 100);
    free(text);
}
