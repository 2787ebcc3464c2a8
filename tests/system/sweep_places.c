/* SPDX-License-Identifier: MIT */
/* Where a store may be, by what name, and what becomes of it meanwhile. */
#include <criterion/criterion.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "folder.h"
#include "sweeps.h"

#define TINY SYSTEM_SWEEPS "/tiny.yaml"
#define SMALL SYSTEM_MACHINES "/small.yaml"

static sweep_bench bench;

static void open_bench(void)
{
    bench = sweep_bench_open();
    cr_assert_eq(chdir(bench.folder), 0);
}

static void close_bench(void)
{
    cr_assert_eq(chdir("/"), 0);
    sweep_bench_close(&bench);
}

TestSuite(sweep_places, .init = open_bench, .fini = close_bench);

/* ---- Moved and removed ------------------------------------------------------------------------------------------------ */

/* Two hundred short runs, one after the other; returns when the first is in the store. */
static pid_t start_many(void)
{
    sweep_bench_write(&bench, "many",
                      "set: {machine: " SMALL ", app: vecadd}\naxes: {app.n: [{from: 32, to: 6400, step: 32}]}\n");
    pid_t sweep = sweep_start(&bench, NULL, (const char *const[]){"--jobs", "1", NULL});
    for (int i = 0; i < 1000 && !sweep_passed(&bench); i++)
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    return sweep;
}

Test(sweep_places, a_store_that_is_removed_meanwhile_is_no_success)
{
    pid_t sweep = start_many();
    cr_assert_eq(unlink("s.db"), 0);
    expect_sweep(sweep_wait(&bench, sweep), 2, "s.db: it was moved or removed meanwhile");
    /* What was complete and not recorded is there for the next one. */
    char *left = folder_list("s.db.runs");
    cr_expect(strstr(left, "-1.json "), "%s", left);
    free(left);
}

Test(sweep_places, a_store_that_is_moved_meanwhile_has_what_it_had)
{
    pid_t sweep = start_many();
    unsigned before = sweep_passed(&bench);
    cr_assert_eq(rename("s.db", "t.db"), 0);
    expect_sweep(sweep_wait(&bench, sweep), 2, "s.db: it was moved or removed meanwhile");
    free(bench.store);
    bench.store = path_in(bench.folder, "t.db");
    cr_expect_geq(sweep_passed(&bench), before);
}

Test(sweep_places, a_store_that_another_one_takes_the_place_of)
{
    expect_sweep(sweep_now(&bench, TINY), 0, "2 done now");
    cr_assert_eq(rename("s.db", "other.db"), 0);
    pid_t sweep = start_many();
    cr_assert_eq(rename("other.db", "s.db"), 0);
    expect_sweep(sweep_wait(&bench, sweep), 2, "s.db: it was moved or removed meanwhile");
    expect_sweep(sweep_now(&bench, TINY), 0, "2 there before, 0 done now");
}

Test(sweep_places, a_folder_that_is_moved_meanwhile_is_no_success)
{
    cr_assert_eq(mkdir("a", 0777), 0);
    free(bench.store);
    bench.store = path_in(bench.folder, "a/s.db");
    pid_t sweep = start_many();
    cr_assert_eq(rename("a", "b"), 0);
    finished run = sweep_wait(&bench, sweep);
    expect_code(&run, 2);
    expect_error(&run, "error");
    finished_free(&run);
    free(bench.store);
    bench.store = path_in(bench.folder, "b/s.db");
    cr_expect_geq(sweep_passed(&bench), 1);
}

/* ---- Names ------------------------------------------------------------------------------------------------------------ */

static void expect_store(const char *name)
{
    finished run = heddle("sweep", TINY, "--store", name, "--quiet");
    expect_code(&run, 0);
    finished_free(&run);
    cr_expect_eq(access(name, F_OK), 0, "there is no file '%s'", name);
    run = heddle("results", name);
    expect_code(&run, 0);
    expect_output(&run, ",pass,");
    finished_free(&run);
}

