/* SPDX-License-Identifier: MIT */
/* The command `report`: what it writes, and that nothing is left half done when it cannot. tests/system/report looks at the pages. */
#include <criterion/criterion.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "folder.h"
#include "sweeps.h"

#define TINY SYSTEM_SWEEPS "/tiny.yaml"

static sweep_bench bench;
static char *page;

static void open_bench(void)
{
    bench = sweep_bench_open();
    page = path_in(bench.folder, "page.html");
    expect_sweep(sweep_now(&bench, TINY), 0, "2 done now");
}

static void close_bench(void)
{
    free(page);
    sweep_bench_close(&bench);
}

TestSuite(reports, .init = open_bench, .fini = close_bench);

static sqlite3 *change_store(const char *sql)
{
    sqlite3 *db;
    cr_assert_eq(sqlite3_open(bench.store, &db), SQLITE_OK);
    cr_assert_eq(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK, "%s: %s", sql, sqlite3_errmsg(db));
    return db;
}

static void expect_report(finished run, int code, const char *part)
{
    expect_code(&run, code);
    if (code)
        expect_error(&run, part);
    else
        expect_output(&run, part);
    const char *error = strstr(run.err, "error");
    cr_expect(!code || (error && !strstr(error + 1, "\nerror")), "one error: %s", run.err);
    finished_free(&run);
}

static void expect_page(const char *part)
{
    char *text = file_read(page, NULL);
    cr_assert(text, "no page");
    cr_expect(strstr(text, part), "no %s", part);
    cr_expect(strstr(text, "</html>\n"), "it ends in the middle");
    free(text);
}

/* The page is what it was, and nothing is beside it. */
static void expect_untouched(void)
{
    char *text = file_read(page, NULL), *all = folder_list(bench.folder);
    cr_expect_str_eq(text, "before\n");
    cr_expect_null(strstr(all, ".tmp"), "%s", all);
    cr_expect_null(strstr(all, ".page.html"), "%s", all);
    free(all);
    free(text);
}

static void expect_refused(const char *part)
{
    file_write(page, "before\n", 7);
    expect_report(heddle("report", bench.store, "-o", page), 2, part);
    expect_untouched();
}

Test(reports, go_beside_the_store_or_where_they_are_asked_for)
{
    char *beside = path_in(bench.folder, "s.html"), *line = text_of("report: %s\n", beside);
    expect_report(heddle("report", bench.store), 0, line);
    cr_expect_not(access(beside, R_OK));
    expect_report(heddle("report", bench.store, "-o", page), 0, "page.html\n");
    expect_page("\"name\":\"tiny\"");
    expect_page("Permission to use, copy, modify");
    free(line);
    free(beside);
}

Test(reports, hold_all_experiments_or_one)
{
    sweep_bench_write(&bench, "second", "set: {machine: " SYSTEM_MACHINES "/small.yaml, app: vecadd, app.n: 32}\n");
    expect_sweep(sweep_now(&bench, NULL), 0, "1 done now");
    expect_report(heddle("report", bench.store, "-o", page), 0, "");
    expect_page("\"name\":\"second\"");
    expect_page("\"name\":\"tiny\"");
    expect_report(heddle("report", bench.store, "-o", page, "--experiment", "second"), 0, "");
    char *text = file_read(page, NULL);
    cr_expect_null(strstr(text, "\"name\":\"tiny\""));
    free(text);
    expect_report(heddle("report", bench.store, "--experiment", "secnd"), 2, "did you mean 'second'");
}

/* Each class of statistic that ends in a stack of every core: if a block gets another, the stack has to get it too. */
Test(reports, stack_every_cause_of_a_slot)
{
    finished run = heddle("results", bench.store, "--statistic", "core.slots_*");
    char *head = strndup(run.out, strcspn(run.out, "\n"));
    expect_report(heddle("report", bench.store, "-o", page), 0, "");
    unsigned count = 0;
    strtok(head, ",");
    for (char *name = strtok(NULL, ","); name; name = strtok(NULL, ",")) {
        if (strncmp(name, "core.slots_", 11) != 0)
            continue;
        char *part = text_of("{\"statistic\":\"%s\",\"label\":", name + 5);
        expect_page(part);
        free(part);
        count++;
    }
    cr_expect_gt(count, 9);
    free(head);
    finished_free(&run);
}

/* ---- Pictures -------------------------------------------------------------------------------------------------------- */

static void expect_same_files(const char *one, const char *other, const char *names)
{
    char *all = folder_list(one);
    cr_assert_str_eq(all, names);
    for (char *name = strtok(all, " "); name; name = strtok(NULL, " ")) {
        size_t bytes, more;
        char *a = path_in(one, name), *b = path_in(other, name), *text = file_read(a, &bytes),
             *again = file_read(b, &more);
        cr_assert(text && again);
        cr_expect(bytes == more && bytes > 1000 && !memcmp(text, again, bytes), "%s: %zu and %zu bytes", name, bytes,
                  more);
        free(again);
        free(text);
        free(b);
        free(a);
    }
    free(all);
}

