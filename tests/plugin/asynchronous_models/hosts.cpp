// SPDX-License-Identifier: MIT
#include "hosts.h"

#include <cstring>

#include "hd_host.h"
#include "socket_host.h"
#include "threaded_host.h"

enum { TAKES, THREAD_ACCESSES, STOPS, THREADED_COUNT };
static const hd_parameter threaded_parameters[THREADED_COUNT] = {
    {"takes", HD_TYPE_UNSIGNED, HD_UNIT_SECONDS, "200 us", 0, 0, nullptr, "real time between two accesses"},
    {"accesses", HD_TYPE_UNSIGNED, HD_UNITLESS, "0", 0, 0, nullptr, "until it says nothing more; 0: all"},
    {"stops", HD_TYPE_BOOLEAN, HD_UNITLESS, "false", 0, 0, nullptr, "it ends by sc_stop"},
};
enum { PEER, PEER_ACCESSES, SOCKET_COUNT };
static const hd_parameter socket_parameters[SOCKET_COUNT] = {
    {"peer", HD_TYPE_TEXT, HD_UNITLESS, nullptr, 0, 0, nullptr, "program that is the host"},
    {"accesses", HD_TYPE_TEXT, HD_UNITLESS, "0", 0, 0, nullptr, "until it is killed; 0: it is not"},
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

static hd_block_class declare(const char *name, const char *doc, const hd_parameter *parameters, uint32_t count)
{
    hd_block_class type = {};
    type.abi_version = HD_ABI_VERSION;
    type.struct_bytes = sizeof type;
    type.kind = "host_cpu";
    type.type = name;
    type.doc = doc;
    type.source = "IEEE 1666-2011";
    type.parameter_count = count;
    type.port_count = sizeof ports / sizeof *ports;
    type.message_count = sizeof messages / sizeof *messages;
    type.parameters = parameters;
    type.ports = ports;
    type.messages = messages;
    return type;
}

static sc_core::sc_module *make_threaded(const char *name, const hd_value *values)
{
    return new threaded_host(name, values[STOPS].u != 0, std::chrono::microseconds(values[TAKES].u / 1000000),
                             values[THREAD_ACCESSES].u);
}

static sc_core::sc_module *make_socket(const char *name, const hd_value *values)
{
    return new socket_host(name, values[PEER].text, values[PEER_ACCESSES].text);
}

static sc_core::sc_object *socket_of(sc_core::sc_module *module, const char *port, uint32_t element)
{
    auto *host = static_cast<asynchronous_host *>(module);
    if (!std::strcmp(port, "bus"))
        return &host->bus;
    return element ? &host->external_interrupt : &host->timer_interrupt;
}

static void destroy(sc_core::sc_module *module)
{
    delete module;
}

static const hd_block_class threaded_class = declare("threaded_host", "a CPU whose program is a thread",
                                                     threaded_parameters, THREADED_COUNT),
                            socket_class = declare("socket_host", "a CPU whose program is another process",
                                                   socket_parameters, SOCKET_COUNT);
const heddle_systemc_model threaded_host_model = {&threaded_class, make_threaded, socket_of, destroy},
                           socket_host_model = {&socket_class, make_socket, socket_of, destroy};
