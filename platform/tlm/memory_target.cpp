// SPDX-License-Identifier: MIT
#include "hd_message.h"
#include "memory_ends.h"

#include <algorithm>
#include <cstring>

namespace heddle
{

static const struct {
    tlm::tlm_response_status tlm;
    uint32_t packet;
} statuses[] = {
    {tlm::TLM_OK_RESPONSE, HD_STATUS_OK},
    {tlm::TLM_ADDRESS_ERROR_RESPONSE, HD_STATUS_ADDRESS_ERROR},
    {tlm::TLM_COMMAND_ERROR_RESPONSE, HD_STATUS_COMMAND_ERROR},
    {tlm::TLM_BURST_ERROR_RESPONSE, HD_STATUS_BURST_ERROR},
    {tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE, HD_STATUS_BYTE_ENABLE_ERROR},
};

uint32_t packet_status(tlm::tlm_response_status status)
{
    for (const auto &row : statuses) {
        if (row.tlm == status)
            return row.packet;
    }
    return HD_STATUS_GENERIC_ERROR;
}

tlm::tlm_response_status payload_status(uint32_t status)
{
    for (const auto &row : statuses) {
        if (row.packet == status)
            return row.tlm;
    }
    return tlm::TLM_GENERIC_ERROR_RESPONSE;
}

tlm::tlm_response_status unsupported(const tlm::tlm_generic_payload &payload)
{
    if (!payload.is_read() && !payload.is_write())
        return tlm::TLM_COMMAND_ERROR_RESPONSE;
    // Byte enables travel in the body too.
    uint32_t most = payload.get_byte_enable_ptr() ? HD_PACKET_BODY_MAX / 2 : HD_PACKET_BODY_MAX;
    if (payload.get_data_length() == 0 || payload.get_data_length() > most ||
        payload.get_streaming_width() < payload.get_data_length())
        return tlm::TLM_BURST_ERROR_RESPONSE;
    if (payload.get_byte_enable_ptr() && (payload.is_read() || payload.get_byte_enable_length() == 0))
        return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
    return tlm::TLM_OK_RESPONSE;
}

memory_target::memory_target(surroundings &around, const std::string &name, uint32_t block, uint32_t port)
    : port_end(around, name), socket(name.c_str()), block(block), port(port), late(this, &memory_target::on_phase)
{
    socket.bind(*this);
}

memory_target::~memory_target()
{
    for (hd_packet *packet : answers)
        hd_engine_free(around.engine, packet);
}

bool memory_target::has_room() const
{
    return buffered < hd_link_timing_of(in).credits;
}

bool memory_target::peer_is_ours()
{
    return dynamic_cast<memory_initiator *>(socket.get_base_port().get_interface()) != nullptr;
}

// The request as a packet: the one that our initiator sent along, or made from a foreign initiator's payload.
hd_packet *memory_target::request_packet(tlm::tlm_generic_payload &payload)
{
    auto *extension = payload.get_extension<packet_extension>();
    if (own_far_end && extension && extension->packet) { // a model in between passes on what it owes an answer to
        hd_packet *packet = extension->packet;
        extension->packet = nullptr;
        return packet;
    }
    uint32_t bytes = payload.get_data_length();
    bool masked = payload.is_write() && payload.get_byte_enable_ptr();
    hd_packet *packet = hd_engine_alloc(around.engine, payload.is_write() ? bytes * (masked ? 2 : 1) : 0);
    auto *body = static_cast<unsigned char *>(hd_body(packet));
    packet->message = hd_engine_message(around.engine, payload.is_write() ? HD_MEMORY_WRITE : HD_MEMORY_READ);
    packet->address = payload.get_address();
    packet->argument = bytes;
    packet->tag = next_tag++;
    packet->body_bytes = packet->body_capacity && payload.is_write() ? bytes * (masked ? 2 : 1) : 0;
    packet->wire_bytes = HD_HEADER_WIRE_BYTES + (payload.is_write() ? bytes : 0);
    if (payload.is_write())
        std::memcpy(body, payload.get_data_ptr(), bytes);
    for (uint32_t i = 0; masked && i < bytes; i++)
        body[bytes + i] = payload.get_byte_enable_ptr()[i % payload.get_byte_enable_length()];
    return packet;
}

// Into the link; true if there is room for one more after it.
bool memory_target::accept(tlm::tlm_generic_payload &payload, sc_core::sc_event *done)
{
    hd_packet *packet = request_packet(payload);
    outstanding.push_back({&payload, packet->tag, done});
    if (!hd_link_deliver(in, packet, around.arrival()))
        around.fault(name.c_str(), "a request came before END_REQ of the one before");
    buffered++;
    around.delivered.notify(sc_core::SC_ZERO_TIME);
    return has_room();
}

tlm::tlm_sync_enum memory_target::nb_transport_fw(tlm::tlm_generic_payload &payload, tlm::tlm_phase &phase,
                                                  sc_core::sc_time &delay)
{
    if (phase != tlm::BEGIN_REQ && phase != tlm::END_RESP)
        return tlm::TLM_ACCEPTED; // an ignorable phase
    if (delay != sc_core::SC_ZERO_TIME || is(NETLIST_EARLY_COMPLETION)) {
        late.notify(payload, phase, delay);
        return tlm::TLM_ACCEPTED;
    }
    if (phase == tlm::END_RESP) {
        end_response();
        return tlm::TLM_COMPLETED;
    }
    tlm::tlm_response_status status = unsupported(payload);
    if (status != tlm::TLM_OK_RESPONSE) {
        payload.set_response_status(status);
        return tlm::TLM_COMPLETED;
    }
    if (payload.has_mm())
        payload.acquire();
    if (accept(payload, nullptr)) {
        phase = tlm::END_REQ;
        return tlm::TLM_UPDATED;
    }
    in_request = &payload;
    return tlm::TLM_ACCEPTED;
}

// The same after an annotated delay, when answers can only be calls.
void memory_target::on_phase(tlm::tlm_generic_payload &payload, const tlm::tlm_phase &phase)
{
    if (phase == tlm::END_RESP) {
        end_response();
        return;
    }
    tlm::tlm_phase next = tlm::END_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    tlm::tlm_response_status status = unsupported(payload);
    if (status != tlm::TLM_OK_RESPONSE) {
        payload.set_response_status(status);
        next = tlm::BEGIN_RESP;
        if (payload.has_mm())
            payload.acquire();
        in_response_since = around.now();
        if (socket->nb_transport_bw(payload, next, delay) == tlm::TLM_ACCEPTED)
            in_response = &payload;
        else if (payload.has_mm())
            payload.release();
        return;
    }
    if (payload.has_mm())
        payload.acquire();
    in_request = &payload;
    if (accept(payload, nullptr)) {
        in_request = nullptr;
        around.transport_calls++;
        socket->nb_transport_bw(payload, next, delay);
    }
}

void memory_target::credit(hd_link *link)
{
    buffered--;
    if (own_far_end)
        hd_link_deliver_credit(link, around.arrival());
    room.notify(sc_core::SC_ZERO_TIME);
    if (!in_request)
        return;
    tlm::tlm_generic_payload *payload = in_request;
    tlm::tlm_phase phase = tlm::END_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    in_request = nullptr;
    around.transport_calls++;
    socket->nb_transport_bw(*payload, phase, delay);
}

void memory_target::transmit(hd_packet *packet)
{
    answers.push_back(packet);
    begin_responses();
}

static void answer(tlm::tlm_generic_payload &payload, const hd_packet *packet)
{
    payload.set_response_status(payload_status(packet->argument));
    if (payload.is_read() && packet->argument == HD_STATUS_OK)
        std::memcpy(payload.get_data_ptr(), hd_body_const(packet), packet->body_bytes);
}

// The request that this answers is outstanding no more. False, and a fault: there is none.
bool memory_target::take_request(const hd_packet *packet, request &taken)
{
    auto served = std::find_if(outstanding.begin(), outstanding.end(),
                               [packet](const request &r) { return r.tag == packet->tag; });
    if (served == outstanding.end()) {
        around.fault(name.c_str(), "a response without a request");
        return false;
    }
    taken = *served;
    outstanding.erase(served);
    return true;
}

// To an end of our own the packet goes as it is; for a foreign one its data are in the payload, and its room is free again.
void memory_target::hand_over(tlm::tlm_generic_payload &payload, hd_packet *packet)
{
    auto *extension = payload.get_extension<packet_extension>();
    if (extension && own_far_end) {
        extension->packet = packet;
        return;
    }
    hd_engine_free(around.engine, packet);
    if (!own_far_end)
        hd_link_deliver_credit(out, around.arrival());
}

void memory_target::begin_response(tlm::tlm_generic_payload &payload)
{
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    in_response = &payload;
    in_response_since = around.now();
    if (in_request == &payload)
        in_request = nullptr; // BEGIN_RESP implies END_REQ
    around.transport_calls++;
    tlm::tlm_sync_enum status = socket->nb_transport_bw(payload, phase, delay);
    if (status == tlm::TLM_COMPLETED || (status == tlm::TLM_UPDATED && phase == tlm::END_RESP))
        end_response();
}

void memory_target::begin_responses()
{
    while (!in_response && !answers.empty()) {
        hd_packet *packet = answers.front();
        request served;
        answers.pop_front();
        if (!take_request(packet, served)) {
            hd_engine_free(around.engine, packet);
            continue;
        }
        answer(*served.payload, packet);
        hand_over(*served.payload, packet);
        if (served.done)
            served.done->notify(sc_core::SC_ZERO_TIME);
        else
            begin_response(*served.payload);
    }
}

void memory_target::describe_owed(const hd_text_sink &sink, const char *ours, const char *theirs) const
{
    if (in_response && !own_far_end)
        sink.line(sink.context,
                  "%s, a model from elsewhere: the response to %s, begun by %s at %s, is not ended (no END_RESP)",
                  theirs, describe_access(*in_response).c_str(), ours, describe_time(in_response_since).c_str());
}

void memory_target::end_response()
{
    tlm::tlm_generic_payload *payload = in_response;
    in_response = nullptr;
    if (payload && payload->has_mm())
        payload->release();
    begin_responses();
}

void memory_target::b_transport(tlm::tlm_generic_payload &payload, sc_core::sc_time &delay)
{
    sc_core::sc_event done;
    sc_core::wait(delay);
    delay = sc_core::SC_ZERO_TIME;
    tlm::tlm_response_status status = unsupported(payload);
    if (status != tlm::TLM_OK_RESPONSE) {
        payload.set_response_status(status);
        return;
    }
    while (!has_room())
        sc_core::wait(room);
    accept(payload, &done);
    sc_core::wait(done);
}

// Every access takes its time in the machine: refused, for all addresses, so that nobody asks again.
bool memory_target::get_direct_mem_ptr(tlm::tlm_generic_payload &, tlm::tlm_dmi &region)
{
    region.init();
    return false;
}

// What a request at this socket would find, wherever it is.
unsigned int memory_target::transport_dbg(tlm::tlm_generic_payload &payload)
{
    if (!payload.is_read() && !payload.is_write())
        return 0;
    return hd_engine_debug_access(around.engine, block, port, payload.get_address(), payload.get_data_ptr(),
                                  payload.get_data_length(), payload.is_write());
}

} // namespace heddle
