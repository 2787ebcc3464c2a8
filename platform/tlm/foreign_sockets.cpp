// SPDX-License-Identifier: MIT
#include "foreign_sockets.h"

#include "monitor.h"

namespace heddle
{

using forward = tlm::tlm_fw_transport_if<>;
using backward = tlm::tlm_bw_transport_if<>;
template <unsigned int Width> using initiator_of = tlm::tlm_base_initiator_socket_b<Width, forward, backward>;
template <unsigned int Width> using target_of = tlm::tlm_base_target_socket_b<Width, forward, backward>;

// Between two widths. The protocol does not know any: the width is that of words, for those who care.
template <unsigned int In, unsigned int Out> class bridge : public passage<tlm::tlm_base_protocol_types, In, Out>
{
  public:
    bridge() : passage<tlm::tlm_base_protocol_types, In, Out>(sc_core::sc_gen_unique_name("bridge"))
    {
    }
};

// How often a socket may be bound is part of its type: bind is a function of the derived class.
template <unsigned int Width, int Most, sc_core::sc_port_policy Policy>
static bool bind_as(sc_core::sc_object *object, target_of<Width> &to)
{
    auto *socket = dynamic_cast<tlm::tlm_base_initiator_socket<Width, forward, backward, Most, Policy> *>(object);
    if (socket)
        socket->bind(to);
    return socket != nullptr;
}

template <unsigned int Width> static bool bind_initiator(sc_core::sc_object *object, target_of<Width> &to)
{
    return bind_as<Width, 1, sc_core::SC_ONE_OR_MORE_BOUND>(object, to) ||
           bind_as<Width, 1, sc_core::SC_ZERO_OR_MORE_BOUND>(object, to) ||
           bind_as<Width, 0, sc_core::SC_ONE_OR_MORE_BOUND>(object, to) ||
           bind_as<Width, 0, sc_core::SC_ZERO_OR_MORE_BOUND>(object, to);
}

template <unsigned int Width> foreign_sockets::binder foreign_sockets::initiating_of(sc_core::sc_object *object)
{
    if (!dynamic_cast<initiator_of<Width> *>(object))
        return {};
    if (Width == 32)
        return [object](target &to) { bind_initiator<32>(object, to); };
    auto between = std::make_unique<bridge<Width, 32>>();
    auto *out = &between->out;
    bind_initiator<Width>(object, between->in);
    bridges.push_back(std::move(between));
    return [out](target &to) { out->bind(to); };
}

template <unsigned int Width> foreign_sockets::target *foreign_sockets::serving_of(sc_core::sc_object *object)
{
    auto *socket = dynamic_cast<target_of<Width> *>(object);
    if (!socket)
        return nullptr;
    auto between = std::make_unique<bridge<32, Width>>();
    auto *in = &between->in;
    between->out.bind(*socket);
    bridges.push_back(std::move(between));
    return in;
}

foreign_sockets::binder foreign_sockets::initiating(sc_core::sc_object *object)
{
    if (auto *door = has_doors ? dynamic_cast<tlm::tlm_target_socket<32> *>(object) : nullptr)
        return [door](target &to) { door->bind(to); };
    for (binder each : {initiating_of<32>(object), initiating_of<64>(object), initiating_of<8>(object),
                        initiating_of<16>(object), initiating_of<128>(object), initiating_of<256>(object),
                        initiating_of<512>(object), initiating_of<1024>(object)})
        if (each)
            return each;
    return {};
}

foreign_sockets::target *foreign_sockets::serving(sc_core::sc_object *object)
{
    using door = tlm::tlm_base_initiator_socket<32, forward, backward, 1, sc_core::SC_ZERO_OR_MORE_BOUND>;
    if (auto *out = has_doors ? dynamic_cast<door *>(object) : nullptr) {
        auto between = std::make_unique<bridge<32, 32>>();
        auto *in = &between->in;
        between->out.bind(*out);
        bridges.push_back(std::move(between));
        return in;
    }
    if (auto *same = dynamic_cast<target *>(object))
        return same;
    for (target *each : {serving_of<64>(object), serving_of<8>(object), serving_of<16>(object), serving_of<128>(object),
                         serving_of<256>(object), serving_of<512>(object), serving_of<1024>(object)})
        if (each)
            return each;
    return nullptr;
}

std::string describe_socket(const sc_core::sc_object *object)
{
    if (!object)
        return "nothing";
    std::string text = "an object";
    if (auto *socket = dynamic_cast<const tlm::tlm_base_socket_if *>(object)) {
        const auto category = socket->get_socket_category();
        text = category & tlm::TLM_TARGET_SOCKET ? "a target socket" : "an initiator socket";
        text += " of " + std::to_string(socket->get_bus_width()) + " bits";
        if (socket->get_protocol_types() != typeid(tlm::tlm_base_protocol_types))
            text += " of another protocol";
    }
    return text + ", the " + object->kind() + " '" + object->name() + "'";
}

} // namespace heddle
