// SPDX-License-Identifier: MIT
// An initiator and a target, both played by the test, with a checker in between.
#ifndef TLM_HOP_H
#define TLM_HOP_H

#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "checker.h"

using sc_core::sc_time;
using tlm::tlm_generic_payload;
using tlm::tlm_phase;
using tlm::tlm_sync_enum;

// A write of 4 bytes at 0x80 unless changed, with one reference, and everything as the rules want it.
struct access : tlm_generic_payload {
    unsigned char bytes[4] = {1, 2, 3, 4}, enables[4] = {0xFF, 0, 0xFF, 0};
    explicit access(tlm::tlm_command command = tlm::TLM_WRITE_COMMAND);
    ~access() override;
    access &enabled(); // every second byte
    void served();     // TLM_OK_RESPONSE
};

class hop : public sc_core::sc_module, public tlm::tlm_fw_transport_if<>, public tlm::tlm_bw_transport_if<>
{
  public:
    SC_HAS_PROCESS(hop);
    using transport = std::function<tlm_sync_enum(tlm_generic_payload &, tlm_phase &, sc_time &)>;
    using script = std::function<void(hop &)>;

    hop(sc_core::sc_module_name name, script play, bool by_method);

    tlm::tlm_initiator_socket<> initiator;
    tlm::tlm_target_socket<> target;
    std::vector<std::string> violations;

    // What the other side does; otherwise it returns TLM_ACCEPTED, or nothing special.
    transport on_forward, on_backward;
    std::function<void(tlm_generic_payload &, sc_time &)> on_blocking;
    std::function<bool(tlm::tlm_dmi &)> on_direct;
    unsigned int debug_bytes = 0;

    tlm_sync_enum forward(tlm_generic_payload &payload, tlm_phase phase, unsigned int nanoseconds = 0);
    tlm_sync_enum backward(tlm_generic_payload &payload, tlm_phase phase, unsigned int nanoseconds = 0);
    void block(tlm_generic_payload &payload, unsigned int nanoseconds = 0);

    tlm_sync_enum nb_transport_fw(tlm_generic_payload &payload, tlm_phase &phase, sc_time &delay) override;
    tlm_sync_enum nb_transport_bw(tlm_generic_payload &payload, tlm_phase &phase, sc_time &delay) override;
    void b_transport(tlm_generic_payload &payload, sc_time &delay) override;
    bool get_direct_mem_ptr(tlm_generic_payload &payload, tlm::tlm_dmi &region) override;
    unsigned int transport_dbg(tlm_generic_payload &payload) override;
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override;

  private:
    script play;
    uint64_t calls = 0;
    heddle::checker between;
    void run();
};

// Plays the script and returns the violations that were found.
std::vector<std::string> play(hop::script script, bool by_method = false);

#endif
