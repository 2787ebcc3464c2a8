/* SPDX-License-Identifier: MIT */
#include "interrupt.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t requested;

static void on_interrupt(int signal)
{
    (void)signal;
    requested = 1;
}

void interrupt_catch(void)
{
    struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND | SA_RESTART};
    sigemptyset(&action.sa_mask);
    requested = 0;
    sigaction(SIGINT, &action, NULL);
}

int interrupt_is_requested(void)
{
    return requested;
}
