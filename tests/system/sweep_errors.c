/* SPDX-License-Identifier: MIT */
/* What can go wrong with a sweep's store, its disk and its inputs while it runs: one error each, and nothing is lost. */
#include <criterion/criterion.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "folder.h"
#include "sweeps.h"

#define TINY SYSTEM_SWEEPS "/tiny.yaml"
#define TWELVE SYSTEM_SWEEPS "/twelve.yaml"
#define SMALL SYSTEM_MACHINES "/small.yaml"

static sweep_bench bench;

static void open_bench(void)
{
    bench = sweep_bench_open();
}

static void close_bench(void)
{
    sweep_bench_close(&bench);
}

TestSuite(sweep_errors, .init = open_bench, .fini = close_bench);

static sqlite3 *change_store(const char *sql)
{
    sqlite3 *db;
    cr_assert_eq(sqlite3_open(bench.store, &db), SQLITE_OK);
    sqlite3_busy_timeout(db, 5000);
    cr_assert_eq(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK, "%s: %s", sql, sqlite3_errmsg(db));
    return db;
}

static int count_row(void *count, int columns, char **values, char **names)
{
    (void)columns, (void)values, (void)names;
    ++*(int *)count;
    return 0;
}

static int rows_in(const char *sql)
{
    int count = 0;
    sqlite3 *db;
    cr_assert_eq(sqlite3_open(bench.store, &db), SQLITE_OK);
    cr_assert_eq(sqlite3_exec(db, sql, count_row, &count, NULL), SQLITE_OK);
    sqlite3_close(db);
    return count;
}

/* Both who write and who read. */
static void expect_refused(const char *part)
{
    expect_sweep(sweep_now(&bench, TINY), 2, part);
    finished run = heddle("results", bench.store);
    expect_code(&run, 2);
    expect_error(&run, part);
    finished_free(&run);
}

Test(sweep_errors, a_store_of_a_newer_version_is_left_alone)
{
    expect_sweep(sweep_now(&bench, TINY), 0, "2 done now");
    sqlite3_close(change_store("PRAGMA user_version = 7"));
    expect_refused("it has version 7, written by a newer heddle; this one supports version 1");
}

Test(sweep_errors, what_is_no_store_is_left_alone)
{
    sqlite3_close(change_store("CREATE TABLE other (x); INSERT INTO other VALUES (1)"));
    expect_refused("it is not a result store");
    file_write(bench.store, "This is no database, but it is long enough to be taken for one by its size.", 75);
    expect_refused("it is not a result store");
    char *text = file_read(bench.store, NULL);
    cr_expect_eq(strncmp(text, "This is no database", 19), 0);
    free(text);
}

Test(sweep_errors, a_store_that_is_not_there_or_cannot_be)
{
    finished run = heddle("results", bench.store);
    expect_code(&run, 2);
    expect_error(&run, "s.db: No such file or directory");
    finished_free(&run);
    run = heddle("sweep", TINY, "--store", "/nowhere/at/all/s.db");
    expect_code(&run, 2);
    expect_error(&run, "error[R01]: store /nowhere/at/all/s.db: ");
    finished_free(&run);
    cr_assert_eq(mkdir(bench.store, 0777), 0);
    expect_sweep(sweep_now(&bench, TINY), 2, "s.db: ");
}

Test(sweep_errors, a_store_that_somebody_has_locked)
{
    expect_sweep(sweep_now(&bench, TINY), 0, "2 done now");
    char *before = sweep_host_rows(&bench);
    sqlite3 *db = change_store("PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; UPDATE run SET host = host; COMMIT");
    expect_sweep(sweep_now(&bench, TINY), 2, "another program has locked it");
    sqlite3_close(db);
    expect_sweep(sweep_now(&bench, TINY), 0, "2 there before, 0 done now");
    char *after = sweep_host_rows(&bench);
    cr_expect_str_eq(before, after);
    free(after);
    free(before);
}

