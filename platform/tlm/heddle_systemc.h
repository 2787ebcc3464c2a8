// SPDX-License-Identifier: MIT
//
// A plug-in of SystemC models: a shared object with sc_modules that a netlist binds by name. Nothing but its entry is
// visible, and it links against SystemC alone:
//
//     static const heddle_systemc_model memory = {&memory_class, make, socket, destroy};
//     static const heddle_systemc_model *const models[] = {&memory};
//     HEDDLE_SYSTEMC_ENTRY = {HEDDLE_SYSTEMC_HEAD, "my_memory", "1.0", "MIT", 1, 0, models};
//
// A model declares itself with the same tables as every block (hd_block.h); all functions of its class are NULL, and it
// has no statistics and sends no messages of its own: its ports are of the memory protocol, which is the TLM-2.0 base
// protocol. An initiator port is an initiator socket, a target port a target socket, of 8, 16, 32, 64, 128, 256, 512 or 1024 bits,
// for one binding or for several. b_transport, nb_transport and, if the model holds data, transport_dbg are called; simulated time
// is what SystemC says. Other ports are interrupt lines: a receiving one ("interrupt.level/1", hd_host.h) is an sc_in<bool>, a
// sending one an sc_out<bool>, each change of which is sent to a hart ("interrupt.level/1") or each rise to an interrupt
// controller ("interrupt/1", hd_message.h).
//
// A model may have threads of its own, which reach SystemC by async_request_update: a link says for how long it is waited for
// (answers_within and begins_within, docs/systemc.md).
//
// Every function is called while the machine that the module belongs to is installed in SystemC, by one thread at a
// time. An exception that make throws is the reason why the machine cannot be built.
#ifndef HEDDLE_SYSTEMC_H
#define HEDDLE_SYSTEMC_H

#include <systemc>
#include <tlm>

#include "hd_block.h"
#include "hd_message.h"

struct heddle_systemc_model {
    const hd_block_class *block_class; // create is NULL
    // A module of that name, to be made in the current module. values: parameter_count of them, as in hd_block_class.create;
    // they live as long as the module.
    sc_core::sc_module *(*make)(const char *name, const hd_value *values);
    // The socket of a port element, or the sc_in<bool> or sc_out<bool> of an interrupt line, lent; NULL if it has none. Called once
    // per bound element; a socket for several bindings may be that of several elements.
    sc_core::sc_object *(*socket)(sc_core::sc_module *module, const char *port, uint32_t element);
    // Simulation is over.
    void (*destroy)(sc_core::sc_module *module);
};

struct heddle_systemc_plugin {
    uint32_t abi_version;  // HD_ABI_VERSION
    uint32_t struct_bytes; // sizeof(heddle_systemc_plugin)
    uint32_t systemc;      // SYSTEMC_VERSION that it was compiled with
    uint32_t cplusplus;    // language standard: SystemC's library fits one only
    const char *name;
    const char *version;
    const char *licence; // SPDX expression
    uint32_t model_count;
    uint32_t reserved;
    const heddle_systemc_model *const *models;
};

#define HEDDLE_SYSTEMC_SYMBOL "heddle_systemc_entry"
#define HEDDLE_SYSTEMC_HEAD HD_ABI_VERSION, sizeof(heddle_systemc_plugin), SYSTEMC_VERSION, (uint32_t)__cplusplus

extern "C" __attribute__((visibility("default"))) const heddle_systemc_plugin heddle_systemc_entry;
#define HEDDLE_SYSTEMC_ENTRY const heddle_systemc_plugin heddle_systemc_entry

#endif
