// SPDX-License-Identifier: MIT
#include "socket_memory.h"

#include <cstring>
#include <sys/socket.h>

socket_memory::socket_memory(sc_core::sc_module_name name, const settings &how, const std::string &peer,
                             const std::string &serves)
    : asynchronous_memory(name, how), other(peer, serves)
{
    reader = std::thread(&socket_memory::read_answers, this);
}

socket_memory::~socket_memory()
{
    other.hang_up();
    reader.join();
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
    send(other.socket, &message, sizeof message, MSG_NOSIGNAL); // that the peer is gone is heard by the reader
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
    while (recv(other.socket, &answer, sizeof answer, 0) == sizeof answer) {
        {
            std::lock_guard<std::mutex> guard(lock);
            heard[answer.tag] = answer;
        }
        answers.put(answer.tag);
    }
    answers.fail("the peer has closed the connection");
}
