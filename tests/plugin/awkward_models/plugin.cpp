// SPDX-License-Identifier: MIT
// What makes the awkward memories a plug-in.
#include "awkward_memory.h"
#include "heddle_systemc.h"
#include "phased_memory.h"
#include "stage.h"
#include "wide_server.h"

#include <map>

enum { TICK, ANSWERS, AT, DOES, DEBUG, COMPLAINS, DATABASE, SOCKET, PARAMETER_COUNT };
static const hd_parameter parameters[PARAMETER_COUNT] = {
    {"tick", HD_TYPE_UNSIGNED, HD_UNIT_SECONDS, "0 ns", 0, 0, nullptr, "between two events of its own; 0: none"},
    {"answers", HD_TYPE_UNSIGNED, HD_UNITLESS, "0", 0, 0, nullptr, "requests answered; 0: all"},
    {"at", HD_TYPE_UNSIGNED, HD_UNIT_SECONDS, "5 us", 0, 0, nullptr, "when it does what follows"},
    {"does", HD_TYPE_CHOICE, HD_UNITLESS, "nothing", 0, 0, "nothing|loop|stop|info|warning|error|told", "then"},
    {"debug", HD_TYPE_CHOICE, HD_UNITLESS, "right", 0, 0, "right|none|zeros|pointer", "its transport_dbg"},
    {"complains", HD_TYPE_BOOLEAN, HD_UNITLESS, "false", 0, 0, nullptr, "it reports an error when simulation ends"},
    {"database", HD_TYPE_TEXT, HD_UNITLESS, "", 0, 0, nullptr, "file that it writes when simulation ends"},
    {"socket", HD_TYPE_CHOICE, HD_UNITLESS, "right", 0, 0, "right|none|wide|multi|wide_multi|initiator|signal",
     "what it gives"},
};

// Several links only with a socket for several.
static const hd_port ports[] = {{"access", HD_PORT_TARGET, 1, 2, 1, 8, "reads and writes"}};
static const hd_message_use messages[] = {
    {HD_MEMORY_READ, HD_MESSAGE_RECEIVED, 0, "access"},
    {HD_MEMORY_WRITE, HD_MESSAGE_RECEIVED, 0, "access"},
    {HD_MEMORY_RESPONSE, HD_MESSAGE_SENT, 0, "access"},
};

static hd_block_class declare(const char *kind)
{
    hd_block_class type = {};
    type.abi_version = HD_ABI_VERSION;
    type.struct_bytes = sizeof type;
    type.kind = kind;
    type.type = "awkward_memory";
    type.doc = "a loosely timed TLM-2.0 memory with bad manners";
    type.source = "IEEE 1666-2011";
    type.parameter_count = PARAMETER_COUNT;
    type.port_count = 1;
    type.message_count = sizeof messages / sizeof *messages;
    type.parameters = parameters;
    type.ports = ports;
    type.messages = messages;
    return type;
}

static std::map<sc_core::sc_module *, std::string> socket_kinds;

static sc_core::sc_module *make(const char *name, const hd_value *values)
{
    const awkward_memory::settings how = {sc_core::sc_time::from_value(values[TICK].u),
                                          values[ANSWERS].u,
                                          sc_core::sc_time::from_value(values[AT].u),
                                          values[DOES].text,
                                          values[DEBUG].text,
                                          values[COMPLAINS].u != 0,
                                          values[DATABASE].text};
    auto *made = new awkward_memory(name, how);
    socket_kinds[made] = values[SOCKET].text;
    return made;
}

static sc_core::sc_object *socket_of(sc_core::sc_module *module, const char *, uint32_t)
{
    auto *memory = static_cast<awkward_memory *>(module);
    const std::string &kind = socket_kinds[module];
    return kind == "right" ? memory->usual_socket() : memory->other_socket(kind);
}

static void destroy(sc_core::sc_module *module)
{
    socket_kinds.erase(module);
    delete module;
}

// ---- The one that knows four phases -------------------------------------------------------------------------------------

enum { STOPS_AT, FROM_REQUEST, PHASED_PARAMETER_COUNT };
static const hd_parameter phased_parameters[PHASED_PARAMETER_COUNT] = {
    {"stops_at", HD_TYPE_CHOICE, HD_UNITLESS, "none", 0, 0, "none|END_REQ|BEGIN_RESP", "the phase that never comes"},
    {"from_request", HD_TYPE_UNSIGNED, HD_UNITLESS, "1", 1, 0, nullptr, "from this request on"},
};

