// SPDX-License-Identifier: MIT
#include "timed_memory.h"

DECLARE_EXTENDED_PHASE(latency_over);

timed_memory::timed_memory(sc_core::sc_module_name name, sc_core::sc_time latency, unsigned int places)
    : sc_module(name), socket("socket"), latency(latency), free_places(places), phases(this, &timed_memory::on_phase)
{
    socket.register_nb_transport_fw(this, &timed_memory::nb_transport_fw);
    socket.register_transport_dbg(this, &timed_memory::transport_dbg);
}

tlm::tlm_sync_enum timed_memory::nb_transport_fw(tlm::tlm_generic_payload &payload, tlm::tlm_phase &phase,
                                                 sc_core::sc_time &delay)
{
    if (phase == tlm::BEGIN_REQ)
        payload.acquire();
    phases.notify(payload, phase, delay);
    return tlm::TLM_ACCEPTED;
}

void timed_memory::on_phase(tlm::tlm_generic_payload &payload, const tlm::tlm_phase &phase)
{
    if (phase == tlm::BEGIN_REQ) {
        requesting = &payload;
        end_request();
    } else if (phase == tlm::END_RESP) {
        end_response();
    } else if (phase == latency_over) {
        served.push_back(&payload);
        begin_response();
    }
}

void timed_memory::end_request()
{
    if (!requesting || !free_places)
        return;
    tlm::tlm_generic_payload &payload = *requesting;
    tlm::tlm_phase phase = tlm::END_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    requesting = nullptr;
    free_places--;
    pages.access(payload);
    phases.notify(payload, latency_over, latency);
    socket->nb_transport_bw(payload, phase, delay);
}

void timed_memory::begin_response()
{
    if (responding || served.empty())
        return;
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    responding = served.front();
    served.pop_front();
    responding->set_response_status(tlm::TLM_OK_RESPONSE);
    if (socket->nb_transport_bw(*responding, phase, delay) != tlm::TLM_ACCEPTED)
        phases.notify(*responding, tlm::END_RESP, delay);
}

void timed_memory::end_response()
{
    responding->release();
    responding = nullptr;
    free_places++;
    end_request();
    begin_response();
}

unsigned int timed_memory::transport_dbg(tlm::tlm_generic_payload &payload)
{
    return pages.access(payload);
}
