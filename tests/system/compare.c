/* SPDX-License-Identifier: MIT */
/* Two machines side by side, as a user compares them. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "folder.h"
#include "process.h"
#include "stats.h"

#define SMALL SYSTEM_MACHINES "/small.yaml"
#define MIMD SYSTEM_MACHINES "/mimd.yaml"

static char *folder;

static void open_folder(void)
{
    folder = folder_new();
    setenv("TMPDIR", folder, 1);
}

static void close_folder(void)
{
    folder_remove(folder);
}

TestSuite(compare, .init = open_folder, .fini = close_folder);

static void expect_ended(finished run, int code, const char *part)
{
    expect_code(&run, code);
    expect_error(&run, part);
    cr_expect_str_empty(run.out);
    finished_free(&run);
}

/* Of what lay in the folder while they ran. */
static void expect_nothing_left(void)
{
    char *names = folder_list(folder);
    cr_expect_str_empty(names);
    free(names);
}

static json_t *json_of(const finished *run)
{
    json_t *read = json_loads(run->out, 0, NULL);
    cr_assert(read, "%s", run->out);
    return read;
}

static double sum_of_cycles(const json_t *compared, size_t side)
{
    double sum = 0;
    const json_t *rows = json_object_get(compared, "cycles");
    for (size_t i = 0; i < json_array_size(rows); i++)
        sum += json_real_value(json_array_get(json_object_get(json_array_get(rows, i), "cycles"), side));
    return sum;
}

/* The runs are those of `heddle run`, and so is every number; where cycles went adds up to the time. */
Test(compare, shows_what_two_runs_say)
{
    char *out = path_in(folder, "kept"), *a = path_in(out, "a.json"), *b = path_in(out, "b.json");
    char *alone = path_in(folder, "alone.json");
    finished run = heddle("compare", SMALL, SMALL, "hashtable", "--set", "app.grid=4", "--set-b", "core.scheduler=lrr",
                          "--set-b", "core.l1={bytes: 8 KiB, ways: 2}", "--out", out, "--json");
    expect_code(&run, 0);
    json_t *compared = json_of(&run);
    finished_free(&run);
    json_t *differences = json_object_get(compared, "differences");
    cr_expect_eq(json_array_size(differences), 3);
    cr_expect_str_eq(json_string_value(stats_at(compared, "differences/2/name")), "core.scheduler");
    cr_expect_float_eq(sum_of_cycles(compared, 0), 1.4e-3 * json_integer_value(stats_at(compared, "time_ps/0")), 2.0);
    cr_expect_float_eq(sum_of_cycles(compared, 1), 1.4e-3 * json_integer_value(stats_at(compared, "time_ps/1")), 2.0);

    run = heddle("run", SMALL, "hashtable", "--set", "app.grid=4", "--set", "core.scheduler=lrr", "--set",
                 "core.l1={bytes: 8 KiB, ways: 2}", "--stats", alone);
    expect_code(&run, 0);
    finished_free(&run);
    json_t *of_b = stats_read(b), *of_run = stats_read(alone);
    expect_same_stats(of_b, of_run);
    cr_expect_eq(json_integer_value(stats_at(compared, "kernels/0/cycles/1")),
                 json_integer_value(stats_at(of_run, "kernels/0/cycles")));

    run = heddle("compare", a, b, "--json");
    expect_code(&run, 0);
    json_t *again = json_of(&run);
    json_object_del(compared, "names");
    json_object_del(again, "names");
    expect_same_stats(compared, again);
    finished_free(&run);
    json_decref(again);
    json_decref(compared);
    json_decref(of_b);
    json_decref(of_run);
    free(alone);
    free(a);
    free(b);
    free(out);
}

Test(compare, a_page_for_people)
{
    finished run = heddle("compare", SMALL, MIMD, "reduce", "--top", "3");
    expect_code(&run, 0);
    expect_output(&run, "reduce on A and B\n");
    expect_output(&run, "core.reconvergence");
    expect_output(&run, "cycles of kernels");
    expect_output(&run, "where the cycles went");
    expect_output(&run, "more that are different (--top N, --all)");
    cr_expect_str_empty(run.err);
    finished_free(&run);
    run = heddle("compare", SMALL, SMALL, "vecadd", "--csv");
    expect_code(&run, 0);
    cr_expect_eq(strncmp(run.out, "what,name,unit,a,b,effect\n", 26), 0);
    cr_expect_null(strstr(run.out, "\ndifference,"));
    finished_free(&run);
}

