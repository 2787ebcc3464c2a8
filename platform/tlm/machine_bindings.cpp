// SPDX-License-Identifier: MIT
// How the sockets of the machine's blocks, and those of models from elsewhere, are bound.
#include "machine_module.h"

#include <cstring>

#include "hd_host.h"

namespace heddle
{

sc_core::sc_object *machine_module::foreign_object(const netlist_end &end)
{
    const char *port = machine.blocks[end.block].block_class->ports[end.port].name;
    std::string name = instance_name(end.block, end.instance);
    void *object = options.foreign ? options.foreign(options.context, name.c_str(), port, end.element) : nullptr;
    return static_cast<sc_core::sc_object *>(object);
}

// Says what was expected and what came.
void machine_module::refuse_socket(const netlist_end &end, const sc_core::sc_object *object)
{
    const hd_port &port = machine.blocks[end.block].block_class->ports[end.port];
    const char *expected = port.direction == HD_PORT_INITIATOR ? "an initiator socket of the base protocol"
                           : port.direction == HD_PORT_TARGET  ? "a target socket of the base protocol"
                           : port.direction == HD_PORT_RECEIVE ? "an sc_in<bool>"
                                                               : "an sc_out<bool>";
    failure = instance_name(end.block, end.instance) + ": port " + port.name + " needs " + expected +
              "; the plug-in gives " + describe_socket(object);
}

// Puts a monitor behind an initiator; its far side is the initiator from now on.
template <class Initiator, class Monitor>
Initiator *machine_module::interpose(Initiator *initiator, std::unique_ptr<Monitor> between)
{
    Initiator *far_side = &between->out;
    initiator->bind(between->in);
    monitors.push_back(std::move(between));
    return far_side;
}

foreign_sockets::binder machine_module::interpose_on(const foreign_sockets::binder &from,
                                                     std::unique_ptr<monitor<tlm::tlm_base_protocol_types>> between)
{
    auto *far_side = &between->out;
    from(between->in);
    monitors.push_back(std::move(between));
    return [far_side](foreign_sockets::target &to) { far_side->bind(to); };
}

std::string machine_module::end_name(const netlist_end &end) const
{
    const hd_port &port = machine.blocks[end.block].block_class->ports[end.port];
    std::string name = instance_name(end.block, end.instance) + "." + port.name;
    return port.maximum_count > 1 ? name + "[" + std::to_string(end.element) + "]" : name;
}

std::unique_ptr<checker> machine_module::make_checker(uint32_t index)
{
    const netlist_link &link = machine.links[index];
    std::string ends = end_name(link.from) + " to " + end_name(link.to);
    auto report = [this, ends](const std::string &violation) { around.fault(ends.c_str(), violation.c_str()); };
    std::string name = "checker_" + std::to_string(index);
    return std::make_unique<checker>(name.c_str(), monitored_calls, report);
}

static std::string monitor_name(uint32_t index)
{
    return "monitor_" + std::to_string(index);
}

bool machine_module::is_monitored(uint32_t index) const
{
    return options.monitor && options.monitor(options.context, index);
}

// From one of ours to one of ours, or to the signal of a model; or from such a signal.
void machine_module::bind_messages(uint32_t index, joint &at, bool monitored)
{
    const netlist_link &link = machine.links[index];
    message_receiver *to = at.to ? static_cast<message_receiver *>(at.to) : foreign_line(link.to);
    if (!to)
        return;
    if (!at.from) {
        bind_source(link, *to);
        return;
    }
    auto *from = &static_cast<message_sender *>(at.from)->socket;
    if (monitored)
        from =
            interpose(from, std::make_unique<monitor<message_protocol>>(monitor_name(index).c_str(), monitored_calls));
    from->bind(to->socket);
}

void machine_module::bind_memory(uint32_t index, joint &at, bool monitored)
{
    const netlist_link &link = machine.links[index];
    foreign_sockets::binder from;
    foreign_sockets::target *to = nullptr;
    if (at.from)
        from = [socket = &static_cast<memory_initiator *>(at.from)->socket](foreign_sockets::target &other) {
            socket->bind(other);
        };
    else if (sc_core::sc_object *object = foreign_object(link.from); !(from = sockets.initiating(object)))
        refuse_socket(link.from, object);
    if (at.to)
        to = &static_cast<memory_target *>(at.to)->socket;
    else if (sc_core::sc_object *object = foreign_object(link.to); !(to = sockets.serving(object)))
        refuse_socket(link.to, object);
    if (!from || !to)
        return;
    if (options.checked)
        from = interpose_on(from, make_checker(index));
    if (monitored)
        from = interpose_on(from, std::make_unique<monitor<tlm::tlm_base_protocol_types>>(monitor_name(index).c_str(),
                                                                                          monitored_calls));
    from(*to);
}

void machine_module::bind(uint32_t index)
{
    const netlist_link &link = machine.links[index];
    if (link.is_tap) {
        add_tap(link);
        return;
    }
    const bool monitored = is_monitored(index);
    joint at = {&link, end_of(link.from), end_of(link.to), false, (link.is_memory && options.checked) || monitored};
    joints.push_back(at);
    has_foreign_initiator |= !at.from;
    if (link.is_memory)
        bind_memory(index, at, monitored);
    else
        bind_messages(index, at, monitored);
}

// The wire that leads to a model's port for a signal, or to that of the module that this machine is part of.
message_receiver *machine_module::foreign_line(const netlist_end &end)
{
    sc_core::sc_object *object = foreign_object(end);
    auto *port = dynamic_cast<sc_core::sc_in<bool> *>(object);
    auto *out = dynamic_cast<level_wire::port *>(object);
    if (!port && !out) {
        refuse_socket(end, object);
        return nullptr;
    }
    wires.push_back(std::make_unique<level_wire>(around, "wire_" + std::to_string(wires.size()), out));
    if (port)
        port->bind(wires.back()->level);
    return wires.back().get();
}

void machine_module::bind_source(const netlist_link &link, message_receiver &to)
{
    const hd_block_class &type = *machine.blocks[link.from.block].block_class;
    sc_core::sc_object *object = foreign_object(link.from);
    auto *port = dynamic_cast<sc_core::sc_out<bool> *>(object);
    bool is_level = false;
    if (!port) {
        refuse_socket(link.from, object);
        return;
    }
    for (uint32_t i = 0; i < type.message_count; i++)
        is_level |= !strcmp(type.messages[i].port, type.ports[link.from.port].name) &&
                    !strcmp(type.messages[i].name, HD_INTERRUPT_LEVEL);
    sources.push_back(
        std::make_unique<level_source>(("source_" + std::to_string(sources.size())).c_str(), to, is_level));
    port->bind(sources.back()->level);
}

} // namespace heddle
