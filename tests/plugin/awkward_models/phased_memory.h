// SPDX-License-Identifier: MIT
// An approximately timed memory that knows the four phases as four calls and nothing else: whatever is called is answered
// TLM_ACCEPTED, and an answer other than that is an error to it. It has no transport_dbg.
#ifndef PHASED_MEMORY_H
#define PHASED_MEMORY_H

#include <deque>
#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <tlm_utils/peq_with_cb_and_phase.h>
#include <tlm_utils/simple_target_socket.h>

#include "../foreign_models/memory_pages.h"

class phased_memory : public sc_core::sc_module
{
  public:
    tlm_utils::simple_target_socket<phased_memory> socket;

    // stops_at: the phase that never comes, "END_REQ" or "BEGIN_RESP", from the request of that number on; "" for none.
    phased_memory(sc_core::sc_module_name name, const std::string &stops_at, unsigned int from_request);

  private:
    const std::string stops_at;
    const unsigned int from_request;
    unsigned int requests = 0;
    memory_pages pages;
    bool is_responding = false;
    std::deque<tlm::tlm_generic_payload *> served;
    tlm_utils::peq_with_cb_and_phase<phased_memory> phases;

    bool stops(const char *phase) const;
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload &payload, tlm::tlm_phase &phase,
                                       sc_core::sc_time &delay);
    void on_phase(tlm::tlm_generic_payload &payload, const tlm::tlm_phase &phase);
    void call(tlm::tlm_generic_payload &payload, tlm::tlm_phase phase);
    void begin_response();
};

#endif
