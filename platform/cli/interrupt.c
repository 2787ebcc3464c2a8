/* SPDX-License-Identifier: MIT */
#include "interrupt.h"

#include <signal.h>
#include <stddef.h>

#include "temporary_file.h"

static const int ending[] = {SIGINT, SIGTERM, SIGHUP};
#define ENDING (sizeof ending / sizeof *ending)

static volatile sig_atomic_t requested;

static void end_process(int number)
{
    temporary_files_remove();
    signal(number, SIG_DFL);
    raise(number);
}

/* What is ignored, as by nohup, stays so. */
static void on(int number, void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART}, before;
    sigemptyset(&action.sa_mask);
    if (!sigaction(number, NULL, &before) && before.sa_handler != SIG_IGN)
        sigaction(number, &action, NULL);
}

static void on_interrupt(int number)
{
    requested = number;
    for (size_t i = 0; i < ENDING; i++)
        on(ending[i], end_process);
}

void interrupt_end_process(void)
{
    for (size_t i = 0; i < ENDING; i++)
        on(ending[i], end_process);
}

void interrupt_catch(void)
{
    requested = 0;
    for (size_t i = 0; i < ENDING; i++)
        on(ending[i], on_interrupt);
}

int interrupt_is_requested(void)
{
    return requested != 0;
}

int interrupt_exit_code(void)
{
    return 128 + (requested ? requested : SIGINT);
}
