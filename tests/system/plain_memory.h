// SPDX-License-Identifier: MIT
// A memory as others write it: TLM-2.0 and SystemC, and nothing of this project.
#ifndef PLAIN_MEMORY_H
#define PLAIN_MEMORY_H

#include <map>
#include <systemc>
#include <tlm>
#include <tlm_utils/simple_target_socket.h>

class plain_memory : public sc_core::sc_module
{
  public:
    tlm_utils::simple_target_socket<plain_memory> socket;

    plain_memory(sc_core::sc_module_name name, sc_core::sc_time latency);
    unsigned long reads = 0, writes = 0;

  private:
    const sc_core::sc_time latency;
    std::map<sc_dt::uint64, unsigned char> bytes;

    void b_transport(tlm::tlm_generic_payload &payload, sc_core::sc_time &delay);
    unsigned int transport_dbg(tlm::tlm_generic_payload &payload);
    void access(tlm::tlm_generic_payload &payload);
};

#endif
