/* SPDX-License-Identifier: MIT */
/* Repetitions that differ in chance: what they are given, what identifies them, and what is shown of them. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "collect.h"
#include "registry.h"
#include "report/report_data.h"
#include "store_sql.h"
#include "world.h"

static sweep read;
static resolution points;
static store *opened;
static char *error;

#define SWEEP(settings, repeat)                                                                                        \
    "sweep: 1\nname: chance\nset: {machine: " EXPLORE_MACHINES "/small.yaml, app: good" settings "}\n" repeat          \
    "axes: {app.n: [1, 2]}\nstatistics: [cycles, app.sum]\n"

static void open_store(const char *text)
{
    opened = world_enter_store(text, &read, &points);
}

static void close_store(void)
{
    world_leave_store(opened, &read, &points);
}

TestSuite(repetitions, .fini = close_store);

/* ---- What is run ---------------------------------------------------------------------------------------------------- */

static int has_word(const char *wanted, uint32_t repetition)
{
    job one;
    int found = 0;
    const spool files = {.folder = (char *)"/spool"};
    job_fill(&one, &points, 0, repetition);
    char **words = job_words(&one, &files);
    for (char **word = words; *word; word++)
        found += !strcmp(*word, wanted);
    job_free_words(words);
    return found;
}

static const char *machine(void)
{
    return points.points[0].machine->json;
}

Test(repetitions, are_given_a_seed_each)
{
    open_store(SWEEP(", perturb.delay: 2 ns", "repeat: 3\n"));
    cr_expect(points.points[0].machine->is_perturbed);
    cr_expect(has_word("perturb.seed=1", 0) && has_word("perturb.seed=2", 1) && has_word("perturb.seed=3", 2));
    cr_expect(has_word("perturb.delay=\"2 ns\"", 0));
    cr_expect(strstr(machine(), "\"perturb\":{\"delay_ps\":2000,\"seed\":\"repetition\"}"), "%s", machine());
}

/* What a task of Slurm runs. */
Test(repetitions, have_their_seeds_in_a_shell_too)
{
    job one;
    const spool files = {.folder = (char *)"/spool"};
    open_store(SWEEP("", "repeat: 3\n"));
    job_fill(&one, &points, 1, 2);
    char *line = job_shell_line(&one, &files);
    cr_expect(strstr(line, " '--set' 'perturb.seed=3' "), "%s", line);
    free(line);
}

Test(repetitions, are_alike_if_the_sweep_says_how_they_are_perturbed)
{
    open_store(SWEEP(", perturb: 1", "repeat: 3\n"));
    cr_expect_not(points.points[0].machine->is_perturbed);
    cr_expect(has_word("perturb=\"1\"", 2) && !has_word("perturb.seed=3", 2));
    cr_expect(strstr(machine(), "\"perturb\":{\"delay_ps\":4000,\"seed\":1}"), "%s", machine());
}

Test(repetitions, of_which_there_is_one_are_the_machine_as_it_is)
{
    open_store(SWEEP("", "repeat: 1\n"));
    cr_expect_not(points.points[0].machine->is_perturbed);
    cr_expect_not(has_word("perturb.seed=1", 0));
    cr_expect_null(strstr(machine(), "perturb"));
}

/* More of them are more runs of the same inputs; a single run and the seed of the first repetition are others. */
Test(repetitions, belong_to_the_same_inputs_however_many_they_are)
{
    static const char *const texts[] = {SWEEP("", "repeat: 2\n"), SWEEP("", "repeat: 5\n"), SWEEP("", ""),
                                        SWEEP(", perturb: 1", "repeat: 2\n"), SWEEP(", perturb.seed: 1", "")};
    digest keys[5];
    for (int i = 0; i < 5; i++) {
        open_store(texts[i]);
        keys[i] = points.points[0].key;
        if (i < 4)
            close_store();
    }
    cr_expect_str_eq(keys[0].text, keys[1].text);
    cr_expect_str_neq(keys[0].text, keys[2].text);
    cr_expect_str_neq(keys[0].text, keys[3].text);
    cr_expect_str_neq(keys[2].text, keys[3].text);
    cr_expect_str_eq(keys[3].text, keys[4].text);
}

/* ---- What comes back ------------------------------------------------------------------------------------------------ */

/* The results of a run whose machine had this seed. */
static enum collected collect(spool *files, uint32_t repetition, uint64_t seed, int cycles)
{
    job ended;
    json_t *of = json_loads(machine(), 0, NULL);
    json_object_set_new(json_object_get(of, "perturb"), "seed", json_integer((json_int_t)seed));
    json_t *results = json_pack("{s:s, s:s, s:o, s:i, s:[]}", "status", "pass", "message", "", "machine", of,
                                "simulated_ps", cycles, "kernels");
    char *text = json_dumps(results, 0);
    job_fill(&ended, &points, 0, repetition);
    ended.exit_code = 0;
    cr_assert(spool_write(files, ended.name, ".log", "", &error));
    cr_assert(spool_write(files, ended.name, ".json", text, &error));
    free(text);
    json_decref(results);
    return job_collect(&points, files, opened, &ended, "local", &error);
}

Test(repetitions, may_differ_and_have_to_be_of_their_seed)
{
    spool files;
    open_store(SWEEP("", "repeat: 3\n"));
    cr_assert(spool_open(&files, "s.db", &error));
    cr_expect_eq(collect(&files, 0, 1, 10), COLLECTED_PASSED);
    cr_expect_eq(collect(&files, 1, 2, 11), COLLECTED_PASSED, "other numbers");
    cr_expect_eq(collect(&files, 2, 2, 11), COLLECTED_NOT, "the seed of another repetition");
    cr_expect(strstr(error, "has changed since the sweep began"), "%s", error);
    free(error);
    spool_close(&files, 1);
}

