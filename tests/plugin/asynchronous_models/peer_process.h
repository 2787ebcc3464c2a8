// SPDX-License-Identifier: MIT
// A process of its own, with a socket as standard input.
#ifndef PEER_PROCESS_H
#define PEER_PROCESS_H

#include <string>
#include <sys/types.h>

class peer_process
{
  public:
    // Throws if there is no such program; argument: its only one.
    peer_process(const std::string &program, const std::string &argument);
    // Hangs up, and waits for its end.
    ~peer_process();
    // Whoever receives is told that the other end is gone.
    void hang_up();
    // Our end of the socket, for whole messages.
    int socket = -1;

  private:
    pid_t child = 0;
};

#endif
