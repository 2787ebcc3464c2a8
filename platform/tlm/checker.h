// SPDX-License-Identifier: MIT
// A monitor on a memory link that holds every call against the rules of the base protocol.
#ifndef HD_TLM_CHECKER_H
#define HD_TLM_CHECKER_H

#include "base_protocol.h"
#include "monitor.h"

namespace heddle
{

class checker : public monitor<tlm::tlm_base_protocol_types>
{
  public:
    checker(sc_core::sc_module_name name, uint64_t &calls, base_protocol::sink report)
        : monitor(name, calls), rules(report)
    {
    }

    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload &payload, tlm::tlm_phase &phase,
                                       sc_core::sc_time &delay) override
    {
        const base_protocol::call made = rules.forward(payload, phase, delay);
        const tlm::tlm_sync_enum value = monitor::nb_transport_fw(payload, phase, delay);
        rules.forward_returns(made, payload, phase, delay, value);
        return value;
    }

    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload &payload, tlm::tlm_phase &phase,
                                       sc_core::sc_time &delay) override
    {
        const base_protocol::call made = rules.backward(payload, phase, delay);
        const tlm::tlm_sync_enum value = monitor::nb_transport_bw(payload, phase, delay);
        rules.backward_returns(made, payload, phase, delay, value);
        return value;
    }

    void b_transport(tlm::tlm_generic_payload &payload, sc_core::sc_time &delay) override
    {
        rules.blocking(payload, delay);
        monitor::b_transport(payload, delay);
        rules.blocking_returns(payload, delay);
    }

    bool get_direct_mem_ptr(tlm::tlm_generic_payload &payload, tlm::tlm_dmi &region) override
    {
        const bool is_granted = monitor::get_direct_mem_ptr(payload, region);
        rules.direct_returns(payload, region, is_granted);
        return is_granted;
    }

    unsigned int transport_dbg(tlm::tlm_generic_payload &payload) override
    {
        const unsigned int bytes = monitor::transport_dbg(payload);
        rules.debug_returns(payload, bytes);
        return bytes;
    }

  private:
    base_protocol rules;
};

} // namespace heddle

#endif