Test(repetitions, that_are_alike_may_not_differ)
{
    spool files;
    open_store(SWEEP(", perturb: 4", "repeat: 3\n"));
    cr_assert(spool_open(&files, "s.db", &error));
    cr_expect_eq(collect(&files, 0, 4, 10), COLLECTED_PASSED);
    cr_expect_eq(collect(&files, 1, 4, 10), COLLECTED_PASSED);
    cr_expect_eq(collect(&files, 2, 4, 11), COLLECTED_FAILED);
    spool_close(&files, 1);
}

/* ---- What is shown -------------------------------------------------------------------------------------------------- */

static void put(uint32_t point, uint32_t repetition, const char *status, int cycles)
{
    json_t *results =
        json_pack("{s:[{s:i,s:s,s:i,s:i,s:b,s:i}], s:{s:{s:f}}}", "kernels", "launch", 0, "kernel", "k", "begin_ps", 1,
                  "end_ps", 5, "complete", 1, "cycles", cycles, "app", "reports", "sum", 0.5);
    const store_run run = {.key = points.points[point].key,
                           .repetition = repetition,
                           .status = status,
                           .results = results,
                           .host_seconds = 1.5,
                           .user_seconds = -1,
                           .peak_bytes = -1,
                           .engine = "local"};
    cr_assert(store_put_run(opened, &run, &error), "%s", error);
    json_decref(results);
}

static void expect_csv(store_view view, const char *expected)
{
    char *text, *failure;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    cr_assert(store_write_csv(opened, &view, out, &failure));
    fclose(out);
    cr_expect_str_eq(text, expected, "%s", text);
    free(text);
}

#define HEAD "point,app.n,machine,app,seed,runs,status,cycles,cycles.ci95,app.sum,app.sum.ci95\n"

/* 12.706 and 4.303 are Student's t of one and two degrees: of 10 and 14 the standard error is 2, of 10, 14, 18 it is 4 / sqrt(3). */
Test(repetitions, are_shown_as_means_with_their_intervals)
{
    open_store(SWEEP("", "repeat: 3\n"));
    expect_csv((store_view){0}, HEAD "1,1,small,good,1,0,missing,,,,\n2,2,small,good,1,0,missing,,,,\n");
    put(0, 0, "pass", 10);
    expect_csv((store_view){0}, HEAD "1,1,small,good,1,1,missing,10,,0.5,\n2,2,small,good,1,0,missing,,,,\n");
    put(0, 1, "pass", 14);
    put(1, 0, "fail", 99);
    put(1, 1, "pass", 7);
    expect_csv((store_view){0}, HEAD "1,1,small,good,1,2,missing,12,25.4124,0.5,0\n2,2,small,good,1,1,fail,7,,0.5,\n");
    put(0, 2, "pass", 18);
    expect_csv((store_view){0}, HEAD "1,1,small,good,1,3,pass,14,9.93655,0.5,0\n2,2,small,good,1,1,fail,7,,0.5,\n");
    put(0, 3, "pass", 1000); /* of a sweep with more of them */
    expect_csv((store_view){0}, HEAD "1,1,small,good,1,3,pass,14,9.93655,0.5,0\n2,2,small,good,1,1,fail,7,,0.5,\n");
}

Test(repetitions, are_shown_one_by_one_to_who_asks)
{
    open_store(SWEEP("", "repeat: 2\n"));
    put(0, 1, "pass", 14);
    expect_csv((store_view){.with_runs = 1},
               "point,app.n,machine,app,seed,repetition,status,cycles,app.sum\n1,1,small,good,1,1,missing,,\n"
               "1,1,small,good,1,2,pass,14,0.5\n2,2,small,good,1,1,missing,,\n2,2,small,good,1,2,missing,,\n");
}

Test(repetitions, are_all_in_a_report)
{
    open_store(SWEEP("", "repeat: 3\n"));
    put(0, 0, "pass", 10);
    put(0, 1, "fail", 12);
    put(0, 2, "pass", 14);
    const report_request request = {.version = "9.9", .classes = hd_builtin_classes()};
    json_t *data = report_data(opened, &request, &error);
    cr_assert(data, "%s", error);
    json_t *experiment = json_array_get(json_object_get(data, "experiments"), 0);
    cr_expect(json_is_true(json_object_get(experiment, "perturbed")));
    char *columns = json_dumps(json_object_get(experiment, "columns"), JSON_COMPACT | JSON_SORT_KEYS);
    cr_expect(strstr(columns, "\"statistic\":\"cycles\",\"unit\":\"cycles\",\"values\":[[10,14],null]"), "%s", columns);
    free(columns);
    json_decref(data);
}

/* Points that differ in nothing but this seed are one measurement. */
Test(repetitions, may_be_an_axis)
{
    open_store("sweep: 1\nname: chance\nset: {machine: " EXPLORE_MACHINES
               "/small.yaml, app: good}\naxes: {perturb: [1, 2], perturb.delay: [1 ns, 2 ns]}\n");
    put(0, 0, "pass", 10);
    const report_request request = {.version = "9.9", .classes = hd_builtin_classes()};
    json_t *data = report_data(opened, &request, &error);
    cr_assert(data, "%s", error);
    json_t *axes = json_object_get(json_array_get(json_object_get(data, "experiments"), 0), "axes");
    cr_expect(json_is_true(json_object_get(json_array_get(axes, 0), "repeats")));
    cr_expect(json_is_false(json_object_get(json_array_get(axes, 1), "repeats")));
    json_decref(data);
}
