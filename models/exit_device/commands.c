/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "state.h"

static void set_text(mailbox *self, const char *text)
{
    memset(self->text, 0, sizeof self->text);
    strncpy(self->text, text, MAILBOX_TEXT_BYTES);
}

static void find_option(mailbox *self)
{
    self->status = 0;
    for (uint32_t i = 0; i < self->option_count; i++) {
        if (strcmp(self->options[i].name, self->text) != 0)
            continue;
        self->asked[i] = 1;
        self->status = 1;
        set_text(self, self->options[i].value);
        return;
    }
}

static void count_unread(mailbox *self)
{
    self->status = 0;
    for (uint32_t i = 0; i < self->option_count; i++) {
        if (self->asked[i])
            continue;
        if (!self->status++)
            set_text(self, self->options[i].name);
    }
}

static uint32_t report_of(mailbox *self)
{
    for (uint32_t i = 0; i < self->report_count; i++)
        if (strcmp(self->names[i], self->text) == 0)
            return i;
    if (self->report_count == MAILBOX_REPORTS_MAX || strlen(self->text) >= NAME_BYTES)
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

uint32_t mailbox_command(mailbox *self, uint32_t command)
{
    switch (command) {
    case MAILBOX_OPTION: find_option(self); break;
    case MAILBOX_UNREAD: count_unread(self); break;
    case MAILBOX_REPORT: report(self); break;
    case MAILBOX_MESSAGE:
        strcpy(self->message, self->text);
        self->status = 1;
        break;
    default: return HD_STATUS_COMMAND_ERROR;
    }
    return HD_STATUS_OK;
}