/* What is true of the time in which kernels ran is the sum over kernels where no two ran at a time. */
Test(compare, time_of_kernels_is_theirs)
{
    char *file = path_in(folder, "bfs.json");
    finished run = heddle("run", SMALL, "bfs", "--set", "app.scale=7", "--stats", file);
    expect_code(&run, 0);
    finished_free(&run);
    json_t *stats = stats_read(file);
    const json_t *kernels = stats_at(stats, "kernels");
    json_int_t sum = 0;
    cr_assert(json_array_size(kernels) > 2);
    for (size_t i = 0; i < json_array_size(kernels); i++)
        sum += json_integer_value(stats_at(json_array_get(kernels, i), "statistics/core/warp_instructions"));
    cr_expect_eq(json_integer_value(stats_at(stats, "busy/core/warp_instructions")), sum);
    cr_expect(json_integer_value(stats_at(stats, "busy/host/wait_cycles")) <=
              json_integer_value(stats_at(stats, "blocks/host/total/wait_cycles")));
    json_decref(stats);
    free(file);
}

Test(compare, says_on_which_side_the_app_does_not_pass)
{
    expect_ended(heddle("compare", SMALL, SMALL, "spinlock", "--set-b", "core.reconvergence=mimd"), 1,
                  "error: spinlock did not pass on A (" SMALL "), simt_deadlock:\nSIMT deadlock: no progress");
    finished run = heddle("compare", SMALL, SMALL, "spinlock", "--set-a", "core.reconvergence=mimd");
    expect_code(&run, 1);
    expect_error(&run, "did not pass on B (");
    cr_expect_null(strstr(run.err, "did not pass on A"));
    finished_free(&run);
    expect_ended(heddle("compare", SMALL, SMALL, "vecadd", "--set-b", "limit=1 us"), 1,
                  "error: vecadd did not pass on B (" SMALL "), limit:\n");
    expect_nothing_left();
}

Test(compare, mistakes_are_shown_where_they_stand)
{
    expect_ended(heddle("compare", SMALL, SMALL, "vecadd", "--set-b", "core.schedulr=lrr"), 2,
                  "    --set-b core.schedulr=lrr\n                 ^~~~~~~~\nnote: did you mean 'scheduler'");
    expect_ended(heddle("compare", SMALL, SMALL, "vecadd", "--set-b", "core.schedulr=lrr"), 2, "side=B");
    expect_ended(heddle("compare", "/nowhere.yaml", SMALL, "vecadd"), 2, "cannot read '/nowhere.yaml'");
    expect_ended(heddle("compare", SMALL, SMALL, "vecad"), 2, "did you mean 'vecadd'");
    expect_ended(heddle("compare", SMALL, SMALL, "vecadd", "--set-a", "app.m=3"), 2, "has no option 'm'");
    expect_ended(heddle("compare", SMALL, SMALL, "vecadd", "--set-a", "app.n=x"), 2, "app.n is 'x'");
    expect_ended(heddle("compare", SMALL, SMALL, "vecadd", "--set", "app.n"), 2, "it must be app.NAME=VALUE");
    expect_ended(heddle("compare", SMALL, SMALL, "vecadd", "--set", "machine=x"), 2,
                  "'machine' is no value of the machine");
    expect_ended(heddle("compare", SMALL, SMALL, "vecadd", "--set", "core.warps=[1, 2]"), 2, "cannot be a list");
    expect_ended(heddle("compare", SMALL, SMALL, "vecadd", "--seed", "no"), 2, "seed is 'no'");
    expect_ended(heddle("compare", SMALL, SMALL, "vecadd", "--out", "/nowhere/at/all"), 2, "cannot be written to");
    expect_ended(heddle("compare", SMALL), 2, "too few arguments");
    expect_ended(heddle("compare", SMALL, SMALL, "vecadd", "--top", "3", "--all"), 2, "one will do");
    expect_ended(heddle("compare", SMALL, SMALL, "vecadd", "--csv", "--json"), 2, "one will do");
    expect_ended(heddle("compare", SMALL, SMALL, "vecadd", "--csv", "--top=3"), 2, "have everything");
    expect_ended(heddle("compare", SMALL, SMALL, "vecadd", "--top=0"), 2, "--top 0: it must be a number from 1");
    expect_ended(heddle("compare", SMALL, SMALL, "vecadd", "--jobs=0"), 2, "--jobs 0");
}

