/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "life.h"

static const hd_parameter parameters[PARAMETER_COUNT] = {
    [PARAMETER_ADDRESS] = {.name = "address",
                           .type = HD_TYPE_TEXT,
                           .doc =
                               "where the peer connects to: unix:PATH, relative to the current folder, or tcp:PORT on "
                               "loopback"},
    [PARAMETER_TIMEOUT] = {.name = "timeout",
                           .type = HD_TYPE_UNSIGNED,
                           .unit = HD_UNIT_SECONDS,
                           .standard = "10 s",
                           .minimum = HD_PS_PER_SECOND / 1000,
                           .maximum = 86400 * HD_PS_PER_SECOND,
                           .doc = "of the host's time, that the peer is waited for before the run ends with an error"},
    [PARAMETER_QUANTUM] = {.name = "quantum",
                           .type = HD_TYPE_UNSIGNED,
                           .unit = HD_UNIT_SECONDS,
                           .standard = "0 s",
                           .maximum = HD_PS_PER_SECOND,
                           .doc = "what there is for the peer is told at the next multiple of it; 0: at once"},
    [PARAMETER_WINDOW_BASE] = {.name = "window.base",
                               .type = HD_TYPE_UNSIGNED,
                               .standard = "0x18040000000",
                               .maximum = UINT64_MAX / 2,
                               .doc = "first address that a bus sends to port access"},
    [PARAMETER_WINDOW_BYTES] = {.name = "window.bytes",
                                .type = HD_TYPE_UNSIGNED,
                                .unit = HD_UNIT_BYTES,
                                .standard = "0 B",
                                .maximum = UINT64_MAX / 2,
                                .doc = "how many of them there are; 0: who is linked to port access knows"},
};

static const hd_port ports[PORT_COUNT] = {
    [PORT_ACCESS] = {.name = "access",
                     .direction = HD_PORT_TARGET,
                     .maximum_count = PORT_ELEMENTS,
                     .latency_cycles = 1,
                     .credits = 8,
                     .doc = "accesses that the peer answers"},
    [PORT_MEMORY] = {.name = "memory",
                     .direction = HD_PORT_INITIATOR,
                     .maximum_count = 1,
                     .latency_cycles = 1,
                     .credits = 8,
                     .doc = "accesses by the peer"},
    [PORT_NOTIFY] = {.name = "notify",
                     .direction = HD_PORT_RECEIVE,
                     .maximum_count = PORT_ELEMENTS,
                     .latency_cycles = 1,
                     .credits = 4,
                     .doc = "interrupt lines to the peer"},
    [PORT_INTERRUPT] = {.name = "interrupt",
                        .direction = HD_PORT_SEND,
                        .maximum_count = PORT_ELEMENTS,
                        .latency_cycles = 1,
                        .credits = 4,
                        .doc = "interrupt lines from the peer to an interrupt controller"},
    [PORT_LEVEL] = {.name = "level",
                    .direction = HD_PORT_SEND,
                    .maximum_count = PORT_ELEMENTS,
                    .latency_cycles = 1,
                    .credits = 4,
                    .doc = "interrupt lines from the peer to a hart"},
};

static const hd_statistic statistics[STATISTIC_COUNT] = {
#define X_(identifier, text, measure, description)                                                                     \
    [STATISTIC_##identifier] = {.name = (text), .unit = (measure), .kind = HD_STATISTIC_COUNT, .doc = (description)},
    REMOTE_STATISTICS(X_)
#undef X_
};

static const hd_message_use messages[] = {
    {HD_MEMORY_READ, HD_MESSAGE_RECEIVED, 0, "access"}, {HD_MEMORY_WRITE, HD_MESSAGE_RECEIVED, 0, "access"},
    {HD_MEMORY_RESPONSE, HD_MESSAGE_SENT, 0, "access"}, {HD_MEMORY_READ, HD_MESSAGE_SENT, 0, "memory"},
    {HD_MEMORY_WRITE, HD_MESSAGE_SENT, 0, "memory"},    {HD_MEMORY_RESPONSE, HD_MESSAGE_RECEIVED, 0, "memory"},
    {HD_INTERRUPT, HD_MESSAGE_RECEIVED, 0, "notify"},   {HD_INTERRUPT_LEVEL, HD_MESSAGE_RECEIVED, 0, "notify"},
    {HD_INTERRUPT, HD_MESSAGE_SENT, 0, "interrupt"},    {HD_INTERRUPT_LEVEL, HD_MESSAGE_SENT, 0, "level"},
};

static const hd_window window = {.name = "remote port",
                                 .port = "access",
                                 .bytes = 1,
                                 .parameter = "window.bytes",
                                 .base_parameter = "window.base",
                                 .doc = "what the peer answers"};

static uint32_t check(const hd_value *values, hd_clock clock, hd_conflict *conflict)
{
    const char *why;
    struct sockaddr_storage address;
    (void)clock;
    if (heddle_remote_address(values[PARAMETER_ADDRESS].text, &address, &why))
        return 1;
    *conflict = (hd_conflict){.parameter = PARAMETER_ADDRESS, .other = PARAMETER_ADDRESS};
    snprintf(conflict->text, sizeof conflict->text, "'%.60s': %s", values[PARAMETER_ADDRESS].text, why);
    return 0;
}

static const uint64_t *counters(hd_block *block)
{
    return ((remote_port *)block)->counters;
}

#define REMOTE_PORT_CLASS(of_type, text, its_flags)                                                                    \
    {                                                                                                                  \
        .abi_version = HD_ABI_VERSION, .struct_bytes = sizeof(hd_block_class), .kind = "remote_port",                  \
        .type = (of_type), .doc = (text), .source = "docs/remote-port.md", .flags = (its_flags),                       \
        .parameter_count = PARAMETER_COUNT, .port_count = PORT_COUNT, .statistic_count = STATISTIC_COUNT,              \
        .message_count = sizeof messages / sizeof *messages, .window_count = 1, .windows = &window,                    \
        .parameters = parameters, .ports = ports, .statistics = statistics, .messages = messages, .check = check,      \
        .create = remote_create, .connect = remote_connect, .reset = remote_reset, .advance = remote_advance,          \
        .counters = counters, .debug_access = untimed_access, .destroy = remote_destroy, .extension = remote_extension \
    }

const hd_block_class hd_remote_port_device =
    REMOTE_PORT_CLASS("device", "a process outside of the machine, at a socket: a memory, or a device", 0);

const hd_block_class hd_remote_port_host = REMOTE_PORT_CLASS(
    "host", "a process outside of the machine, at a socket, that drives it: the machine runs without an app",
    HD_BLOCK_SELF_DRIVEN);
