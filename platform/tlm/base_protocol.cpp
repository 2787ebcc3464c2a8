// SPDX-License-Identifier: MIT
#include "base_protocol.h"

#include <algorithm>
#include <cstdio>

namespace heddle
{

static const struct {
    const char *name, *clause, *meaning;
} rules[] = {
#define BASE_PROTOCOL_RULE(name, clause, meaning) {#name, clause, meaning},
#include "base_protocol.def"
#undef BASE_PROTOCOL_RULE
};

static bool is_extended(const tlm::tlm_phase &phase)
{
    return phase > tlm::END_RESP;
}

base_protocol::base_protocol(sink report) : report(std::move(report))
{
}

// ---- Reports --------------------------------------------------------------------------------------------------------

static std::string sentence(base_rule rule, const char *which, tlm::tlm_command command, unsigned int bytes,
                            sc_dt::uint64 address)
{
    static const char *const commands[] = {"a read", "a write", "an ignored access"};
    const auto &broken = rules[static_cast<size_t>(rule)];
    const char *what = command <= tlm::TLM_IGNORE_COMMAND ? commands[command] : "an access";
    char text[320];
    snprintf(text, sizeof text, "%s (IEEE 1666-2011, %s): %s; %s, %s of %u bytes at 0x%llx", broken.name, broken.clause,
             broken.meaning, which, what, bytes, address);
    return text;
}

void base_protocol::violated(base_rule rule, const life &now)
{
    std::string which = "transaction " + std::to_string(now.number);
    report(sentence(rule, which.c_str(), now.command, now.length, now.address));
}

void base_protocol::violated(base_rule rule, const tlm::tlm_generic_payload &payload)
{
    if (const life *now = find(payload, 0))
        violated(rule, *now);
    else
        report(sentence(rule, "a transaction that is not under way", payload.get_command(), payload.get_data_length(),
                        payload.get_address()));
}

// ---- Attributes -----------------------------------------------------------------------------------------------------

static std::vector<unsigned char> copy(const unsigned char *bytes, unsigned int length)
{
    return bytes ? std::vector<unsigned char>(bytes, bytes + length) : std::vector<unsigned char>();
}

template <class Life> static void take(Life &now, const tlm::tlm_generic_payload &payload)
{
    now.address = payload.get_address();
    now.command = payload.get_command();
    now.data = payload.get_data_ptr();
    now.enables = payload.get_byte_enable_ptr();
    now.length = payload.get_data_length();
    now.enable_length = payload.get_byte_enable_length();
    now.width = payload.get_streaming_width();
    bool matters = payload.is_write() || (payload.is_read() && now.enables);
    now.data_bytes = copy(matters ? now.data : nullptr, now.length);
    now.enable_bytes = copy(now.enables, now.enable_length);
}

void base_protocol::check_request(const life &now, const tlm::tlm_generic_payload &payload)
{
    bool moves = now.command != tlm::TLM_IGNORE_COMMAND;
    const struct {
        bool broken;
        base_rule rule;
    } checks[] = {
        {now.command < tlm::TLM_READ_COMMAND || now.command > tlm::TLM_IGNORE_COMMAND, base_rule::command},
        {moves && !now.data, base_rule::data_pointer},
        {moves && !now.length, base_rule::data_length},
        {now.enables && !now.enable_length, base_rule::byte_enable_length},
        {std::any_of(now.enable_bytes.begin(), now.enable_bytes.end(),
                     [](unsigned char each) { return each != TLM_BYTE_DISABLED && each != TLM_BYTE_ENABLED; }),
         base_rule::byte_enable_value},
        {!now.width, base_rule::streaming_width},
        {payload.is_dmi_allowed(), base_rule::dmi_hint},
        {payload.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE, base_rule::initial_status},
        {payload.get_gp_option() != tlm::TLM_MIN_PAYLOAD, base_rule::option},
    };
    for (const auto &check : checks)
        if (check.broken)
            violated(check.rule, now);
}

void base_protocol::check_unchanged(life &now, const tlm::tlm_generic_payload &payload)
{
    life seen = now;
    take(seen, payload);
    bool same_data = seen.data == now.data && seen.length == now.length && seen.command == now.command;
    bool same_enables = seen.enables == now.enables && seen.enable_length == now.enable_length;
    if (!same_data || !same_enables || seen.width != now.width)
        violated(base_rule::attributes, now);
    else if (seen.enable_bytes != now.enable_bytes)
        violated(base_rule::byte_enables, now);
    else if (now.command == tlm::TLM_WRITE_COMMAND && seen.data_bytes != now.data_bytes)
        violated(base_rule::write_data, now);
    else
        return;
    now = seen;
}

void base_protocol::check_response(life &now, const tlm::tlm_generic_payload &payload)
{
    check_unchanged(now, payload);
    now.status = payload.get_response_status();
    if (now.status == tlm::TLM_INCOMPLETE_RESPONSE)
        violated(base_rule::response_status, now);
    for (size_t i = 0; payload.is_read() && now.enable_length && i < now.data_bytes.size(); i++) {
        if (now.enable_bytes[i % now.enable_length] || now.data[i] == now.data_bytes[i])
            continue;
        violated(base_rule::disabled_byte, now);
        return;
    }
}

void base_protocol::check_time(life &now, const sc_core::sc_time &delay)
{
    sc_core::sc_time time = sc_core::sc_time_stamp() + delay;
    if (time < now.latest)
        violated(base_rule::time_order, now);
    now.latest = time;
}

void base_protocol::check_holders(const tlm::tlm_generic_payload &payload)
{
    if (!payload.has_mm())
        violated(base_rule::memory_manager, payload);
    else if (payload.get_ref_count() < 1)
        violated(base_rule::reference_count, payload);
}

// ---- Lives ----------------------------------------------------------------------------------------------------------

// The life of that number, or with number 0 the one that the payload has now.
base_protocol::life *base_protocol::find(const tlm::tlm_generic_payload &payload, uint64_t number)
{
    auto found = lives.find(&payload);
    if (found == lives.end() || (number && found->second.number != number))
        return nullptr;
    return &found->second;
}

base_protocol::life &base_protocol::begin(const tlm::tlm_generic_payload &payload, stage at,
                                          const sc_core::sc_time &delay)
{
    life &now = lives[&payload];
    now = life();
    now.number = ++begun;
    now.at = at;
    now.latest = sc_core::sc_time_stamp() + delay;
    take(now, payload);
    check_request(now, payload);
    return now;
}

void base_protocol::end(const tlm::tlm_generic_payload &payload)
{
    lives.erase(&payload);
}

// ---- Phases ---------------------------------------------------------------------------------------------------------

void base_protocol::begin_request(const tlm::tlm_generic_payload &payload, const sc_core::sc_time &delay)
{
    if (const life *before = find(payload, 0)) {
        violated(before->at == stage::blocking ? base_rule::both_transports : base_rule::phase_order, *before);
        in_request = in_request == before->number ? 0 : in_request;
    }
    const life &now = begin(payload, stage::request, delay);
    if (in_request)
        violated(base_rule::request_exclusion, now);
    in_request = now.number;
}

void base_protocol::begin_response(life &now, const tlm::tlm_generic_payload &payload)
{
    if (in_response)
        violated(base_rule::response_exclusion, now);
    in_response = now.number;
    now.at = stage::response;
    check_response(now, payload);
}

// END_REQ or BEGIN_RESP, as a call or as what a call returned.
void base_protocol::answer(life *now, const tlm::tlm_generic_payload &payload, const tlm::tlm_phase &phase,
                           const sc_core::sc_time &delay)
{
    bool in_order = now && (now->at == stage::request || (now->at == stage::served && phase == tlm::BEGIN_RESP));
    if (!in_order) {
        now ? violated(base_rule::phase_order, *now) : violated(base_rule::phase_order, payload);
        return;
    }
    check_time(*now, delay);
    if (in_request == now->number)
        in_request = 0;
    if (phase == tlm::BEGIN_RESP) {
        begin_response(*now, payload);
        return;
    }
    now->at = stage::served;
    check_unchanged(*now, payload);
}

// TLM_COMPLETED: the request is its own response.
void base_protocol::complete(life &now, const tlm::tlm_generic_payload &payload, const sc_core::sc_time &delay)
{
    if (now.at != stage::request)
        violated(base_rule::return_value, now);
    check_time(now, delay);
    check_response(now, payload);
    if (in_request == now.number)
        in_request = 0;
    end(payload);
}

void base_protocol::end_response(const tlm::tlm_generic_payload &payload, const sc_core::sc_time &delay)
{
    life *now = find(payload, 0);
    if (!now || now->at != stage::response) {
        now ? violated(base_rule::phase_order, *now) : violated(base_rule::phase_order, payload);
        return;
    }
    check_time(*now, delay);
    check_unchanged(*now, payload);
    if (payload.get_response_status() != now->status)
        violated(base_rule::response_changed, *now);
    in_response = 0;
    end(payload);
}

base_protocol::call base_protocol::forward(tlm::tlm_generic_payload &payload, const tlm::tlm_phase &phase,
                                           const sc_core::sc_time &delay)
{
    check_holders(payload);
    if (phase == tlm::BEGIN_REQ)
        begin_request(payload, delay);
    else if (phase == tlm::END_RESP)
        end_response(payload, delay);
    else if (!is_extended(phase))
        violated(base_rule::phase_direction, payload);
    const life *now = find(payload, 0);
    return {now ? now->number : 0, phase, delay, payload.get_response_status()};
}

void base_protocol::forward_returns(const call &made, tlm::tlm_generic_payload &payload, const tlm::tlm_phase &phase,
                                    const sc_core::sc_time &delay, tlm::tlm_sync_enum value)
{
    if (made.phase == tlm::END_RESP && value == tlm::TLM_UPDATED)
        violated(base_rule::return_value, payload);
    if (made.phase != tlm::BEGIN_REQ)
        return;
    life *now = find(payload, made.number);
    if (!now) { // ended by calls within the call; the payload may be gone
        if (value != tlm::TLM_ACCEPTED)
            violated(base_rule::return_value, payload);
        return;
    }
    if (value == tlm::TLM_COMPLETED) {
        complete(*now, payload, delay);
    } else if (value == tlm::TLM_UPDATED && !is_extended(phase)) {
        if (phase == tlm::END_REQ || phase == tlm::BEGIN_RESP)
            answer(now, payload, phase, delay);
        else
            violated(base_rule::return_value, *now);
    } else if (value == tlm::TLM_ACCEPTED && now->at == stage::request) {
        check_unchanged(*now, payload);
        if (phase != made.phase || delay != made.delay || payload.get_response_status() != made.status)
            violated(base_rule::accepted_unchanged, *now);
    }
}

base_protocol::call base_protocol::backward(tlm::tlm_generic_payload &payload, const tlm::tlm_phase &phase,
                                            const sc_core::sc_time &delay)
{
    check_holders(payload);
    life *now = find(payload, 0);
    if (phase == tlm::END_REQ || phase == tlm::BEGIN_RESP)
        answer(now, payload, phase, delay);
    else if (!is_extended(phase))
        violated(base_rule::phase_direction, payload);
    return {now ? now->number : 0, phase, delay, payload.get_response_status()};
}

// The initiator may have given the payload away: it is not looked into.
void base_protocol::backward_returns(const call &made, tlm::tlm_generic_payload &payload, const tlm::tlm_phase &phase,
                                     const sc_core::sc_time &delay, tlm::tlm_sync_enum value)
{
    life *now = made.number ? find(payload, made.number) : nullptr;
    if (!now || is_extended(made.phase))
        return;
    bool ends = made.phase == tlm::BEGIN_RESP && now->at == stage::response;
    if (value == tlm::TLM_ACCEPTED) {
        if (phase != made.phase || delay != made.delay)
            violated(base_rule::accepted_unchanged, *now);
    } else if (!ends || (value == tlm::TLM_UPDATED && phase != tlm::END_RESP)) {
        violated(base_rule::return_value, *now);
    } else {
        check_time(*now, delay);
        in_response = 0;
        end(payload);
    }
}

// ---- The other interfaces -------------------------------------------------------------------------------------------

void base_protocol::blocking(tlm::tlm_generic_payload &payload, const sc_core::sc_time &delay)
{
    if (payload.has_mm() && payload.get_ref_count() < 1)
        violated(base_rule::reference_count, payload);
    if (const life *before = find(payload, 0)) {
        violated(base_rule::both_transports, *before);
        return;
    }
    const life &now = begin(payload, stage::blocking, delay);
    if (sc_core::sc_get_current_process_handle().proc_kind() == sc_core::SC_METHOD_PROC_)
        violated(base_rule::blocking_process, now);
}

void base_protocol::blocking_returns(tlm::tlm_generic_payload &payload, const sc_core::sc_time &delay)
{
    life *now = find(payload, 0);
    if (!now || now->at != stage::blocking)
        return; // said when the other transport began
    check_time(*now, delay);
    check_response(*now, payload);
    end(payload);
}

void base_protocol::direct_returns(const tlm::tlm_generic_payload &payload, const tlm::tlm_dmi &region, bool is_granted)
{
    bool holds =
        region.get_start_address() <= payload.get_address() && payload.get_address() <= region.get_end_address();
    bool allows = payload.is_write() ? region.is_write_allowed() : region.is_read_allowed();
    if (is_granted && (!region.get_dmi_ptr() || !holds || !allows))
        violated(base_rule::dmi_region, payload);
}

void base_protocol::debug_returns(const tlm::tlm_generic_payload &payload, unsigned int bytes)
{
    if (bytes > payload.get_data_length())
        violated(base_rule::debug_count, payload);
}

} // namespace heddle