Test(sweep_errors, one_sweep_at_a_time_uses_a_store)
{
    sweep_bench_write(&bench, "long", "set: {machine: " SMALL ", app: xorshift, app.steps: 100M}\n");
    pid_t first = sweep_start(&bench, NULL, (const char *const[]){NULL});
    char *lock = path_in(bench.folder, "s.db.runs/lock"), *text = NULL, *second = folder_new();
    for (int i = 0; i < 500 && (!(text = file_read(lock, NULL)) || !*text); i++) {
        free(text);
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    finished run =
        heddle_wait(second, heddle_start(second, (const char *const[]){"sweep", TINY, "--store", bench.store, NULL}));
    char *whose = text_of("a sweep is using it: process %d on ", (int)first);
    expect_code(&run, 2);
    expect_error(&run, whose);
    finished_free(&run);
    kill(first, SIGINT);
    expect_sweep(sweep_wait(&bench, first), 130, "0 done now, 1 left");
    expect_sweep(sweep_now(&bench, TINY), 0, "2 done now");
    folder_remove(second);
    free(whose);
    free(text);
    free(lock);
}

Test(sweep_errors, a_store_that_is_read_only_can_be_read)
{
    expect_sweep(sweep_now(&bench, TINY), 0, "2 done now");
    cr_assert_eq(chmod(bench.store, 0444) || chmod(bench.folder, 0555), 0);
    cr_assert(geteuid() != 0 || !chown(bench.output, 65534, 65534));
    become_nobody();
    if (access(HEDDLE_COMMAND, X_OK) || access(TINY, R_OK))
        cr_skip_test("the build folder is closed to others");
    setenv("TMPDIR", bench.output, 1);
    expect_sweep(sweep_now(&bench, TINY), 2, "s.db: it is read-only");
    cr_expect_eq(sweep_passed(&bench), 2);
    expect_sweep(sweep_now(&bench, TINY), 2, "s.db: it is read-only");
}

/* Nothing can be written beside it. */
Test(sweep_errors, a_folder_that_is_read_only)
{
    expect_sweep(sweep_now(&bench, TINY), 0, "2 done now");
    cr_assert_eq(chmod(bench.store, 0666) || chmod(bench.folder, 0555), 0);
    cr_assert(geteuid() != 0 || !chown(bench.output, 65534, 65534));
    become_nobody();
    if (access(HEDDLE_COMMAND, X_OK) || access(TINY, R_OK))
        cr_skip_test("the build folder is closed to others");
    setenv("TMPDIR", bench.output, 1);
    expect_sweep(sweep_now(&bench, TINY), 2, "s.db: its folder is read-only");
    cr_expect_eq(sweep_passed(&bench), 2);
}

/* ---- A disk that is full: no file may grow past so many bytes ---------------------------------------------------------- */

static void expect_full(uint64_t bytes, const char *part)
{
    sweep_bench whole = sweep_bench_open();
    expect_sweep(sweep_now(&whole, TWELVE), 0, "12 done now");
    char *expected = sweep_rows(&whole);
    sweep_bench_close(&whole);

    limit_files(bytes);
    finished run = sweep_now(&bench, TWELVE);
    limit_files(LIMIT_NONE);
    expect_sweep(run, 2, part);
    char *runs = path_in(bench.folder, "s.db.runs"), *left = folder_list(runs);
    cr_expect(strstr(left, "-1.json "), "results that were complete are gone: %s", left);
    free(left);
    free(runs);
    char *before = sweep_host_rows(&bench);
    expect_sweep(sweep_now(&bench, TWELVE), 0, "0 left; 0 failed");
    /* Nobody has seen them begin. */
    cr_expect_geq(rows_in("SELECT 1 FROM run WHERE started IS NULL"), 1, "results that were complete were made again");
    char *after = sweep_host_rows(&bench), *rows = sweep_rows(&bench);
    cr_expect_str_eq(rows, expected);
    for (char *row = strtok(before, "\n"); row; row = strtok(NULL, "\n"))
        cr_expect(!strstr(row, ",pass,") || strstr(after, row), "run again, or lost: %s", row);
    free(rows);
    free(after);
    free(before);
    free(expected);
}

/* The store grows to its limit: results that were complete wait in their files. */
Test(sweep_errors, a_store_that_cannot_grow)
{
    expect_full(300000, "s.db: a write failed");
}

/* Results do not find room. No run has failed by that. */
Test(sweep_errors, results_that_cannot_be_written)
{
    expect_sweep(sweep_now(&bench, TINY), 0, "2 done now");
    limit_files(20000);
    finished run = sweep_now(&bench, TWELVE);
    limit_files(LIMIT_NONE);
    expect_sweep(run, 2, "File too large");
    expect_sweep(sweep_now(&bench, TWELVE), 0, "0 left; 0 failed");
}

/* ---- Inputs that change meanwhile ------------------------------------------------------------------------------------- */

Test(sweep_errors, a_machine_that_changes_meanwhile_ends_the_sweep)
{
    char *machine = path_in(bench.folder, "machine.yaml");
    const char before[] = "heddle: 1\nname: changing\nextends: " SMALL "\n",
               after[] = "heddle: 1\nname: changing\nextends: " SMALL "\nblocks: {core: {parameters: {warps: 8}}}\n";
    sweep_bench_write(&bench, "changing",
                      "set: {machine: ./machine.yaml, app: vecadd}\n"
                      "axes: {app.n: [{from: 32, to: 6400, step: 32}]}\n");
    file_write(machine, before, strlen(before));
    pid_t sweep = sweep_start(&bench, NULL, (const char *const[]){"--jobs", "1", NULL});
    for (int i = 0; i < 1000 && !sweep_passed(&bench); i++)
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    file_write(machine, after, strlen(after));
    expect_sweep(sweep_wait(&bench, sweep), 2, "machine.yaml has changed since the sweep began: start it again");
    free(machine);
}

Test(sweep_errors, repetitions_that_differ_are_told)
{
    sweep_bench_write(&bench, "again", "set: {machine: " SMALL ", app: vecadd, app.n: 64, perturb: 0}\n");
    expect_sweep(sweep_now(&bench, NULL), 0, "1 done now");
    sqlite3_close(change_store("UPDATE run SET statistics = 'other'"));
    sweep_bench_write(&bench, "again", "set: {machine: " SMALL ", app: vecadd, app.n: 64, perturb: 0}\nrepeat: 2\n");
    expect_sweep(sweep_now(&bench, NULL), 1, "1 there before, 1 done now, 0 left; 1 failed");
    finished run = heddle("results", bench.store, "--failed");
    expect_output(&run, "repetition 2: differs");
    expect_output(&run, "not those of another repetition");
    finished_free(&run);
}

/* ---- Words of the command --------------------------------------------------------------------------------------------- */

Test(sweep_errors, words_that_make_no_sense)
{
    expect_sweep(sweep_now(&bench, TINY, "--jobs", "none"), 2, "--jobs none: it must be a number");
    expect_sweep(sweep_now(&bench, TINY, "--engine=slrum"), 2, "did you mean 'slurm'");
    expect_sweep(sweep_now(&bench, TINY, "--sbatch=-p"), 2, "it needs --engine=slurm");
    expect_sweep(sweep_now(&bench, "/nowhere.yaml"), 2, "/nowhere.yaml:1:1: error[N01]: cannot read");
    expect_sweep(sweep_now(&bench, TINY), 0, "2 done now");
    finished run = heddle("results", bench.store, "--statistic", "core.warp_instruction");
    expect_code(&run, 2);
    expect_error(&run, "did you mean 'core.warp_instructions'");
    finished_free(&run);
}

Test(sweep_errors, slurm_that_is_not_there)
{
    setenv("PATH", "/nowhere", 1);
    expect_sweep(sweep_now(&bench, TINY, "--engine=slurm"), 2, "no program 'scontrol'; Debian package: slurm-client");
    expect_sweep(sweep_now(&bench, TINY), 0, "0 there before, 2 done now");
}
