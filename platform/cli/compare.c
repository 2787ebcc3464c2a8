/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compare_words.h"
#include "comparison.h"
#include "interrupt.h"
#include "output_file.h"
#include "pair.h"
#include "run_points.h"
#include "run_setup.h"
#include "standard_streams.h"
#include "sweep_world.h"
#include "text.h"

static int say(char *text)
{
    fputs(text, stderr);
    free(text);
    return HD_EXIT_USAGE;
}

/* ---- What is shown -------------------------------------------------------------------------------------------------- */

/* The classes of the command line's plug-ins may be unknown here: then statistics have no unit, which is no error. */
/* repeat runs of A, then as many of B. */
static int print_comparison(const compare_words *words, const compared_run *runs, uint32_t repeat)
{
    comparison made;
    char *error;
    machine_file classes = {0};
    netlist_registry all;
    int code = HD_EXIT_USAGE;
    if (!machine_file_classes(&classes, &all)) {
        machine_file_close(&classes);
        return code;
    }
    if (comparison_make_repeated(&made, runs, repeat, all, &error)) {
        if (words->form == COMPARE_TEXT)
            comparison_write_text(&made, words->rows, stdout);
        else if (words->form == COMPARE_CSV)
            comparison_write_csv(&made, stdout);
        else
            comparison_write_json(&made, stdout);
        code = HD_EXIT_PASS;
    } else {
        say(error);
    }
    comparison_free(&made);
    machine_file_close(&classes);
    return code;
}

/* ---- Two files ------------------------------------------------------------------------------------------------------ */

static json_t *read_file(const char *path)
{
    json_error_t why;
    struct stat about;
    if (stat(path, &about) || access(path, R_OK)) {
        hd_usage_error(NULL, NULL, 0, "%s cannot be read: %s", path, strerror(errno));
        return NULL;
    }
    json_t *results = S_ISDIR(about.st_mode) ? NULL : json_load_file(path, 0, &why);
    if (json_is_object(results))
        return results;
    json_decref(results);
    hd_usage_error(NULL, NULL, 0, "%s is no file of results, as 'heddle run --stats FILE' writes it", path);
    return NULL;
}

static int compare_files(const compare_words *words)
{
    json_t *results[2] = {read_file(words->others[0]), NULL};
    if (results[0])
        results[1] = read_file(words->others[1]);
    const compared_run runs[2] = {{words->others[0], results[0]}, {words->others[1], results[1]}};
    int code = results[1] ? print_comparison(words, runs, 1) : HD_EXIT_USAGE;
    json_decref(results[0]);
    json_decref(results[1]);
    return code;
}

/* ---- Two machines --------------------------------------------------------------------------------------------------- */

/* Which side it is, and what its run said. */
static int check_side(const compare_words *words, int side, const outcome *left)
{
    if (left->is_pass)
        return HD_EXIT_PASS;
    fprintf(stderr, "error: %s did not pass on %s (%s), %s:\n%s\n", words->others[2] ? words->others[2] : "the run",
            side ? "B" : "A", words->others[side], left->status,
            left->results && *left->message ? left->message : left->log);
    return !left->results && !strcmp(left->status, "error") ? HD_EXIT_USAGE : HD_EXIT_FAIL;
}

/* Run `run`, of A and then of B: DIR/a.json and DIR/b.json; of several, DIR/a-1.json and so on. To be freed. */
static char *kept_name(const compare_words *words, uint32_t run)
{
    const char *side = run < words->repeat ? "a" : "b";
    return words->repeat == 1 ? hd_text_format("%s", side) : hd_text_format("%s-%u", side, run % words->repeat + 1);
}

static int check_kept(const compare_words *words)
{
    const uint32_t count = 2 * words->repeat;
    output_name *names = calloc(count, sizeof *names);
    char *error;
    if (!names)
        abort();
    for (uint32_t run = 0; run < count; run++) {
        char *name = kept_name(words, run);
        names[run] = (output_name){"--out", hd_text_format("%s/%s.json", words->out, name)};
        free(name);
    }
    const uint32_t good = output_names_check(names, count, &error);
    for (uint32_t run = 0; run < count; run++)
        free((char *)names[run].path);
    free(names);
    return good ? HD_EXIT_PASS : say(error);
}

static int keep(const compare_words *words, const outcome *left)
{
    const spool folder = {.folder = (char *)words->out};
    char *error;
    for (uint32_t run = 0; run < 2 * words->repeat; run++) {
        char *text = json_dumps(left[run].results, JSON_SORT_KEYS | JSON_INDENT(1)), *name = kept_name(words, run);
        if (!text)
            abort();
        int good = spool_write(&folder, name, ".json", text, &error);
        free(text);
        free(name);
        if (!good)
            return say(error);
    }
    return HD_EXIT_PASS;
}

