/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* asprintf */
/* Sweeps: what they run, what they do not run again, and what is left of them when they end early. */
#include <criterion/criterion.h>
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "folder.h"
#include "stats.h"
#include "sweeps.h"

#define TINY SYSTEM_SWEEPS "/tiny.yaml"
#define TWELVE SYSTEM_SWEEPS "/twelve.yaml"
#define FAILS SYSTEM_SWEEPS "/fails.yaml"
#define SMALL SYSTEM_MACHINES "/small.yaml"
#define GTX480 HEDDLE_MACHINES "/gtx480.yaml"

static sweep_bench bench;

static void open_bench(void)
{
    bench = sweep_bench_open();
}

static void close_bench(void)
{
    sweep_bench_close(&bench);
}

TestSuite(sweep, .init = open_bench, .fini = close_bench);

static void pause_ms(long milliseconds)
{
    nanosleep(&(struct timespec){milliseconds / 1000, milliseconds % 1000 * 1000000}, NULL);
}

static int64_t total(const char *path, const char *statistic)
{
    json_t *stats = stats_read(path);
    int64_t value = json_integer_value(stats_at(stats, statistic));
    json_decref(stats);
    return value;
}

static void now(char text[32])
{
    const time_t seconds = time(NULL);
    struct tm when;
    strftime(text, 32, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&seconds, &when));
}

Test(sweep, a_run_says_when_where_and_at_what_cost_it_ran)
{
    char before[32], after[32], host[64], here[64] = "", started[32], ended[32];
    double seconds, user, peak;
    sweep_bench_write(&bench, "one", "set: {machine: " SMALL ", app: vecadd}\n");
    now(before);
    expect_sweep(sweep_now(&bench, NULL), 0, "one: 1 runs: 0 there before, 1 done now");
    now(after);
    char *rows = sweep_host_rows(&bench), *row = strstr(rows, ",local,");
    cr_assert(row, "%s", rows);
    for (uint32_t commas = 0; commas < 3; commas += *row == ',')
        row--;
    cr_assert_eq(
        sscanf(row, ",%lf,%lf,%lf,local,%63[^,],%31[^,],%31[^,\n]", &seconds, &user, &peak, host, started, ended), 6,
        "%s", row);
    gethostname(here, sizeof here - 1);
    cr_expect_str_eq(host, here);
    cr_expect(strcmp(before, started) <= 0 && strcmp(started, ended) <= 0 && strcmp(ended, after) <= 0,
              "%s <= %s <= %s <= %s", before, started, ended, after);
    cr_expect(seconds > 0 && user > 0 && peak > 1e6, "%s", row);
    free(rows);
}

Test(sweep, a_point_gives_what_the_run_by_itself_gives)
{
    char *path = path_in(bench.folder, "stats.json");
    expect_sweep(sweep_now(&bench, TWELVE), 0, "twelve: 12 runs: 0 there before, 12 done now, 0 left; 0 failed");
    finished run = heddle("run", SMALL, "vecadd", "--set", "core.scheduler=lrr", "--set", "core.l1.bytes=9 KiB",
                          "--set", "app.n=1024", "--stats", path);
    expect_code(&run, 0);
    finished_free(&run);
    char *row =
        text_of("10,lrr,9 KiB,1024,small,vecadd,1,1,pass,%lld,%lld\n", (long long)total(path, "kernels/0/cycles"),
                (long long)total(path, "blocks/core/total/l1_misses"));
    run = heddle("results", bench.store, "--statistic", "cycles", "--statistic", "core.l1_misses");
    expect_output(&run, "point,core.scheduler,core.l1.bytes,app.n,machine,app,seed,repetition,status,cycles,");
    expect_output(&run, row);
    finished_free(&run);
    free(row);
    free(path);
}

Test(sweep, what_is_there_is_not_run_again_whoever_asks)
{
    expect_sweep(sweep_now(&bench, TINY), 0, "0 there before, 2 done now");
    char *before = sweep_host_rows(&bench);
    expect_sweep(sweep_now(&bench, TINY), 0, "2 there before, 0 done now");
    char *after = sweep_host_rows(&bench);
    cr_expect_str_eq(before, after);
    free(after);
    free(before);
    /* Another experiment, which says one of the points in another way, and has one that is new. */
    sweep_bench_write(&bench, "other",
                      "axes:\n  kind:\n    new: {core.warps: 8}\n    known: {core.scheduler: lrr, app.n: 0x40}\n"
                      "set: {machine: " SMALL ", app: vecadd, app.n: 64}\n");
    expect_sweep(sweep_now(&bench, NULL), 0, "other: 2 runs: 1 there before, 1 done now");
    expect_sweep(sweep_now(&bench, TINY), 0, "2 there before, 0 done now");
    finished run = heddle("results", bench.store);
    expect_code(&run, 2);
    expect_error(&run, "holds several experiments");
    expect_error(&run, "'other', 'tiny'");
    finished_free(&run);
}

