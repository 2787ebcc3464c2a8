// SPDX-License-Identifier: MIT
// A host whose program is a process of its own (host_peer.cpp), at a socket that a thread reads from.
#ifndef SOCKET_HOST_H
#define SOCKET_HOST_H

#include <thread>

#include "asynchronous_host.h"
#include "peer_process.h"

class socket_host : public asynchronous_host
{
  public:
    // peer: the program; accesses: until it kills itself, "0": it does not.
    socket_host(sc_core::sc_module_name name, const std::string &peer, const std::string &accesses);
    ~socket_host() override;

  private:
    peer_process program;
    std::thread reader;

    void start_of_simulation() override;
    void read_accesses();
};

#endif
