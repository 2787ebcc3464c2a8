// SPDX-License-Identifier: MIT
// Everything that the base protocol permits (IEEE 1666-2011, 15.2.4), over which the checker must not say a word.
#include <criterion/criterion.h>

#include "hop.h"

using namespace tlm;

static void expect_silence(hop::script script)
{
    std::vector<std::string> found = play(script);
    cr_expect(found.empty(), "%s", found.empty() ? "" : found[0].c_str());
}

static hop::transport returning(tlm_sync_enum value, tlm_phase phase, tlm_response_status status,
                                unsigned int delay = 0)
{
    return [=](tlm_generic_payload &payload, tlm_phase &next, sc_time &annotated) {
        if (status != TLM_INCOMPLETE_RESPONSE)
            payload.set_response_status(status);
        if (value == TLM_UPDATED)
            next = phase;
        annotated += sc_time(delay, sc_core::SC_NS);
        return value;
    };
}

Test(legal_sequences, four_phases)
{
    expect_silence([](hop &at) {
        access a;
        at.forward(a, BEGIN_REQ);
        at.backward(a, END_REQ);
        a.served();
        at.backward(a, BEGIN_RESP);
        at.forward(a, END_RESP);
    });
}

Test(legal_sequences, a_response_that_ends_its_request)
{
    expect_silence([](hop &at) {
        access a, b;
        at.forward(a, BEGIN_REQ);
        a.served();
        at.backward(a, BEGIN_RESP);
        at.forward(b, BEGIN_REQ);
        at.forward(a, END_RESP);
        b.served();
        at.backward(b, BEGIN_RESP);
    });
}

Test(legal_sequences, every_permitted_return_of_a_request)
{
    expect_silence([](hop &at) {
        access a, b, c, d;
        at.on_forward = returning(TLM_UPDATED, END_REQ, TLM_INCOMPLETE_RESPONSE, 2);
        at.forward(a, BEGIN_REQ);
        at.on_forward = returning(TLM_COMPLETED, BEGIN_REQ, TLM_OK_RESPONSE, 3);
        at.forward(b, BEGIN_REQ);
        at.on_forward = returning(TLM_UPDATED, BEGIN_RESP, TLM_OK_RESPONSE, 4);
        at.forward(c, BEGIN_REQ);
        at.on_forward = returning(TLM_COMPLETED, END_RESP, TLM_INCOMPLETE_RESPONSE);
        at.forward(c, END_RESP, 4);
        at.on_forward = nullptr;
        at.forward(d, BEGIN_REQ);
    });
}

Test(legal_sequences, every_permitted_return_of_a_response)
{
    expect_silence([](hop &at) {
        for (tlm_sync_enum value : {TLM_UPDATED, TLM_COMPLETED}) {
            access a;
            at.forward(a, BEGIN_REQ);
            a.served();
            at.on_backward = returning(value, END_RESP, TLM_INCOMPLETE_RESPONSE, 1);
            at.backward(a, BEGIN_RESP);
            at.on_backward = nullptr;
        }
    });
}

Test(legal_sequences, answers_from_within_the_request)
{
    expect_silence([](hop &at) {
        access a;
        at.on_forward = [&at](tlm_generic_payload &payload, tlm_phase &phase, sc_time &) {
            if (phase == END_RESP)
                return TLM_ACCEPTED;
            at.backward(payload, END_REQ);
            payload.set_response_status(TLM_OK_RESPONSE);
            at.backward(payload, BEGIN_RESP);
            return TLM_ACCEPTED;
        };
        at.forward(a, BEGIN_REQ);
        at.forward(a, END_RESP);
    });
}

Test(legal_sequences, an_end_from_within_the_response)
{
    expect_silence([](hop &at) {
        access a;
        at.on_backward = [&at](tlm_generic_payload &payload, tlm_phase &, sc_time &) {
            at.forward(payload, END_RESP);
            return TLM_ACCEPTED;
        };
        at.forward(a, BEGIN_REQ);
        a.served();
        at.backward(a, BEGIN_RESP);
    });
}

Test(legal_sequences, responses_in_another_order_than_requests)
{
    expect_silence([](hop &at) {
        access a, b;
        at.forward(a, BEGIN_REQ);
        at.backward(a, END_REQ);
        at.forward(b, BEGIN_REQ);
        b.served();
        at.backward(b, BEGIN_RESP);
        at.forward(b, END_RESP);
        a.served();
        at.backward(a, BEGIN_RESP);
    });
}

Test(legal_sequences, an_address_that_an_interconnect_changed)
{
    expect_silence([](hop &at) {
        access a;
        at.forward(a, BEGIN_REQ);
        a.set_address(0);
        a.served();
        at.backward(a, BEGIN_RESP);
    });
}

Test(legal_sequences, reads_that_are_filled_in_where_enabled)
{
    expect_silence([](hop &at) {
        access a(TLM_READ_COMMAND), b(TLM_READ_COMMAND), c(TLM_IGNORE_COMMAND);
        at.on_blocking = [](tlm_generic_payload &payload, sc_time &delay) {
            payload.get_data_ptr()[0] = 77;
            payload.set_dmi_allowed(true);
            delay += sc_time(5, sc_core::SC_NS);
        };
        at.block(a.enabled());
        at.block(b);
        c.set_data_length(0);
        c.set_data_ptr(nullptr);
        at.on_blocking = nullptr;
        at.block(c);
    });
}

Test(legal_sequences, a_blocking_call_that_waits_instead_of_annotating)
{
    expect_silence([](hop &at) {
        access a;
        a.set_mm(nullptr);
        at.on_blocking = [](tlm_generic_payload &, sc_time &delay) {
            sc_core::wait(delay);
            delay = sc_core::SC_ZERO_TIME;
        };
        at.block(a, 20);
    });
}

DECLARE_EXTENDED_PHASE(half_way);
Test(legal_sequences, ignorable_phases)
{
    expect_silence([](hop &at) {
        access a;
        at.forward(a, BEGIN_REQ);
        at.backward(a, half_way);
        at.forward(a, half_way);
        at.backward(a, END_REQ);
    });
}
