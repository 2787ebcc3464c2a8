// SPDX-License-Identifier: MIT
#include "block_module.h"

namespace heddle
{

static std::unique_ptr<port_end> make_end(surroundings &around, uint32_t direction, const std::string &name,
                                          uint32_t block, uint32_t port)
{
    switch (direction) {
    case HD_PORT_SEND: return std::make_unique<message_sender>(around, name);
    case HD_PORT_RECEIVE: return std::make_unique<message_receiver>(around, name);
    case HD_PORT_INITIATOR: return std::make_unique<memory_initiator>(around, name);
    default: return std::make_unique<memory_target>(around, name, block, port);
    }
}

block_module::block_module(sc_core::sc_module_name name, surroundings &around, const hd_block_class &type,
                           const uint32_t *elements, uint32_t block)
    : sc_module(name), ends(type.port_count)
{
    for (uint32_t port = 0; port < type.port_count; port++) {
        const hd_port &declared = type.ports[port];
        for (uint32_t element = 0; element < elements[port] && declared.direction <= HD_PORT_TARGET; element++) {
            std::string socket = declared.name;
            if (declared.maximum_count > 1)
                socket += "_" + std::to_string(element);
            ends[port].push_back(make_end(around, declared.direction, socket, block, port));
        }
    }
}

} // namespace heddle
