/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "state.h"

static void write_option(mailbox *self)
{
    self->status = self->value < self->option_count;
    if (!self->status)
        return;
    const hd_host_option *option = &self->options[self->value];
    memset(self->text, 0, sizeof self->text);
    snprintf(self->text, sizeof self->text, "%s=%s", option->name, option->value);
}

static uint32_t report_of(mailbox *self)
{
    for (uint32_t i = 0; i < self->report_count; i++)
        if (strcmp(self->names[i], self->text) == 0)
            return i;
    if (self->report_count == MAILBOX_REPORTS_MAX)
        return MAILBOX_REPORTS_MAX;
    strcpy(self->names[self->report_count], self->text);
    return self->report_count++;
}

static void report(mailbox *self)
{
    const uint32_t i = report_of(self);
    self->status = i < MAILBOX_REPORTS_MAX;
    if (self->status)
        self->reports[i] = (hd_host_report){.name = self->names[i], .value = self->value};
}

static void note_launch(mailbox *self)
{
    mailbox_launch launch;
    memcpy(&launch, self->text, sizeof launch);
    self->status = self->value == self->launch_count && self->launch_count < MAILBOX_LAUNCHES_MAX;
    if (!self->status)
        return;
    char *kernel = self->kernels[self->launch_count];
    memset(kernel, 0, NAME_BYTES);
    memcpy(kernel, launch.kernel, NAME_BYTES - 1);
    hd_host_launch *noted = &self->launches[self->launch_count++];
    *noted = (hd_host_launch){.kernel = kernel,
                              .queue = launch.queue,
                              .complete = launch.complete,
                              .start_cycle = launch.start_cycle,
                              .end_cycle = launch.end_cycle};
    memcpy(noted->grid_size, launch.grid_size, sizeof noted->grid_size);
    memcpy(noted->block_size, launch.block_size, sizeof noted->block_size);
}

uint32_t mailbox_command(mailbox *self, uint32_t command)
{
    switch (command) {
    case MAILBOX_OPTION: write_option(self); break;
    case MAILBOX_REPORT: report(self); break;
    case MAILBOX_MESSAGE:
        strcpy(self->message, self->text);
        self->status = 1;
        break;
    case MAILBOX_LAUNCH: note_launch(self); break;
    default: return HD_STATUS_COMMAND_ERROR;
    }
    return HD_STATUS_OK;
}