Test(compare, files_that_are_none)
{
    char *bad = path_in(folder, "bad.json"), *good = path_in(folder, "good.json"), *other = path_in(folder, "o.json");
    finished run = heddle("run", SMALL, "vecadd", "--stats", good);
    expect_code(&run, 0);
    finished_free(&run);
    run = heddle("run", SMALL, "reduce", "--stats", other);
    expect_code(&run, 0);
    finished_free(&run);
    file_write(bad, "{\"schema\": ", 11);
    expect_ended(heddle("compare", good, bad), 2, "bad.json is no file of results");
    expect_ended(heddle("compare", folder, good), 2, " is no file of results");
    expect_ended(heddle("compare", good, "/nowhere.json"), 2, "/nowhere.json cannot be read: No such file");
    expect_ended(heddle("compare", SMALL, SMALL), 2, "machines need an app as well");
    expect_ended(heddle("compare", "gtx480", "gtx480_lrr"), 2, "machines need an app as well");
    expect_ended(heddle("compare", SMALL, good), 2, "small.yaml is no file of results");
    expect_ended(heddle("compare", good, other), 2, "error: these are different apps: vecadd in ");
    expect_ended(heddle("compare", good, good, "--seed=3"), 2, "need machines");
    run = heddle("compare", good, good);
    expect_code(&run, 0);
    expect_output(&run, "no difference in machine and inputs");
    expect_output(&run, "all of them are the same");
    finished_free(&run);
    free(other);
    free(good);
    free(bad);
}

/* Ctrl-C ends both runs; nothing of them is left. */
Test(compare, an_interrupt_ends_both)
{
    unsetenv("TMPDIR");
    char *output = folder_new();
    setenv("TMPDIR", folder, 1);
    pid_t child = heddle_start(output, (const char *const[]){"compare", SMALL, SMALL, "xorshift", "--set",
                                                             "app.steps=100M", "--set-b", "core.count=1", NULL});
    const struct timespec moment = {.tv_nsec = 300000000};
    nanosleep(&moment, NULL);
    kill(child, SIGINT);
    finished run = heddle_wait(output, child);
    cr_expect_eq(run.code, 130, "%d: %s", run.code, run.err);
    expect_nothing_left();
    finished_free(&run);
    folder_remove(output);
}

/* ---- Repetitions ---------------------------------------------------------------------------------------------------- */

#define CONTENDED "hashtable", "--set", "app.grid=5"

Test(compare, repetitions_give_means_and_keep_their_runs)
{
    char *out = path_in(folder, "kept"), *last = path_in(out, "b-3.json");
    finished run = heddle("compare", SMALL, MIMD, CONTENDED, "--repeat", "3", "--out", out, "--json");
    expect_code(&run, 0);
    json_t *compared = json_of(&run), *kept = stats_read(last);
    finished_free(&run);
    cr_expect_eq(json_integer_value(stats_at(compared, "repetitions")), 3);
    cr_expect_gt(json_real_value(stats_at(compared, "kernels/0/ci95/0")), 0);
    cr_expect_eq(json_integer_value(stats_at(kept, "machine/perturb/seed")), 3);
    cr_expect_float_eq(sum_of_cycles(compared, 0), 1.4e-3 * json_integer_value(stats_at(compared, "time_ps/0")), 2.0);
    json_decref(compared);
    json_decref(kept);
    free(last);
    free(out);
}

Test(compare, says_what_one_run_is_worth)
{
    finished run = heddle("compare", SMALL, SMALL, CONTENDED, "--set-b", "core.scheduler=lrr");
    expect_code(&run, 0);
    expect_output(&run, "\none run each: threads contend here, so part of this is chance; --repeat N tells\n");
    finished_free(&run);
    run = heddle("compare", SMALL, SMALL, CONTENDED, "--set-b", "core.scheduler=lrr", "--repeat", "2");
    expect_code(&run, 0);
    expect_output(&run, "significant\n");
    expect_output(&run, "\nmeans of 2 runs each, ");
    cr_expect_null(strstr(run.out, "one run each"));
    finished_free(&run);
    expect_ended(heddle("compare", SMALL, SMALL, CONTENDED, "--repeat", "0"), 2,
                  "--repeat 0: it must be a number from 1 to 1000");
    expect_nothing_left();
}
