/* SPDX-License-Identifier: MIT */
#include "interruption.h"

#include <inttypes.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>

#include "runtime.h"

static const int ending[] = {SIGINT, SIGTERM, SIGHUP};
#define ENDING (sizeof ending / sizeof *ending)

static volatile sig_atomic_t steps, noted; /* steps: and waits for them, one in another */

static void end_program(int number)
{
    signal(number, SIG_DFL);
    raise(number);
}

static void note(int number)
{
    if (!steps || noted)
        end_program(number);
    noted = number;
}

/* A program that handles or ignores one has its reasons. */
void interruption_prepare(void)
{
    for (size_t i = 0; i < ENDING; i++) {
        struct sigaction action = {.sa_handler = note, .sa_flags = SA_RESTART}, before;
        sigemptyset(&action.sa_mask);
        if (!sigaction(ending[i], NULL, &before) && before.sa_handler == SIG_DFL)
            sigaction(ending[i], &action, NULL);
    }
}

static void tell(const struct _cl_event *command)
{
    uint64_t begin;
    if (!command || !command->kernel_name || !device_mark_is_done(command->begin, &begin))
        return;
    fprintf(stderr, "heddle: kernel '%s' was running, for %.3f us so far\n", command->kernel_name,
            (double)(device_time(opencl_device.machine) - begin) / 1e6);
}

void interruption_begin_step(void)
{
    steps++;
}

void interruption_end_step(void)
{
    lane *at;
    steps--;
    if (!noted)
        return;
    for (uint32_t i = 0; (at = lane_at(i)); i++)
        tell(at->first);
    end_program(noted);
}
