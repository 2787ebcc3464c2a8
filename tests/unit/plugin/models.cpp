// SPDX-License-Identifier: MIT
// A plug-in with one SystemC model that is never made, and with the mistake that FAULT_* names.
#include "heddle_systemc.h"

static sc_core::sc_module *make(const char *, const hd_value *)
{
    return nullptr;
}

[[maybe_unused]] static sc_core::sc_object *socket_of(sc_core::sc_module *, const char *, uint32_t)
{
    return nullptr;
}

static void destroy(sc_core::sc_module *)
{
}

static const hd_port ports[] = {{"access", HD_PORT_TARGET, 1, 1, 1, 8, "reads and writes"}};

#ifdef FAULT_MESSAGE_PORT
static const hd_port message_ports[] = {{"in", HD_PORT_RECEIVE, 1, 1, 1, 8, "packets"}};
#endif
#ifdef FAULT_STATISTIC
static const hd_statistic statistics[] = {{"reads", "requests", HD_STATISTIC_COUNT, 0, "reads"}};
#endif

static hd_block_class describe()
{
    hd_block_class type = {};
    type.abi_version = HD_ABI_VERSION;
    type.struct_bytes = sizeof type;
    type.kind = "test_model";
    type.type = "plain";
    type.doc = "does nothing";
    type.source = "written for these tests";
    type.port_count = 1;
    type.ports = ports;
#ifdef FAULT_CREATE
    type.destroy = [](hd_block *) {};
#endif
#ifdef FAULT_STATISTIC
    type.statistic_count = 1;
    type.statistics = statistics;
#endif
#ifdef FAULT_MESSAGE_PORT
    type.ports = message_ports;
#endif
    return type;
}

static const hd_block_class plain_class = describe();
static const heddle_systemc_model plain = {&plain_class, make,
#ifdef FAULT_FUNCTION
                                           nullptr,
#else
                                           socket_of,
#endif
                                           destroy};
static const heddle_systemc_model *const models[] = {
#ifdef FAULT_MODEL
    nullptr,
#endif
    &plain};

#ifdef FAULT_ABI
#define ABI (HD_ABI_VERSION + 1)
#else
#define ABI HD_ABI_VERSION
#endif
#ifdef FAULT_BYTES
#define BYTES 24
#else
#define BYTES sizeof(heddle_systemc_plugin)
#endif
#ifdef FAULT_SYSTEMC
#define SYSTEMC 20120701
#else
#define SYSTEMC SYSTEMC_VERSION
#endif
#ifdef FAULT_CPLUSPLUS
#define STANDARD 201402
#else
#define STANDARD __cplusplus
#endif
#ifdef FAULT_LICENCE
#define LICENCE ""
#else
#define LICENCE "MIT"
#endif
#ifdef FAULT_EMPTY
#define COUNT 0
#else
#define COUNT sizeof models / sizeof *models
#endif

HEDDLE_SYSTEMC_ENTRY = {ABI, BYTES, SYSTEMC, STANDARD, "models", "1.0", LICENCE, COUNT, 0, models};