static void make_branch_profile(const char *run, const char *file, const char *scale)
{
    finished made = heddle("run", SMALL, "bfs", "--set", scale, "--profile", "--out", run, "--quiet");
    expect_code(&made, 0);
    finished_free(&made);
    made = heddle("profile", run, "--branches", file);
    expect_code(&made, 0);
    finished_free(&made);
}

/* A file that a block reads is an input as well; it is named from the sweep's file. */
Test(sweep, a_profile_that_has_changed_is_another_input)
{
    char *run = path_in(bench.folder, "run"), *again = path_in(bench.folder, "again"),
         *file = path_in(bench.folder, "b");
    sweep_bench_write(&bench, "profiled",
                      "set: {machine: " SMALL
                      ", app: bfs, app.scale: 5, core.reconvergence.stack.likely_points: profile,"
                      " core.reconvergence.stack.branch_profile: ./b}\n");
    make_branch_profile(run, file, "app.scale=5");
    expect_sweep(sweep_now(&bench, NULL), 0, "0 there before, 1 done now");
    expect_sweep(sweep_now(&bench, NULL), 0, "1 there before, 0 done now");
    cr_assert_eq(unlink(file), 0);
    make_branch_profile(again, file, "app.scale=6");
    expect_sweep(sweep_now(&bench, NULL), 0, "0 there before, 1 done now");
    free(file);
    free(again);
    free(run);
}

/* What the machine asks of its blocks is known before a run. */
Test(sweep, launches_may_be_unaligned)
{
    sweep_bench_write(&bench, "unaligned",
                      "set: {machine: " SMALL ", app: vecadd, launch_align: false}\naxes: {app.n: [32, 64]}\n");
    expect_sweep(sweep_now(&bench, NULL), 0, "unaligned: 2 runs: 0 there before, 2 done now, 0 left; 0 failed");
}

Test(sweep, points_with_the_same_inputs_are_one_run)
{
    sweep_bench_write(&bench, "same",
                      "axes:\n  core.scheduler: [gto, lrr]\n  label: {a: {}, b: {core.warps: 16}, c: {core.warps: 8}}\n"
                      "set: {machine: " SMALL ", app: vecadd, app.n: 64}\nrepeat: 2\n");
    expect_sweep(sweep_now(&bench, NULL), 0, "same: 8 runs: 0 there before, 8 done now");
    cr_expect_eq(sweep_passed(&bench), 6); /* of two runs each */
}

Test(sweep, seeds_are_an_axis_and_repetitions_agree)
{
    sweep_bench_write(&bench, "seeds",
                      "set: {machine: " SMALL ", app: hashtable, app.buckets: 16, app.block: 48, app.grid: 2,\n"
                      "      perturb: 0}\naxes: {seed: [1, {from: 2, to: 3, step: 1}], app.seed: [1, 2]}\nrepeat: 2\n");
    expect_sweep(sweep_now(&bench, NULL, "--jobs", "3"), 0, "12 done now, 0 left; 0 failed");
    finished run = heddle("results", bench.store);
    expect_output(&run, "point,seed,app.seed,machine,app,repetition,status,cycles\n1,1,1,small,hashtable,1,pass,");
    finished_free(&run);
}

Test(sweep, a_file_that_grows_runs_what_is_new_and_shows_what_it_says_now)
{
    sweep_bench_write(&bench, "grows", "set: {machine: " SMALL ", app: vecadd}\naxes: {app.n: [32, 64]}\n");
    expect_sweep(sweep_now(&bench, NULL), 0, "0 there before, 2 done now");
    sweep_bench_write(&bench, "grows", "set: {machine: " SMALL ", app: vecadd}\naxes: {app.n: [64, 96, 128]}\n");
    expect_sweep(sweep_now(&bench, NULL), 0, "3 runs: 1 there before, 2 done now");
    cr_expect_eq(sweep_passed(&bench), 3);
}

/* ---- Failures ------------------------------------------------------------------------------------------------------- */

Test(sweep, a_run_that_fails_is_kept_with_its_log_and_tried_again_on_demand)
{
    finished run = sweep_now(&bench, FAILS);
    expect_error(&run, "1 of 2 runs failed");
    expect_sweep(run, 1, "2 done now, 0 left; 1 failed");
    expect_sweep(sweep_now(&bench, FAILS), 1, "2 there before, 0 done now, 0 left; 1 failed");
    run = heddle("results", bench.store, "--failed");
    expect_code(&run, 0);
    expect_output(&run, "point 1 {\"core.reconvergence\":\"stack\"}, repetition 1: simt_deadlock, exit code 1");
    expect_output(&run, "spinlock+0x");
    cr_expect_null(strstr(run.out, "mimd"));
    finished_free(&run);
    expect_sweep(sweep_now(&bench, FAILS, "--retry-failed"), 1, "1 there before, 1 done now, 0 left; 1 failed");
    char *left = folder_list(bench.folder);
    cr_expect_str_eq(left, "s.db ");
    free(left);
}

