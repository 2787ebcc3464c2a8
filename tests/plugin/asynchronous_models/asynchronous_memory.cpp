// SPDX-License-Identifier: MIT
#include "asynchronous_memory.h"

#include <algorithm>

asynchronous_memory::asynchronous_memory(sc_core::sc_module_name name, const settings &how)
    : sc_module(name), socket("socket"), answers(how.suspends), how(how)
{
    if (how.style == "waits")
        socket.register_b_transport(this, &asynchronous_memory::b_transport);
    else
        socket.register_nb_transport_fw(this, &asynchronous_memory::nb_transport_fw);
    socket.register_transport_dbg(this, &asynchronous_memory::transport_dbg);
    SC_METHOD(hear);
    sensitive << answers.opened;
    dont_initialize();
    SC_METHOD(respond);
    sensitive << later;
    dont_initialize();
    if (how.tick != sc_core::SC_ZERO_TIME)
        SC_THREAD(count);
}

void asynchronous_memory::count()
{
    for (;;)
        sc_core::wait(how.tick);
}

asynchronous_memory::job &asynchronous_memory::begin(tlm::tlm_generic_payload &payload)
{
    jobs.emplace_back();
    job &made = jobs.back();
    made.tag = tags++;
    made.payload = &payload;
    ask(made.tag, payload);
    return made;
}

void asynchronous_memory::hear()
{
    std::uint64_t tag;
    if (!answers.failure().empty())
        SC_REPORT_ERROR("asynchronous_memory", answers.failure().c_str());
    while (answers.take(tag)) {
        auto found = std::find_if(jobs.begin(), jobs.end(), [tag](const job &each) { return each.tag == tag; });
        fetch(tag, *found->payload);
        if (how.style == "waits") {
            found->done.notify(sc_core::SC_ZERO_TIME);
            continue;
        }
        if (how.style != "late")
            found->payload->set_response_status(tlm::TLM_OK_RESPONSE);
        ready.push_back(found->payload);
        jobs.erase(found);
    }
    later.notify(how.style == "late" ? how.latency : sc_core::SC_ZERO_TIME);
}

void asynchronous_memory::b_transport(tlm::tlm_generic_payload &payload, sc_core::sc_time &delay)
{
    job &mine = begin(payload);
    sc_core::wait(mine.done);
    jobs.remove_if([&mine](const job &each) { return &each == &mine; });
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    delay += how.latency;
}

void asynchronous_memory::respond()
{
    if (is_responding || ready.empty())
        return;
    tlm::tlm_generic_payload &payload = *ready.front();
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay = how.style == "late" ? sc_core::SC_ZERO_TIME : how.latency;
    ready.pop_front();
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    is_responding = true;
    if (socket->nb_transport_bw(payload, phase, delay) == tlm::TLM_COMPLETED) {
        is_responding = false;
        payload.release();
        later.notify(sc_core::SC_ZERO_TIME);
    }
}

tlm::tlm_sync_enum asynchronous_memory::nb_transport_fw(tlm::tlm_generic_payload &payload, tlm::tlm_phase &phase,
                                                        sc_core::sc_time &)
{
    if (phase == tlm::END_RESP) {
        is_responding = false;
        payload.release();
        later.notify(sc_core::SC_ZERO_TIME);
        return tlm::TLM_COMPLETED;
    }
    payload.acquire();
    begin(payload);
    if (how.style == "holds")
        return tlm::TLM_ACCEPTED;
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
}

unsigned int asynchronous_memory::transport_dbg(tlm::tlm_generic_payload &payload)
{
    return access_untimed(payload);
}
