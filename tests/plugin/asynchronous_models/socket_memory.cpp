// SPDX-License-Identifier: MIT
#include "socket_memory.h"

#include <cstring>
#include <spawn.h>
#include <stdexcept>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t start(const std::string &peer, const std::string &serves, int socket)
{
    pid_t child;
    char *const words[] = {const_cast<char *>(peer.c_str()), const_cast<char *>(serves.c_str()), nullptr};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, socket, STDIN_FILENO);
    const int failed = posix_spawn(&child, words[0], &actions, nullptr, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed)
        throw std::runtime_error(peer + ": " + std::strerror(failed));
    return child;
}

socket_memory::socket_memory(sc_core::sc_module_name name, const settings &how, const std::string &peer,
                             const std::string &serves)
    : asynchronous_memory(name, how)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
        throw std::runtime_error(std::strerror(errno));
    ours = ends[0];
    child = start(peer, serves, ends[1]);
    close(ends[1]);
    reader = std::thread(&socket_memory::read_answers, this);
}

socket_memory::~socket_memory()
{
    shutdown(ours, SHUT_RDWR);
    reader.join();
    close(ours);
    waitpid(child, nullptr, 0);
}

void socket_memory::ask(std::uint64_t tag, tlm::tlm_generic_payload &payload)
{
    peer_message message = {};
    message.tag = tag;
    message.address = payload.get_address();
    message.bytes = payload.get_data_length();
    message.is_write = payload.is_write();
    sc_assert(message.bytes <= peer_message::most);
    for (std::uint32_t i = 0; i < message.bytes; i++) {
        const unsigned char *enables = payload.get_byte_enable_ptr();
        message.data[i] = payload.get_data_ptr()[i];
        message.enabled[i] = !enables || enables[i % payload.get_byte_enable_length()] == TLM_BYTE_ENABLED;
    }
    send(ours, &message, sizeof message, MSG_NOSIGNAL); // that the peer is gone is heard by the reader
}

void socket_memory::fetch(std::uint64_t tag, tlm::tlm_generic_payload &payload)
{
    std::lock_guard<std::mutex> guard(lock);
    const peer_message &answer = heard[tag];
    if (payload.is_read())
        std::memcpy(payload.get_data_ptr(), answer.data, answer.bytes);
    heard.erase(tag);
}

// The peer knows requests only.
unsigned int socket_memory::access_untimed(tlm::tlm_generic_payload &)
{
    return 0;
}

void socket_memory::read_answers()
{
    peer_message answer;
    while (recv(ours, &answer, sizeof answer, 0) == sizeof answer) {
        {
            std::lock_guard<std::mutex> guard(lock);
            heard[answer.tag] = answer;
        }
        answers.put(answer.tag);
    }
    answers.fail("the peer has closed the connection");
}
