// SPDX-License-Identifier: MIT
// An initiator as others write it: TLM-2.0 and SystemC, and nothing of Heddle. It looks into a mailbox in memory again
// and again. When the first word there becomes 1, the next three are the address of an array, its words, and where the
// result goes: each word of the array times 3. Their sum becomes the fifth word, and at last the first becomes 2.
#ifndef MAILBOX_SERVER_H
#define MAILBOX_SERVER_H

#include <cstdint>
#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>

class mailbox_server : public sc_core::sc_module
{
  public:
    SC_HAS_PROCESS(mailbox_server);
    tlm_utils::simple_initiator_socket<mailbox_server> socket;

    // is_untimed: it looks and serves by transport_dbg, as a debugger would.
    mailbox_server(sc_core::sc_module_name name, std::uint64_t mailbox, sc_core::sc_time period, bool is_untimed);

  private:
    const std::uint64_t mailbox;
    const sc_core::sc_time period;
    const bool is_untimed;

    void run();
    void serve();
    void access(tlm::tlm_command command, std::uint64_t address, std::uint32_t *words, unsigned int count);
    std::uint32_t read(std::uint64_t address);
    void write(std::uint64_t address, std::uint32_t word);
};

#endif
