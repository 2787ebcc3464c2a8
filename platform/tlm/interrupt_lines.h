// SPDX-License-Identifier: MIT
// Interrupt lines between blocks of ours, where they are messages, and models from elsewhere, where they are signals.
#ifndef HD_TLM_INTERRUPT_LINES_H
#define HD_TLM_INTERRUPT_LINES_H

#include <deque>

#include "message_ends.h"

namespace heddle
{

// The far end of a line (hd_host.h) that leads to a model: its levels are those of a signal, and of a port if there is one.
class level_wire : public message_receiver
{
  public:
    using port = sc_core::sc_port_b<sc_core::sc_signal_inout_if<bool>>;
    sc_core::sc_signal<bool> level;

    level_wire(surroundings &around, const std::string &name, port *out);
    bool peer_is_ours() override;

    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload &payload, tlm::tlm_phase &phase,
                                       sc_core::sc_time &delay) override;

  private:
    port *const out; // of the module that this machine is part of; NULL: none
};

// The near end of a line that comes from a model: it drives a signal, whose changes are messages to the block. Of a line of levels
// each change is one, of a line of events ("interrupt/1") each rise. As long as the block has no room, changes wait.
class level_source : public sc_core::sc_module, public tlm::tlm_bw_transport_if<message_protocol>
{
  public:
    SC_HAS_PROCESS(level_source);
    sc_core::sc_signal<bool, sc_core::SC_MANY_WRITERS> level; // models raise it in one process and lower it in another

    level_source(sc_core::sc_module_name name, message_receiver &to, bool is_level);

  private:
    tlm::tlm_initiator_socket<32, message_protocol>
        socket; // bound, and never used: a target socket is not to be unbound
    message_receiver &to;
    const bool is_level;
    sc_core::sc_event room;
    std::deque<bool> changes;

    void notice();
    void send();
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload &, tlm::tlm_phase &, sc_core::sc_time &) override;
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override;
};

} // namespace heddle

#endif
