// SPDX-License-Identifier: MIT
#include "message_ends.h"

#include "interrupt_lines.h"

namespace heddle
{

void surroundings::fault(const char *where, const char *what)
{
    std::string text = std::string(where) + ": " + what;
    hd_engine_report_fault(engine, HD_NO_BLOCK, arrival(), text.c_str());
}

message_sender::message_sender(surroundings &around, const std::string &name)
    : port_end(around, name), socket(name.c_str())
{
    socket.bind(*this);
}

void message_sender::transmit(hd_packet *packet)
{
    tlm::tlm_generic_payload *payload = around.payloads.take();
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    payload->get_extension<packet_extension>()->packet = packet;
    payload->set_address(packet->address);
    payload->set_data_length(packet->wire_bytes);
    around.transport_calls++;
    if (socket->nb_transport_fw(*payload, phase, delay) != tlm::TLM_COMPLETED)
        around.fault(name.c_str(), "a message was not taken");
    payload->release();
    if (!own_far_end)
        hd_link_deliver_credit(out, around.arrival());
}

void message_sender::credit(hd_link *)
{
}

bool message_sender::peer_is_ours()
{
    auto *peer = dynamic_cast<message_receiver *>(socket.get_base_port().get_interface());
    return peer && !dynamic_cast<level_wire *>(peer);
}

tlm::tlm_sync_enum message_sender::nb_transport_bw(tlm::tlm_generic_payload &, tlm::tlm_phase &, sc_core::sc_time &)
{
    return tlm::TLM_ACCEPTED;
}

void message_sender::invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64)
{
}

message_receiver::message_receiver(surroundings &around, const std::string &name)
    : port_end(around, name), socket(name.c_str())
{
    socket.bind(*this);
}

void message_receiver::transmit(hd_packet *)
{
}

void message_receiver::credit(hd_link *link)
{
    hd_link_deliver_credit(link, around.arrival());
    if (room)
        room->notify(sc_core::SC_ZERO_TIME);
}

bool message_receiver::has_room() const
{
    return hd_link_outside_credits(in) > 0;
}

hd_packet *message_receiver::packet_of(const char *message)
{
    hd_packet *packet = hd_engine_alloc(around.engine, 0);
    packet->message = hd_engine_message(around.engine, message);
    packet->wire_bytes = HD_HEADER_WIRE_BYTES;
    return packet;
}

bool message_receiver::take(hd_packet *packet)
{
    const bool is_taken = hd_link_deliver(in, packet, around.arrival());
    if (!is_taken)
        hd_engine_free(around.engine, packet);
    around.delivered.notify(sc_core::SC_ZERO_TIME);
    return is_taken;
}

bool message_receiver::peer_is_ours()
{
    return dynamic_cast<message_sender *>(socket.get_base_port().get_interface()) != nullptr;
}

tlm::tlm_sync_enum message_receiver::nb_transport_fw(tlm::tlm_generic_payload &payload, tlm::tlm_phase &,
                                                     sc_core::sc_time &)
{
    auto *extension = payload.get_extension<packet_extension>();
    if (!extension || !extension->packet) {
        payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
        around.fault(name.c_str(), "a message came without a packet");
    } else if (!hd_link_deliver(in, extension->packet, around.arrival())) {
        payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
        around.fault(name.c_str(), "a message came without a credit");
    } else {
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
        extension->packet = nullptr;
        around.delivered.notify(sc_core::SC_ZERO_TIME);
    }
    return tlm::TLM_COMPLETED;
}

void message_receiver::b_transport(tlm::tlm_generic_payload &payload, sc_core::sc_time &)
{
    payload.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
}

bool message_receiver::get_direct_mem_ptr(tlm::tlm_generic_payload &, tlm::tlm_dmi &)
{
    return false;
}

unsigned int message_receiver::transport_dbg(tlm::tlm_generic_payload &)
{
    return 0;
}

} // namespace heddle
