/* SPDX-License-Identifier: MIT */
/* heddle run --profile and heddle profile: the counts, what does not change, and what cannot be read. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "process.h"
#include "profiled.h"
#include "stats.h"

#define GTX480 HEDDLE_MACHINES "/gtx480.yaml"
#define SMALL SYSTEM_MACHINES "/small.yaml"
#define FUNCTIONAL SYSTEM_MACHINES "/functional.yaml"
#define TIGHT SYSTEM_MACHINES "/tight.yaml"
#define BLOCK_STACK HEDDLE_MACHINES "/../variants/quadro_fx5800_block_stack.yaml"
#define NO_FORM "--seed=1" /* that of the app */

/* A run with these further words, and its results. */
static json_t *results_of(const char *machine, const char *app, const char *set, const char *form, const char *first,
                          const char *second)
{
    char *folder = folder_new(), *path = path_in(folder, "stats.json");
    finished run = heddle("run", machine, app, "--set", set, "--stats", path, "--quiet", form, first, second);
    expect_code(&run, 0);
    json_t *stats = stats_read(path);
    finished_free(&run);
    free(path);
    folder_remove(folder);
    return stats;
}

static void expect_profile(const char *machine, const char *app, const char *set, const char *form)
{
    json_t *profiled = results_of(machine, app, set, form, "--profile", "--tlm=auto");
    json_t *threads = results_of(machine, app, set, form, "--profile", "--threads=2");
    json_t *calls = results_of(machine, app, set, form, "--profile", "--tlm=always");
    json_t *plain = results_of(machine, app, set, form, "--tlm=auto", NULL);
    cr_expect_gt(json_array_size(stats_at(profiled, "profile/rows")), 5, "%s on %s", app, machine);
    expect_profile_adds_up(profiled);
    expect_same_stats(profiled, threads);
    expect_same_stats(profiled, calls);
    json_object_del(profiled, "profile");
    expect_same_stats(plain, profiled);
    json_decref(profiled);
    json_decref(threads);
    json_decref(calls);
    json_decref(plain);
}

Test(profile, columns_add_up_and_nothing_else_changes)
{
    expect_profile(GTX480, "hashtable", "app.grid=20", NO_FORM);
    expect_profile(SMALL, "bfs", "app.scale=6", NO_FORM);
    expect_profile(TIGHT, "hashtable", "app.grid=2", NO_FORM);
    expect_profile(SYSTEM_MACHINES "/mimd.yaml", "histogram", "app.grid=2", NO_FORM);
    expect_profile(FUNCTIONAL, "hashtable", "app.grid=2", "--set=app.sync=tm");
}

/* The counts of these columns by pc. */
static json_t *counts_of(const json_t *stats)
{
    size_t i;
    json_t *row, *counts = json_object();
    static const char *const columns[] = {"warp_instructions", "thread_instructions", "lost_lanes",
                                          "divergent_branches", "taken_lanes"};
    json_array_foreach(stats_at(stats, "profile/rows"), i, row)
    {
        char pc[32];
        snprintf(pc, sizeof pc, "%lld", (long long)json_integer_value(json_object_get(row, "pc")));
        json_t *of_row = json_object();
        for (uint32_t c = 0; c < sizeof columns / sizeof *columns; c++)
            json_object_set(of_row, columns[c], json_object_get(json_object_get(row, "counts"), columns[c]));
        json_object_set_new(counts, pc, of_row);
    }
    return counts;
}

/* Where the way of a warp does not depend on time, both types of core execute the same at each pc. */
Test(profile, a_functional_core_counts_what_a_timed_one_does)
{
    static const char *const runs[][2] = {{"matmul", "app.n=16"}, {"histogram", "app.grid=2"}, {"vecadd", "app.n=77"}};
    for (uint32_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        json_t *timed = results_of(SMALL, runs[i][0], runs[i][1], NO_FORM, "--profile", NULL);
        json_t *functional = results_of(FUNCTIONAL, runs[i][0], runs[i][1], NO_FORM, "--profile", NULL);
        json_t *expected = counts_of(timed), *actual = counts_of(functional);
        cr_expect_gt(json_object_size(expected), 10, "%s", runs[i][0]);
        cr_expect(json_equal(expected, actual), "%s", runs[i][0]);
        json_decref(timed);
        json_decref(functional);
        json_decref(expected);
        json_decref(actual);
    }
}

