// SPDX-License-Identifier: MIT
// A loosely timed memory as others write it: TLM-2.0 and SystemC, and nothing of Heddle.
#ifndef LOOSE_MEMORY_H
#define LOOSE_MEMORY_H

#include <systemc>
#include <tlm>
#include <tlm_utils/simple_target_socket.h>

#include <array>
#include <map>

class loose_memory : public sc_core::sc_module
{
  public:
    tlm_utils::simple_target_socket<loose_memory> socket;

    loose_memory(sc_core::sc_module_name name, sc_core::sc_time latency);

  private:
    static constexpr sc_dt::uint64 page_bytes = 4096;
    const sc_core::sc_time latency;
    std::map<sc_dt::uint64, std::array<unsigned char, page_bytes>> pages;

    void b_transport(tlm::tlm_generic_payload &payload, sc_core::sc_time &delay);
    unsigned int transport_dbg(tlm::tlm_generic_payload &payload);
};

#endif