Test(sweep, a_run_without_results_has_failed_too)
{
    sweep_bench_write(&bench, "ends",
                      "set: {machine: " SMALL ", app: " SYSTEM_APPS "/faults}\naxes: {app.exit: [0, 1]}\n");
    expect_sweep(sweep_now(&bench, NULL), 1, "2 done now, 0 left; 2 failed");
    finished run = heddle("results", bench.store, "--failed");
    expect_output(&run, "{\"app.exit\":\"0\"}, repetition 1: fail, exit code 1\n");
    expect_output(&run, "kernel nothing came to its end");
    expect_output(&run, "{\"app.exit\":\"1\"}, repetition 1: error, exit code 1\nerror: the host program called exit");
    finished_free(&run);
}

/* The processes that a sweep has started. */
static pid_t child_of(pid_t parent)
{
    char *path = text_of("/proc/%d/task/%d/children", (int)parent, (int)parent);
    FILE *file = fopen(path, "r");
    int child = 0;
    if (file) {
        if (fscanf(file, "%d", &child) != 1)
            child = 0;
        fclose(file);
    }
    free(path);
    return child;
}

static pid_t child_when_there(pid_t parent)
{
    pid_t child = 0;
    for (int i = 0; i < 500 && !(child = child_of(parent)); i++)
        pause_ms(10);
    cr_assert(child, "no run was started");
    return child;
}

static pid_t start_long_sweep(void)
{
    sweep_bench_write(&bench, "long", "set: {machine: " GTX480 ", app: xorshift}\naxes: {app.steps: [64, 100M]}\n");
    return sweep_start(&bench, NULL, (const char *const[]){"--jobs", "1", NULL});
}

/* Until the first point is done, and the second one runs. */
static pid_t second_run(pid_t sweep)
{
    for (int i = 0; i < 1000 && !sweep_passed(&bench); i++)
        pause_ms(10);
    return child_when_there(sweep);
}

Test(sweep, a_run_that_is_killed_has_failed)
{
    pid_t sweep = start_long_sweep();
    kill(second_run(sweep), SIGKILL); /* nobody takes it for a crash of the host program, which may be computing */
    expect_sweep(sweep_wait(&bench, sweep), 1, "2 done now, 0 left; 1 failed");
    finished run = heddle("results", bench.store, "--failed");
    expect_output(&run, ": crash, exit code 137\nended by signal 9");
    finished_free(&run);
}

Test(sweep, an_interrupt_ends_what_runs_and_keeps_what_is_done)
{
    pid_t sweep = start_long_sweep(), run = second_run(sweep);
    kill(sweep, SIGINT);
    finished ended = sweep_wait(&bench, sweep);
    expect_error(&ended, "the same command goes on from here");
    expect_sweep(ended, 130, "1 done now, 1 left; 0 failed");
    cr_expect(kill(run, 0) < 0, "a run is left behind");
}

Test(sweep, nothing_runs_on_after_a_sweep_that_is_killed)
{
    pid_t sweep = start_long_sweep(), run = second_run(sweep);
    kill(sweep, SIGKILL);
    finished ended = sweep_wait(&bench, sweep);
    expect_code(&ended, 128 + SIGKILL);
    finished_free(&ended);
    int is_gone = 0;
    for (int i = 0; i < 500 && !(is_gone = kill(run, 0) < 0); i++)
        pause_ms(10);
    cr_expect(is_gone, "a run is left behind");
    cr_expect_eq(sweep_passed(&bench), 1);
}

/* ---- Killed at any moment ------------------------------------------------------------------------------------------- */

/* Every row that passed in `before` is in `after` as it was: when it ran as well. */
static void expect_kept(const char *before, const char *after)
{
    for (const char *line = before; *line;) {
        size_t length = strcspn(line, "\n");
        char *row = strndup(line, length + 1);
        if (strstr(row, ",pass,"))
            cr_expect(strstr(after, row), "run again, or lost: %s", row);
        free(row);
        line += length + (line[length] == '\n');
    }
}

static void kill_after(long milliseconds)
{
    pid_t sweep = sweep_start(&bench, TWELVE, (const char *const[]){"--jobs", "2", NULL});
    pause_ms(milliseconds);
    kill(sweep, SIGKILL);
    finished run = sweep_wait(&bench, sweep);
    finished_free(&run);
}

