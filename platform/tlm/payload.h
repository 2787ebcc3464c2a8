// SPDX-License-Identifier: MIT
// What travels in transport calls: generic payloads, pooled, that carry a packet where both ends are ours.
#ifndef HD_TLM_PAYLOAD_H
#define HD_TLM_PAYLOAD_H

#include <string>
#include <tlm>
#include <vector>

#include "hd_packet.h"

namespace heddle
{

// Protocol of message links: a packet is handed over by one nb_transport_fw call, phase BEGIN_REQ, answered
// TLM_COMPLETED. Nothing comes back: credits are the engine's.
struct message_protocol {
    using tlm_payload_type = tlm::tlm_generic_payload;
    using tlm_phase_type = tlm::tlm_phase;
};

// The packet behind a payload. On message links it is the content; on memory links it travels along as a hint that keeps
// header fields a foreign model does not know, and a foreign model may ignore it.
class packet_extension : public tlm::tlm_extension<packet_extension>
{
  public:
    hd_packet *packet = nullptr;
    bool completed = false;  // memory: answered TLM_COMPLETED, no END_RESP is owed
    bool is_our_own = false; // memory: no block waits for the answer

    tlm::tlm_extension_base *clone() const override;
    void copy_from(const tlm::tlm_extension_base &other) override;
};

// Payloads in use and free ones. A payload comes back when its last reference is released.
class payload_pool : public tlm::tlm_mm_interface
{
  public:
    payload_pool() = default;
    ~payload_pool() override;
    payload_pool(const payload_pool &) = delete;
    payload_pool &operator=(const payload_pool &) = delete;

    // A payload with one reference, a packet_extension and room for data and byte enables.
    tlm::tlm_generic_payload *take();
    void free(tlm::tlm_generic_payload *payload) override;
    bool is_in_use() const
    {
        return unused.size() < all.size();
    }

  private:
    std::vector<tlm::tlm_generic_payload *> all, unused;
};

// "a read of 128 bytes at 0x1000"
std::string describe_access(const tlm::tlm_generic_payload &payload);
// "1234.567 ns"
std::string describe_time(uint64_t picoseconds);
// "10 s"
std::string describe_real_time(uint64_t picoseconds);

} // namespace heddle

#endif
