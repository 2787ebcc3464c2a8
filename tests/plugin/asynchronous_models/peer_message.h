// SPDX-License-Identifier: MIT
// What models here and their peers say to each other: requests, which come back as answers.
#ifndef PEER_MESSAGE_H
#define PEER_MESSAGE_H

#include <cstdint>

struct peer_message {
    static constexpr std::uint32_t most = 256;
    std::uint64_t tag, address;
    std::uint32_t bytes, is_write;
    unsigned char data[most], enabled[most];
};

#endif