Test(profile, of_functional_cores_shows_shares_of_instructions)
{
    char *folder = folder_new();
    finished run = heddle("run", FUNCTIONAL, "vecadd", "--set", "app.n=64", "--profile", "--out", folder, "--quiet");
    expect_code(&run, 0);
    finished table = heddle("profile", folder, "--by=function");
    expect_code(&table, 0);
    expect_output(&table, "\n share       issued   SIMD     lost lanes  function\n");
    cr_expect_null(strstr(table.out, "slot"), "%s", table.out);
    finished sorted = heddle("profile", folder, "--sort", "slots");
    expect_code(&sorted, 2);
    expect_error(&sorted, "error: the profile has no column 'slots'");
    finished_free(&run);
    finished_free(&table);
    finished_free(&sorted);
    folder_remove(folder);
}

/* Lanes by pc. */
static json_t *column_of(const char *machine, const char *app, const char *column)
{
    size_t i;
    json_t *row, *lanes = json_object(), *stats = results_of(machine, app, "app.seed=2", NO_FORM, "--profile", NULL);
    json_array_foreach(stats_at(stats, "profile/rows"), i, row)
    {
        char pc[32];
        json_t *count = json_object_get(json_object_get(row, "counts"), column);
        snprintf(pc, sizeof pc, "%lld", (long long)json_integer_value(json_object_get(row, "pc")));
        if (json_integer_value(count))
            json_object_set(lanes, pc, count);
    }
    json_decref(stats);
    return lanes;
}

/* What compaction would have lost without it is what a stack of each warp loses, at each pc. */
Test(profile, lanes_before_compaction_are_those_of_a_stack_of_each_warp)
{
    static const char *const apps[] = {"cascade_classifier", "ray_tracing"};
    for (uint32_t i = 0; i < sizeof apps / sizeof *apps; i++) {
        json_t *stack = column_of(HEDDLE_MACHINES "/quadro_fx5800_tbc.yaml", apps[i], "lost_lanes");
        json_t *before = column_of(BLOCK_STACK, apps[i], "lost_lanes_before");
        json_t *after = column_of(BLOCK_STACK, apps[i], "lost_lanes");
        cr_expect_gt(json_object_size(stack), 20, "%s", apps[i]);
        cr_expect(json_equal(stack, before), "%s", apps[i]);
        cr_expect_not(json_equal(after, before), "%s", apps[i]);
        json_decref(stack);
        json_decref(before);
        json_decref(after);
    }
}

static void expect_sums_on(const char *machine)
{
    json_t *stats = results_of(machine, "vecadd", "app.n=500", NO_FORM, "--profile", NULL);
    expect_profile_adds_up(stats);
    json_decref(stats);
}

Test(profile, columns_add_up_on_every_machine)
{
    char *names = folder_list(HEDDLE_MACHINES);
    unsigned machines = 0;
    for (char *rest = names, *name; (name = strsep(&rest, " "));) {
        if (!strstr(name, ".yaml"))
            continue;
        char *path = path_in(HEDDLE_MACHINES, name);
        expect_sums_on(path);
        free(path);
        machines++;
    }
    cr_expect_geq(machines, 9);
    free(names);
}

