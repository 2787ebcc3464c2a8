// SPDX-License-Identifier: MIT
// A model that lies between two others: it passes every access on, after a while, whatever it is. Its sockets have 64 bits.
#ifndef STAGE_H
#define STAGE_H

#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

class stage : public sc_core::sc_module
{
  public:
    tlm_utils::simple_target_socket<stage, 64> in;
    tlm_utils::simple_initiator_socket<stage, 64> out;

    stage(sc_core::sc_module_name name, sc_core::sc_time latency)
        : sc_module(name), in("in"), out("out"), latency(latency)
    {
        in.register_b_transport(this, &stage::b_transport);
        in.register_transport_dbg(this, &stage::transport_dbg);
    }

  private:
    const sc_core::sc_time latency;

    void b_transport(tlm::tlm_generic_payload &payload, sc_core::sc_time &delay)
    {
        delay += latency;
        out->b_transport(payload, delay);
    }

    unsigned int transport_dbg(tlm::tlm_generic_payload &payload)
    {
        return out->transport_dbg(payload);
    }
};

#endif
