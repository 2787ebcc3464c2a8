// SPDX-License-Identifier: MIT
// A loosely timed memory as others write it: TLM-2.0 and SystemC, and nothing of Heddle.
#ifndef LOOSE_MEMORY_H
#define LOOSE_MEMORY_H

#include <systemc>
#include <tlm>
#include <tlm_utils/simple_target_socket.h>

#include "memory_pages.h"

class loose_memory : public sc_core::sc_module
{
  public:
    tlm_utils::simple_target_socket<loose_memory> socket;

    loose_memory(sc_core::sc_module_name name, sc_core::sc_time latency);

  private:
    const sc_core::sc_time latency;
    memory_pages pages;

    void b_transport(tlm::tlm_generic_payload &payload, sc_core::sc_time &delay);
    unsigned int transport_dbg(tlm::tlm_generic_payload &payload);
};

#endif