/* What the threads of a line do is known: n threads in warps of 32 load and add once. */
Test(profile, a_line_has_the_instructions_that_its_threads_execute)
{
    char *folder = folder_new();
    finished run = heddle("run", SMALL, "vecadd", "--set", "app.n=100", "--set", "app.block=64", "--out", folder,
                          "--profile", "--quiet");
    expect_code(&run, 0);
    finished table = heddle("profile", folder, "--sources", HEDDLE_APP_SOURCES "/../..");
    expect_code(&table, 0);
    expect_output(&table, "PROFILE  vecadd on small (pass): ");
    expect_output(&table, "kernel.c:13           c[i] = a[i] + b[i];\n");
    expect_output(&table, "memory data");
    expect_output(&table, "  no path that could have issued\n");
    finished rows = heddle("profile", folder, "--by=instruction", "--csv", "--sort", "lost_lanes");
    expect_code(&rows, 0);
    /* the store of the last line: four warps, of which the last has 4 of 32 lanes */
    char *path = path_in(folder, "stats.json");
    json_t *stats = json_load_file(path, 0, NULL);
    json_t *row, *store = NULL;
    size_t i;
    json_array_foreach(json_object_get(json_object_get(stats, "profile"), "rows"), i, row)
    {
        if (!strncmp(json_string_value(json_object_get(row, "text")), "fsw ", 4))
            store = json_object_get(row, "counts");
    }
    cr_assert(store);
    cr_expect_eq(json_integer_value(json_object_get(store, "warp_instructions")), 4);
    cr_expect_eq(json_integer_value(json_object_get(store, "thread_instructions")), 100);
    cr_expect_eq(json_integer_value(json_object_get(store, "lost_lanes")), 28);
    json_decref(stats);
    free(path);
    finished_free(&run);
    finished_free(&table);
    finished_free(&rows);
    folder_remove(folder);
}

Test(profile, the_source_is_annotated_where_it_is)
{
    char *folder = folder_new();
    finished run = heddle("run", SMALL, "vecadd", "--out", folder, "--profile", "--quiet");
    expect_code(&run, 0);
    finished there = heddle("profile", folder, "--source", "--sources", HEDDLE_APP_SOURCES "/../..");
    expect_code(&there, 0);
    expect_output(&there, "\nfirmware/apps/vecadd/kernel.c\n slots       issued   SIMD lost to");
    expect_output(&there, "    10      const float *a = HD_POINTER(const float, args->a);\n");
    expect_output(&there, "    13      c[i] = a[i] + b[i];\n");
    finished away = heddle("profile", folder, "--source", "--sources", folder);
    expect_code(&away, 0);
    expect_output(&away, "\nfirmware/apps/vecadd/kernel.c\n  is not there; --sources DIR says");
    finished_free(&run);
    finished_free(&there);
    finished_free(&away);
    folder_remove(folder);
}

Test(profile, a_run_that_ends_early_has_one_too)
{
    char *folder = folder_new();
    finished run = heddle("run", SMALL, SYSTEM_APPS "/faults", "--set", "app.kernel=illegal_instruction", "--out",
                          folder, "--profile");
    expect_code(&run, 1);
    finished table = heddle("profile", folder);
    expect_code(&table, 0);
    expect_output(&table, "PROFILE  faults on small (fault): ");
    finished_free(&run);
    finished_free(&table);
    folder_remove(folder);
}

Test(profile, needs_results_and_a_core_that_counts)
{
    char *folder = folder_new();
    finished nowhere =
        heddle_wait(folder, heddle_start(folder, (const char *const[]){"run", SMALL, "vecadd", "--profile", NULL}));
    expect_code(&nowhere, 2);
    expect_error(&nowhere, "error: --profile needs --out or --stats: it is written with the results\n");
    finished unable = heddle("run", SMALL, "vecadd", "--set", "core.type=traffic", "--set", "launch_align=false",
                             "--profile", "--stats", "/dev/null");
    expect_code(&unable, 2);
    expect_error(&unable, "no block of the machine can count by place in a program, as cores do\n");
    finished traffic = heddle("run", SMALL, "--set", "core.type=traffic", "--profile", "--stats", "/dev/null");
    expect_code(&traffic, 2);
    expect_error(&traffic, "and there is no app");
    folder_remove(folder);
    finished_free(&nowhere);
    finished_free(&unable);
    finished_free(&traffic);
}

#define HEAD "{\"schema\": {\"name\": \"heddle.stats\", \"version\": 1}"
#define COLUMN "{\"name\": \"slots_issued\", \"unit\": \"slots\", \"doc\": \"x\"}"

