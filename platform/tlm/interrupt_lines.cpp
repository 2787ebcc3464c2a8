// SPDX-License-Identifier: MIT
#include "interrupt_lines.h"

#include "hd_host.h"
#include "hd_queue.h"

namespace heddle
{

level_wire::level_wire(surroundings &around, const std::string &name, port *out)
    : message_receiver(around, name), level((name + "_level").c_str()), out(out)
{
}

tlm::tlm_sync_enum level_wire::nb_transport_fw(tlm::tlm_generic_payload &payload, tlm::tlm_phase &, sc_core::sc_time &)
{
    auto *extension = payload.get_extension<packet_extension>();
    const bool is_high = extension->packet->tag != 0;
    level.write(is_high);
    for (int i = 0; out && i < out->size(); i++)
        (*out)[i]->write(is_high);
    hd_engine_free(around.engine, extension->packet);
    extension->packet = nullptr;
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    return tlm::TLM_COMPLETED;
}

bool level_wire::peer_is_ours()
{
    return false;
}

static constexpr uint32_t external_line = 11; // bit of mip: of the lines of a hart the one for devices

level_source::level_source(sc_core::sc_module_name name, message_receiver &to, bool is_level)
    : sc_module(name), level("level"), socket("socket"), to(to), is_level(is_level)
{
    socket.bind(*this);
    socket.bind(to.socket);
    to.room = &room;
    SC_METHOD(notice);
    sensitive << level.value_changed_event();
    dont_initialize();
    SC_METHOD(send);
    sensitive << room;
    dont_initialize();
}

void level_source::notice()
{
    if (is_level || level.read())
        changes.push_back(level.read());
    send();
}

void level_source::send()
{
    for (; !changes.empty() && to.has_room(); changes.pop_front()) {
        hd_packet *packet = to.packet_of(is_level ? HD_INTERRUPT_LEVEL : HD_INTERRUPT);
        packet->argument = is_level ? external_line : 0;
        packet->tag = is_level && changes.front();
        to.take(packet);
    }
}

tlm::tlm_sync_enum level_source::nb_transport_bw(tlm::tlm_generic_payload &, tlm::tlm_phase &, sc_core::sc_time &)
{
    return tlm::TLM_ACCEPTED;
}

void level_source::invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64)
{
}

} // namespace heddle
