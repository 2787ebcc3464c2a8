// SPDX-License-Identifier: MIT
#include "plain_memory.h"

plain_memory::plain_memory(sc_core::sc_module_name name, sc_core::sc_time latency)
    : sc_module(name), socket("socket"), latency(latency)
{
    socket.register_b_transport(this, &plain_memory::b_transport);
    socket.register_transport_dbg(this, &plain_memory::transport_dbg);
}

void plain_memory::access(tlm::tlm_generic_payload &payload)
{
    unsigned char *data = payload.get_data_ptr();
    for (unsigned int i = 0; i < payload.get_data_length(); i++) {
        const unsigned char *enable = payload.get_byte_enable_ptr();
        if (enable && !enable[i % payload.get_byte_enable_length()])
            continue;
        unsigned char &byte = bytes[payload.get_address() + i];
        if (payload.is_read())
            data[i] = byte;
        else
            byte = data[i];
    }
}

void plain_memory::b_transport(tlm::tlm_generic_payload &payload, sc_core::sc_time &delay)
{
    access(payload);
    (payload.is_read() ? reads : writes)++;
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    delay += latency;
}

unsigned int plain_memory::transport_dbg(tlm::tlm_generic_payload &payload)
{
    access(payload);
    return payload.get_data_length();
}
