// SPDX-License-Identifier: MIT
#include "outside.h"

#include "hd_host.h"
#include "hd_message.h"

enum { RAM_BASE, RAM_BYTES, PARAMETER_COUNT };
static const hd_parameter parameters[PARAMETER_COUNT] = {
    {"ram.base", HD_TYPE_UNSIGNED, HD_UNITLESS, "0x80000000", 0, 0, nullptr, "first address of the memory outside"},
    {"ram.bytes", HD_TYPE_UNSIGNED, HD_UNIT_BYTES, "16 MiB", 1, 0, nullptr, "size of that memory"},
};

static const hd_port ports[] = {
    {"bus", HD_PORT_INITIATOR, 1, 1, 1, 4, "what comes in at the socket `host`"},
    {"memory", HD_PORT_TARGET, 0, 1, 1, 8, "what goes out at the socket `memory`"},
    {"interrupt", HD_PORT_RECEIVE, 0, 2, 1, 8, "0: timer_interrupt, 1: interrupt"},
};

static const hd_message_use messages[] = {
    {HD_MEMORY_READ, HD_MESSAGE_SENT, 0, "bus"},
    {HD_MEMORY_WRITE, HD_MESSAGE_SENT, 0, "bus"},
    {HD_MEMORY_RESPONSE, HD_MESSAGE_RECEIVED, 0, "bus"},
    {HD_MEMORY_READ, HD_MESSAGE_RECEIVED, 0, "memory"},
    {HD_MEMORY_WRITE, HD_MESSAGE_RECEIVED, 0, "memory"},
    {HD_MEMORY_RESPONSE, HD_MESSAGE_SENT, 0, "memory"},
    {HD_INTERRUPT_LEVEL, HD_MESSAGE_RECEIVED, 0, "interrupt"},
};

static const hd_window windows[] = {
    {"memory outside", "memory", 0, 1, "ram.bytes", 0, 0, "memory of the design that the machine is part of",
     "ram.base"},
};

static hd_block_class declare()
{
    hd_block_class type = {};
    type.abi_version = HD_ABI_VERSION;
    type.struct_bytes = sizeof type;
    type.kind = "host_cpu";
    type.type = "outside";
    type.doc = "the SystemC design that the machine is part of";
    type.source = "IEEE 1666-2011";
    type.parameter_count = PARAMETER_COUNT;
    type.port_count = sizeof ports / sizeof *ports;
    type.message_count = sizeof messages / sizeof *messages;
    type.window_count = sizeof windows / sizeof *windows;
    type.parameters = parameters;
    type.ports = ports;
    type.messages = messages;
    type.windows = windows;
    return type;
}

const hd_block_class host_cpu_outside = declare();
