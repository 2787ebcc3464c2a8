/* SPDX-License-Identifier: MIT */
/* Skeletons are there whole or not at all. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "folder.h"
#include "process.h"

static char *folder;

static void enter(void)
{
    folder = folder_new();
    cr_assert_eq(chdir(folder), 0);
}

static void leave(void)
{
    cr_assert_eq(chdir("/"), 0);
    folder_remove(folder);
}

TestSuite(skeletons, .init = enter, .fini = leave);

static void expect_left(const char *expected)
{
    char *left = folder_list(".");
    cr_expect_str_eq(left, expected);
    free(left);
}

static void expect_no_room(const char *what)
{
    finished run = strcmp(what, "unit") ? heddle("new", what, "mine") : heddle("new", what, "scheduler", "mine");
    expect_code(&run, 2);
    expect_error(&run, "File too large");
    cr_expect_str_empty(run.out);
    finished_free(&run);
}

Test(skeletons, of_apps_and_blocks_that_find_no_room_leave_nothing)
{
    for (uint64_t bytes = 100; bytes < 700; bytes += 100) {
        limit_files(bytes);
        expect_no_room("app");
        expect_no_room("block");
    }
    limit_files(LIMIT_NONE);
    expect_left("");
    finished run = heddle("new", "app", "mine");
    expect_code(&run, 0);
    finished_free(&run);
    expect_left("mine ");
}

Test(skeletons, of_units_that_find_no_room_leave_nothing)
{
    static const char *const folders[] = {"models", "models/simt_core", "models/simt_core/scheduler",
                                          "tests",  "tests/unit",       "tests/unit/simt_core"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        cr_assert_eq(mkdir(folders[i], 0777), 0);
    /* Longer than the files of the unit, which are made first. */
    char *list = calloc(1, 20000);
    memset(list, '\n', 16000);
    strcat(list, "    /* the end */\n");
    file_write("models/simt_core/scheduler/scheduler_units.h", list, strlen(list));
    for (uint64_t bytes = 100; bytes <= 12000; bytes += 1700) {
        limit_files(bytes);
        expect_no_room("unit");
        limit_files(LIMIT_NONE);
        char *units = folder_list("models/simt_core/scheduler"), *tests = folder_list("tests/unit/simt_core"),
             *kept = file_read("models/simt_core/scheduler/scheduler_units.h", NULL);
        cr_expect_str_eq(units, "scheduler_units.h ");
        cr_expect_str_eq(tests, "");
        cr_expect_str_eq(kept, list);
        free(kept);
        free(tests);
        free(units);
    }
    finished run = heddle("new", "unit", "scheduler", "mine");
    expect_code(&run, 0);
    finished_free(&run);
    char *units = folder_list("models/simt_core/scheduler");
    cr_expect_str_eq(units, "mine.c scheduler_units.h ");
    free(units);
    free(list);
}

Test(skeletons, take_the_place_of_nothing)
{
    cr_assert_eq(mkdir("mine", 0777), 0);
    file_write("mine/host.c", "kept", 4);
    finished run = heddle("new", "app", "mine");
    expect_code(&run, 2);
    expect_error(&run, "./mine: File exists");
    finished_free(&run);
    char *left = folder_list("mine"), *kept = file_read("mine/host.c", NULL);
    cr_expect_str_eq(left, "host.c ");
    cr_expect_str_eq(kept, "kept");
    free(kept);
    free(left);
}

/* A folder to which nothing can be added. */
Test(skeletons, need_a_folder_that_can_be_written)
{
    cr_assert_eq(mkdir("closed", 0555), 0);
    become_nobody();
    if (access(HEDDLE_COMMAND, X_OK))
        cr_skip_test("the build folder is closed to others");
    setenv("TMPDIR", "/tmp", 1);
    finished run = heddle("new", "app", "mine", "--to", "closed");
    expect_code(&run, 2);
    expect_error(&run, "closed/mine: Permission denied");
    finished_free(&run);
}

/* One per kind: its files, and the row in its list. */
Test(skeletons, of_units_are_there_for_every_kind)
{
    static const struct {
        const char *kind, *folder, *list, *unit, *row;
    } kinds[] = {
        {"scheduler", "models/simt_core/scheduler", "scheduler_units.h", "mine.c ", "    UNIT(scheduler, mine) \\\n"},
        {"reconvergence", "models/simt_core/reconvergence", "reconvergence_units.h", "mine.c ",
         "    UNIT(reconvergence, mine) \\\n"},
        {"scoreboard", "models/simt_core/scoreboard", "scoreboard_units.h", "mine.c ",
         "    UNIT(scoreboard, mine) \\\n"},
        {"tx", "models/simt_core/tx", "tx_units.h", "mine ", "    UNIT(tx, mine) \\\n"},
        {"replacement", "models/cache/replacement", "replacement_units.h", "mine.c ",
         "    UNIT(replacement, mine) \\\n"},
        {"thread_block_policy", "models/tb_scheduler/policy", "thread_block_policy_units.h", "mine.c ",
         "    UNIT(thread_block_policy, mine) \\\n"},
    };
    static const char *const folders[] = {
        "models",     "models/simt_core",     "models/cache",     "models/tb_scheduler",    "tests",
        "tests/unit", "tests/unit/simt_core", "tests/unit/cache", "tests/unit/tb_scheduler"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        cr_assert_eq(mkdir(folders[i], 0777), 0);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        static const char list[] = "    /* the end */\n";
        char path[256];
        cr_assert_eq(mkdir(kinds[i].folder, 0777), 0);
        snprintf(path, sizeof path, "%s/%s", kinds[i].folder, kinds[i].list);
        file_write(path, list, strlen(list));
        finished run = heddle("new", "unit", kinds[i].kind, "mine");
        expect_code(&run, 0);
        finished_free(&run);
        char *made = folder_list(kinds[i].folder), *longer = file_read(path, NULL);
        cr_expect_not_null(strstr(made, kinds[i].unit), "%s: %s", kinds[i].kind, made);
        cr_expect_eq(strncmp(longer, kinds[i].row, strlen(kinds[i].row)), 0, "%s", longer);
        free(longer);
        free(made);
        finished again = heddle("new", "unit", kinds[i].kind, "mine");
        expect_code(&again, 2);
        expect_error(&again, "already");
        finished_free(&again);
    }
}

Test(skeletons, of_units_are_asked_for_by_kind)
{
    finished unknown = heddle("new", "unit", "sheduler", "mine"), nameless = heddle("new", "unit", "tx");
    expect_code(&unknown, 2);
    expect_error(&unknown, "there are no units of kind 'sheduler'");
    expect_error(&unknown, "scheduler");
    expect_code(&nameless, 2);
    expect_error(&nameless, "a unit has a kind and a name: heddle new unit tx NAME");
    finished_free(&unknown);
    finished_free(&nameless);
}
