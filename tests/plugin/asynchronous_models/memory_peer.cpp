// SPDX-License-Identifier: MIT
// The process behind socket_memory: memory_peer SERVES, with a socket as standard input.
#include <csignal>
#include <cstdlib>
#include <map>
#include <sys/socket.h>
#include <unistd.h>

#include "peer_message.h"

static void carry_out(std::map<std::uint64_t, unsigned char> &memory, peer_message &message)
{
    for (std::uint32_t i = 0; i < message.bytes; i++) {
        unsigned char &byte = memory[message.address + i];
        if (!message.is_write)
            message.data[i] = byte;
        else if (message.enabled[i])
            byte = message.data[i];
    }
}

int main(int, char **words)
{
    const unsigned long serves = std::strtoul(words[1], nullptr, 10);
    std::map<std::uint64_t, unsigned char> memory;
    peer_message message;
    for (unsigned long served = 0; recv(STDIN_FILENO, &message, sizeof message, 0) == sizeof message; served++) {
        if (serves && served >= serves)
            raise(SIGKILL);
        carry_out(memory, message);
        send(STDIN_FILENO, &message, sizeof message, MSG_NOSIGNAL);
    }
    return 0;
}