Test(profile, a_file_that_holds_none_is_refused_with_one_line)
{
    static const struct {
        const char *text;
        const char *error;
    } files[] = {
        {"", "it is no results file of 'heddle run'"},
        {"{\"schema\": ", "it is no results file of 'heddle run'"},
        {"[1, 2]", "it is no results file of 'heddle run'"},
        {"{\"schema\": {\"name\": \"other\", \"version\": 1}}", "it is no results file of 'heddle run'"},
        {"{\"schema\": {\"name\": \"heddle.stats\", \"version\": 2}, \"profile\": {}}",
         "it has version 2 of its format, which this program does not read"},
        {HEAD "}", "it has no profile: make one with 'heddle run ... --profile'"},
        {HEAD ", \"profile\": 7}", "its profile is damaged"},
        {HEAD ", \"profile\": {\"columns\": [], \"rows\": [], \"elsewhere\": {}}}", "its profile is damaged"},
        {HEAD ", \"profile\": {\"columns\": [{\"name\": 1}], \"rows\": [], \"elsewhere\": {}}}",
         "its profile is damaged"},
        {HEAD ", \"profile\": {\"columns\": [" COLUMN "], \"elsewhere\": {}}}", "its profile is damaged"},
        {HEAD ", \"profile\": {\"columns\": [" COLUMN "], \"rows\": []}}", "its profile is damaged"},
        {HEAD ", \"profile\": {\"columns\": [" COLUMN "], \"rows\": [{\"pc\": 4}], \"elsewhere\": {}}}",
         "its profile is damaged"},
        {HEAD ", \"profile\": {\"columns\": [" COLUMN
              "], \"rows\": [{\"pc\": 4, \"text\": \"\", \"counts\": {\"other\": 1}}], \"elsewhere\": {}}}",
         "its profile is damaged"},
        {HEAD ", \"profile\": {\"columns\": [" COLUMN
              "], \"rows\": [{\"pc\": 4, \"text\": \"\", \"counts\": {\"slots_issued\": -1}}], \"elsewhere\": {}}}",
         "its profile is damaged"},
    };
    char *folder = folder_new(), *path = path_in(folder, "stats.json");
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        file_write(path, files[i].text, strlen(files[i].text));
        finished run = heddle("profile", i % 2 ? path : folder);
        expect_code(&run, 2);
        expect_error(&run, files[i].error);
        cr_expect_eq(strchr(run.err, '\n'), run.err + strlen(run.err) - 1, "one line: %s", run.err);
        cr_expect_str_empty(run.out);
        finished_free(&run);
    }
    finished missing = heddle("profile", "/nowhere/at/all.json");
    expect_code(&missing, 2);
    expect_error(&missing, "error: /nowhere/at/all.json: No such file or directory\n");
    finished_free(&missing);
    free(path);
    folder_remove(folder);
}

Test(profile, words_that_make_no_sense_are_refused)
{
    static const struct {
        const char *words[4];
        const char *error;
    } uses[] = {
        {{"--by=file"}, "--by must be 'line', 'function' or 'instruction', not 'file'"},
        {{"--top", "0"}, "--top 0: it must be a number from 1 on"},
        {{"--top", "many"}, "--top many: it must be a number from 1 on"},
        {{"--sort", "slots_networks"}, "the profile has no column 'slots_networks'"},
        {{"--source", "--csv"}, "--source shows lines as text"},
        {{"--source", "--by=function"}, "--source shows lines as text"},
    };
    char *folder = folder_new();
    finished run = heddle("run", SMALL, "vecadd", "--out", folder, "--profile", "--quiet");
    expect_code(&run, 0);
    finished_free(&run);
    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++) {
        finished refused = heddle("profile", folder, uses[i].words[0], uses[i].words[1]);
        expect_code(&refused, 2);
        expect_error(&refused, uses[i].error);
        cr_expect_str_empty(refused.out);
        finished_free(&refused);
    }
    folder_remove(folder);
}

Test(profile, does_not_replace_what_it_reads)
{
    char *folder = folder_new(), *path = path_in(folder, "stats.json");
    finished run = heddle("run", SMALL, "bfs", "--set", "app.scale=5", "--profile", "--stats", path, "--quiet");
    expect_code(&run, 0);
    finished_free(&run);
    run = heddle("profile", path, "--branches", path);
    expect_code(&run, 2);
    expect_error(&run, "it is one of the files that are read");
    finished_free(&run);
    run = heddle("profile", path);
    expect_code(&run, 0);
    finished_free(&run);
    free(path);
    folder_remove(folder);
}
