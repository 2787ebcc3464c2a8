// SPDX-License-Identifier: MIT
// What makes the CPU a plug-in: its declaration and three functions.
#include "heddle_systemc.h"

#include <cstring>
#include <stdexcept>

#include "doorbell.h"
#include "driver.h"
#include "hd_host.h"
#include "hd_queue.h"

enum { QUANTUM, CYCLE, TRANSPORT, KERNELS, DOORBELL, PARAMETER_COUNT };
static const hd_parameter parameters[PARAMETER_COUNT] = {
    {"quantum", HD_TYPE_UNSIGNED, HD_UNIT_SECONDS, "1 us", 0, 1000000000, nullptr, "how far it runs ahead"},
    {"cycle", HD_TYPE_UNSIGNED, HD_UNIT_SECONDS, "1 ns", 1, 1000000000, nullptr, "what each operation takes"},
    {"transport", HD_TYPE_CHOICE, HD_UNITLESS, "blocking", 0, 0, "blocking|phases", "b_transport or nb_transport"},
    {"kernels", HD_TYPE_TEXT, HD_UNITLESS, nullptr, 0, 0, nullptr, "file of the kernel program, kernel.elf of vecadd"},
    {"doorbell", HD_TYPE_UNSIGNED, HD_UNITLESS, "0", 0, 0, nullptr, "address of the peripheral that it rings; 0: none"},
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
    return new driver_cpu(name, how, values[KERNELS].text, values[DOORBELL].u);
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

// ---- The peripheral -----------------------------------------------------------------------------------------------------

enum { BASE, RINGS, DOORBELL_PARAMETER_COUNT };
static const hd_parameter doorbell_parameters[DOORBELL_PARAMETER_COUNT] = {
    {"address", HD_TYPE_UNSIGNED, HD_UNITLESS, "0x1A000000000", 0, 0, nullptr, "of its registers"},
    {"rings", HD_TYPE_UNSIGNED, HD_UNIT_SECONDS, "0 ns", 0, 0, nullptr,
     "when it raises its line by itself; 0: it does not"},
};
static const hd_port doorbell_ports[] = {
    {"bus", HD_PORT_TARGET, 1, 1, 1, 4, "registers"},
    {"event", HD_PORT_SEND, 0, 1, 1, 4, "its line, to an interrupt controller"},
    {"level", HD_PORT_SEND, 0, 1, 1, 4, "its line, to a hart"},
};
static const hd_message_use doorbell_messages[] = {
    {HD_MEMORY_READ, HD_MESSAGE_RECEIVED, 0, "bus"},   {HD_MEMORY_WRITE, HD_MESSAGE_RECEIVED, 0, "bus"},
    {HD_MEMORY_RESPONSE, HD_MESSAGE_SENT, 0, "bus"},   {HD_INTERRUPT, HD_MESSAGE_SENT, 0, "event"},
    {HD_INTERRUPT_LEVEL, HD_MESSAGE_SENT, 0, "level"},
};
static const hd_window doorbell_windows[] = {
    {"registers", "bus", 0, 16, nullptr, 0, 0, "when it rings, and its end", "address"}};

static hd_block_class declare_doorbell()
{
    hd_block_class type = declare();
    type.kind = "peripheral";
    type.type = "doorbell";
    type.doc = "raises an interrupt after a time";
    type.parameter_count = DOORBELL_PARAMETER_COUNT;
    type.port_count = sizeof doorbell_ports / sizeof *doorbell_ports;
    type.message_count = sizeof doorbell_messages / sizeof *doorbell_messages;
    type.window_count = 1;
    type.parameters = doorbell_parameters;
    type.ports = doorbell_ports;
    type.messages = doorbell_messages;
    type.windows = doorbell_windows;
    return type;
}

static sc_core::sc_module *make_doorbell(const char *name, const hd_value *values)
{
    return new doorbell(name, sc_core::sc_time::from_value(values[RINGS].u));
}

static sc_core::sc_object *socket_of_doorbell(sc_core::sc_module *module, const char *port, uint32_t)
{
    auto *bell = static_cast<doorbell *>(module);
    return std::strcmp(port, "bus") ? static_cast<sc_core::sc_object *>(bell->line()) : &bell->bus;
}

static const hd_block_class cpu_class = declare(), doorbell_class = declare_doorbell();
static const heddle_systemc_model cpu = {&cpu_class, make, socket, destroy},
                                  bell = {&doorbell_class, make_doorbell, socket_of_doorbell, destroy};
static const heddle_systemc_model *const models[] = {&cpu, &bell};

HEDDLE_SYSTEMC_ENTRY = {HEDDLE_SYSTEMC_HEAD, "foreign_cpu", "1.0", "MIT", 2, 0, models};
