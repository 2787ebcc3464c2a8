// SPDX-License-Identifier: MIT
// The whole machine as one sc_module: the blocks' modules, their bindings, and the process that advances the engine.
#ifndef HD_TLM_MACHINE_MODULE_H
#define HD_TLM_MACHINE_MODULE_H

#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "block_module.h"
#include "checker.h"
#include "conductor.h"
#include "foreign_sockets.h"
#include "interrupt_lines.h"
#include "standstill.h"
#include "tlm_machine.h"

namespace heddle
{

class machine_module : public sc_core::sc_module
{
  public:
    SC_HAS_PROCESS(machine_module);
    machine_module(sc_core::sc_module_name name, const netlist &machine, const hd_tlm_options &options,
                   hd_engine *engine, const hd_address_map *address_map, uint64_t seed);

    // Empty, or why the machine could not be made.
    const std::string &error() const
    {
        return failure;
    }
    uint32_t endpoint(uint32_t block, uint32_t instance) const
    {
        return endpoints[machine.blocks[block].first_endpoint + instance];
    }
    // Windows are run ahead of SystemC's time up to here, while nothing else is pending in SystemC.
    void set_limit(hd_time t)
    {
        limit = t;
    }
    // Untimed, through the socket of a link to a foreign model; returns how many bytes that has.
    void under_way(const hd_link *link, const hd_under_way_sink &sink);
    uint32_t debug_access(const hd_link *link, uint64_t address, void *data, uint32_t bytes, bool is_write);
    const char *far_end(const hd_link *link);
    void describe_owed(const hd_text_sink &sink) const;
    // The engine may have been settled or stopped by the outside: look again.
    void kick()
    {
        around.delivered.notify(sc_core::SC_ZERO_TIME);
    }

    // When a foreign model moves next in a way that can reach a block: it begins transactions, or one of ours is on its way.
    hd_time foreign_next() const;

    // Nothing is run from here on.
    void retire()
    {
        is_retired = true;
        kick();
    }

    // Of a machine that is part of a larger design: what its conductor asks of it.
    hd_time next_work() const
    {
        return is_retired ? HD_NEVER : hd_engine_next(around.engine);
    }
    hd_time next_call() const
    {
        return is_retired ? HD_NEVER : hd_engine_wire_next(around.engine);
    }
    void step(hd_time bound)
    {
        hd_engine_step(around.engine, bound);
    }
    void serve_calls()
    {
        if (!is_retired)
            serve_wires();
    }
    // Lets the owner judge how it fares; returns when to look again even if nothing happens.
    hd_time look(hd_time now)
    {
        return is_retired || !options.look ? HD_NEVER : options.look(options.look_context, now);
    }
    void count_delta_cycle();
    // In real time, for models that have threads of their own. True: somebody has something to do now.
    bool wait_for_models()
    {
        return !is_retired && stands_still.wait();
    }
    // Likewise, for those that begin something by themselves. due: when anything moves next.
    bool wait_for_beginning(hd_time due);
    // The user has interrupted that, and nothing of the machine moves any more.
    bool is_interrupted() const
    {
        return stands_still.is_interrupted();
    }

    ~machine_module() override;

    surroundings around;
    uint64_t monitored_calls = 0;

  private:
    // The two ends of a netlist link; NULL where the block is foreign.
    struct joint {
        const netlist_link *link;
        port_end *from, *to;
        bool direct;  // the sockets found each other at the start of simulation
        bool watched; // something is in between
    };

    std::shared_ptr<conductor> conducts; // of a machine that is part of a larger design
    bool is_retired = false;
    bool has_foreign_initiator = false;
    hd_time stands_at = 0; // how often others had something to do at this time
    uint32_t delta_cycles = 0;
    const netlist &machine;
    const hd_tlm_options options;
    const uint64_t seed;
    std::vector<uint32_t> endpoints;                    // engine number by netlist endpoint
    std::vector<std::unique_ptr<block_module>> modules; // by netlist endpoint; empty = foreign
    std::vector<std::unique_ptr<sc_core::sc_module>> monitors;
    foreign_sockets sockets;
    std::vector<std::unique_ptr<level_wire>> wires;
    std::vector<std::unique_ptr<level_source>> sources;
    std::vector<joint> joints;
    std::vector<port_end *> sender, receiver; // of engine links, by their user word
    standstill stands_still;
    std::string failure, far_end_name;
    hd_time limit = 0;

    std::string instance_name(uint32_t block, uint32_t instance) const;
    std::string end_name(const netlist_end &end) const;
    void add_blocks();
    void bind(uint32_t index);
    void bind_memory(uint32_t index, joint &at, bool monitored);
    void bind_messages(uint32_t index, joint &at, bool monitored);
    void bind_source(const netlist_link &link, message_receiver &to);
    bool is_monitored(uint32_t index) const;
    template <class Initiator, class Monitor>
    Initiator *interpose(Initiator *initiator, std::unique_ptr<Monitor> between);
    foreign_sockets::binder interpose_on(const foreign_sockets::binder &from,
                                         std::unique_ptr<monitor<tlm::tlm_base_protocol_types>> between);
    std::unique_ptr<checker> make_checker(uint32_t index);
    sc_core::sc_object *foreign_object(const netlist_end &end);
    void refuse_socket(const netlist_end &end, const sc_core::sc_object *object);
    message_receiver *foreign_line(const netlist_end &end);
    port_end *end_of(const netlist_end &end);
    hd_binding ends_of(const netlist_link &link) const;
    void add_tap(const netlist_link &link);
    void add_link(joint &at);
    void join(joint &at);
    void start_of_simulation() override;
    void serve_wires();
    bool others_wait();
    uint32_t partitions_of(const netlist_link &link) const;
    bool is_direct(const joint &at) const;
    void start_engine();
    std::string foreign_names() const;
    bool is_over() const;
    void warn_of_silence();
    hd_time advance(hd_time bound);
    void sleep(hd_time due);
    void run();
};

} // namespace heddle

#endif
