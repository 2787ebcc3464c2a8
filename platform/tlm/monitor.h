// SPDX-License-Identifier: MIT
// A module between two sockets that passes every call on unchanged and counts it. Whoever sits behind it is no longer
// bound directly, so real transport calls are made.
#ifndef HD_TLM_MONITOR_H
#define HD_TLM_MONITOR_H

#include <systemc>
#include <tlm>

namespace heddle
{

// Passes every call on.
template <class Protocol, unsigned int In = 32, unsigned int Out = 32>
class passage : public sc_core::sc_module,
                public tlm::tlm_fw_transport_if<Protocol>,
                public tlm::tlm_bw_transport_if<Protocol>
{
  public:
    tlm::tlm_target_socket<In, Protocol> in;
    tlm::tlm_initiator_socket<Out, Protocol> out;

    explicit passage(sc_core::sc_module_name name) : sc_module(name), in("in"), out("out")
    {
        in.bind(*this);
        out.bind(*this);
    }

    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload &payload, tlm::tlm_phase &phase,
                                       sc_core::sc_time &delay) override
    {
        return out->nb_transport_fw(payload, phase, delay);
    }

    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload &payload, tlm::tlm_phase &phase,
                                       sc_core::sc_time &delay) override
    {
        return in->nb_transport_bw(payload, phase, delay);
    }

    void b_transport(tlm::tlm_generic_payload &payload, sc_core::sc_time &delay) override
    {
        out->b_transport(payload, delay);
    }

    bool get_direct_mem_ptr(tlm::tlm_generic_payload &payload, tlm::tlm_dmi &dmi) override
    {
        return out->get_direct_mem_ptr(payload, dmi);
    }

    unsigned int transport_dbg(tlm::tlm_generic_payload &payload) override
    {
        return out->transport_dbg(payload);
    }

    void invalidate_direct_mem_ptr(sc_dt::uint64 start, sc_dt::uint64 end) override
    {
        in->invalidate_direct_mem_ptr(start, end);
    }
};

// And counts them.
template <class Protocol> class monitor : public passage<Protocol>
{
  public:
    monitor(sc_core::sc_module_name name, uint64_t &calls) : passage<Protocol>(name), calls(calls)
    {
    }

    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload &payload, tlm::tlm_phase &phase,
                                       sc_core::sc_time &delay) override
    {
        calls++;
        return passage<Protocol>::nb_transport_fw(payload, phase, delay);
    }

    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload &payload, tlm::tlm_phase &phase,
                                       sc_core::sc_time &delay) override
    {
        calls++;
        return passage<Protocol>::nb_transport_bw(payload, phase, delay);
    }

    void b_transport(tlm::tlm_generic_payload &payload, sc_core::sc_time &delay) override
    {
        calls++;
        passage<Protocol>::b_transport(payload, delay);
    }

  private:
    uint64_t &calls;
};

} // namespace heddle

#endif
