// SPDX-License-Identifier: MIT
// The rules of the TLM-2.0 base protocol over one hop: what an initiator and a target say to each other is held against
// IEEE 1666-2011, clauses 11, 14 and 15. Extended phases are ignorable and are not looked at. The address may be changed
// by an interconnect below (14.10), so nothing is said about it.
#ifndef HD_TLM_BASE_PROTOCOL_H
#define HD_TLM_BASE_PROTOCOL_H

#include <functional>
#include <string>
#include <systemc>
#include <tlm>
#include <unordered_map>
#include <vector>

namespace heddle
{

enum class base_rule {
#define BASE_PROTOCOL_RULE(name, clause, meaning) name,
#include "base_protocol.def"
#undef BASE_PROTOCOL_RULE
};

class base_protocol
{
  public:
    // Gets one line per violation: rule, clause, meaning, and the transaction.
    using sink = std::function<void(const std::string &)>;
    explicit base_protocol(sink report);

    // The arguments of a call as it was made, to be held against those with which it returned.
    struct call {
        uint64_t number; // of the transaction, counted from 1 at this hop; 0 = none is known
        tlm::tlm_phase phase;
        sc_core::sc_time delay;
        tlm::tlm_response_status status;
    };

    // Each nb_transport call, before it goes on and after it came back.
    call forward(tlm::tlm_generic_payload &payload, const tlm::tlm_phase &phase, const sc_core::sc_time &delay);
    void forward_returns(const call &made, tlm::tlm_generic_payload &payload, const tlm::tlm_phase &phase,
                         const sc_core::sc_time &delay, tlm::tlm_sync_enum value);
    call backward(tlm::tlm_generic_payload &payload, const tlm::tlm_phase &phase, const sc_core::sc_time &delay);
    void backward_returns(const call &made, tlm::tlm_generic_payload &payload, const tlm::tlm_phase &phase,
                          const sc_core::sc_time &delay, tlm::tlm_sync_enum value);
    void blocking(tlm::tlm_generic_payload &payload, const sc_core::sc_time &delay);
    void blocking_returns(tlm::tlm_generic_payload &payload, const sc_core::sc_time &delay);
    void direct_returns(const tlm::tlm_generic_payload &payload, const tlm::tlm_dmi &region, bool is_granted);
    void debug_returns(const tlm::tlm_generic_payload &payload, unsigned int bytes);

  private:
    enum class stage { request, served, response, blocking };

    // A transaction from its first phase to its last: where it is, and its attributes as they were at first.
    struct life {
        uint64_t number;
        stage at;
        sc_core::sc_time latest;         // simulated time and delay of the last phase
        tlm::tlm_response_status status; // once there is a response
        sc_dt::uint64 address;           // to speak of
        tlm::tlm_command command;
        const unsigned char *data, *enables;
        unsigned int length, enable_length, width;
        std::vector<unsigned char> data_bytes, enable_bytes; // behind the pointers
    };

    const sink report;
    std::unordered_map<const tlm::tlm_generic_payload *, life> lives;
    uint64_t begun = 0;
    uint64_t in_request = 0, in_response = 0; // numbers of transactions; 0 = none

    void violated(base_rule rule, const life &now);
    void violated(base_rule rule, const tlm::tlm_generic_payload &payload);
    life *find(const tlm::tlm_generic_payload &payload, uint64_t number);
    void check_holders(const tlm::tlm_generic_payload &payload);
    void check_request(const life &now, const tlm::tlm_generic_payload &payload);
    void check_unchanged(life &now, const tlm::tlm_generic_payload &payload);
    void check_response(life &now, const tlm::tlm_generic_payload &payload);
    void check_time(life &now, const sc_core::sc_time &delay);
    life &begin(const tlm::tlm_generic_payload &payload, stage at, const sc_core::sc_time &delay);
    void begin_request(const tlm::tlm_generic_payload &payload, const sc_core::sc_time &delay);
    void answer(life *now, const tlm::tlm_generic_payload &payload, const tlm::tlm_phase &phase,
                const sc_core::sc_time &delay);
    void begin_response(life &now, const tlm::tlm_generic_payload &payload);
    void complete(life &now, const tlm::tlm_generic_payload &payload, const sc_core::sc_time &delay);
    void end_response(const tlm::tlm_generic_payload &payload, const sc_core::sc_time &delay);
    void end(const tlm::tlm_generic_payload &payload);
};

} // namespace heddle

#endif
