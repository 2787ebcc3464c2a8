/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "state.h"

#define WINDOW_BYTES 0x1000u

enum { PORT_BUS, PORT_COUNT };
enum { PARAMETER_ADDRESS, PARAMETER_LATENCY, PARAMETER_COUNT };

static const hd_parameter parameters[PARAMETER_COUNT] = {
    [PARAMETER_ADDRESS] = HD_REGISTERS_ADDRESS("0x18030000000", WINDOW_BYTES),
    [PARAMETER_LATENCY] = HD_REGISTERS_LATENCY,
};

static const hd_port ports[PORT_COUNT] = {
    [PORT_BUS] = HD_REGISTERS_PORT,
};

static const hd_statistic statistics[STATISTIC_COUNT] = {
    HD_REGISTERS_STATISTICS,
    [STATISTIC_COMMANDS] = {"commands", "commands", HD_STATISTIC_COUNT, 0, "commands executed"},
    [STATISTIC_REPORTS] = {"reports", "results", HD_STATISTIC_COUNT, 0, "named results reported"},
    [STATISTIC_LAUNCHES] = {"launches", "launches", HD_STATISTIC_COUNT, 0, "launches reported"},
};

static const hd_message_use messages[] = {
    HD_REGISTERS_MESSAGES,
};

static const hd_window window = {.name = "exit device",
                                 .port = "bus",
                                 .base_parameter = "address",
                                 .bytes = WINDOW_BYTES,
                                 .doc = "end of the program, options, results"};

/* ---- Registers ---------------------------------------------------------------------------------------------------- */

static uint32_t read_text(hd_register_access *access)
{
    memcpy(&access->value, ((const mailbox *)access->device)->text + access->offset, access->bytes);
    return HD_STATUS_OK;
}

static uint32_t write_text(hd_register_access *access)
{
    memcpy(((mailbox *)access->device)->text + access->offset, &access->value, access->bytes);
    return HD_STATUS_OK;
}

static uint32_t read_value(hd_register_access *access)
{
    access->value = ((const mailbox *)access->device)->value;
    return HD_STATUS_OK;
}

static uint32_t write_value(hd_register_access *access)
{
    ((mailbox *)access->device)->value = access->value;
    return HD_STATUS_OK;
}

static uint32_t read_status(hd_register_access *access)
{
    access->value = ((const mailbox *)access->device)->status;
    return HD_STATUS_OK;
}

static uint32_t read_exit(hd_register_access *access)
{
    access->value = 0;
    return HD_STATUS_OK;
}

static uint32_t end_program(mailbox *self, uint64_t verdict, hd_time t)
{
    if (verdict != EXIT_PASS && verdict != EXIT_FAIL && verdict != EXIT_ERROR)
        return HD_STATUS_COMMAND_ERROR;
    if (self->program != HD_HOST_RUNNING)
        return HD_STATUS_OK;
    self->program = verdict == EXIT_PASS ? HD_HOST_PASS : verdict == EXIT_FAIL ? HD_HOST_FAIL : HD_HOST_ERROR;
    self->ended = t;
    self->services->progress(self->services->context, t);
    return HD_STATUS_OK;
}

static uint32_t write_exit(hd_register_access *access)
{
    return end_program(access->device, access->value, access->t);
}

static uint32_t write_command(hd_register_access *access)
{
    mailbox *self = access->device;
    const uint32_t status = mailbox_command(self, (uint32_t)access->value);
    self->counters[STATISTIC_COMMANDS] += status == HD_STATUS_OK;
    return status;
}

static const hd_register registers[] = {
    {MAILBOX_REGISTER_TEXT, MAILBOX_TEXT_BYTES, HD_REGISTER_WIDTHS, read_text, write_text, NULL, 1},
    {MAILBOX_REGISTER_VALUE, 8, 8, read_value, write_value, NULL, 1},
    {MAILBOX_REGISTER_STATUS, 4, 4, read_status, NULL, NULL, 0},
    {MAILBOX_REGISTER_EXIT, 4, 4, read_exit, write_exit, NULL, 0},
    {MAILBOX_REGISTER_COMMAND, 4, 4, NULL, write_command, NULL, 0},
};

/* ---- For the platform --------------------------------------------------------------------------------------------- */

void hd_exit_device_set_options(hd_block *block, const hd_host_option *options, uint32_t count)
{
    mailbox *self = (mailbox *)block;
    self->options = options;
    self->option_count = count;
}

static uint32_t program_status(const hd_block *block)
{
    return ((const mailbox *)block)->program;
}

static hd_time program_ended(const hd_block *block)
{
    return ((const mailbox *)block)->ended;
}

static const char *program_message(const hd_block *block)
{
    return ((const mailbox *)block)->message;
}

static const hd_host_report *program_reports(const hd_block *block, uint32_t *count)
{
    const mailbox *self = (const mailbox *)block;
    *count = self->report_count;
    return self->reports;
}

