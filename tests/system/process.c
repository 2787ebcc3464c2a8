/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* setgroups */
#include "process.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "folder.h"
#include "stats.h"

#define WORDS_MAX 64

extern char **environ;

static int has_option(const char *const *words, const char *option)
{
    for (; *words; words++)
        if (!strncmp(*words, option, strlen(option)))
            return 1;
    return 0;
}

pid_t program_start(const char *folder, const char *const *words)
{
    char *out = path_in(folder, "stdout"), *err = path_in(folder, "stderr");
    posix_spawn_file_actions_t actions;
    pid_t child;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, err, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    cr_assert(posix_spawn(&child, words[0], &actions, NULL, (char *const *)words, environ) == 0, "%s cannot be run",
              words[0]);
    posix_spawn_file_actions_destroy(&actions);
    free(out);
    free(err);
    return child;
}

pid_t heddle_start(const char *folder, const char *const *words)
{
    const char *all[WORDS_MAX] = {HEDDLE_COMMAND};
    size_t count = 1;
    for (size_t i = 0; words[i]; i++) {
        cr_assert(count + 2 < WORDS_MAX);
        all[count++] = words[i];
        if (i == 0 && !strcmp(words[i], "run") && !has_option(words, "--tlm"))
            all[count++] = "--tlm=checked";
    }
    return program_start(folder, all);
}

finished heddle_wait(const char *folder, pid_t child)
{
    int status;
    char *out = path_in(folder, "stdout"), *err = path_in(folder, "stderr");
    while (waitpid(child, &status, 0) < 0)
        cr_assert(errno == EINTR);
    finished run = {.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
                    .out = file_read(out, NULL),
                    .err = file_read(err, NULL)};
    unlink(out);
    unlink(err);
    free(out);
    free(err);
    return run;
}

/* A run that writes no results writes some, for stats_read to look at. */
static finished run_with_results(const char *folder, const char *const *words)
{
    char *path = path_in(folder, "results.json");
    const char *more[WORDS_MAX] = {words[0], "--stats", path};
    for (size_t i = 1; words[i]; i++) {
        cr_assert(i + 3 < WORDS_MAX);
        more[i + 2] = words[i];
    }
    finished run = heddle_wait(folder, heddle_start(folder, more));
    if (run.code == 0)
        json_decref(stats_read(path));
    free(path);
    return run;
}

finished heddle_run(const char *const *words)
{
    char *folder = folder_new();
    const int is_plain_run = words[0] && !strcmp(words[0], "run") && words[1] && words[2] && words[1][0] != '-' &&
                             !has_option(words, "--stats") && !has_option(words, "--out") &&
                             !has_option(words, "--help");
    finished run = is_plain_run ? run_with_results(folder, words) : heddle_wait(folder, heddle_start(folder, words));
    folder_remove(folder);
    return run;
}

void finished_free(finished *run)
{
    free(run->out);
    free(run->err);
    *run = (finished){0};
}

void expect_code(const finished *run, int code)
{
    cr_expect(run->code == code, "exit code %d, expected %d\nstdout:\n%s\nstderr:\n%s", run->code, code, run->out,
              run->err);
}

void expect_error(const finished *run, const char *part)
{
    cr_expect(strstr(run->err, part), "not said: %s\nstderr:\n%s", part, run->err);
}

void expect_output(const finished *run, const char *part)
{
    cr_expect(strstr(run->out, part), "not said: %s\nstdout:\n%s", part, run->out);
}

void expect_errors(finished run, const char *const *parts)
{
    expect_code(&run, 1);
    for (; *parts; parts++)
        expect_error(&run, *parts);
    finished_free(&run);
}

void become_nobody(void)
{
    if (geteuid() != 0)
        return;
    cr_assert(!setgroups(0, NULL) && !setgid(65534) && !setuid(65534));
}

void limit_files(uint64_t bytes)
{
    struct rlimit limit;
    cr_assert_eq(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = bytes == LIMIT_NONE ? RLIM_INFINITY : bytes;
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
}
