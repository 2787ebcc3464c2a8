// SPDX-License-Identifier: MIT
// A loosely timed memory that does what models from elsewhere do without thinking of others: it has a clock that never
// stops, a file that it writes when simulation ends, bugs.
#ifndef AWKWARD_MEMORY_H
#define AWKWARD_MEMORY_H

#include <cstdint>
#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <tlm_utils/multi_passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include "../foreign_models/memory_pages.h"

class awkward_memory : public sc_core::sc_module
{
  public:
    SC_HAS_PROCESS(awkward_memory);

    struct settings {
        sc_core::sc_time tick; // between two events of its own; 0: none
        std::uint64_t answers; // requests after this many are never answered; 0: all are
        sc_core::sc_time at;   // when it does what follows
        std::string does;      // "nothing"; "loop": an event notifies itself for ever, in no time; "stop": sc_stop;
                               // "info", "warning", "error": it reports that; "told": an error that it does not throw
        std::string debug;     // transport_dbg: "right"; "none"; "zeros": that is what it reads;
                               // "pointer": none, but direct access
        bool complains;        // it reports an error when simulation ends
        std::string database;  // file that it writes when simulation ends, and when it is destroyed; "": none
    };

    awkward_memory(sc_core::sc_module_name name, const settings &how);
    ~awkward_memory() override;
    sc_core::sc_object *usual_socket();
    // A socket of another kind, or none, in place of the usual one.
    sc_core::sc_object *other_socket(const std::string &kind);

  private:
    const settings how;
    memory_pages pages;
    std::uint64_t requests = 0, highest = 0;
    sc_core::sc_event again, never;
    std::unique_ptr<tlm_utils::simple_target_socket<awkward_memory>> socket;
    std::unique_ptr<tlm_utils::simple_target_socket<awkward_memory, 64>> wide;
    std::unique_ptr<tlm_utils::multi_passthrough_target_socket<awkward_memory, 32>> multi;
    std::unique_ptr<tlm_utils::multi_passthrough_target_socket<awkward_memory, 512>> wide_multi;
    std::unique_ptr<tlm_utils::simple_initiator_socket<awkward_memory>> reversed;
    std::unique_ptr<sc_core::sc_in<bool>> line;

    void count();
    void act();
    void report_without_throwing();
    template <class Socket> sc_core::sc_object *with_callbacks(std::unique_ptr<Socket> &made, const char *name);
    template <class Socket>
    sc_core::sc_object *with_numbered_callbacks(std::unique_ptr<Socket> &made, const char *name);
    tlm::tlm_sync_enum numbered_nb_transport(int, tlm::tlm_generic_payload &payload, tlm::tlm_phase &phase,
                                             sc_core::sc_time &delay);
    unsigned int numbered_transport_dbg(int, tlm::tlm_generic_payload &payload);
    bool get_direct_mem_ptr(tlm::tlm_generic_payload &payload, tlm::tlm_dmi &region);
    void b_transport(tlm::tlm_generic_payload &payload, sc_core::sc_time &delay);
    unsigned int transport_dbg(tlm::tlm_generic_payload &payload);
    void end_of_simulation() override;
};

#endif
