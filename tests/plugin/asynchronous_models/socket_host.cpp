// SPDX-License-Identifier: MIT
#include "socket_host.h"

#include <sys/socket.h>

socket_host::socket_host(sc_core::sc_module_name name, const std::string &peer, const std::string &accesses)
    : asynchronous_host(name, false), program(peer, accesses)
{
}

void socket_host::start_of_simulation()
{
    reader = std::thread(&socket_host::read_accesses, this);
}

socket_host::~socket_host()
{
    leave();
    program.hang_up();
    if (reader.joinable())
        reader.join();
}

void socket_host::read_accesses()
{
    peer_message message;
    while (recv(program.socket, &message, sizeof message, 0) == sizeof message) {
        if (!access(message))
            return;
        send(program.socket, &message, sizeof message, MSG_NOSIGNAL); // that the peer is gone is heard next
    }
    asked.fail("the peer has closed the connection");
}
