// SPDX-License-Identifier: MIT
// Ends of memory ports: the TLM-2.0 base protocol. END_REQ and END_RESP say that there is room for one more.
#ifndef HD_TLM_MEMORY_ENDS_H
#define HD_TLM_MEMORY_ENDS_H

#include <deque>
#include <tlm_utils/peq_with_cb_and_phase.h>

#include "ends.h"

namespace heddle
{

// The requesting side. out = requests, in = responses.
class memory_initiator : public port_end, public tlm::tlm_bw_transport_if<>
{
  public:
    tlm::tlm_initiator_socket<> socket;

    memory_initiator(surroundings &around, const std::string &name);
    ~memory_initiator() override;
    void transmit(hd_packet *packet) override;
    void credit(hd_link *link) override;
    bool peer_is_ours() override;
    void describe_owed(const hd_text_sink &sink, const char *ours, const char *theirs) const override;
    bool holds_time() const override;
    std::string describe_overdue(real_clock::time_point now, const char *ours) const override;
    // Untimed; returns how many bytes, from address on, somebody below has. Of a model without transport_dbg none is read, and what
    // is written is a request, in front of those to come.
    uint32_t debug_access(uint64_t address, void *data, uint32_t bytes, bool is_write);

    // Writes that the model has not accepted.
    void under_way(const hd_under_way_sink &sink) const;

    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload &payload, tlm::tlm_phase &phase,
                                       sc_core::sc_time &delay) override;
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override;

  private:
    struct begun {
        const tlm::tlm_generic_payload *payload;
        hd_time since;
        real_clock::time_point began; // of a model that is waited for
    };
    std::deque<begun> unanswered;                            // by a foreign target, in the order of BEGIN_REQ
    std::deque<tlm::tlm_generic_payload *> waiting;          // for END_REQ of the request before
    tlm::tlm_generic_payload *in_request = nullptr;          // between BEGIN_REQ and END_REQ
    std::deque<tlm::tlm_generic_payload *> full;             // answers that wait for room in the link
    tlm::tlm_generic_payload *in_response = nullptr;         // its END_RESP waits for room
    uint32_t buffered = 0;                                   // answers delivered whose credit has not come back
    tlm_utils::peq_with_cb_and_phase<memory_initiator> late; // phases with an annotated delay

    void request(tlm::tlm_generic_payload &payload);
    void begin_requests();
    void end_request();
    uint32_t write_in_time(uint64_t address, const void *data, uint32_t bytes);
    void check_written(tlm::tlm_generic_payload &payload);
    uint32_t access_directly(tlm::tlm_generic_payload &payload);
    uint64_t outer_address(uint64_t address) const;
    void forget(const tlm::tlm_generic_payload &payload);
    std::string describe(const begun &request, const char *ours) const;
    bool take_response(tlm::tlm_generic_payload &payload);
    void deliver(tlm::tlm_generic_payload &payload);
    void send_end_response(tlm::tlm_generic_payload &payload);
    void on_phase(tlm::tlm_generic_payload &payload, const tlm::tlm_phase &phase);
    bool has_room() const;
};

// The serving side. in = requests, out = responses.
class memory_target : public port_end, public tlm::tlm_fw_transport_if<>
{
  public:
    tlm::tlm_target_socket<> socket;

    memory_target(surroundings &around, const std::string &name, uint32_t block, uint32_t port);
    ~memory_target() override;
    void transmit(hd_packet *packet) override;
    void credit(hd_link *link) override;
    bool peer_is_ours() override;
    void describe_owed(const hd_text_sink &sink, const char *ours, const char *theirs) const override;

    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload &payload, tlm::tlm_phase &phase,
                                       sc_core::sc_time &delay) override;
    void b_transport(tlm::tlm_generic_payload &payload, sc_core::sc_time &delay) override;
    bool get_direct_mem_ptr(tlm::tlm_generic_payload &payload, tlm::tlm_dmi &dmi) override;
    unsigned int transport_dbg(tlm::tlm_generic_payload &payload) override;

  private:
    struct request {
        tlm::tlm_generic_payload *payload;
        uint64_t tag;            // of the request packet; the answer carries it
        sc_core::sc_event *done; // of a blocking call
    };
    const uint32_t block, port;
    std::deque<request> outstanding;                // delivered, not answered
    tlm::tlm_generic_payload *in_request = nullptr; // its END_REQ waits for room
    std::deque<hd_packet *> answers;                // wait for END_RESP of the answer before
    tlm::tlm_generic_payload *in_response = nullptr;
    hd_time in_response_since = 0;
    uint32_t buffered = 0; // requests delivered whose credit has not come back
    uint64_t next_tag = 0; // for requests of foreign initiators
    sc_core::sc_event room;
    tlm_utils::peq_with_cb_and_phase<memory_target> late;

    bool has_room() const;
    bool accept(tlm::tlm_generic_payload &payload, sc_core::sc_event *done);
    bool take_request(const hd_packet *packet, request &taken);
    void hand_over(tlm::tlm_generic_payload &payload, hd_packet *packet);
    void begin_response(tlm::tlm_generic_payload &payload);
    void begin_responses();
    void end_response();
    void on_phase(tlm::tlm_generic_payload &payload, const tlm::tlm_phase &phase);
    hd_packet *request_packet(tlm::tlm_generic_payload &payload);
};

// TLM status of a payload we cannot serve, or TLM_OK_RESPONSE.
tlm::tlm_response_status unsupported(const tlm::tlm_generic_payload &payload);
uint32_t packet_status(tlm::tlm_response_status status);
tlm::tlm_response_status payload_status(uint32_t status);

} // namespace heddle

#endif