Test(sweep_places, a_name_is_that_of_a_file)
{
    static const char *const names[] = {":memory:", "file:x.db", "file:y.db?mode=memory", "a%20b.db", "?", "#"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        expect_store(names[i]);
    finished run = heddle("sweep", TINY, "--store", "");
    expect_code(&run, 2);
    expect_error(&run, "error[R01]: store : ");
    finished_free(&run);
}

/* The names of SQLite's and the sweep's files are longer. */
Test(sweep_places, a_name_that_is_too_long_is_an_error)
{
    char name[256];
    memset(name, 'a', 255);
    name[255] = '\0';
    for (size_t length = 255; length >= 249; length -= 2) {
        name[length] = '\0';
        finished run = heddle("sweep", TINY, "--store", name);
        cr_expect_eq(run.code, length + strlen(".runs") <= 255 && length + strlen("-journal") <= 255 ? 0 : 2);
        if (run.code)
            expect_error(&run, "File name too long");
        finished_free(&run);
        char *left = folder_list(".");
        cr_expect_str_eq(left, "", "something is left: %s", left);
        free(left);
    }
    name[240] = '\0';
    expect_store(name);
}

/* ---- Links ------------------------------------------------------------------------------------------------------------ */

Test(sweep_places, a_store_by_another_name_has_the_same_lock)
{
    pid_t sweep = start_many();
    char *other = folder_new();
    cr_assert(!mkdir("sub", 0777) && !symlink("../s.db", "sub/link.db"));
    finished run =
        heddle_wait(other, heddle_start(other, (const char *const[]){"sweep", TINY, "--store", "sub/link.db", NULL}));
    expect_code(&run, 2);
    expect_error(&run, "error: store sub/link.db: a sweep is using it: process ");
    finished_free(&run);
    kill(sweep, SIGINT);
    run = sweep_wait(&bench, sweep);
    expect_code(&run, 130);
    finished_free(&run);
    run = heddle("sweep", TINY, "--store", "sub/link.db");
    expect_code(&run, 0);
    finished_free(&run);
    expect_sweep(sweep_now(&bench, TINY), 0, "2 there before, 0 done now");
    char *left = folder_list("sub");
    cr_expect_str_eq(left, "link.db ");
    free(left);
    folder_remove(other);
}

static void expect_untouched(const char *path)
{
    char *text = file_read(path, NULL);
    cr_expect(text && !strcmp(text, "mine"), "%s has been written or removed", path);
    free(text);
}

Test(sweep_places, no_link_is_taken_for_a_lock)
{
    file_write("mine", "mine", 4);
    cr_assert(!mkdir("s.db.runs", 0777) && !symlink("../mine", "s.db.runs/lock"));
    expect_sweep(sweep_now(&bench, TINY), 2, "s.db.runs/lock: it is a link, and no lock of a sweep");
    expect_untouched("mine");
}

Test(sweep_places, no_link_is_taken_for_the_folder_of_runs)
{
    cr_assert(!mkdir("home", 0777) && !symlink("home", "s.db.runs"));
    file_write("home/mine", "mine", 4);
    expect_sweep(sweep_now(&bench, TINY), 2, "s.db.runs: it is no folder of a sweep");
    expect_untouched("home/mine");
}

/* ---- Read-only -------------------------------------------------------------------------------------------------------- */

/* As somebody who cannot write to the folder. 0: that one cannot even run it. */
static int enter_read_only(void)
{
    cr_assert_eq(chmod(bench.folder, 0555), 0);
    cr_assert(geteuid() != 0 || !chown(bench.output, 65534, 65534));
    become_nobody();
    setenv("TMPDIR", bench.output, 1);
    return !access(HEDDLE_COMMAND, X_OK) && !access(TINY, R_OK);
}

static void leave_read_only(void)
{
    if (geteuid() == 65534)
        return;
    cr_assert_eq(chmod(bench.folder, 0777), 0);
}

Test(sweep_places, a_read_only_store_is_read_by_its_own_name)
{
    static const char *const names[] = {"a%20b.db", "a?b.db", "a#b.db", "x%.db", "\303\244.db", "a&immutable=0.db"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        expect_store(names[i]);
        cr_assert_eq(chmod(names[i], 0444), 0);
    }
    /* What escapes or a question mark would lead to. */
    file_write("a b.db", "This is no store.", 17);
    file_write("a", "This is no store.", 17);
    if (!enter_read_only())
        cr_skip_test("the build folder is closed to others");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        finished run = heddle("results", names[i]);
        expect_code(&run, 0);
        expect_output(&run, ",pass,");
        finished_free(&run);
    }
    finished run = heddle("results", "a b.db");
    expect_code(&run, 2);
    expect_error(&run, "error[R02]: store a b.db: it is not a result store");
    finished_free(&run);
    leave_read_only();
}

/* A sweep that was killed has left what it wrote last in a file of its own: without that the rows would be old ones. */
Test(sweep_places, a_read_only_store_is_not_read_by_half)
{
    sqlite3 *db;
    expect_sweep(sweep_now(&bench, TINY), 0, "2 done now");
    cr_assert_eq(sqlite3_open("s.db", &db), SQLITE_OK);
    cr_assert_eq(sqlite3_exec(db, "UPDATE run SET status = 'fail'", NULL, NULL, NULL), SQLITE_OK);
    file_copy("s.db", "killed.db");
    file_copy("s.db-wal", "killed.db-wal");
    sqlite3_close(db);
    cr_assert(!chmod("killed.db", 0444) && !chmod("killed.db-wal", 0444));
    if (!enter_read_only())
        cr_skip_test("the build folder is closed to others");
    finished run = heddle("results", "killed.db");
    expect_code(&run, 2);
    expect_error(&run, "killed.db-wal, which can be read only where the folder can be written");
    finished_free(&run);
    leave_read_only();
}
