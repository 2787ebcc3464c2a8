// SPDX-License-Identifier: MIT
// The memory of the design, in which the device's DMA engine reads and writes: loosely timed, of 64 bits, for several masters.
#ifndef PLATFORM_MEMORY_H
#define PLATFORM_MEMORY_H

#include <cstdint>
#include <cstring>
#include <systemc>
#include <tlm>
#include <tlm_utils/simple_target_socket.h>
#include <vector>

class platform_memory : public sc_core::sc_module
{
  public:
    static constexpr std::uint64_t first_address = 0x80000000, bytes = 1 << 20;
    tlm_utils::simple_target_socket<platform_memory> socket;
    std::uint64_t accesses = 0;

    // is_deaf: it never answers.
    platform_memory(sc_core::sc_module_name name, bool is_deaf)
        : sc_module(name), socket("socket"), is_deaf(is_deaf), content(bytes)
    {
        socket.register_b_transport(this, &platform_memory::b_transport);
    }

    unsigned char *at(std::uint64_t offset)
    {
        return &content[offset];
    }

  private:
    const bool is_deaf;
    std::vector<unsigned char> content;
    sc_core::sc_event never;

    void b_transport(tlm::tlm_generic_payload &payload, sc_core::sc_time &delay)
    {
        const std::uint64_t offset = payload.get_address() - first_address;
        accesses++;
        if (is_deaf)
            sc_core::wait(never);
        if (offset >= bytes || payload.get_data_length() > bytes - offset) {
            payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
            return;
        }
        if (payload.is_write())
            std::memcpy(at(offset), payload.get_data_ptr(), payload.get_data_length());
        else
            std::memcpy(payload.get_data_ptr(), at(offset), payload.get_data_length());
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
        delay += sc_core::sc_time(60, sc_core::SC_NS);
    }
};

#endif