/* Twelve runs take a second or so; what is there before each kill must be there in the end, and the whole be as it is
 * without kills. */
Test(sweep, killed_at_any_moment_it_loses_nothing_and_runs_nothing_twice, .timeout = 1200)
{
    const char *given = getenv("HEDDLE_SEED");
    unsigned seed = given ? (unsigned)strtoul(given, NULL, 0) : (unsigned)time(NULL);
    fprintf(stderr, "HEDDLE_SEED=%u\n", seed);
    srand(seed);
    sweep_bench whole = sweep_bench_open();
    expect_sweep(sweep_now(&whole, TWELVE), 0, "12 done now");
    char *expected = sweep_rows(&whole), *before = strdup("");
    sweep_bench_close(&whole);
    const char *kills = getenv("HEDDLE_SWEEP_KILLS");
    for (int i = 0, count = kills ? atoi(kills) : 6; i < count; i++) {
        kill_after(rand() % 400);
        if (!sweep_passed(&bench))
            continue;
        char *after = sweep_host_rows(&bench);
        expect_kept(before, after);
        free(before);
        before = after;
    }
    expect_sweep(sweep_now(&bench, TWELVE), 0, "0 left; 0 failed");
    char *after = sweep_host_rows(&bench), *rows = sweep_rows(&bench);
    expect_kept(before, after);
    cr_expect_str_eq(rows, expected);
    char *left = folder_list(bench.folder);
    cr_expect_str_eq(left, "s.db ");
    free(left);
    free(rows);
    free(after);
    free(before);
    free(expected);
}

/* ---- Experiments that come with it ------------------------------------------------------------------------------------ */

Test(sweep, every_experiment_is_in_order)
{
    glob_t files;
    cr_assert_eq(glob(HEDDLE_EXPERIMENTS "/*.yaml", 0, NULL, &files), 0);
    cr_assert_eq(glob(HEDDLE_EXPERIMENTS "/figures/*.yaml", GLOB_APPEND, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++)
        expect_sweep(sweep_now(&bench, files.gl_pathv[i], "--list"), 0, "is in order");
    cr_expect_geq(files.gl_pathc, 4);
    globfree(&files);
}

/* ---- Repetitions ---------------------------------------------------------------------------------------------------- */

#define CONTENDED "set: {machine: " SMALL ", app: hashtable, app.buckets: 16, app.block: 48, app.grid: 2}\n"

/* The cycles of `run` with a seed. */
static long long cycles_of_seed(const char *seed)
{
    char *path = path_in(bench.folder, "stats.json"), *setting = text_of("perturb=%s", seed);
    finished run = heddle("run", SMALL, "hashtable", "--set", "app.buckets=16", "--set", "app.block=48", "--set",
                          "app.grid=2", "--set", setting, "--stats", path);
    expect_code(&run, 0);
    finished_free(&run);
    const long long cycles = total(path, "kernels/0/cycles");
    free(setting);
    free(path);
    return cycles;
}

Test(sweep, repetitions_are_runs_with_the_seeds_from_1_and_more_of_them_go_on_from_there)
{
    sweep_bench_write(&bench, "chance", CONTENDED);
    expect_sweep(sweep_now(&bench, NULL, "--repeat", "2"), 0, "chance: 2 runs: 0 there before, 2 done now");
    expect_sweep(sweep_now(&bench, NULL, "--repeat", "3"), 0, "chance: 3 runs: 2 there before, 1 done now");
    const long long cycles[] = {cycles_of_seed("1"), cycles_of_seed("2"), cycles_of_seed("3")};
    cr_expect(cycles[0] != cycles[1] || cycles[1] != cycles[2]);
    char *rows = text_of("1,small,hashtable,1,1,pass,%lld\n1,small,hashtable,1,2,pass,%lld\n"
                         "1,small,hashtable,1,3,pass,%lld\n",
                         cycles[0], cycles[1], cycles[2]);
    finished run = heddle("results", bench.store, "--runs");
    expect_output(&run, rows);
    finished_free(&run);
    char *mean = text_of("1,small,hashtable,1,3,pass,%.15g,", (double)(cycles[0] + cycles[1] + cycles[2]) / 3);
    run = heddle("results", bench.store);
    expect_output(&run, mean);
    finished_free(&run);
    free(mean);
    free(rows);
    /* The machine as it is, is another. */
    expect_sweep(sweep_now(&bench, NULL), 0, "chance: 1 runs: 0 there before, 1 done now");
}

Test(sweep, a_number_of_repetitions_that_is_none)
{
    sweep_bench_write(&bench, "chance", CONTENDED);
    static const char *const wrong[] = {"0", "1001", "two", "-1", ""};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        expect_sweep(sweep_now(&bench, NULL, "--repeat", wrong[i]), 2, "it must be a number from 1 to 1000");
}
