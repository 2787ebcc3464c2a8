// SPDX-License-Identifier: MIT
// A host whose program is a thread.
#ifndef THREADED_HOST_H
#define THREADED_HOST_H

#include <chrono>
#include <thread>

#include "asynchronous_host.h"

class threaded_host : public asynchronous_host
{
  public:
    // takes: real time between two accesses; accesses: until it says nothing more, 0: all.
    threaded_host(sc_core::sc_module_name name, bool stops, std::chrono::microseconds takes, std::uint64_t accesses);
    ~threaded_host() override;

  private:
    const std::chrono::microseconds takes;
    const std::uint64_t accesses;
    std::uint64_t begun = 0;
    std::thread program;

    void start_of_simulation() override;
    bool think_and_access(peer_message &message);
};

#endif
