/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "life.h"

#define DEVICE(number, text)                                                                                           \
    .type = HD_TYPE_UNSIGNED, .standard = (number), .maximum = UINT32_MAX,                                             \
    .doc = "number of the protocol's device that " text
#define ADDRESS(text) .type = HD_TYPE_UNSIGNED, .standard = "0", .maximum = UINT64_MAX, .doc = (text)

static const hd_parameter parameters[PARAMETER_COUNT] = {
    [PARAMETER_ADDRESS] = {.name = "address",
                           .type = HD_TYPE_TEXT,
                           .doc = "the socket: unix:PATH, relative to the current folder, or tcp:PORT on loopback"},
    [PARAMETER_ROLE] = {.name = "role",
                        .type = HD_TYPE_CHOICE,
                        .standard = "listen",
                        .choices = "listen|connect",
                        .doc = "whether the peer connects to this socket, or listens at it"},
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
                           .standard = "1 us",
                           .maximum = HD_PS_PER_SECOND,
                           .doc = "the machine leads, and sends a SYNC at each multiple of it; 0: the peer leads, and "
                                  "time goes as far as its packets say"},
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
    [PARAMETER_ACCESS_DEVICE] = {.name = "access.device", DEVICE("0", "the machine's accesses go to")},
    [PARAMETER_ACCESS_MACHINE] = {.name = "access.machine",
                                  ADDRESS("an address at port access, which the peer knows as access.peer")},
    [PARAMETER_ACCESS_PEER] = {.name = "access.peer",
                               ADDRESS("the peer's address of what is at access.machine; others are as far from it")},
    [PARAMETER_MEMORY_DEVICE] = {.name = "memory.device", DEVICE("1", "the peer's accesses come to")},
    [PARAMETER_MEMORY_MACHINE] = {.name = "memory.machine",
                                  ADDRESS("the machine's address of what the peer knows as memory.peer")},
    [PARAMETER_MEMORY_PEER] = {.name = "memory.peer",
                               ADDRESS("an address in the peer's accesses, at port memory memory.machine; others are "
                                       "as far from it")},
    [PARAMETER_NOTIFY_DEVICE] = {.name = "notify.device", DEVICE("2", "changes of the lines of port notify go to")},
    [PARAMETER_INTERRUPT_DEVICE] = {.name = "interrupt.device",
                                    DEVICE("3", "the peer's changes of lines of ports interrupt and level come to")},
    [PARAMETER_LEVEL_BIT] = {.name = "level.bit",
                             .type = HD_TYPE_UNSIGNED,
                             .standard = "11",
                             .maximum = 63,
                             .doc = "line of the hart (bit of mip) that lines of port level are"},
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
                    .doc = "interrupt lines from the peer to a hart, where port interrupt has none of this number"},
};

static const hd_statistic statistics[STATISTIC_COUNT] = {
#define X_(identifier, text, measure, description)                                                                     \
    [STATISTIC_##identifier] = {.name = (text), .unit = (measure), .kind = HD_STATISTIC_COUNT, .doc = (description)},
    QEMU_STATISTICS(X_)
#undef X_
};

static const hd_message_use messages[] = {
    {HD_MEMORY_READ, HD_MESSAGE_RECEIVED, 0, "access"}, {HD_MEMORY_WRITE, HD_MESSAGE_RECEIVED, 0, "access"},
    {HD_MEMORY_RESPONSE, HD_MESSAGE_SENT, 0, "access"}, {HD_MEMORY_READ, HD_MESSAGE_SENT, 0, "memory"},
    {HD_MEMORY_WRITE, HD_MESSAGE_SENT, 0, "memory"},    {HD_MEMORY_RESPONSE, HD_MESSAGE_RECEIVED, 0, "memory"},
    {HD_INTERRUPT, HD_MESSAGE_RECEIVED, 0, "notify"},   {HD_INTERRUPT_LEVEL, HD_MESSAGE_RECEIVED, 0, "notify"},
    {HD_INTERRUPT, HD_MESSAGE_SENT, 0, "interrupt"},    {HD_INTERRUPT_LEVEL, HD_MESSAGE_SENT, 0, "level"},
};

static const hd_window window = {.name = "QEMU port",
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
    return ((qemu_port *)block)->counters;
}

#define QEMU_PORT_CLASS(of_type, text, its_flags, its_create)                                                          \
    {                                                                                                                  \
        .abi_version = HD_ABI_VERSION, .struct_bytes = sizeof(hd_block_class), .kind = "qemu_port", .type = (of_type), \
        .doc = (text), .source = "docs/qemu-port.md", .flags = (its_flags), .parameter_count = PARAMETER_COUNT,        \
        .port_count = PORT_COUNT, .statistic_count = STATISTIC_COUNT,                                                  \
        .message_count = sizeof messages / sizeof *messages, .window_count = 1, .windows = &window,                    \
        .parameters = parameters, .ports = ports, .statistics = statistics, .messages = messages, .check = check,      \
        .create = (its_create), .connect = qemu_port_connect, .reset = qemu_port_reset, .advance = qemu_port_advance,  \
        .counters = counters, .debug_access = qemu_untimed_access, .destroy = qemu_port_destroy,                       \
        .extension = qemu_port_extension                                                                               \
    }

const hd_block_class hd_qemu_port_device =
    QEMU_PORT_CLASS("device",
                    "another simulator at a socket, in QEMU's Remote-Port protocol: a device or a memory, or one that "
                    "uses the machine beside its app",
                    0, qemu_port_create_device);

const hd_block_class hd_qemu_port_host = QEMU_PORT_CLASS(
    "host",
    "another simulator at a socket, in QEMU's Remote-Port protocol, that drives the machine: it runs without an app",
    HD_BLOCK_SELF_DRIVEN, qemu_port_create_host);
