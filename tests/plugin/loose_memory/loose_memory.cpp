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
    transport_dbg(payload);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    delay += latency;
}

unsigned int loose_memory::transport_dbg(tlm::tlm_generic_payload &payload)
{
    unsigned char *data = payload.get_data_ptr();
    const unsigned char *enables = payload.get_byte_enable_ptr();
    for (unsigned int i = 0; i < payload.get_data_length(); i++) {
        sc_dt::uint64 address = payload.get_address() + i;
        unsigned char &byte = pages[address / page_bytes][address % page_bytes];
        if (enables && enables[i % payload.get_byte_enable_length()] != TLM_BYTE_ENABLED)
            continue;
        if (payload.is_write())
            byte = data[i];
        else
            data[i] = byte;
    }
    return payload.get_data_length();
}