static hd_block_class declare_phased()
{
    hd_block_class type = declare("dram");
    type.type = "phased_memory";
    type.doc = "an approximately timed TLM-2.0 memory that knows no answer but TLM_ACCEPTED";
    type.parameter_count = PHASED_PARAMETER_COUNT;
    type.parameters = phased_parameters;
    return type;
}

static sc_core::sc_module *make_phased(const char *name, const hd_value *values)
{
    return new phased_memory(name, values[STOPS_AT].text, static_cast<unsigned int>(values[FROM_REQUEST].u));
}

static sc_core::sc_object *socket_of_phased(sc_core::sc_module *module, const char *, uint32_t)
{
    return &static_cast<phased_memory *>(module)->socket;
}

static void destroy_other(sc_core::sc_module *module)
{
    delete module;
}

// ---- An initiator of 64 bits --------------------------------------------------------------------------------------------

enum { MAILBOX, PERIOD, UNTIMED, SERVER_PARAMETER_COUNT };
static const hd_parameter server_parameters[SERVER_PARAMETER_COUNT] = {
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

static hd_block_class declare_server()
{
    hd_block_class type = declare("agent");
    type.type = "wide_server";
    type.doc = "a TLM-2.0 initiator with a socket of 64 bits for several bindings";
    type.parameter_count = SERVER_PARAMETER_COUNT;
    type.parameters = server_parameters;
    type.ports = server_ports;
    type.messages = server_messages;
    return type;
}

static sc_core::sc_module *make_server(const char *name, const hd_value *values)
{
    return new wide_server(name, values[MAILBOX].u, sc_core::sc_time::from_value(values[PERIOD].u),
                           values[UNTIMED].u != 0);
}

static sc_core::sc_object *socket_of_server(sc_core::sc_module *module, const char *, uint32_t)
{
    return &static_cast<wide_server *>(module)->socket;
}

// ---- Between two others -------------------------------------------------------------------------------------------------

static const hd_parameter stage_parameters[] = {
    {"latency", HD_TYPE_UNSIGNED, HD_UNIT_SECONDS, "10 ns", 0, 1000000000, nullptr, "of each access"},
};
static const hd_port stage_ports[] = {
    {"access", HD_PORT_TARGET, 1, 1, 1, 8, "reads and writes"},
    {"memory", HD_PORT_INITIATOR, 1, 1, 1, 8, "the same, later"},
};
static const hd_message_use stage_messages[] = {
    {HD_MEMORY_READ, HD_MESSAGE_RECEIVED, 0, "access"}, {HD_MEMORY_WRITE, HD_MESSAGE_RECEIVED, 0, "access"},
    {HD_MEMORY_RESPONSE, HD_MESSAGE_SENT, 0, "access"}, {HD_MEMORY_READ, HD_MESSAGE_SENT, 0, "memory"},
    {HD_MEMORY_WRITE, HD_MESSAGE_SENT, 0, "memory"},    {HD_MEMORY_RESPONSE, HD_MESSAGE_RECEIVED, 0, "memory"},
};

static hd_block_class declare_stage()
{
    hd_block_class type = declare("stage");
    type.type = "tlm_stage";
    type.doc = "a TLM-2.0 model that passes accesses on";
    type.parameter_count = 1;
    type.port_count = 2;
    type.message_count = sizeof stage_messages / sizeof *stage_messages;
    type.parameters = stage_parameters;
    type.ports = stage_ports;
    type.messages = stage_messages;
    return type;
}

static sc_core::sc_module *make_stage(const char *name, const hd_value *values)
{
    return new stage(name, sc_core::sc_time::from_value(values[0].u));
}

static sc_core::sc_object *socket_of_stage(sc_core::sc_module *module, const char *port, uint32_t)
{
    auto *made = static_cast<stage *>(module);
    return *port == 'a' ? static_cast<sc_core::sc_object *>(&made->in) : &made->out;
}

static const hd_block_class stage_class = declare_stage();
static const heddle_systemc_model between = {&stage_class, make_stage, socket_of_stage, destroy_other};

static const hd_block_class server_class = declare_server();
static const heddle_systemc_model server = {&server_class, make_server, socket_of_server, destroy_other};

static const hd_block_class memory_class = declare("dram"), other_class = declare("memory_stack"),
                            phased_class = declare_phased();
static const heddle_systemc_model memory = {&memory_class, make, socket_of, destroy},
                                  other = {&other_class, make, socket_of, destroy},
                                  phased = {&phased_class, make_phased, socket_of_phased, destroy_other};
static const heddle_systemc_model *const models[] = {&memory, &other, &phased, &server, &between};

HEDDLE_SYSTEMC_ENTRY = {HEDDLE_SYSTEMC_HEAD, "awkward_models", "1.0", "MIT", 5, 0, models};
