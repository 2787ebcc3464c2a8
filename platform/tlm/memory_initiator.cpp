// SPDX-License-Identifier: MIT
#include "hd_extension.h"
#include "hd_message.h"
#include "memory_ends.h"

#include <algorithm>
#include <cstring>

namespace heddle
{

memory_initiator::memory_initiator(surroundings &around, const std::string &name)
    : port_end(around, name), socket(name.c_str()), late(this, &memory_initiator::on_phase)
{
    socket.bind(*this);
}

memory_initiator::~memory_initiator()
{
    for (tlm::tlm_generic_payload *payload : waiting)
        hd_engine_free(around.engine, payload->get_extension<packet_extension>()->packet);
}

// A payload as the base protocol has it; the packet goes along as an extension that may be ignored.
static void fill(tlm::tlm_generic_payload &payload, hd_packet *packet, uint64_t address, bool is_write)
{
    auto *body = static_cast<unsigned char *>(hd_body(packet));
    payload.set_command(is_write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    payload.set_address(address);
    payload.set_data_length(packet->argument);
    payload.set_streaming_width(packet->argument);
    if (is_write)
        std::memcpy(payload.get_data_ptr(), body, packet->argument);
    if (is_write && packet->body_bytes > packet->argument) {
        std::memcpy(payload.get_data_ptr() + HD_PACKET_BODY_MAX, body + packet->argument, packet->argument);
        payload.set_byte_enable_ptr(payload.get_data_ptr() + HD_PACKET_BODY_MAX);
        payload.set_byte_enable_length(packet->argument);
    }
    payload.get_extension<packet_extension>()->packet = packet;
}

// As the model understands it.
uint64_t memory_initiator::outer_address(uint64_t address) const
{
    return is(NETLIST_ADDRESS) ? hd_channel_offset(around.address_map, address, shared) : address;
}

void memory_initiator::transmit(hd_packet *packet)
{
    tlm::tlm_generic_payload *payload = around.payloads.take();
    fill(*payload, packet, outer_address(packet->address),
         packet->message == hd_engine_message(around.engine, HD_MEMORY_WRITE));
    request(*payload);
}

void memory_initiator::request(tlm::tlm_generic_payload &payload)
{
    waiting.push_back(&payload);
    begin_requests();
}

void memory_initiator::begin_requests()
{
    while (!in_request && !waiting.empty()) {
        tlm::tlm_generic_payload *payload = waiting.front();
        waiting.pop_front();
        in_request = payload;
        if (!own_far_end)
            unanswered.push_back({payload, around.now(), within ? real_clock::now() : real_clock::time_point()});
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        around.transport_calls++;
        tlm::tlm_sync_enum status = socket->nb_transport_fw(*payload, phase, delay);
        if (status == tlm::TLM_ACCEPTED)
            continue;
        if (status == tlm::TLM_COMPLETED) {
            payload->get_extension<packet_extension>()->completed = true;
            phase = tlm::BEGIN_RESP;
        }
        if (delay == sc_core::SC_ZERO_TIME)
            on_phase(*payload, phase);
        else
            late.notify(*payload, phase, delay);
    }
}

void memory_initiator::end_request()
{
    const bool is_of_block = !in_request->get_extension<packet_extension>()->is_our_own;
    in_request = nullptr;
    if (!own_far_end && is_of_block) {
        hd_link_deliver_credit(out, around.arrival());
        around.delivered.notify(sc_core::SC_ZERO_TIME);
    }
    begin_requests();
}

bool memory_initiator::has_room() const
{
    return buffered < hd_link_timing_of(in).credits;
}

// The answer as a packet: the target's own, or made from the payload and the request that went along with it.
static hd_packet *answer_of(hd_engine *engine, tlm::tlm_generic_payload &payload)
{
    auto *extension = payload.get_extension<packet_extension>();
    hd_packet *packet = extension->packet;
    extension->packet = nullptr;
    uint32_t response = hd_engine_message(engine, HD_MEMORY_RESPONSE);
    if (packet->message == response)
        return packet;
    uint32_t bytes = payload.is_read() ? payload.get_data_length() : 0;
    hd_packet *answer = hd_engine_alloc(engine, bytes);
    answer->message = response;
    answer->source = packet->destination;
    answer->destination = packet->source;
    answer->tag = packet->tag;
    answer->address = packet->address;
    answer->traffic_class = packet->traffic_class;
    answer->argument = packet_status(payload.get_response_status());
    answer->body_bytes = bytes;
    answer->wire_bytes = HD_HEADER_WIRE_BYTES + bytes;
    std::memcpy(hd_body(answer), payload.get_data_ptr(), bytes);
    hd_engine_free(engine, packet);
    return answer;
}

void memory_initiator::deliver(tlm::tlm_generic_payload &payload)
{
    if (!hd_link_deliver(in, answer_of(around.engine, payload), around.arrival()))
        around.fault(name.c_str(), "a response came without room for it");
    buffered++;
    around.delivered.notify(sc_core::SC_ZERO_TIME);
}

void memory_initiator::forget(const tlm::tlm_generic_payload &payload)
{
    auto found = std::find_if(unanswered.begin(), unanswered.end(),
                              [&payload](const begun &each) { return each.payload == &payload; });
    if (found != unanswered.end())
        unanswered.erase(found);
}

// True when END_RESP can be given at once.
bool memory_initiator::take_response(tlm::tlm_generic_payload &payload)
{
    forget(payload);
    if (payload.get_extension<packet_extension>()->is_our_own) {
        check_written(payload);
        return true;
    }
    if (!has_room()) {
        full.push_back(&payload);
        return false;
    }
    deliver(payload);
    if (has_room() || payload.get_extension<packet_extension>()->completed)
        return true;
    in_response = &payload;
    return false;
}

void memory_initiator::send_end_response(tlm::tlm_generic_payload &payload)
{
    tlm::tlm_phase phase = tlm::END_RESP;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    if (!payload.get_extension<packet_extension>()->completed) {
        around.transport_calls++;
        socket->nb_transport_fw(payload, phase, delay);
    }
    payload.release();
}

void memory_initiator::credit(hd_link *link)
{
    buffered--;
    if (own_far_end)
        hd_link_deliver_credit(link, around.arrival());
    if (in_response) {
        tlm::tlm_generic_payload *payload = in_response;
        in_response = nullptr;
        send_end_response(*payload);
    }
    while (!full.empty() && has_room()) {
        tlm::tlm_generic_payload *payload = full.front();
        full.pop_front();
        if (take_response(*payload))
            send_end_response(*payload);
    }
}

void memory_initiator::on_phase(tlm::tlm_generic_payload &payload, const tlm::tlm_phase &phase)
{
    if (phase == tlm::BEGIN_REQ) { // our own, whose time has come
        request(payload);
        return;
    }
    if (&payload == in_request)
        end_request();
    if (phase == tlm::BEGIN_RESP && take_response(payload))
        send_end_response(payload);
}

tlm::tlm_sync_enum memory_initiator::nb_transport_bw(tlm::tlm_generic_payload &payload, tlm::tlm_phase &phase,
                                                     sc_core::sc_time &delay)
{
    if (phase != tlm::END_REQ && phase != tlm::BEGIN_RESP)
        return tlm::TLM_ACCEPTED; // an ignorable phase
    if (delay != sc_core::SC_ZERO_TIME || is(NETLIST_EARLY_COMPLETION)) {
        late.notify(payload, phase, delay);
        return tlm::TLM_ACCEPTED;
    }
    if (phase == tlm::END_REQ) {
        on_phase(payload, phase);
        return tlm::TLM_ACCEPTED;
    }
    if (&payload == in_request)
        end_request();
    if (!take_response(payload))
        return tlm::TLM_ACCEPTED;
    payload.release();
    phase = tlm::END_RESP;
    return tlm::TLM_COMPLETED;
}

uint32_t memory_initiator::debug_access(uint64_t address, void *data, uint32_t bytes, bool is_write)
{
    tlm::tlm_generic_payload payload;
    if (is(NETLIST_DEBUG))
        return is_write ? write_in_time(address, data, bytes) : 0;
    if (is(NETLIST_ADDRESS)) // what lies side by side there does not here
        bytes = std::min<uint64_t>(bytes, hd_partition_run(around.address_map) -
                                              address % hd_partition_run(around.address_map));
    payload.set_command(is_write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    payload.set_address(outer_address(address));
    payload.set_data_ptr(static_cast<unsigned char *>(data));
    payload.set_data_length(bytes);
    payload.set_streaming_width(bytes);
    const uint32_t taken = socket->transport_dbg(payload);
    return taken ? taken : access_directly(payload);
}

// The engine may be ahead of SystemC's time, and what its blocks send later comes later.
uint32_t memory_initiator::write_in_time(uint64_t address, const void *data, uint32_t bytes)
{
    bytes = std::min<uint64_t>(bytes, HD_LINE_BYTES - address % HD_LINE_BYTES);
    hd_packet *packet = hd_engine_alloc(around.engine, bytes);
    packet->message = hd_engine_message(around.engine, HD_MEMORY_WRITE);
    packet->address = address;
    packet->argument = packet->body_bytes = bytes;
    packet->wire_bytes = HD_HEADER_WIRE_BYTES + bytes;
    std::memcpy(hd_body(packet), data, bytes);
    tlm::tlm_generic_payload *payload = around.payloads.take();
    fill(*payload, packet, outer_address(address), true);
    payload->get_extension<packet_extension>()->is_our_own = true;
    late.notify(*payload, tlm::BEGIN_REQ, sc_core::sc_time::from_value(around.arrival() - around.now()));
    return bytes;
}

void memory_initiator::check_written(tlm::tlm_generic_payload &payload)
{
    auto *extension = payload.get_extension<packet_extension>();
    if (!payload.is_response_ok())
        around.fault(name.c_str(), (describe_access(payload) +
                                    ", which no block asked for: data that are written "
                                    "without transport_dbg, is answered " +
                                    payload.get_response_string())
                                       .c_str());
    hd_engine_free(around.engine, extension->packet);
    extension->packet = nullptr;
}

// Of a model that has no transport_dbg, and yet shows its bytes. They are not kept: it may take them back whenever it likes.
uint32_t memory_initiator::access_directly(tlm::tlm_generic_payload &payload)
{
    tlm::tlm_dmi region;
    const uint64_t address = payload.get_address();
    if (!socket->get_direct_mem_ptr(payload, region) || address < region.get_start_address() ||
        address > region.get_end_address() ||
        !(payload.is_write() ? region.is_write_allowed() : region.is_read_allowed()))
        return 0;
    const uint32_t bytes = std::min<uint64_t>(payload.get_data_length() - 1, region.get_end_address() - address) + 1;
    unsigned char *place = region.get_dmi_ptr() + (address - region.get_start_address());
    if (payload.is_write())
        std::memcpy(place, payload.get_data_ptr(), bytes);
    else
        std::memcpy(payload.get_data_ptr(), place, bytes);
    return bytes;
}

static void lay(const hd_under_way_sink &sink, const tlm::tlm_generic_payload *payload)
{
    hd_packet *packet = payload->get_extension<packet_extension>()->packet;
    if (packet)
        sink.write(sink.context, packet, 0);
}

void memory_initiator::under_way(const hd_under_way_sink &sink) const
{
    if (in_request)
        lay(sink, in_request);
    for (const tlm::tlm_generic_payload *payload : waiting)
        lay(sink, payload);
}

std::string memory_initiator::describe(const begun &request, const char *ours) const
{
    return describe_access(*request.payload) + ", begun by " + ours + " at " + describe_time(request.since) + ", " +
           (request.payload != in_request ? "is accepted and not answered (no BEGIN_RESP)"
                                          : "is not accepted (no END_REQ)") +
           "; " + std::to_string(unanswered.size() - 1 + waiting.size()) + " more are in the same state";
}

// The oldest request is the one to look at; others may only wait behind it.
void memory_initiator::describe_owed(const hd_text_sink &sink, const char *ours, const char *theirs) const
{
    if (!unanswered.empty())
        sink.line(sink.context, "%s, a model from elsewhere: %s", theirs, describe(unanswered.front(), ours).c_str());
}

// A thread works on what has no response status yet: from there on it is simulated time that the model waits for.
static bool is_worked_on(const tlm::tlm_generic_payload &payload)
{
    return payload.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE;
}

bool memory_initiator::holds_time() const
{
    return std::any_of(unanswered.begin(), unanswered.end(),
                       [](const begun &each) { return is_worked_on(*each.payload); });
}

std::string memory_initiator::describe_overdue(real_clock::time_point now, const char *ours) const
{
    for (const begun &each : unanswered)
        if (is_worked_on(*each.payload) && now - each.began >= real_time(within))
            return "a model from elsewhere has set no response status within " + describe_real_time(within) +
                   " (answers_within), for which simulated time stands still: " + describe(each, ours);
    return "";
}

bool memory_initiator::peer_is_ours()
{
    return dynamic_cast<memory_target *>(socket.get_base_port().get_interface()) != nullptr;
}

void memory_initiator::invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64)
{
}

} // namespace heddle
