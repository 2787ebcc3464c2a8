// SPDX-License-Identifier: MIT
// The process behind socket_host: host_peer ACCESSES, with a socket as standard input. It does not end before the socket does.
#include <csignal>
#include <cstdlib>
#include <sys/socket.h>
#include <unistd.h>

#include "host_program.h"

int main(int, char **words)
{
    const unsigned long most = std::strtoul(words[1], nullptr, 10);
    unsigned long begun = 0;
    run_host_program([most, &begun](peer_message &message) {
        if (most && begun++ == most)
            raise(SIGKILL);
        return send(STDIN_FILENO, &message, sizeof message, MSG_NOSIGNAL) == sizeof message &&
               recv(STDIN_FILENO, &message, sizeof message, 0) == sizeof message;
    });
    peer_message nothing;
    return recv(STDIN_FILENO, &nothing, sizeof nothing, 0) != 0;
}
