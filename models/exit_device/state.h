/* SPDX-License-Identifier: MIT */
/* Private to exit_device. */
#ifndef EXIT_DEVICE_STATE_H
#define EXIT_DEVICE_STATE_H

#include "exit_device.h"
#include "hd_extension.h"
#include "hd_registers.h"

#define NAME_BYTES 64u

enum { STATISTIC_COMMANDS = HD_REGISTERS_STATISTIC_COUNT, STATISTIC_REPORTS, STATISTIC_LAUNCHES, STATISTIC_COUNT };

typedef struct mailbox {
    hd_registers registers;
    const hd_services *services;
    const hd_host_option *options;
    uint32_t option_count;
    uint64_t value;
    uint32_t status;
    char text[MAILBOX_TEXT_BYTES + 1];
    char message[MAILBOX_TEXT_BYTES + 1];
    uint32_t program; /* HD_HOST_* */
    hd_time ended;
    hd_host_report reports[MAILBOX_REPORTS_MAX];
    char names[MAILBOX_REPORTS_MAX][MAILBOX_TEXT_BYTES + 1];
    uint32_t report_count;
    hd_host_launch *launches;
    char (*kernels)[NAME_BYTES]; /* their names */
    uint32_t launch_count;
    uint64_t counters[STATISTIC_COUNT];
} mailbox;

/* ---- commands.c --------------------------------------------------------------------------------------------------- */

/* Returns HD_STATUS_*. */
uint32_t mailbox_command(mailbox *self, uint32_t command);

#endif