static const hd_host_launch *program_launches(const hd_block *block, uint32_t *count)
{
    const mailbox *self = (const mailbox *)block;
    *count = self->launch_count;
    return self->launches;
}

static void transfer_names(mailbox *self, const hd_state_stream *stream)
{
    for (uint32_t i = 0; i < self->report_count; i++) {
        HD_STATE_VALUE(stream, self->names[i]);
        HD_STATE_VALUE(stream, self->reports[i].value);
        self->reports[i].name = self->names[i];
    }
    for (uint32_t i = 0; i < self->launch_count; i++) {
        hd_host_launch launch = self->launches[i];
        launch.kernel = NULL;
        HD_STATE_VALUE(stream, launch);
        HD_STATE_VALUE(stream, self->kernels[i]);
        self->launches[i] = launch;
        self->launches[i].kernel = self->kernels[i];
    }
}

static void transfer(hd_block *block, const hd_state_stream *stream)
{
    mailbox *self = (mailbox *)block;
    hd_registers_transfer(&self->registers, stream);
    HD_STATE_VALUE(stream, self->value);
    HD_STATE_VALUE(stream, self->status);
    HD_STATE_VALUE(stream, self->text);
    HD_STATE_VALUE(stream, self->message);
    HD_STATE_VALUE(stream, self->program);
    HD_STATE_VALUE(stream, self->ended);
    HD_STATE_VALUE(stream, self->report_count);
    HD_STATE_VALUE(stream, self->launch_count);
    transfer_names(self, stream);
    HD_STATE_VALUE(stream, self->counters);
}

static const void *extension(hd_block *block, const char *id)
{
    static const hd_host_progress progress = {program_status, program_ended, program_message, program_reports,
                                              program_launches};
    static const hd_state state = {.transfer = transfer};
    if (strcmp(id, HD_EXTENSION_STATE) == 0)
        return &state;
    return strcmp(id, HD_EXTENSION_HOST_PROGRAM) == 0 ? &progress : hd_registers_extension(block, id);
}

/* ---- The block ---------------------------------------------------------------------------------------------------- */

static const hd_registers_class device_class = {
    .registers = registers,
    .count = sizeof registers / sizeof *registers,
    .widths = HD_REGISTER_WIDTHS,
};

static hd_block *create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes)
{
    mailbox *self = calloc(1, sizeof *self);
    hd_host_launch *launches = calloc(MAILBOX_LAUNCHES_MAX, sizeof *launches);
    char(*kernels)[NAME_BYTES] = calloc(MAILBOX_LAUNCHES_MAX, sizeof *kernels);
    if (!self || !launches || !kernels) {
        snprintf(error, error_bytes, "out of memory");
        free(self);
        free(launches);
        free(kernels);
        return NULL;
    }
    self->launches = launches;
    self->kernels = kernels;
    self->services = services;
    hd_registers_create(&self->registers, services, &device_class, self->counters, values[PARAMETER_ADDRESS].u,
                        WINDOW_BYTES, values[PARAMETER_LATENCY].u);
    return (hd_block *)self;
}

static void reset(hd_block *block)
{
    mailbox *self = (mailbox *)block;
    hd_registers_reset(&self->registers);
    memset(self->text, 0, sizeof self->text);
    memset(self->message, 0, sizeof self->message);
    memset(self->counters, 0, sizeof self->counters);
    self->value = self->status = self->report_count = self->launch_count = 0;
    self->program = HD_HOST_RUNNING;
    self->ended = HD_NEVER;
}

static const uint64_t *counters(hd_block *block)
{
    mailbox *self = (mailbox *)block;
    self->counters[STATISTIC_REPORTS] = self->report_count;
    self->counters[STATISTIC_LAUNCHES] = self->launch_count;
    return self->counters;
}

static void destroy(hd_block *block)
{
    mailbox *self = (mailbox *)block;
    if (!self)
        return;
    hd_registers_reset(&self->registers);
    free(self->launches);
    free(self->kernels);
    free(self);
}

const hd_block_class hd_exit_device_mailbox = {
    .abi_version = HD_ABI_VERSION,
    .struct_bytes = sizeof(hd_block_class),
    .kind = "exit_device",
    .type = "mailbox",
    .doc = "how firmware ends the run, reads options and leaves results",
    .source = "the test finisher of SiFive machines, and what heddle_rt.h offers",
    .parameter_count = PARAMETER_COUNT,
    .port_count = PORT_COUNT,
    .statistic_count = STATISTIC_COUNT,
    .message_count = sizeof messages / sizeof *messages,
    .window_count = 1,
    .parameters = parameters,
    .ports = ports,
    .statistics = statistics,
    .messages = messages,
    .windows = &window,
    .create = create,
    .connect = hd_registers_connect,
    .reset = reset,
    .advance = hd_registers_advance,
    .counters = counters,
    .destroy = destroy,
    .extension = extension,
};
