/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* syscall */
#include "host_ending.h"

#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static void (*clean)(void);
/* Of the process; 0: the thread is not that of a program. No memory is needed to ask for it. */
static _Thread_local volatile pid_t program __attribute__((tls_model("initial-exec")));

void host_ending_clean_up(void (*clean_up)(void))
{
    clean = clean_up;
}

static void say(const char *text)
{
    const ssize_t written = write(STDERR_FILENO, text, strlen(text));
    (void)written;
}

void host_ending_now(int code)
{
    for (;;)
        syscall(SYS_exit_group, code);
}

void host_ending_fail(const char *text)
{
    say("error: ");
    say(text);
    say("\n");
    if (clean)
        clean();
    host_ending_now(1);
}

uint32_t host_ending_is_of_program(void)
{
    return program != 0 && program == getpid();
}

void host_ending_is_program(void)
{
    program = getpid();
}