Test(reports, draw_the_same_pictures_each_time)
{
    char *one = path_in(bench.folder, "one"), *other = path_in(bench.folder, "other/deep");
    expect_report(heddle("report", bench.store, "--svg", one, "--png", one), 0, "pictures: 3 in ");
    expect_report(heddle("report", bench.store, "--svg", other, "--png", other), 0, "pictures: 3 in ");
    expect_same_files(
        one, other,
        "tiny-cycles.png tiny-cycles.svg tiny-slots-core.png tiny-slots-core.svg tiny-time.png tiny-time.svg ");
    char *path = path_in(one, "tiny-cycles.svg"), *text = file_read(path, NULL);
    cr_expect(strstr(text, "<svg ") == text && strstr(text, "</svg>\n") && strstr(text, "gto") &&
              strstr(text, "<rect "));
    cr_expect_null(strstr(text, "var("), "colours that only a page knows");
    free(text);
    free(path);
    free(one);
    free(other);
}

Test(reports, refuse_pictures_that_cannot_be)
{
    file_write(page, "before\n", 7);
    expect_report(heddle("report", bench.store, "-o", page, "--svg", page), 2,
                  "error[R12]: pictures cannot be written to ");
    expect_report(heddle("report", bench.store, "-o", page, "--png", "/proc/nowhere"), 2,
                  "error[R12]: pictures cannot be written to ");
    char *pictures = path_in(bench.folder, "pictures"), *bin = path_in(bench.folder, "bin"),
         *node = path_in(bin, "node");
    limit_files(40000); /* more than SQLite needs, less than a picture */
    finished run = heddle("report", bench.store, "-o", page, "--png", pictures);
    limit_files(LIMIT_NONE);
    expect_report(run, 2, "error[R12]: ");
    char *other = path_in(bench.folder, "\xFF");
    expect_report(heddle("report", bench.store, "-o", page, "--svg", other), 2,
                  ": node takes only names that are UTF-8 text");
    free(other);
    setenv("PATH", bin, 1);
    expect_report(heddle("report", bench.store, "-o", page, "--svg", pictures), 2,
                  "error[R13]: --svg and --png need the program node");
    expect_untouched();
    char *made = folder_list(pictures);
    cr_expect_str_empty(made, "%s", made);
    free(made);
    free(node);
    free(bin);
    free(pictures);
}

/* ---- Stores and outputs that are not as they should be --------------------------------------------------------------- */

Test(reports, refuse_stores_that_are_none)
{
    sqlite3_close(change_store("DELETE FROM run"));
    expect_refused("error[R10]: store ");
    sqlite3_close(change_store("DELETE FROM experiment"));
    expect_refused("error[R08]: store ");
    sqlite3_close(change_store("PRAGMA user_version = 9"));
    expect_refused("error[R03]: store ");
    file_write(bench.store, "no database, but long enough to be taken for one", 48);
    expect_refused("error[R02]: store ");
    cr_assert_eq(unlink(bench.store), 0);
    expect_refused("error[R01]: store ");
}

Test(reports, refuse_a_store_that_is_locked)
{
    sqlite3 *db = change_store("PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; UPDATE run SET host = host; COMMIT");
    expect_refused("error[R04]: store ");
    sqlite3_close(db);
    expect_report(heddle("report", bench.store, "-o", page), 0, "page.html");
}

Test(reports, read_stores_that_are_read_only)
{
    char *elsewhere = path_in(bench.output, "page.html"), *before = folder_list(bench.folder);
    cr_assert_eq(chmod(bench.store, 0444) || chmod(bench.folder, 0555), 0);
    cr_assert(geteuid() != 0 || !chown(bench.output, 65534, 65534));
    become_nobody();
    if (access(HEDDLE_COMMAND, X_OK))
        cr_skip_test("the build folder is closed to others");
    setenv("TMPDIR", bench.output, 1);
    expect_report(heddle("report", bench.store, "-o", elsewhere), 0, "page.html");
    expect_report(heddle("report", bench.store), 2, "s.html: Permission denied");
    char *after = folder_list(bench.folder);
    cr_expect_str_eq(after, before);
    free(after);
    free(before);
    free(elsewhere);
}

Test(reports, are_written_as_a_whole_or_not_at_all)
{
    expect_report(heddle("report", bench.store, "-o", "/dev/full"), 2,
                  "error[R12]: the report cannot be written to /dev/full: No space left on device");
    expect_report(heddle("report", bench.store, "-o", bench.folder), 2, ": Is a directory");
    expect_report(heddle("report", bench.store, "-o", "/nowhere/at/all.html"), 2,
                  "/nowhere/at/all.html: No such file or directory");
    limit_files(100000);
    expect_refused("page.html: File too large");
}

Test(reports, refuse_words_that_make_no_sense)
{
    expect_report(heddle("report"), 2, "too few arguments");
    expect_report(heddle("report", bench.store, "--sgv", "x"), 2, "did you mean '--svg'");
}
