// SPDX-License-Identifier: MIT
#include "loose_memory.h"

loose_memory::loose_memory(sc_core::sc_module_name name, sc_core::sc_time latency)
    : sc_module(name), socket("socket"), latency(latency)
{
    socket.register_b_transport(this, &loose_memory::b_transport);
    socket.register_transport_dbg(this, &loose_memory::transport_dbg);
}

void loose_memory::b_transport(tlm::tlm_generic_payload &payload, sc_core::sc_time &delay)
{
    if (payload.get_command() == tlm::TLM_IGNORE_COMMAND) {
        payload.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
        return;
    }
    pages.access(payload);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    delay += latency;
}

unsigned int loose_memory::transport_dbg(tlm::tlm_generic_payload &payload)
{
    return pages.access(payload);
}
