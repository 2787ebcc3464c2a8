// SPDX-License-Identifier: MIT
// What makes a model of somebody else's a plug-in: its declaration and three functions.
#include "heddle_systemc.h"
#include "loose_memory.h"

#include <cstring>
#include <stdexcept>

enum { LATENCY, PARAMETERS };
static const hd_parameter parameters[PARAMETERS] = {
    {"latency", HD_TYPE_UNSIGNED, HD_UNIT_SECONDS, "100 ns", 0, 1000000000, nullptr, "from a request to its answer"},
};
static const hd_port ports[] = {{"access", HD_PORT_TARGET, 1, 1, 1, 8, "reads and writes"}};
static const hd_message_use messages[] = {
    {HD_MEMORY_READ, HD_MESSAGE_RECEIVED, 0, "access"},
    {HD_MEMORY_WRITE, HD_MESSAGE_RECEIVED, 0, "access"},
    {HD_MEMORY_RESPONSE, HD_MESSAGE_SENT, 0, "access"},
};

static hd_block_class declare()
{
    hd_block_class type = {};
    type.abi_version = HD_ABI_VERSION;
    type.struct_bytes = sizeof type;
    type.kind = "dram";
    type.type = "loose_memory";
    type.doc = "a loosely timed TLM-2.0 memory";
    type.source = "IEEE 1666-2011";
    type.parameter_count = PARAMETERS;
    type.parameters = parameters;
    type.port_count = 1;
    type.ports = ports;
    type.message_count = sizeof messages / sizeof *messages;
    type.messages = messages;
    return type;
}

static sc_core::sc_module *make(const char *name, const hd_value *values)
{
    return new loose_memory(name, sc_core::sc_time::from_value(values[LATENCY].u));
}

static sc_core::sc_object *socket_of(sc_core::sc_module *module, const char *port, uint32_t element)
{
    if (std::strcmp(port, "access") || element)
        return nullptr;
    return &static_cast<loose_memory *>(module)->socket;
}

static void destroy(sc_core::sc_module *module)
{
    delete module;
}

static const hd_block_class memory_class = declare();
static const heddle_systemc_model memory = {&memory_class, make, socket_of, destroy};
static const heddle_systemc_model *const models[] = {&memory};

HEDDLE_SYSTEMC_ENTRY = {HEDDLE_SYSTEMC_HEAD, "loose_memory", "1.0", "MIT", 1, 0, models};
