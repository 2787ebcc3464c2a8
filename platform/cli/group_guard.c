/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* close_range, pipe2 */
#include "group_guard.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "other_program.h"

/* As a member of the group it keeps the number from being given to another one. It keeps no stream of this process open. */
static void watch(pid_t group, int watched)
{
    char none;
    ssize_t bytes;
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    if (setpgid(0, group) || dup2(watched, 0) < 0 || close_range(1, ~0u, 0))
        _exit(1);
    while ((bytes = read(0, &none, 1)) < 0 && errno == EINTR)
        ;
    if (!bytes)
        kill(0, SIGKILL);
    _exit(1);
}

group_guard group_guard_start(pid_t group)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC))
        return GROUP_GUARD_NONE;
    group_guard guard = {.process = fork(), .held = ends[1]};
    if (!guard.process)
        watch(group, ends[0]);
    close(ends[0]);
    if (guard.process >= 0)
        return guard;
    close(ends[1]);
    return GROUP_GUARD_NONE;
}

void group_guard_end(group_guard *guard)
{
    if (guard->process < 0)
        return;
    kill(guard->process, SIGKILL);
    program_wait(guard->process);
    close(guard->held);
    *guard = GROUP_GUARD_NONE;
}
