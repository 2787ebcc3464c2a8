/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "other_program.h"
#include "spool.h"
#include "world.h"

TestSuite(spools, .init = world_enter, .fini = world_leave);

Test(spools, hold_files_by_name_and_end)
{
    spool files;
    char *error;
    size_t bytes;
    cr_assert(spool_open(&files, "s.db", &error));
    cr_expect_not(spool_has(&files, "a", ".json"));
    cr_assert(spool_write(&files, "a", ".json", "0123456789", &error) && spool_check_room(&files, &error));
    cr_assert(spool_write(&files, "b", ".json", "", &error));
    char *tail = spool_read(&files, "a", ".json", 4, &bytes), *none = spool_read(&files, "c", ".json", 4, NULL);
    cr_expect_str_eq(tail, "6789");
    cr_expect_eq(bytes, 4);
    cr_expect_null(none);
    char **names = spool_list(&files, ".json");
    cr_assert(names[0] && names[1] && !names[2]);
    cr_expect_eq(*names[0] + *names[1], 'a' + 'b');
    spool_free_names(names);
    spool_remove(&files, "a", ".json");
    cr_expect_not(spool_has(&files, "a", ".json"));
    free(tail);
    spool_close(&files, 0);
    cr_expect_eq(access("s.db.runs/b.json", F_OK), 0);
    cr_assert(spool_open(&files, "s.db", &error));
    spool_close(&files, 1);
    cr_expect_neq(access("s.db.runs", F_OK), 0);
}

/* A lock ends with its process, however that ends. */
Test(spools, are_held_by_one_process)
{
    spool files;
    char *error;
    cr_assert(spool_open(&files, "s.db", &error));
    pid_t child = fork();
    if (!child) {
        spool other;
        char *refusal;
        _exit(spool_open(&other, "s.db", &refusal) || !strstr(refusal, "a sweep is using it: process ") ? 1 : 0);
    }
    int status;
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_expect_eq(status, 0);
    spool_close(&files, 0);
    child = fork();
    if (!child)
        _exit(spool_open(&files, "s.db", &error) ? 0 : 1);
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_expect_eq(status, 0);
    cr_expect(spool_open(&files, "s.db", &error));
    spool_close(&files, 1);
}

Test(spools, that_cannot_be_made_are_an_error)
{
    spool files;
    char *error;
    cr_expect_not(spool_open(&files, "/nowhere/s.db", &error));
    cr_expect_str_eq(error, "error: /nowhere/s.db.runs cannot be written: No such file or directory\n");
    free(error);
}

Test(spools, other_programs_are_run_for_what_they_print)
{
    char *output;
    cr_expect_eq(program_run((const char *const[]){"sh", "-c", "echo out; echo err >&2; exit 3", NULL}, &output), 3);
    cr_expect_str_eq(output, "out\nerr\n");
    free(output);
    cr_expect_eq(program_run((const char *const[]){"sh", "-c", "kill -9 $$", NULL}, &output), 137);
    free(output);
    cr_expect_eq(program_run((const char *const[]){"no-such-program-anywhere", NULL}, &output), -1);
    free(output);
}
