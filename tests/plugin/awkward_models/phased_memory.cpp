// SPDX-License-Identifier: MIT
#include "phased_memory.h"

DECLARE_EXTENDED_PHASE(latency_is_over);

phased_memory::phased_memory(sc_core::sc_module_name name, const std::string &stops_at, unsigned int from_request)
    : sc_module(name), socket("socket"), stops_at(stops_at), from_request(from_request),
      phases(this, &phased_memory::on_phase)
{
    socket.register_nb_transport_fw(this, &phased_memory::nb_transport_fw);
}

bool phased_memory::stops(const char *phase) const
{
    return stops_at == phase && requests >= from_request;
}

tlm::tlm_sync_enum phased_memory::nb_transport_fw(tlm::tlm_generic_payload &payload, tlm::tlm_phase &phase,
                                                  sc_core::sc_time &delay)
{
    if (phase == tlm::BEGIN_REQ)
        payload.acquire();
    phases.notify(payload, phase, delay);
    return tlm::TLM_ACCEPTED;
}

void phased_memory::call(tlm::tlm_generic_payload &payload, tlm::tlm_phase phase)
{
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    if (socket->nb_transport_bw(payload, phase, delay) != tlm::TLM_ACCEPTED)
        SC_REPORT_ERROR("phased_memory", "an answer that is not TLM_ACCEPTED, to a model that knows no other");
}

void phased_memory::on_phase(tlm::tlm_generic_payload &payload, const tlm::tlm_phase &phase)
{
    if (phase == tlm::BEGIN_REQ) {
        requests++;
        if (stops("END_REQ"))
            return;
        call(payload, tlm::END_REQ);
        pages.access(payload);
        if (!stops("BEGIN_RESP"))
            phases.notify(payload, latency_is_over, sc_core::sc_time(50, sc_core::SC_NS));
    } else if (phase == latency_is_over) {
        served.push_back(&payload);
        begin_response();
    } else if (phase == tlm::END_RESP) {
        payload.release();
        is_responding = false;
        begin_response();
    }
}

void phased_memory::begin_response()
{
    if (is_responding || served.empty())
        return;
    tlm::tlm_generic_payload &payload = *served.front();
    served.pop_front();
    is_responding = true;
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    call(payload, tlm::BEGIN_RESP);
}
