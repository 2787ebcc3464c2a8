// SPDX-License-Identifier: MIT
// A memory whose bytes are elsewhere: a request is handed to somebody who answers in real time, by async_request_update.
#ifndef ASYNCHRONOUS_MEMORY_H
#define ASYNCHRONOUS_MEMORY_H

#include <deque>
#include <list>
#include <string>
#include <systemc>
#include <tlm>
#include <tlm_utils/simple_target_socket.h>

#include "door.h"

class asynchronous_memory : public sc_core::sc_module
{
  public:
    struct settings {
        // "waits": b_transport, which waits for the answer and then for its latency. "calls": END_REQ at once, and BEGIN_RESP that says
        // the latency. "holds": no END_REQ, and the same. "late": as "calls", but after the latency, and the status only then.
        std::string style;
        sc_core::sc_time latency, tick;
        bool suspends; // async_attach_suspending
    };
    tlm_utils::simple_target_socket<asynchronous_memory> socket;

    SC_HAS_PROCESS(asynchronous_memory);
    asynchronous_memory(sc_core::sc_module_name name, const settings &how);

  protected:
    // Carries it out, sometime, and puts the tag through the door.
    virtual void ask(std::uint64_t tag, tlm::tlm_generic_payload &payload) = 0;
    // Its data, when it is through the door.
    virtual void fetch(std::uint64_t tag, tlm::tlm_generic_payload &payload) = 0;
    virtual unsigned int access_untimed(tlm::tlm_generic_payload &payload) = 0;
    door answers;

  private:
    struct job {
        std::uint64_t tag;
        tlm::tlm_generic_payload *payload;
        sc_core::sc_event done; // of a blocking call
    };
    const settings how;
    std::uint64_t tags = 0;
    std::list<job> jobs;
    std::deque<tlm::tlm_generic_payload *> ready; // wait for END_RESP of the answer before
    bool is_responding = false;
    sc_core::sc_event later;

    void count();
    void hear();
    void respond();
    job &begin(tlm::tlm_generic_payload &payload);
    void b_transport(tlm::tlm_generic_payload &payload, sc_core::sc_time &delay);
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload &payload, tlm::tlm_phase &phase,
                                       sc_core::sc_time &delay);
    unsigned int transport_dbg(tlm::tlm_generic_payload &payload);
};

#endif
