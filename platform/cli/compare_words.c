/* SPDX-License-Identifier: MIT */
#include "compare_words.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "machine_names.h"

#define ROWS 12u /* of statistics, unless more are asked for */
#define JOBS_MAX 64u
#define REPEAT_MAX 1000u

typedef struct compare_options {
    const char *jobs, *repeat, *top, *all, *csv, *json;
} compare_options;

static int read_number(const char *name, const char *text, unsigned long most, unsigned long *result)
{
    char *end;
    errno = 0;
    *result = strtoul(text, &end, 10);
    if (*text >= '0' && *text <= '9' && !*end && !errno && *result >= 1 && *result <= most)
        return HD_EXIT_PASS;
    return hd_usage_error(NULL, NULL, 0, "%s %s: it must be a number from 1 to %lu", name, text, most);
}

static int read_selection(compare_words *read, const compare_options *given)
{
    unsigned long rows = ROWS;
    if (given->top && given->all)
        return hd_usage_error(NULL, NULL, 0, "--top and --all both say how much is shown; one will do");
    if (given->csv && given->json)
        return hd_usage_error(NULL, NULL, 0, "--csv and --json both say how it is written; one will do");
    if (given->top && (given->csv || given->json))
        return hd_usage_error(NULL, NULL, 0, "--top is for the page of text; --csv and --json have everything");
    if (given->top && read_number("--top", given->top, 100000, &rows))
        return HD_EXIT_USAGE;
    read->rows = given->all ? UINT32_MAX : (uint32_t)rows;
    read->form = given->csv ? COMPARE_CSV : given->json ? COMPARE_JSON : COMPARE_TEXT;
    return HD_EXIT_PASS;
}

/* A file of results has a name of its own, and none of YAML. */
static int is_machine(const char *word)
{
    const char *end = strrchr(word, '.');
    if (end && (!strcmp(end, ".yaml") || !strcmp(end, ".yml")))
        return 1;
    return netlist_is_machine_name(word) && access(word, F_OK) != 0;
}

/* Files of results are of runs that are over. */
static int check_use(const compare_words *read, const compare_options *given)
{
    const int is_run = read->set_counts[0] || read->set_counts[1] || read->set_counts[2] || read->seed || read->out ||
                       given->jobs || given->repeat;
    if (read->are_machines || !is_run)
        return HD_EXIT_PASS;
    return hd_usage_error(NULL, NULL, 0,
                          "two files of results are of runs that are over: --set, --seed, --repeat, --out and --jobs "
                          "need machines");
}

int compare_words_read(compare_words *read, const hd_command *command, int count, char **words)
{
    compare_options given = {0};
    unsigned long jobs = 0, repeat = 1;
    *read = (compare_words){0};
    const hd_option_use options[] = {
        {.name = "--set", .takes_value = 1, .all = &read->sets[0], .count = &read->set_counts[0]},
        {.name = "--set-a", .takes_value = 1, .all = &read->sets[1], .count = &read->set_counts[1]},
        {.name = "--set-b", .takes_value = 1, .all = &read->sets[2], .count = &read->set_counts[2]},
        {.name = "--seed", .takes_value = 1, .value = &read->seed},
        {.name = "--repeat", .takes_value = 1, .value = &given.repeat},
        {.name = "--out", .takes_value = 1, .value = &read->out},
        {.name = "--jobs", .takes_value = 1, .value = &given.jobs},
        {.name = "--top", .takes_value = 1, .value = &given.top},
        {.name = "--all", .value = &given.all},
        {.name = "--csv", .value = &given.csv},
        {.name = "--json", .value = &given.json},
    };
    read->other_count =
        hd_arguments(command, count, words, options, sizeof options / sizeof *options, read->others, 2, 3);
    read->are_machines = read->other_count == 3 ||
                         (read->other_count == 2 && is_machine(read->others[0]) && is_machine(read->others[1]));
    if (read->other_count < 0 || read_selection(read, &given) || check_use(read, &given))
        return HD_EXIT_USAGE;
    if (given.jobs && read_number("--jobs", given.jobs, JOBS_MAX, &jobs))
        return HD_EXIT_USAGE;
    if (given.repeat && read_number("--repeat", given.repeat, REPEAT_MAX, &repeat))
        return HD_EXIT_USAGE;
    read->jobs = jobs;
    read->repeat = (uint32_t)repeat;
    return HD_EXIT_PASS;
}

void compare_words_free(compare_words *read)
{
    for (int i = 0; i < 3; i++)
        free(read->sets[i]);
    *read = (compare_words){0};
}
