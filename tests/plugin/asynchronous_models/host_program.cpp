// SPDX-License-Identifier: MIT
#include "host_program.h"

#include <cstring>

#include "hd_address.h"
#include "hd_host.h"
#include "hd_queue.h"

static constexpr std::uint64_t memory = HD_GLOBAL_BASE + 0x100000, exit_register = HD_HOST_EXIT_BASE;
static constexpr std::uint32_t words = 16, good = 0x5555, bad = 0x3333;

static bool store(const host_bus &bus, std::uint64_t address, std::uint32_t value)
{
    peer_message message = {};
    message.address = address;
    message.bytes = sizeof value;
    message.is_write = 1;
    std::memcpy(message.data, &value, sizeof value);
    return bus(message);
}

static bool load(const host_bus &bus, std::uint64_t address, std::uint32_t &value)
{
    peer_message message = {};
    message.address = address;
    message.bytes = sizeof value;
    const bool is_there = bus(message);
    std::memcpy(&value, message.data, sizeof value);
    return is_there;
}

void run_host_program(const host_bus &bus)
{
    std::uint32_t found;
    if (!load(bus, HD_HOST_MMIO_BASE + HD_REGISTER_IDENTIFICATION, found))
        return;
    bool is_good = found == HD_IDENTIFICATION;
    for (std::uint32_t i = 0; i < words; i++) {
        if (!store(bus, memory + 256 * i, 3 * i + 1) || !load(bus, memory + 256 * i, found))
            return;
        is_good = is_good && found == 3 * i + 1;
    }
    store(bus, exit_register, is_good ? good : bad);
}