/* What went wrong on one side: its first run that did not pass. */
static int check_runs(const compare_words *words, int side, const outcome *left)
{
    int code = HD_EXIT_PASS;
    for (uint32_t run = 0; run < words->repeat && !code; run++)
        code = check_side(words, side, &left[run]);
    return code;
}

static int conclude(const compare_words *words, const outcome *left)
{
    const uint32_t repeat = words->repeat;
    const int codes[2] = {check_runs(words, 0, left), check_runs(words, 1, left + repeat)};
    if (codes[0] || codes[1])
        return codes[0] > codes[1] ? codes[0] : codes[1];
    if (words->out && keep(words, left))
        return HD_EXIT_USAGE;
    compared_run *runs = calloc(2 * repeat, sizeof *runs);
    if (!runs)
        abort();
    for (uint32_t run = 0; run < 2 * repeat; run++)
        runs[run] = (compared_run){words->others[run / repeat], left[run].results};
    const int code = print_comparison(words, runs, repeat);
    free(runs);
    return code;
}

static int run_pair(const compare_words *words, const resolution *of)
{
    const uint32_t count = 2 * words->repeat;
    outcome *left = calloc(count, sizeof *left);
    char *error;
    if (!left)
        abort();
    const run_orders orders = {
        .jobs = words->jobs, .progress = standard_streams_progress(), .is_interrupted = interrupt_is_requested};
    interrupt_catch();
    int code = HD_EXIT_FAIL;
    switch (run_points(of, &orders, left, &error)) {
    case POINTS_DONE: code = conclude(words, left); break;
    case POINTS_STOPPED: code = say(error); break;
    case POINTS_INTERRUPTED:
        fputs("interrupted\n", stderr);
        code = interrupt_exit_code();
        break;
    }
    for (uint32_t run = 0; run < count; run++)
        outcome_free(&left[run]);
    free(left);
    return code;
}

static int compare_machines(const compare_words *words)
{
    static const char *const names[] = {"--set", "--set-a", "--set-b"};
    pair_sets sets[3];
    for (int i = 0; i < 3; i++)
        sets[i] = (pair_sets){names[i], words->sets[i], words->set_counts[i]};
    const pair_words asked = {.machines = {words->others[0], words->others[1]},
                              .app = words->others[2],
                              .seed = words->seed,
                              .repeat = words->repeat,
                              .both = sets[0],
                              .side = {sets[1], sets[2]}};
    machine_file machines = {0};
    sweep pair;
    resolution points = {0};
    int code = HD_EXIT_USAGE;
    if (words->out && results_folder_make(words->out))
        return code;
    machine_file_request(&machines);
    const sweep_world world = sweep_world_here(&machines);
    if (pair_make(&pair, &asked, stderr) && resolution_make(&points, &pair, &world))
        code = words->out && check_kept(words) ? HD_EXIT_USAGE : run_pair(words, &points);
    resolution_free(&points);
    sweep_free(&pair);
    machine_file_close(&machines);
    return code;
}

static int run_compare(const hd_command *command, int count, char **words)
{
    compare_words read;
    int code = compare_words_read(&read, command, count, words);
    if (code == HD_EXIT_PASS)
        code = read.are_machines ? compare_machines(&read) : compare_files(&read);
    compare_words_free(&read);
    return code;
}

const hd_command hd_command_compare = {
    .name = "compare",
    .usage = "A B [APP] [--set PATH=VALUE]... [--set-a PATH=VALUE]... [--set-b PATH=VALUE]... [--seed N] "
             "[--repeat N] [--out DIR] [--jobs N] [--top N | --all] [--csv | --json]\n"
             "       heddle compare A.json B.json [--top N | --all] [--csv | --json]",
    .doc = "compare two machines: what differs, and the effect on an app",
    .help =
        "  A B APP           two machine files, and the app that runs on both; machines that make work of their own\n"
        "                    need none\n"
        "  A.json B.json     results of two finished runs of the same app\n"
        "  --set PATH=VALUE  override a value of both machines (core.warps=16) or of the app (app.n=4096)\n"
        "  --set-a, --set-b  the same for one of them\n"
        "  --seed N          seed of the blocks' random streams (default 1)\n"
        "  --repeat N        N runs of each machine, which differ in chance (perturb): means, and what is significant\n"
        "  --out DIR         keep the results in DIR/a.json and DIR/b.json\n"
        "  --jobs N          runs in parallel (default: number of processors)\n"
        "  --top N           number of statistics shown (default 12)\n"
        "  --all             all statistics, and differences that follow from others\n"
        "  --csv             everything as comma-separated values: what, name, unit, a, b, effect\n"
        "  --json            everything as JSON\n"
        "\n"
        "The output lists differences of machines and inputs, kernels, and where the cycles went: these\n"
        "rows add up to the difference in time. Statistics are ranked by effect: the change relative to the largest\n"
        "value of the same unit in the same block.\n"
        "Exit code: 0 both pass; 1 the app did not pass on one of them; 2 bad usage or configuration; "
        "130 interrupted.\n",
    .run = run_compare,
};
