/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "output_file.h"
#include "profile_view.h"
#include "whole_file.h"

#define TOP 20u

typedef struct profile_words {
    const char *path, *by, *sort, *top, *sources, *csv, *source, *conflicts, *branches, *levels;
} profile_words;

static int read_by(const char *text, profile_layout *look)
{
    static const char *const choices[] = {"line", "function", "instruction"};
    for (uint32_t i = 0; text && i < 3; i++) {
        look->by = (enum profile_grouping)i;
        if (!strcmp(text, choices[i]))
            return HD_EXIT_PASS;
    }
    return text ? hd_usage_error(text, choices, 3, "--by must be 'line', 'function' or 'instruction', not '%s'", text)
                : HD_EXIT_PASS;
}

static int read_top(const char *text, profile_layout *look)
{
    char *end;
    if (!text)
        return HD_EXIT_PASS;
    errno = 0;
    const unsigned long top = strtoul(text, &end, 10);
    look->top = (uint32_t)top;
    if (*text >= '0' && *text <= '9' && !*end && !errno && top >= 1 && top <= UINT32_MAX)
        return HD_EXIT_PASS;
    return hd_usage_error(NULL, NULL, 0, "--top %s: it must be a number from 1 on", text);
}

static int sort(profile_view *view, const char *name)
{
    const uint32_t column = name ? profile_view_column(view, name) : PROFILE_BY_SHARE;
    if (!name || column != UINT32_MAX || (view->has_slots && !strcmp(name, "slots"))) {
        profile_view_sort(view, column);
        return HD_EXIT_PASS;
    }
    const char **names = calloc(view->column_count + 1, sizeof *names);
    if (!names)
        abort();
    for (uint32_t i = 0; i < view->column_count; i++)
        names[i] = view->columns[i].name;
    names[view->column_count] = "slots";
    const int code =
        hd_usage_error(name, names, view->column_count + view->has_slots, "the profile has no column '%s'", name);
    free(names);
    return code;
}

typedef uint32_t profile_printer(const profile_view *view, FILE *out);

/* Another tool's input. lacks: what it does not say, if the printer has nothing. */
static int write_file(const profile_view *view, profile_printer *print, const char *option, const char *path,
                      const char *lacks)
{
    char *text;
    size_t bytes;
    if (!output_file_check(path))
        return hd_usage_error(NULL, NULL, 0, "%s %s: %s", option, path, output_file_reason(errno));
    FILE *out = open_memstream(&text, &bytes);
    if (!out)
        abort();
    const uint32_t counted = print(view, out);
    fclose(out);
    const uint32_t written = counted && hd_whole_file_write(path, text, bytes);
    free(text);
    if (!counted)
        return hd_usage_error(NULL, NULL, 0, "%s: it does not say %s", view->path, lacks);
    return written ? HD_EXIT_PASS : hd_usage_error(NULL, NULL, 0, "%s %s: %s", option, path, output_file_reason(errno));
}

static int print_profile(const profile_words *words, const profile_layout *look)
{
    profile_view view;
    char *error;
    if (!profile_view_open(&view, words->path, &error)) {
        fputs(error, stderr);
        free(error);
        return HD_EXIT_USAGE;
    }
    if (words->branches || words->levels) {
        const int code = words->levels
                             ? write_file(&view, profile_levels_print, "--levels", words->levels,
                                          "what blocks used: run it with core.context.levels=blocks and a policy of "
                                          "tb_scheduler that watches them, such as rut_predict_only")
                             : write_file(&view, profile_branches_print, "--branches", words->branches,
                                          "which lanes took branches: run it again");
        profile_view_close(&view);
        return code;
    }
    profile_view_group(&view, look->by);
    const int code = sort(&view, words->sort);
    if (code == HD_EXIT_PASS && words->conflicts)
        profile_conflicts_print(&view, look, words->csv != NULL, stdout);
    else if (code == HD_EXIT_PASS && words->csv)
        profile_view_print_csv(&view, stdout);
    else if (code == HD_EXIT_PASS)
        profile_view_print(&view, look, stdout);
    if (code == HD_EXIT_PASS && words->source)
        profile_view_annotate(&view, look, stdout);
    profile_view_close(&view);
    return code;
}

static int run_profile(const hd_command *command, int count, char **words)
{
    profile_words read = {0};
    profile_layout look = {.by = PROFILE_BY_LINE, .top = TOP};
    const hd_option_use options[] = {
        {.name = "--by", .takes_value = 1, .value = &read.by},
        {.name = "--sort", .takes_value = 1, .value = &read.sort},
        {.name = "--top", .takes_value = 1, .value = &read.top},
        {.name = "--sources", .takes_value = 1, .value = &read.sources},
        {.name = "--source", .value = &read.source},
        {.name = "--csv", .value = &read.csv},
        {.name = "--conflicts", .value = &read.conflicts},
        {.name = "--branches", .takes_value = 1, .value = &read.branches},
        {.name = "--levels", .takes_value = 1, .value = &read.levels},
    };
    if (hd_arguments(command, count, words, options, sizeof options / sizeof *options, &read.path, 1, 1) < 0 ||
        read_by(read.by, &look) || read_top(read.top, &look))
        return HD_EXIT_USAGE;
    look.sources = read.sources ? read.sources : ".";
    if (read.source && (read.csv || look.by != PROFILE_BY_LINE))
        return hd_usage_error(NULL, NULL, 0, "--source shows lines as text: without --csv, and by line");
    if (read.branches && read.levels)
        return hd_usage_error(NULL, NULL, 0, "--branches and --levels each write a file: one at a time");
    if ((read.branches || read.levels) && (read.source || read.sort || read.csv || read.conflicts))
        return hd_usage_error(NULL, NULL, 0, "--%s writes a file: without --source, --sort, --csv and --conflicts",
                              read.levels ? "levels" : "branches");
    if (read.conflicts && (read.source || read.sort))
        return hd_usage_error(NULL, NULL, 0, "--conflicts shows another table: without --source and --sort");
    return print_profile(&read, &look);
}

const hd_command hd_command_profile = {
    .name = "profile",
    .usage = "RUN [--by=line|function|instruction] [--sort COLUMN] [--top N] [--source] [--sources DIR] [--csv] "
             "[--conflicts] [--branches FILE | --levels FILE]",
    .doc = "show where in the source a run spent its issue slots",
    .help = "  RUN               the results of 'heddle run --profile': the file, or the folder of --out\n"
            "  --by=line         a row per source line (default)\n"
            "  --by=function     a row per function\n"
            "  --by=instruction  a row per instruction\n"
            "  --sort COLUMN     sort by this column of --csv, largest first (default slots, or warp_instructions\n"
            "                    for cores without slots, such as functional ones)\n"
            "  --top N           maximum number of rows (default 20)\n"
            "  --source          also print the source files, each line with its counts\n"
            "  --sources DIR     folder that the names of source files are relative to (default .)\n"
            "  --csv             all rows and columns as comma-separated values\n"
            "  --conflicts       instead: which transactional accesses were refused because of which others, most "
            "frequent first\n"
            "  --branches FILE   instead: write which branches are taken how often, for branch_profile of SIMT stacks\n"
            "  --levels FILE     instead: write what blocks of each kernel used of a core, for static_oracle of "
            "tb_scheduler\n"
            "\n"
            "slots: share of all issue slots, used or lost. SIMD: share of active lanes of the issued instructions.\n"
            "wait: cycles per instruction for which a path waited there. Lost slots are charged to the waiting "
            "instruction,\n"
            "not to the one that causes the wait: docs/profiling.md.\n",
    .run = run_profile,
};
