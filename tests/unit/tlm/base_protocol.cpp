// SPDX-License-Identifier: MIT
// Violations of the base protocol, one each, and what the checker says to them.
#include <criterion/criterion.h>

#include "hop.h"

using namespace tlm;

static const char *const rules[] = {
#define BASE_PROTOCOL_RULE(name, clause, meaning) #name,
#include "base_protocol.def"
#undef BASE_PROTOCOL_RULE
};

static std::vector<std::string> planted;

static bool ends_with(const std::string &text, const std::string &end)
{
    return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

// One violation, of that rule, by that transaction.
static void expect(const char *rule, const char *transaction, hop::script script, bool by_method = false)
{
    std::vector<std::string> found = play(script, by_method);
    cr_assert_eq(found.size(), 1u, "%zu violations; %s", found.size(), found.empty() ? "" : found.back().c_str());
    cr_expect_eq(found[0].find(std::string(rule) + " (IEEE 1666-2011, 1"), 0u, "%s", found[0].c_str());
    cr_expect(ends_with(found[0], std::string("; ") + transaction), "%s", found[0].c_str());
}

// PLANT(rule, name of the test, transaction, script): a test, and a note that the rule has one.
#define PLANT(rule, name, ...)                                                                                         \
    static const bool is_planted_##name = (planted.push_back(#rule), true);                                            \
    Test(base_protocol, name)                                                                                          \
    {                                                                                                                  \
        expect(#rule, __VA_ARGS__);                                                                                    \
    }
#define FIRST "transaction 1, a write of 4 bytes at 0x80"
#define FIRST_READ "transaction 1, a read of 4 bytes at 0x80"
#define SECOND "transaction 2, a write of 4 bytes at 0x80"
#define NONE "a transaction that is not under way, a write of 4 bytes at 0x80"

// ---- Phases ---------------------------------------------------------------------------------------------------------

PLANT(phase_direction, an_initiator_that_sends_end_req, FIRST, [](hop &at) {
    access a;
    at.forward(a, BEGIN_REQ);
    at.forward(a, END_REQ);
})

PLANT(phase_direction, a_target_that_sends_begin_req, NONE, [](hop &at) {
    access a;
    at.backward(a, BEGIN_REQ);
})

PLANT(phase_order, an_end_of_request_twice, FIRST, [](hop &at) {
    access a;
    at.forward(a, BEGIN_REQ);
    at.backward(a, END_REQ);
    at.backward(a, END_REQ);
})

PLANT(phase_order, a_response_to_no_request, NONE, [](hop &at) {
    access a;
    at.backward(a, BEGIN_RESP);
})

PLANT(phase_order, an_end_of_a_response_that_has_not_begun, FIRST, [](hop &at) {
    access a;
    at.forward(a, BEGIN_REQ);
    at.forward(a, END_RESP);
})

PLANT(phase_order, a_transaction_used_again_before_its_end, FIRST, [](hop &at) {
    access a;
    at.forward(a, BEGIN_REQ);
    at.forward(a, BEGIN_REQ);
})

PLANT(phase_order, a_response_after_completion, NONE, [](hop &at) {
    access a;
    at.on_forward = [](tlm_generic_payload &payload, tlm_phase &, sc_time &) {
        payload.set_response_status(TLM_OK_RESPONSE);
        return TLM_COMPLETED;
    };
    at.forward(a, BEGIN_REQ);
    at.backward(a, BEGIN_RESP);
})

PLANT(return_value, an_update_without_a_phase, FIRST, [](hop &at) {
    access a;
    at.on_forward = [](tlm_generic_payload &, tlm_phase &, sc_time &) { return TLM_UPDATED; };
    at.forward(a, BEGIN_REQ);
})

PLANT(return_value, an_update_after_the_end, NONE, [](hop &at) {
    access a;
    at.forward(a, BEGIN_REQ);
    a.served();
    at.backward(a, BEGIN_RESP);
    at.on_forward = [](tlm_generic_payload &, tlm_phase &, sc_time &) { return TLM_UPDATED; };
    at.forward(a, END_RESP);
})

PLANT(return_value, a_completion_of_the_end_of_a_request, FIRST, [](hop &at) {
    access a;
    at.forward(a, BEGIN_REQ);
    at.on_backward = [](tlm_generic_payload &, tlm_phase &, sc_time &) { return TLM_COMPLETED; };
    at.backward(a, END_REQ);
})

PLANT(accepted_unchanged, a_phase_changed_and_not_returned, FIRST, [](hop &at) {
    access a;
    at.on_forward = [](tlm_generic_payload &, tlm_phase &phase, sc_time &) {
        phase = END_REQ;
        return TLM_ACCEPTED;
    };
    at.forward(a, BEGIN_REQ);
})

PLANT(accepted_unchanged, a_delay_changed_and_not_returned, FIRST, [](hop &at) {
    access a;
    at.forward(a, BEGIN_REQ);
    a.served();
    at.on_backward = [](tlm_generic_payload &, tlm_phase &, sc_time &delay) {
        delay += sc_time(1, sc_core::SC_NS);
        return TLM_ACCEPTED;
    };
    at.backward(a, BEGIN_RESP);
})

PLANT(accepted_unchanged, a_status_set_before_the_response, FIRST, [](hop &at) {
    access a;
    at.on_forward = [](tlm_generic_payload &payload, tlm_phase &, sc_time &) {
        payload.set_response_status(TLM_OK_RESPONSE);
        return TLM_ACCEPTED;
    };
    at.forward(a, BEGIN_REQ);
})

PLANT(request_exclusion, a_request_before_the_end_of_the_one_before, SECOND, [](hop &at) {
    access a, b;
    at.forward(a, BEGIN_REQ);
    at.forward(b, BEGIN_REQ);
})

PLANT(response_exclusion, a_response_before_the_end_of_the_one_before, SECOND, [](hop &at) {
    access a, b;
    at.forward(a, BEGIN_REQ);
    at.backward(a, END_REQ);
    at.forward(b, BEGIN_REQ);
    a.served(), b.served();
    at.backward(a, BEGIN_RESP);
    at.backward(b, BEGIN_RESP);
})

// ---- Time -----------------------------------------------------------------------------------------------------------

PLANT(time_order, a_response_annotated_earlier_than_its_request, FIRST, [](hop &at) {
    access a;
    at.forward(a, BEGIN_REQ, 7);
    a.served();
    at.backward(a, BEGIN_RESP, 6);
})

PLANT(time_order, a_returned_delay_that_is_shorter, FIRST, [](hop &at) {
    access a;
    at.on_forward = [](tlm_generic_payload &, tlm_phase &phase, sc_time &delay) {
        phase = END_REQ;
        delay = sc_core::SC_ZERO_TIME;
        return TLM_UPDATED;
    };
    at.forward(a, BEGIN_REQ, 5);
})

PLANT(time_order, a_blocking_call_that_takes_back_its_delay, FIRST, [](hop &at) {
    access a;
    at.on_blocking = [](tlm_generic_payload &, sc_time &delay) {
        sc_core::wait(3, sc_core::SC_NS);
        delay = sc_core::SC_ZERO_TIME;
    };
    at.block(a, 5);
})

// ---- Who may call ---------------------------------------------------------------------------------------------------

PLANT(both_transports, a_blocking_call_of_a_transaction_under_way, FIRST, [](hop &at) {
    access a;
    at.forward(a, BEGIN_REQ);
    at.block(a);
})

PLANT(both_transports, a_blocking_call_of_the_second_transaction_under_way, SECOND, [](hop &at) {
    access other, a;
    at.forward(other, BEGIN_REQ);
    at.backward(other, END_REQ);
    at.forward(a, BEGIN_REQ);
    at.block(a);
})

PLANT(both_transports, a_request_of_a_transaction_in_a_blocking_call, FIRST, [](hop &at) {
    access a;
    at.on_blocking = [&at, &a](tlm_generic_payload &, sc_time &) {
        a.set_response_status(TLM_INCOMPLETE_RESPONSE);
        at.forward(a, BEGIN_REQ);
    };
    at.block(a);
})

PLANT(
    blocking_process, a_blocking_call_of_a_method, FIRST,
    [](hop &at) {
        access a;
        at.block(a);
    },
    true)

PLANT(memory_manager, a_request_without_a_memory_manager, NONE, [](hop &at) {
    access a;
    a.set_mm(nullptr);
    at.forward(a, BEGIN_REQ);
})

PLANT(reference_count, a_request_that_nobody_holds, NONE, [](hop &at) {
    access a;
    a.release();
    at.forward(a, BEGIN_REQ);
})

PLANT(reference_count, a_response_to_what_was_released, FIRST, [](hop &at) {
    access a;
    at.forward(a, BEGIN_REQ);
    a.release();
    a.served();
    at.backward(a, BEGIN_RESP);
})

// ---- Attributes -----------------------------------------------------------------------------------------------------

PLANT(attributes, a_target_that_changes_the_command, FIRST, [](hop &at) {
    access a;
    at.forward(a, BEGIN_REQ);
    a.set_command(TLM_READ_COMMAND);
    at.backward(a, END_REQ);
})

PLANT(attributes, a_target_that_changes_the_length, FIRST, [](hop &at) {
    access a;
    at.on_blocking = [](tlm_generic_payload &payload, sc_time &) { payload.set_data_length(2); };
    at.block(a);
})

PLANT(attributes, an_initiator_that_changes_the_streaming_width, FIRST, [](hop &at) {
    access a;
    at.forward(a, BEGIN_REQ);
    a.set_streaming_width(2);
    a.served();
    at.backward(a, BEGIN_RESP);
})

PLANT(write_data, an_initiator_that_changes_the_data_of_its_write, FIRST, [](hop &at) {
    access a;
    at.forward(a, BEGIN_REQ);
    a.bytes[3] ^= 1;
    at.backward(a, END_REQ);
})

PLANT(byte_enables, a_target_that_changes_the_byte_enables, FIRST, [](hop &at) {
    access a;
    at.forward(a.enabled(), BEGIN_REQ);
    a.enables[1] = 0xFF;
    at.backward(a, END_REQ);
})

PLANT(response_changed, a_status_changed_after_the_response, FIRST, [](hop &at) {
    access a;
    at.forward(a, BEGIN_REQ);
    a.served();
    at.backward(a, BEGIN_RESP);
    a.set_response_status(TLM_ADDRESS_ERROR_RESPONSE);
    at.forward(a, END_RESP);
})

PLANT(option, a_request_with_an_option, FIRST, [](hop &at) {
    access a;
    a.set_gp_option(TLM_FULL_PAYLOAD);
    at.forward(a, BEGIN_REQ);
})

PLANT(command, a_command_that_is_none, "transaction 1, an access of 4 bytes at 0x80", [](hop &at) {
    access a(static_cast<tlm_command>(TLM_IGNORE_COMMAND + 1));
    at.forward(a, BEGIN_REQ);
})

PLANT(data_pointer, a_request_without_data, FIRST, [](hop &at) {
    access a;
    a.set_data_ptr(nullptr);
    at.forward(a, BEGIN_REQ);
})

PLANT(data_length, a_request_of_no_bytes, "transaction 1, a write of 0 bytes at 0x80", [](hop &at) {
    access a;
    a.set_data_length(0);
    at.forward(a, BEGIN_REQ);
})

PLANT(byte_enable_value, a_byte_enable_of_one, FIRST, [](hop &at) {
    access a;
    a.enables[2] = 1;
    at.forward(a.enabled(), BEGIN_REQ);
})

PLANT(disabled_byte, a_read_that_writes_every_byte, FIRST_READ, [](hop &at) {
    access a(TLM_READ_COMMAND);
    at.forward(a.enabled(), BEGIN_REQ);
    a.bytes[0] = a.bytes[1] = 9;
    a.served();
    at.backward(a, BEGIN_RESP);
})

PLANT(byte_enable_length, byte_enables_of_no_length, FIRST, [](hop &at) {
    access a;
    a.enabled().set_byte_enable_length(0);
    at.forward(a, BEGIN_REQ);
})

PLANT(streaming_width, a_streaming_width_of_none, FIRST, [](hop &at) {
    access a;
    a.set_streaming_width(0);
    at.forward(a, BEGIN_REQ);
})

PLANT(dmi_hint, a_request_with_the_hint_of_the_one_before, FIRST, [](hop &at) {
    access a;
    a.set_dmi_allowed(true);
    at.forward(a, BEGIN_REQ);
})

PLANT(initial_status, a_request_with_the_status_of_the_one_before, FIRST, [](hop &at) {
    access a;
    a.served();
    at.forward(a, BEGIN_REQ);
})

PLANT(response_status, a_response_without_a_status, FIRST, [](hop &at) {
    access a;
    at.forward(a, BEGIN_REQ);
    at.backward(a, BEGIN_RESP);
})

PLANT(response_status, a_blocking_call_without_a_status, FIRST, [](hop &at) {
    access a;
    at.on_blocking = [](tlm_generic_payload &payload, sc_time &) {
        payload.set_response_status(TLM_INCOMPLETE_RESPONSE);
    };
    at.block(a);
})

// ---- Direct and debug access ----------------------------------------------------------------------------------------

PLANT(dmi_region, a_region_beside_the_address, NONE, [](hop &at) {
    static unsigned char memory[64];
    access a;
    tlm_dmi region;
    at.on_direct = [](tlm_dmi &granted) {
        granted.set_dmi_ptr(memory);
        granted.set_start_address(0);
        granted.set_end_address(0x3F);
        granted.allow_read_write();
        return true;
    };
    at.initiator->get_direct_mem_ptr(a, region);
})

PLANT(debug_count, a_debug_access_of_more_than_was_asked_for, NONE, [](hop &at) {
    access a;
    at.debug_bytes = 5;
    at.initiator->transport_dbg(a);
})

Test(base_protocol, every_rule_has_a_planted_violation)
{
    for (const char *rule : rules) {
        bool is_there = false;
        for (const std::string &each : planted)
            is_there |= each == rule;
        cr_expect(is_there, "nobody breaks %s", rule);
    }
}
