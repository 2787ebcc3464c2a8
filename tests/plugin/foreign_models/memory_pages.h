// SPDX-License-Identifier: MIT
// The bytes of a memory, for the models of this folder.
#ifndef MEMORY_PAGES_H
#define MEMORY_PAGES_H

#include <tlm>

#include <array>
#include <cstdint>
#include <map>

class memory_pages
{
  public:
    // Carries out a read or a write, byte enables included; returns how many bytes.
    unsigned int access(tlm::tlm_generic_payload &payload)
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

    // Where the bytes of the page lie, and how many they are.
    unsigned char *page_of(sc_dt::uint64 address, std::uint64_t &bytes)
    {
        bytes = page_bytes;
        return pages[address / page_bytes].data();
    }

  private:
    static constexpr sc_dt::uint64 page_bytes = 4096;
    std::map<sc_dt::uint64, std::array<unsigned char, page_bytes>> pages;
};

#endif
