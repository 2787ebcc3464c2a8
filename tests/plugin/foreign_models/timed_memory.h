// SPDX-License-Identifier: MIT
// An approximately timed memory as others write it: TLM-2.0 and SystemC, and nothing of Heddle. Four phases; it takes a
// request when one of its places is free, and answers one after another.
#ifndef TIMED_MEMORY_H
#define TIMED_MEMORY_H

#include <deque>
#include <systemc>
#include <tlm>
#include <tlm_utils/peq_with_cb_and_phase.h>
#include <tlm_utils/simple_target_socket.h>

#include "memory_pages.h"

class timed_memory : public sc_core::sc_module
{
  public:
    tlm_utils::simple_target_socket<timed_memory> socket;

    timed_memory(sc_core::sc_module_name name, sc_core::sc_time latency, unsigned int places);

  private:
    const sc_core::sc_time latency;
    unsigned int free_places;
    memory_pages pages;
    tlm::tlm_generic_payload *requesting = nullptr, *responding = nullptr;
    std::deque<tlm::tlm_generic_payload *> served;
    tlm_utils::peq_with_cb_and_phase<timed_memory> phases;

    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload &payload, tlm::tlm_phase &phase,
                                       sc_core::sc_time &delay);
    unsigned int transport_dbg(tlm::tlm_generic_payload &payload);
    void on_phase(tlm::tlm_generic_payload &payload, const tlm::tlm_phase &phase);
    void end_request();
    void begin_response();
    void end_response();
};

#endif
