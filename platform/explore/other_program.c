/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* pipe2 */
#include "other_program.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* What this program ignores of signals is not for others. */
static void reset_signals(posix_spawnattr_t *attributes)
{
    sigset_t none, standard;
    sigemptyset(&none);
    sigemptyset(&standard);
    sigaddset(&standard, SIGPIPE);
    sigaddset(&standard, SIGXFSZ);
    posix_spawnattr_setsigmask(attributes, &none);
    posix_spawnattr_setsigdefault(attributes, &standard);
    posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
}

int program_start(const char *const *words, const int streams[3], pid_t *child)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    for (int i = 0; i < 3; i++) {
        if (streams[i] < 0)
            posix_spawn_file_actions_addopen(&actions, i, "/dev/null", i ? O_WRONLY : O_RDONLY, 0);
        else
            posix_spawn_file_actions_adddup2(&actions, streams[i], i);
    }
    posix_spawnattr_init(&attributes);
    reset_signals(&attributes);
    int failure = posix_spawnp(child, words[0], &actions, &attributes, (char *const *)words, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    errno = failure;
    return !failure;
}

static int lead_group(void)
{
    if (isatty(STDIN_FILENO) && dup2(open("/dev/null", O_RDONLY | O_CLOEXEC), STDIN_FILENO) < 0)
        return 0;
    return !setpgid(0, 0);
}

/* In the new process; says by the pipe why it does not become the program. */
static void become(const char *const *words, const char *folder, int output, int leads, pid_t parent, int report)
{
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() == parent && (!folder || !chdir(folder)) && (!leads || lead_group()) &&
        dup2(output, STDOUT_FILENO) >= 0)
        execvp(words[0], (char *const *)words);
    const int why = errno;
    while (write(report, &why, sizeof why) < 0 && errno == EINTR)
        ;
    _exit(127);
}

int program_start_below(const char *const *words, const char *folder, int output, int leads, pid_t *child)
{
    int report[2], why = 0;
    const pid_t parent = getpid();
    if (pipe2(report, O_CLOEXEC))
        return 0;
    *child = fork();
    if (!*child)
        become(words, folder, output, leads, parent, report[1]);
    why = *child < 0 ? errno : 0;
    close(report[1]);
    if (!why && read(report[0], &why, sizeof why) == sizeof why)
        program_wait(*child);
    close(report[0]);
    errno = why;
    return !why;
}

int program_wait(pid_t child)
{
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
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
    int ends[2];
    pid_t child;
    size_t bytes;
    *output = NULL;
    if (pipe2(ends, O_CLOEXEC))
        return -1;
    int is_started = program_start(words, (const int[3]){-1, ends[1], ends[1]}, &child), why = errno;
    close(ends[1]);
    FILE *out = open_memstream(output, &bytes);
    if (!out)
        abort();
    if (is_started)
        copy(ends[0], out);
    fclose(out);
    close(ends[0]);
    if (is_started)
        return program_wait(child);
    errno = why;
    return -1;
}
