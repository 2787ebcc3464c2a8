// SPDX-License-Identifier: MIT
// What makes the CPU a plug-in: its declaration and three functions.
#include "heddle_systemc.h"

#include <cstring>
#include <stdexcept>

#include "driver.h"
#include "hd_host.h"

enum { QUANTUM, CYCLE, TRANSPORT, KERNELS, PARAMETER_COUNT };
static const hd_parameter parameters[PARAMETER_COUNT] = {
    {"quantum", HD_TYPE_UNSIGNED, HD_UNIT_SECONDS, "1 us", 0, 1000000000, nullptr, "how far it runs ahead"},
    {"cycle", HD_TYPE_UNSIGNED, HD_UNIT_SECONDS, "1 ns", 1, 1000000000, nullptr, "what each operation takes"},
    {"transport", HD_TYPE_CHOICE, HD_UNITLESS, "blocking", 0, 0, "blocking|phases", "b_transport or nb_transport"},
    {"kernels", HD_TYPE_TEXT, HD_UNITLESS, nullptr, 0, 0, nullptr, "file of the kernel program, kernel.elf of vecadd"},
};

static const hd_port ports[] = {
    {"bus", HD_PORT_INITIATOR, 1, 1, 1, 4, "loads and stores"},
    {"interrupt", HD_PORT_RECEIVE, 2, 2, 1, 8, "0: timer, 1: external"},
};

static const hd_message_use messages[] = {
    {HD_MEMORY_READ, HD_MESSAGE_SENT, 0, "bus"},
    {HD_MEMORY_WRITE, HD_MESSAGE_SENT, 0, "bus"},
    {HD_MEMORY_RESPONSE, HD_MESSAGE_RECEIVED, 0, "bus"},
    {HD_INTERRUPT_LEVEL, HD_MESSAGE_RECEIVED, 0, "interrupt"},
};

static hd_block_class declare()
{
    hd_block_class type = {};
    type.abi_version = HD_ABI_VERSION;
    type.struct_bytes = sizeof type;
    type.kind = "host_cpu";
    type.type = "loose_cpu";
    type.doc = "a loosely timed CPU whose program is C++";
    type.source = "IEEE 1666-2011";
    type.parameter_count = PARAMETER_COUNT;
    type.port_count = sizeof ports / sizeof *ports;
    type.message_count = sizeof messages / sizeof *messages;
    type.parameters = parameters;
    type.ports = ports;
    type.messages = messages;
    return type;
}

static sc_core::sc_module *make(const char *name, const hd_value *values)
{
    const loose_cpu::settings how = {sc_core::sc_time::from_value(values[QUANTUM].u),
                                     sc_core::sc_time::from_value(values[CYCLE].u), values[TRANSPORT].u == 0};
    return new driver_cpu(name, how, values[KERNELS].text);
}

static sc_core::sc_object *socket(sc_core::sc_module *module, const char *port, uint32_t element)
{
    auto *cpu = static_cast<driver_cpu *>(module);
    if (!std::strcmp(port, "bus"))
        return &cpu->bus;
    return element ? &cpu->external_interrupt : &cpu->timer_interrupt;
}

static void destroy(sc_core::sc_module *module)
{
    delete module;
}

static const hd_block_class cpu_class = declare();
static const heddle_systemc_model cpu = {&cpu_class, make, socket, destroy};
static const heddle_systemc_model *const models[] = {&cpu};

HEDDLE_SYSTEMC_ENTRY = {HEDDLE_SYSTEMC_HEAD, "foreign_cpu", "1.0", "MIT", 1, 0, models};
