/* SPDX-License-Identifier: MIT */
/* Ends, or does not end, in the way that it is told to. A native program alone can do most of it. */
#define _GNU_SOURCE
#include "heddle_args.h"
#include "heddle_rt.h"

#include <string.h>

#if __STDC_HOSTED__ && !defined(__riscv)
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void *calls(void *nothing)
{
    (void)nothing;
    hd_synchronize();
    return NULL;
}

static void second_thread(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, calls, NULL);
    pthread_join(thread, NULL);
}

static void child_that_exits(void)
{
    const pid_t child = fork();
    if (!child)
        _exit(0);
    waitpid(child, NULL, 0);
}

static __attribute__((noinline)) void segfault(volatile int *nowhere)
{
    *nowhere = 1;
}

static __attribute__((noinline)) int recurse(volatile int *depth)
{
    volatile int next[64] = {*depth + 1};
    return next[0] ? recurse(next) + next[1] : 0;
}

static void spin(void)
{
    puts("spins");
    fflush(stdout);
    for (;;)
        __asm__ volatile("");
}

static void end(const char *how)
{
    volatile int zero = 0;
    if (!strcmp(how, "segfault"))
        segfault((volatile int *)(uintptr_t)(8 + zero));
    else if (!strcmp(how, "overflow"))
        recurse(&zero);
    else if (!strcmp(how, "abort"))
        abort();
    else if (!strcmp(how, "trap"))
        __builtin_trap();
    else if (!strcmp(how, "exit"))
        exit(0);
    else if (!strcmp(how, "_exit"))
        _exit(0);
    else if (!strcmp(how, "_Exit"))
        _Exit(0);
    else if (!strcmp(how, "quick_exit"))
        quick_exit(0);
    else if (!strcmp(how, "pthread_exit"))
        pthread_exit(NULL);
    else if (!strcmp(how, "second_thread"))
        second_thread();
    else if (!strcmp(how, "child"))
        child_that_exits();
    else if (!strcmp(how, "spin"))
        spin();
}
#else
static void end(const char *how)
{
    (void)how;
}
#endif

int hd_app_main(void)
{
    const char *how = hd_option_text("how", "return");
    hd_launch(hd_kernel_named("nothing"), hd_1d(1), hd_1d(32), 0, NULL, 0);
    hd_synchronize();
    end(how);
    return HD_PASS;
}
