// SPDX-License-Identifier: MIT
// A block as an sc_module: a socket per port element, made from the class's declaration.
#ifndef HD_TLM_BLOCK_MODULE_H
#define HD_TLM_BLOCK_MODULE_H

#include <memory>
#include <systemc>
#include <vector>

#include "ends.h"
#include "memory_ends.h"
#include "message_ends.h"

namespace heddle
{

class block_module : public sc_core::sc_module
{
  public:
    // elements: bound elements per port, in the order of the declaration. block: number in the engine.
    block_module(sc_core::sc_module_name name, surroundings &around, const hd_block_class &type,
                 const uint32_t *elements, uint32_t block);

    port_end &end(uint32_t port, uint32_t element)
    {
        return *ends[port][element];
    }

  private:
    std::vector<std::vector<std::unique_ptr<port_end>>> ends;
};

} // namespace heddle

#endif
