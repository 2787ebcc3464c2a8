/* SPDX-License-Identifier: MIT */
#include "temporary_file.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/heddle-test.XXXXXX";

static void enter(void)
{
    cr_assert(mkdtemp(folder) && !chdir(folder));
}

/* Nothing else is left. */
static void leave(void)
{
    cr_expect(!chdir("/") && !rmdir(folder), "something is left");
}

TestSuite(temporary_files, .init = enter, .fini = leave);

/* What a handler of signals has removed is never freed: here it is still known. */
static char *_Atomic known[4096];
static atomic_uint known_count;

static char *keep_known(char *path)
{
    known[atomic_fetch_add(&known_count, 1)] = path;
    return path;
}

static char *make(const char *beside)
{
    char *path = NULL;
    const int file = temporary_file_create(beside, &path);
    cr_assert(file >= 0 && path);
    close(file);
    return keep_known(path);
}

Test(temporary_files, lie_in_the_folder_of_what_they_become_and_have_short_names)
{
    char name[256];
    memset(name, 'a', 255);
    name[255] = '\0';
    char *here = make(name), *there = make("/tmp/x"), *other = make("./y");
    cr_expect_null(strchr(here, '/'));
    cr_expect_lt(strlen(here), 64);
    cr_expect_eq(strncmp(there, "/tmp/.heddle-", 13), 0);
    cr_expect_eq(strncmp(other, "./.heddle-", 10), 0);
    cr_expect_str_neq(here, other + 2);
    temporary_file_remove(there);
    temporary_file_remove(other);
    cr_assert(temporary_file_rename(here, name));
    temporary_files_remove();
    cr_expect_eq(unlink(name), 0, "what has its name is not temporary");
    temporary_file_remove(NULL);
}

Test(temporary_files, that_cannot_be_made_are_none)
{
    char *path;
    cr_expect_lt(temporary_file_create("/nowhere/x", &path), 0);
    cr_expect_eq(errno, ENOENT);
    path = make("x");
    cr_expect_not(temporary_file_rename(path, "/nowhere/x"));
    errno = 4711;
    temporary_file_remove(path);
    cr_expect_eq(errno, 4711);
}

/* A folder goes after what is in it. */
Test(temporary_files, are_all_removed_at_once_the_latest_first)
{
    cr_assert_eq(mkdir("made", 0777), 0);
    keep_known(temporary_file_note("made"));
    make("made/x");
    make("made/y");
    make("z");
    char *kept = temporary_file_note("kept");
    fclose(fopen("kept", "w"));
    temporary_file_keep(kept);
    temporary_files_remove();
    temporary_files_remove();
    cr_expect_eq(unlink("kept"), 0);
}

static void fill(const char *path)
{
    char name[256];
    snprintf(name, sizeof name, "%s/below", path);
    cr_assert_eq(mkdir(name, 0777), 0);
    for (int i = 0; i < 100; i++) { /* more than are listed at a time */
        snprintf(name, sizeof name, "%s/below/file_%d", path, i);
        fclose(fopen(name, "w"));
    }
    snprintf(name, sizeof name, "%s/link", path);
    cr_assert_eq(symlink("../kept", name), 0);
}

/* What a link in them leads to stays. */
Test(temporary_files, are_in_folders_that_are_removed_with_them)
{
    cr_assert_eq(mkdir("kept", 0777), 0);
    fclose(fopen("kept/file", "w"));
    char *one = temporary_folder_create("./"), *other = keep_known(temporary_folder_create("x"));
    char *renamed = temporary_folder_create("./");
    cr_assert(one && other && renamed);
    fill(one);
    fill(other);
    errno = 4711;
    temporary_folder_remove(one);
    cr_expect_eq(errno, 4711);
    cr_expect(temporary_file_rename(renamed, "result"));
    temporary_files_remove();
    cr_expect_eq(access(other, F_OK), -1);
    cr_expect(!unlink("kept/file") && !rmdir("kept") && !rmdir("result"));
    cr_expect_null(temporary_folder_create("/nowhere/x"));
    cr_expect_eq(errno, ENOENT);
}

static void on_signal(int number)
{
    temporary_files_remove();
    _exit(number);
}

Test(temporary_files, are_removed_by_who_made_them)
{
    int status;
    char *mine = make("mine");
    pid_t child = fork();
    if (!child) {
        temporary_files_remove(); /* those of the parent are not its own */
        _exit(access(mine, F_OK) ? 1 : 0);
    }
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_expect_eq(status, 0);
    child = fork();
    if (!child) {
        signal(SIGTERM, on_signal);
        for (int i = 0; i < 100; i++)
            make("of_child");
        raise(SIGTERM);
        _exit(99);
    }
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_expect_eq(WEXITSTATUS(status), SIGTERM);
    temporary_file_remove(mine);
}

static void *make_and_remove(void *nothing)
{
    for (int i = 0; i < 500; i++)
        temporary_file_remove(make("x"));
    return nothing;
}

Test(temporary_files, may_be_made_on_any_thread)
{
    pthread_t threads[4];
    char *kept = make("kept");
    for (int i = 0; i < 4; i++)
        cr_assert_eq(pthread_create(&threads[i], NULL, make_and_remove, NULL), 0);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    cr_expect_eq(access(kept, F_OK), 0);
    temporary_files_remove();
}
