// SPDX-License-Identifier: MIT
// Sockets of models from elsewhere, of the base protocol and of any usual width, for one binding or for several, as sockets that
// those of this platform can be bound to. Where the type differs, a module in between passes every call on.
#ifndef HD_TLM_FOREIGN_SOCKETS_H
#define HD_TLM_FOREIGN_SOCKETS_H

#include <functional>
#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

namespace heddle
{

class foreign_sockets
{
  public:
    // has_doors: the machine is part of a larger module, whose sockets may be given instead of those of a model.
    explicit foreign_sockets(bool has_doors) : has_doors(has_doors)
    {
    }
    using target = tlm::tlm_base_target_socket_b<32, tlm::tlm_fw_transport_if<>, tlm::tlm_bw_transport_if<>>;
    // Binds a side that initiates to that target; empty: there is no such side.
    using binder = std::function<void(target &)>;

    // Of an initiator socket; or of a target socket that is a door, through which requests come in.
    binder initiating(sc_core::sc_object *object);
    // A target socket; or an initiator socket that is a door, through which requests go out. NULL: it is neither.
    target *serving(sc_core::sc_object *object);

  private:
    const bool has_doors;
    std::vector<std::unique_ptr<sc_core::sc_module>> bridges;

    template <unsigned int Width> binder initiating_of(sc_core::sc_object *object);
    template <unsigned int Width> target *serving_of(sc_core::sc_object *object);
};

// "a target socket of 64 bits, the tlm_target_socket 'machine.wide'"; "nothing" for NULL.
std::string describe_socket(const sc_core::sc_object *object);

} // namespace heddle

#endif
