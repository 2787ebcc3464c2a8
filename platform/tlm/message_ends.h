// SPDX-License-Identifier: MIT
// Ends of message ports: a packet is one posted call.
#ifndef HD_TLM_MESSAGE_ENDS_H
#define HD_TLM_MESSAGE_ENDS_H

#include "ends.h"

namespace heddle
{

class message_sender : public port_end, public tlm::tlm_bw_transport_if<message_protocol>
{
  public:
    tlm::tlm_initiator_socket<32, message_protocol> socket;

    message_sender(surroundings &around, const std::string &name);
    void transmit(hd_packet *packet) override;
    void credit(hd_link *link) override;
    bool peer_is_ours() override;

    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload &, tlm::tlm_phase &, sc_core::sc_time &) override;
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override;
};

class message_receiver : public port_end, public tlm::tlm_fw_transport_if<message_protocol>
{
  public:
    tlm::tlm_target_socket<32, message_protocol> socket;

    message_receiver(surroundings &around, const std::string &name);
    void transmit(hd_packet *packet) override;
    void credit(hd_link *link) override;
    bool peer_is_ours() override;

    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload &payload, tlm::tlm_phase &phase,
                                       sc_core::sc_time &delay) override;
    void b_transport(tlm::tlm_generic_payload &payload, sc_core::sc_time &delay) override;
    bool get_direct_mem_ptr(tlm::tlm_generic_payload &payload, tlm::tlm_dmi &dmi) override;
    unsigned int transport_dbg(tlm::tlm_generic_payload &payload) override;

    // Of a foreign sender: hands over a packet, if there is room; told when there is more.
    bool take(hd_packet *packet);
    bool has_room() const;
    sc_core::sc_event *room = nullptr;
    hd_packet *packet_of(const char *message);
};

} // namespace heddle

#endif
