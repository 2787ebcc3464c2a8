/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* pipe2 */
#include "other_program.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static int start(const char *const *words, int output, pid_t *child)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none;
    sigemptyset(&none);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    int failure = posix_spawnp(child, words[0], &actions, &attributes, (char *const *)words, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    errno = failure;
    return !failure;
}

static void copy(int from, FILE *out)
{
    char buffer[4096];
    for (;;) {
        ssize_t bytes = read(from, buffer, sizeof buffer);
        if (bytes > 0)
            fwrite(buffer, 1, (size_t)bytes, out);
        else if (!bytes || errno != EINTR)
            return;
    }
}

int program_run(const char *const *words, char **output)
{
    int ends[2], status = 0;
    pid_t child;
    size_t bytes;
    *output = NULL;
    if (pipe2(ends, O_CLOEXEC))
        return -1;
    int is_started = start(words, ends[1], &child), why = errno;
    close(ends[1]);
    FILE *out = open_memstream(output, &bytes);
    if (!out)
        abort();
    if (is_started)
        copy(ends[0], out);
    fclose(out);
    close(ends[0]);
    while (is_started && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    errno = why;
    if (!is_started)
        return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
