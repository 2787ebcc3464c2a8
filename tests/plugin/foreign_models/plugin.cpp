// SPDX-License-Identifier: MIT
// What makes models of somebody else's a plug-in: for each its declaration and three functions.
#include "heddle_systemc.h"
#include "loose_memory.h"
#include "mailbox_server.h"
#include "timed_memory.h"

#include <cstring>
#include <stdexcept>

#define COUNT(table) (sizeof(table) / sizeof *(table))

static const hd_port memory_ports[] = {{"access", HD_PORT_TARGET, 1, 1, 1, 8, "reads and writes"}};
static const hd_message_use memory_messages[] = {
    {HD_MEMORY_READ, HD_MESSAGE_RECEIVED, 0, "access"},
    {HD_MEMORY_WRITE, HD_MESSAGE_RECEIVED, 0, "access"},
    {HD_MEMORY_RESPONSE, HD_MESSAGE_SENT, 0, "access"},
};

enum { LATENCY, PLACES };
static const hd_parameter memory_parameters[] = {
    {"latency", HD_TYPE_UNSIGNED, HD_UNIT_SECONDS, "100 ns", 0, 1000000000, nullptr, "from a request to its answer"},
    {"places", HD_TYPE_UNSIGNED, HD_UNITLESS, "8", 1, 1024, nullptr, "requests inside at most"},
};

enum { MAILBOX, PERIOD, UNTIMED };
static const hd_parameter server_parameters[] = {
    {"mailbox", HD_TYPE_UNSIGNED, HD_UNITLESS, nullptr, 0, 0, nullptr, "physical address of the mailbox"},
    {"period", HD_TYPE_UNSIGNED, HD_UNIT_SECONDS, "1 us", 1000, 1000000000, nullptr, "between two looks into it"},
    {"untimed", HD_TYPE_BOOLEAN, HD_UNITLESS, "false", 0, 0, nullptr, "by transport_dbg"},
};
static const hd_port server_ports[] = {{"bus", HD_PORT_INITIATOR, 1, 1, 1, 8, "reads and writes"}};
static const hd_message_use server_messages[] = {
    {HD_MEMORY_READ, HD_MESSAGE_SENT, 0, "bus"},
    {HD_MEMORY_WRITE, HD_MESSAGE_SENT, 0, "bus"},
    {HD_MEMORY_RESPONSE, HD_MESSAGE_RECEIVED, 0, "bus"},
};

static hd_block_class declare(const char *kind, const char *name, const char *doc)
{
    hd_block_class type = {};
    type.abi_version = HD_ABI_VERSION;
    type.struct_bytes = sizeof type;
    type.kind = kind;
    type.type = name;
    type.doc = doc;
    type.source = "IEEE 1666-2011";
    type.port_count = 1;
    type.message_count = COUNT(memory_messages);
    return type;
}

static hd_block_class declare_memory(const char *name, const char *doc, uint32_t parameter_count)
{
    hd_block_class type = declare("dram", name, doc);
    type.parameter_count = parameter_count;
    type.parameters = memory_parameters;
    type.ports = memory_ports;
    type.messages = memory_messages;
    return type;
}

static hd_block_class declare_server()
{
    hd_block_class type = declare("agent", "mailbox_server", "a loosely timed TLM-2.0 initiator that serves a mailbox");
    type.parameter_count = COUNT(server_parameters);
    type.parameters = server_parameters;
    type.ports = server_ports;
    type.messages = server_messages;
    return type;
}

static sc_core::sc_module *make_loose(const char *name, const hd_value *values)
{
    return new loose_memory(name, sc_core::sc_time::from_value(values[LATENCY].u));
}

static sc_core::sc_module *make_timed(const char *name, const hd_value *values)
{
    return new timed_memory(name, sc_core::sc_time::from_value(values[LATENCY].u),
                            static_cast<unsigned int>(values[PLACES].u));
}

static sc_core::sc_module *make_server(const char *name, const hd_value *values)
{
    return new mailbox_server(name, values[MAILBOX].u, sc_core::sc_time::from_value(values[PERIOD].u),
                              values[UNTIMED].u != 0);
}

template <class Module>
static sc_core::sc_object *socket_of(sc_core::sc_module *module, const char *port, uint32_t element)
{
    if ((std::strcmp(port, "access") && std::strcmp(port, "bus")) || element)
        return nullptr;
    return &static_cast<Module *>(module)->socket;
}

static void destroy(sc_core::sc_module *module)
{
    delete module;
}

static const hd_block_class loose_class = declare_memory("loose_memory", "a loosely timed TLM-2.0 memory", PLACES);
static const hd_block_class timed_class =
    declare_memory("timed_memory", "an approximately timed TLM-2.0 memory", COUNT(memory_parameters));
static const hd_block_class server_class = declare_server();
static const heddle_systemc_model loose = {&loose_class, make_loose, socket_of<loose_memory>, destroy};
static const heddle_systemc_model timed = {&timed_class, make_timed, socket_of<timed_memory>, destroy};
static const heddle_systemc_model server = {&server_class, make_server, socket_of<mailbox_server>, destroy};
static const heddle_systemc_model *const models[] = {&loose, &timed, &server};

HEDDLE_SYSTEMC_ENTRY = {HEDDLE_SYSTEMC_HEAD, "foreign_models", "1.0", "MIT", COUNT(models), 0, models};
