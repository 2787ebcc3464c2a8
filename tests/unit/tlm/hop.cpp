// SPDX-License-Identifier: MIT
#include "hop.h"

static struct : tlm::tlm_mm_interface {
    void free(tlm_generic_payload *) override
    {
    }
} nobody;

access::access(tlm::tlm_command command)
{
    set_mm(&nobody);
    acquire();
    set_command(command);
    set_address(0x80);
    set_data_ptr(bytes);
    set_data_length(sizeof bytes);
    set_streaming_width(sizeof bytes);
}

access::~access()
{
    set_mm(nullptr);
}

access &access::enabled()
{
    set_byte_enable_ptr(enables);
    set_byte_enable_length(sizeof enables);
    return *this;
}

void access::served()
{
    set_response_status(tlm::TLM_OK_RESPONSE);
}

hop::hop(sc_core::sc_module_name name, script play, bool by_method)
    : sc_module(name), initiator("initiator"), target("target"), play(play),
      between("checker", calls, [this](const std::string &violation) { violations.push_back(violation); })
{
    initiator.bind(*this);
    target.bind(*this);
    initiator.bind(between.in);
    between.out.bind(target);
    if (by_method) {
        SC_METHOD(run);
    } else {
        SC_THREAD(run);
    }
}

void hop::run()
{
    play(*this);
}

tlm_sync_enum hop::forward(tlm_generic_payload &payload, tlm_phase phase, unsigned int nanoseconds)
{
    sc_time delay(nanoseconds, sc_core::SC_NS);
    return initiator->nb_transport_fw(payload, phase, delay);
}

tlm_sync_enum hop::backward(tlm_generic_payload &payload, tlm_phase phase, unsigned int nanoseconds)
{
    sc_time delay(nanoseconds, sc_core::SC_NS);
    return target->nb_transport_bw(payload, phase, delay);
}

void hop::block(tlm_generic_payload &payload, unsigned int nanoseconds)
{
    sc_time delay(nanoseconds, sc_core::SC_NS);
    initiator->b_transport(payload, delay);
}

tlm_sync_enum hop::nb_transport_fw(tlm_generic_payload &payload, tlm_phase &phase, sc_time &delay)
{
    return on_forward ? on_forward(payload, phase, delay) : tlm::TLM_ACCEPTED;
}

tlm_sync_enum hop::nb_transport_bw(tlm_generic_payload &payload, tlm_phase &phase, sc_time &delay)
{
    return on_backward ? on_backward(payload, phase, delay) : tlm::TLM_ACCEPTED;
}

void hop::b_transport(tlm_generic_payload &payload, sc_time &delay)
{
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    if (on_blocking)
        on_blocking(payload, delay);
}

bool hop::get_direct_mem_ptr(tlm_generic_payload &, tlm::tlm_dmi &region)
{
    return on_direct && on_direct(region);
}

unsigned int hop::transport_dbg(tlm_generic_payload &)
{
    return debug_bytes;
}

void hop::invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64)
{
}

std::vector<std::string> play(hop::script script, bool by_method)
{
    hop made("hop", script, by_method);
    sc_core::sc_start();
    return made.violations;
}
