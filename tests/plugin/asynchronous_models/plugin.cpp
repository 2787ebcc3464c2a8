// SPDX-License-Identifier: MIT
// What makes the asynchronous models a plug-in, and declares its memories.
#include "heddle_systemc.h"
#include "hosts.h"
#include "socket_memory.h"
#include "threaded_memory.h"

enum { STYLE, LATENCY, TICK, SUSPENDS, OWN };
#define COMMON                                                                                                         \
    {"style", HD_TYPE_CHOICE, HD_UNITLESS, "waits", 0, 0, "waits|calls|holds|late", "how it answers"},                 \
        {"latency", HD_TYPE_UNSIGNED, HD_UNIT_SECONDS, "50 ns", 0, 0, nullptr, "of each access"},                      \
        {"tick", HD_TYPE_UNSIGNED, HD_UNIT_SECONDS, "0 ns", 0, 0, nullptr, "between two events of its own; 0: none"},  \
    {                                                                                                                  \
        "suspends", HD_TYPE_BOOLEAN, HD_UNITLESS, "false", 0, 0, nullptr, "it asks SystemC to wait for it"             \
    }

enum { TAKES = OWN, ANSWERED, THREADED_COUNT };
static const hd_parameter threaded_parameters[THREADED_COUNT] = {
    COMMON,
    {"takes", HD_TYPE_UNSIGNED, HD_UNIT_SECONDS, "200 us", 0, 0, nullptr, "real time of an access, at most"},
    {"answered", HD_TYPE_UNSIGNED, HD_UNITLESS, "0", 0, 0, nullptr, "requests that are; 0: all"},
};
enum { PEER = OWN, SERVES, SOCKET_COUNT };
static const hd_parameter socket_parameters[SOCKET_COUNT] = {
    COMMON,
    {"peer", HD_TYPE_TEXT, HD_UNITLESS, nullptr, 0, 0, nullptr, "program that is the memory"},
    {"serves", HD_TYPE_TEXT, HD_UNITLESS, "0", 0, 0, nullptr, "requests until it is killed; 0: it is not"},
};

static const hd_port ports[] = {{"access", HD_PORT_TARGET, 1, 1, 1, 8, "reads and writes"}};
static const hd_message_use messages[] = {
    {HD_MEMORY_READ, HD_MESSAGE_RECEIVED, 0, "access"},
    {HD_MEMORY_WRITE, HD_MESSAGE_RECEIVED, 0, "access"},
    {HD_MEMORY_RESPONSE, HD_MESSAGE_SENT, 0, "access"},
};

static hd_block_class declare(const char *name, const char *doc, const hd_parameter *parameters, uint32_t count)
{
    hd_block_class type = {};
    type.abi_version = HD_ABI_VERSION;
    type.struct_bytes = sizeof type;
    type.kind = "dram";
    type.type = name;
    type.doc = doc;
    type.source = "IEEE 1666-2011";
    type.parameter_count = count;
    type.port_count = 1;
    type.message_count = sizeof messages / sizeof *messages;
    type.parameters = parameters;
    type.ports = ports;
    type.messages = messages;
    return type;
}

static asynchronous_memory::settings common(const hd_value *values)
{
    return {values[STYLE].text, sc_core::sc_time::from_value(values[LATENCY].u),
            sc_core::sc_time::from_value(values[TICK].u), values[SUSPENDS].u != 0};
}

static sc_core::sc_module *make_threaded(const char *name, const hd_value *values)
{
    return new threaded_memory(name, common(values), std::chrono::microseconds(values[TAKES].u / 1000000),
                               values[ANSWERED].u);
}

static sc_core::sc_module *make_socket(const char *name, const hd_value *values)
{
    return new socket_memory(name, common(values), values[PEER].text, values[SERVES].text);
}

static sc_core::sc_object *socket_of(sc_core::sc_module *module, const char *, uint32_t)
{
    return &static_cast<asynchronous_memory *>(module)->socket;
}

static void destroy(sc_core::sc_module *module)
{
    delete module;
}

static const hd_block_class threaded_class = declare("threaded_memory", "a TLM-2.0 memory that is served by threads",
                                                     threaded_parameters, THREADED_COUNT),
                            socket_class = declare("socket_memory", "a TLM-2.0 memory in another process",
                                                   socket_parameters, SOCKET_COUNT);
static const heddle_systemc_model threaded = {&threaded_class, make_threaded, socket_of, destroy},
                                  at_a_socket = {&socket_class, make_socket, socket_of, destroy};
static const heddle_systemc_model *const models[] = {&threaded, &at_a_socket, &threaded_host_model, &socket_host_model};

HEDDLE_SYSTEMC_ENTRY = {HEDDLE_SYSTEMC_HEAD, "asynchronous_models", "1.0", "MIT", 4, 0, models};
