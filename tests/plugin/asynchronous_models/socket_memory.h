// SPDX-License-Identifier: MIT
// A memory in a process of its own (memory_peer.cpp), at a socket that a thread reads from.
#ifndef SOCKET_MEMORY_H
#define SOCKET_MEMORY_H

#include <map>
#include <thread>

#include "asynchronous_memory.h"
#include "peer_message.h"
#include "peer_process.h"

class socket_memory : public asynchronous_memory
{
  public:
    // peer: the program; serves: requests until it kills itself, "0": for ever.
    socket_memory(sc_core::sc_module_name name, const settings &how, const std::string &peer,
                  const std::string &serves);
    ~socket_memory() override;

  private:
    peer_process other;
    std::mutex lock;
    std::map<std::uint64_t, peer_message> heard;
    std::thread reader;

    void ask(std::uint64_t tag, tlm::tlm_generic_payload &payload) override;
    void fetch(std::uint64_t tag, tlm::tlm_generic_payload &payload) override;
    unsigned int access_untimed(tlm::tlm_generic_payload &) override;
    void read_answers();
};

#endif
