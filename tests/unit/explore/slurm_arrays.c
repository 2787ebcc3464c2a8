/* SPDX-License-Identifier: MIT */
/* Job arrays, with a program in place of sbatch that says how it was called. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "slurm.h"
#include "text.h"
#include "world.h"

static spool files;
static char *path;

static void enter(void)
{
    char *error;
    world_enter();
    char *folder = realpath(".", NULL);
    cr_assert(spool_open(&files, "s.db", &error), "%s", error);
    world_write("sbatch", "#!/bin/sh\nprintf '%s\\n' \"$@\" >\"${0%/*}/said\"\necho 7\n");
    cr_assert_eq(chmod("sbatch", 0755), 0);
    path = strdup(getenv("PATH"));
    char *changed = hd_text_format("%s:%s", folder, path);
    setenv("PATH", changed, 1);
    free(changed);
    free(folder);
}

static void leave(void)
{
    setenv("PATH", path, 1);
    free(path);
    spool_close(&files, 1);
    world_leave();
}

TestSuite(slurm_arrays, .init = enter, .fini = leave);

static void submit(const char *name, char **tasks, size_t throttle)
{
    static const char *const options[] = {"--partition=short", "--mem=1G"};
    char *error = NULL;
    slurm_array array = {.tasks = tasks};
    snprintf(array.name, sizeof array.name, "%s", name);
    cr_assert(slurm_submit(&files, &array, options, 2, throttle, &error), "%s", error);
}

static void expect_said(const char *format, const char *array)
{
    char text[2048], *expected = hd_text_format(format, array, files.folder, files.folder);
    FILE *file = fopen("said", "r");
    cr_assert(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    cr_expect_str_eq(text, expected);
    free(expected);
}

/* The user's options come first: what the sweep relies on is not theirs to change. */
Test(slurm_arrays, are_submitted_with_the_options_of_the_user_and_their_own)
{
    submit("first", (char *[]){"a", "b", "c", NULL}, 0);
    expect_said("--parsable\n--export=PATH\n--partition=short\n--mem=1G\n--job-name=%1$s\n--array=0-2\n--chdir=%2$s\n"
                "--output=%1$s-%%a.out\n%3$s/%1$s.sh\n",
                "first");
    submit("second", (char *[]){"a", "b", NULL}, 1);
    expect_said("--parsable\n--export=PATH\n--partition=short\n--mem=1G\n--job-name=%1$s\n--array=0-1%%1\n"
                "--chdir=%2$s\n--output=%1$s-%%a.out\n%3$s/%1$s.sh\n",
                "second");
}

Test(slurm_arrays, are_found_again_by_their_files_until_they_are_forgotten)
{
    size_t count;
    submit("first", (char *[]){"a", "b", "c", NULL}, 0);
    submit("second", (char *[]){"d", NULL}, 0);
    slurm_array *arrays = slurm_arrays(&files, &count);
    cr_assert_eq(count, 2);
    const slurm_array *first = &arrays[strcmp(arrays[0].name, "first") != 0], *second = &arrays[first == arrays];
    cr_expect_str_eq(first->name, "first");
    cr_expect_str_eq(second->name, "second");
    cr_expect(first->tasks[0] && !strcmp(first->tasks[0], "a") && first->tasks[2] && !strcmp(first->tasks[2], "c") &&
              !first->tasks[3]);
    cr_expect(second->tasks[0] && !strcmp(second->tasks[0], "d") && !second->tasks[1]);
    slurm_forget(&files, first);
    slurm_free_arrays(arrays, count);
    arrays = slurm_arrays(&files, &count);
    cr_assert_eq(count, 1);
    cr_expect_str_eq(arrays[0].name, "second");
    slurm_free_arrays(arrays, count);
}
