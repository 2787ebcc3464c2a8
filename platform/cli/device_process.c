/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* memmem, pipe2 */
#include "device_process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "group_guard.h"
#include "interrupt.h"
#include "other_program.h"
#include "standard_streams.h"
#include "write_all.h"

#define LOOK_MS 10   /* how often it is looked whether the program has ended */
#define PATIENCE_S 5 /* with one that has been told to end */
#define TERMINAL_S 2 /* within which a program has heard what the terminal has sent to both */
#define PIECE_BYTES 65536u

/* Its standard output on its way. */
typedef struct passage {
    int from;       /* -1: the program has this process' own output */
    char *kept;     /* the end of what has passed, in which the awaited text may have begun; then the next piece */
    size_t count;   /* kept */
    size_t awaited; /* its bytes */
} passage;

static void look_for(passage *at, device_process *process)
{
    process->has_printed |= memmem(at->kept, at->count, process->awaited, at->awaited) != NULL;
    const size_t rest = at->count < at->awaited ? at->count : at->awaited;
    memmove(at->kept, at->kept + at->count - rest, rest);
    at->count = rest;
}

/* Returns whether there was any. If nobody reads it here, the program finds it out by itself. */
static int pass(passage *at, device_process *process)
{
    const ssize_t bytes = at->from < 0 ? 0 : read(at->from, at->kept + at->count, PIECE_BYTES);
    if (bytes <= 0 || !hd_write_all(STDOUT_FILENO, at->kept + at->count, (size_t)bytes)) {
        if (at->from >= 0 && !(bytes < 0 && (errno == EAGAIN || errno == EINTR))) {
            close(at->from);
            at->from = -1;
        }
        return 0;
    }
    at->count += (size_t)bytes;
    look_for(at, process);
    return 1;
}

static int has_ended(pid_t child, device_process *process)
{
    siginfo_t ended = {0};
    if (waitid(P_PID, (id_t)child, &ended, WEXITED | WNOHANG | WNOWAIT) || !ended.si_pid)
        return 0;
    process->signal = ended.si_code == CLD_EXITED ? 0 : ended.si_status;
    return 1;
}

static time_t seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec;
}

/* What runs for it, too: `sh -c` hands no signal on. */
static void tell(pid_t child, const device_process *process, int signal)
{
    kill(process->leads ? -child : child, signal);
}

/* By a signal that lets it say which kernel is running; if it does not end, by one that it cannot handle. */
static void end_late(pid_t child, device_process *process, time_t since)
{
    if (since >= (time_t)process->timeout && !process->is_late) {
        process->is_late = 1;
        tell(child, process, SIGTERM);
    }
    if (since >= (time_t)process->timeout + PATIENCE_S)
        tell(child, process, SIGKILL);
}

static void pass_for_a_while(passage *output, device_process *process)
{
    struct pollfd readable = {.fd = output->from, .events = POLLIN};
    poll(&readable, 1, LOOK_MS);
    pass(output, process);
}

/* They were told to end with their leader, which has ended. */
static void end_rest(pid_t group, device_process *process, passage *output)
{
    const time_t begin = seconds();
    while (!kill(-group, 0) && seconds() - begin < PATIENCE_S)
        pass_for_a_while(output, process);
    kill(-group, SIGKILL);
}

/* Ctrl-C reaches the program by the terminal if it does not lead a group; a second signal would end it before it has said what it was
 * doing. If it has not ended after a while only this command was told. */
static int is_to_be_told(const device_process *process, time_t interrupted)
{
    return process->leads || interrupt_exit_code() != 128 + SIGINT || seconds() - interrupted >= TERMINAL_S;
}

/* What ends this command ends the program too. */
static void wait_for(pid_t child, device_process *process, passage *output)
{
    int is_told = 0;
    time_t interrupted = 0;
    group_guard guard = process->leads ? group_guard_start(child) : GROUP_GUARD_NONE;
    const time_t begin = seconds();
    while (!has_ended(child, process)) {
        if (interrupt_is_requested() && !interrupted)
            interrupted = seconds();
        if (interrupted && !is_told && is_to_be_told(process, interrupted)) {
            is_told = 1;
            tell(child, process, interrupt_exit_code() - 128);
        }
        if (process->timeout)
            end_late(child, process, seconds() - begin);
        pass_for_a_while(output, process);
    }
    group_guard_end(&guard);
    process->code = program_wait(child);
    if (process->leads && (is_told || process->is_late))
        end_rest(child, process, output);
    while (pass(output, process))
        ;
}

static int run_watched(device_process *process)
{
    int ends[2];
    pid_t child;
    const size_t awaited = strlen(process->awaited);
    passage output = {.kept = malloc(awaited + PIECE_BYTES), .awaited = awaited};
    if (!output.kept || pipe2(ends, O_CLOEXEC)) {
        free(output.kept);
        return 0;
    }
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    output.from = ends[0];
    process->has_printed = !awaited;
    const int is_started = program_start_below(process->words, process->folder, ends[1], process->leads, &child), why = errno;
    close(ends[1]);
    if (is_started)
        wait_for(child, process, &output);
    if (output.from >= 0)
        close(output.from);
    free(output.kept);
    errno = why;
    return is_started;
}

int device_process_run(device_process *process)
{
    pid_t child;
    interrupt_catch();
    standard_streams_flush();
    if (process->awaited)
        return run_watched(process);
    if (!program_start_below(process->words, process->folder, STDOUT_FILENO, process->leads, &child))
        return 0;
    process->has_printed = 1;
    wait_for(child, process, &(passage){.from = -1});
    return 1;
}
