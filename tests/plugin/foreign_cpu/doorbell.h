// SPDX-License-Identifier: MIT
// A peripheral as others write it: TLM-2.0 and SystemC, and nothing of Heddle. A word that is written to its first register is a time in
// nanoseconds, after which its interrupt line rises; a write to its second register lowers the line. Its bus has 64 bits.
#ifndef DOORBELL_H
#define DOORBELL_H

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <systemc>
#include <tlm>
#include <tlm_utils/simple_target_socket.h>

class doorbell : public sc_core::sc_module
{
  public:
    SC_HAS_PROCESS(doorbell);
    tlm_utils::simple_target_socket<doorbell, 64> bus;

    // rings: by itself at that time; 0: it does not.
    doorbell(sc_core::sc_module_name name, sc_core::sc_time rings) : sc_module(name), bus("bus")
    {
        bus.register_b_transport(this, &doorbell::b_transport);
        SC_METHOD(raise);
        sensitive << due;
        dont_initialize();
        if (rings != sc_core::SC_ZERO_TIME)
            due.notify(rings);
    }

    // Made where somebody listens: a port for a signal must be bound.
    sc_core::sc_out<bool> *line()
    {
        if (!out)
            out = std::make_unique<sc_core::sc_out<bool>>("line");
        return out.get();
    }

  private:
    std::unique_ptr<sc_core::sc_out<bool>> out;
    sc_core::sc_event due;

    void raise()
    {
        out->write(true);
    }

    void b_transport(tlm::tlm_generic_payload &payload, sc_core::sc_time &delay)
    {
        std::uint32_t word = 0;
        sc_core::wait(delay);
        delay = sc_core::SC_ZERO_TIME;
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
        if (payload.is_read()) {
            std::memset(payload.get_data_ptr(), 0, payload.get_data_length());
            return;
        }
        std::memcpy(&word, payload.get_data_ptr(), std::min<std::size_t>(sizeof word, payload.get_data_length()));
        if (payload.get_address() % 8 == 0)
            due.notify(sc_core::sc_time(word, sc_core::SC_NS));
        else
            out->write(false);
    }
};

#endif
