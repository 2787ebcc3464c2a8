// SPDX-License-Identifier: MIT
#include "machine_module.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>

namespace heddle
{

machine_module::machine_module(sc_core::sc_module_name name, const netlist &machine, const hd_tlm_options &options,
                               hd_engine *engine, const hd_address_map *address_map, uint64_t seed)
    : sc_module(name), machine(machine), options(options), seed(seed), sockets(options.is_guest),
      stands_still(around, [&options = this->options] {
          return options.is_interrupted && options.is_interrupted(options.interrupt_context);
      })
{
    around.engine = engine;
    around.address_map = address_map;
    add_blocks();
    for (uint32_t link = 0; link < machine.link_count && failure.empty(); link++)
        bind(link);
    if (!options.is_guest) {
        SC_METHOD(run);
        return;
    }
    start_engine();
    conducts = conductor::current();
    conducts->add(*this);
}

machine_module::~machine_module()
{
    if (conducts)
        conducts->remove(*this);
}

std::string machine_module::instance_name(uint32_t block, uint32_t instance) const
{
    char text[256];
    return netlist_instance_name(&machine, block, instance, text, sizeof text);
}

void machine_module::add_blocks()
{
    for (uint32_t block = 0; block < machine.block_count; block++) {
        const netlist_block &written = machine.blocks[block];
        for (uint32_t instance = 0; instance < written.count; instance++) {
            std::string name = instance_name(block, instance);
            if (!written.block_class->create) {
                endpoints.push_back(HD_FOREIGN);
                modules.emplace_back();
                continue;
            }
            hd_clock clock = {machine.clocks[written.clock].hz};
            uint32_t number = hd_engine_add_block(around.engine, written.block_class, name.c_str(), instance,
                                                  written.count, clock, written.values);
            endpoints.push_back(number);
            modules.push_back(std::make_unique<block_module>(
                name.c_str(), around, *written.block_class,
                written.port_elements + instance * written.block_class->port_count, number));
        }
    }
}

port_end *machine_module::end_of(const netlist_end &end)
{
    auto &module = modules[machine.blocks[end.block].first_endpoint + end.instance];
    return module ? &module->end(end.port, end.element) : nullptr;
}

static hd_link_timing timing(const netlist_channel &channel)
{
    hd_link_timing result = {};
    result.latency = channel.latency;
    result.credit_latency = channel.credit_latency;
    result.credits = channel.credits;
    result.is_perturbed = channel.is_reply;
    return result;
}

hd_binding machine_module::ends_of(const netlist_link &link) const
{
    hd_binding binding = {};
    binding.from_block = endpoint(link.from.block, link.from.instance);
    binding.from_port = link.from.port;
    binding.from_element = link.from.element;
    binding.to_block = endpoint(link.to.block, link.to.instance);
    binding.to_port = link.to.port;
    binding.to_element = link.to.element;
    return binding;
}

// Calls between two blocks, whatever carries packets.
void machine_module::add_tap(const netlist_link &link)
{
    hd_binding binding = ends_of(link);
    hd_engine_add_link(around.engine, &binding);
}

// Before the whole design is elaborated sockets do not know yet to whom they are bound. It is what was bound here.
bool machine_module::is_direct(const joint &at) const
{
    if (!at.from || !at.to)
        return false;
    return options.is_guest ? !at.watched : at.from->peer_is_ours() && at.to->peer_is_ours();
}

void machine_module::add_link(joint &at)
{
    const netlist_link &link = *at.link;
    hd_binding binding = ends_of(link);
    at.direct = is_direct(at);
    binding.request = timing(link.forward);
    binding.response = timing(link.response);
    binding.wire = options.always || !at.direct;
    hd_engine_add_link(around.engine, &binding);
}

// How many a channel holds that is an instance of the link's target.
uint32_t machine_module::partitions_of(const netlist_link &link) const
{
    if (machine.address_map.block == NETLIST_NONE)
        return 1;
    return std::max(1u, machine.blocks[machine.address_map.block].count / machine.blocks[link.to.block].count);
}

void machine_module::join(joint &at)
{
    const netlist_link &link = *at.link;
    uint32_t from = endpoint(link.from.block, link.from.instance), to = endpoint(link.to.block, link.to.instance);
    hd_link *forward = at.from ? hd_engine_link_out(around.engine, from, link.from.port, link.from.element)
                               : hd_engine_link_in(around.engine, to, link.to.port, link.to.element);
    hd_link *backward = nullptr;
    if (link.is_memory)
        backward = at.from ? hd_engine_link_in(around.engine, from, link.from.port, link.from.element)
                           : hd_engine_link_out(around.engine, to, link.to.port, link.to.element);
    bool both = at.from && at.to;
    if (at.from && !at.to)
        at.from->set_model(link.options, partitions_of(link), link.within[NETLIST_ANSWERS]);
    if (at.to && !at.from)
        at.to->set_model(link.options, 1, 0);
    if (link.within[NETLIST_ANSWERS])
        stands_still.add(*at.from, end_name(link.from), end_name(link.to));
    if (link.within[NETLIST_BEGINS])
        stands_still.add_beginner(end_name(link.from), link.within[NETLIST_BEGINS]);
    if (at.from)
        at.from->join(forward, backward, both);
    if (at.to)
        at.to->join(backward, forward, both);
    for (hd_link *each : {forward, backward}) {
        if (!each)
            continue;
        sender.push_back(each == forward ? at.from : at.to);
        receiver.push_back(each == forward ? at.to : at.from);
        hd_link_set_user(each, reinterpret_cast<void *>(sender.size()));
    }
}

static void append_line(void *context, const char *format, ...)
{
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    static_cast<std::string *>(context)->append(line).append("\n");
}

static uint32_t access_outside(void *context, const hd_link *link, uint64_t address, void *data, uint32_t bytes,
                               uint32_t is_write)
{
    return static_cast<machine_module *>(context)->debug_access(link, address, data, bytes, is_write);
}

static const char *name_outside(void *context, const hd_link *link)
{
    return static_cast<machine_module *>(context)->far_end(link);
}

static void under_way_outside(void *context, const hd_link *link, const hd_under_way_sink *sink)
{
    static_cast<machine_module *>(context)->under_way(link, *sink);
}

void machine_module::start_of_simulation()
{
    if (!options.is_guest)
        start_engine();
}

void machine_module::start_engine()
{
    if (!failure.empty())
        return;
    for (joint &at : joints)
        add_link(at);
    hd_text_sink sink = {&failure, append_line};
    if (hd_engine_elaborate(around.engine, &sink))
        return;
    for (joint &at : joints)
        join(at);
    const hd_outside outside = {this, access_outside, name_outside, under_way_outside};
    hd_engine_set_outside(around.engine, &outside);
    hd_engine_reset(around.engine, seed);
}

uint32_t machine_module::debug_access(const hd_link *link, uint64_t address, void *data, uint32_t bytes, bool is_write)
{
    size_t number = reinterpret_cast<size_t>(hd_link_user(link)) - 1;
    auto *from = dynamic_cast<memory_initiator *>(sender[number]);
    return from ? from->debug_access(address, data, bytes, is_write) : 0;
}

void machine_module::under_way(const hd_link *link, const hd_under_way_sink &sink)
{
    size_t number = reinterpret_cast<size_t>(hd_link_user(link)) - 1;
    auto *from = dynamic_cast<memory_initiator *>(sender[number]);
    if (from)
        from->under_way(sink);
}

// Of the model at the far end.
const char *machine_module::far_end(const hd_link *link)
{
    size_t number = reinterpret_cast<size_t>(hd_link_user(link)) - 1;
    for (const joint &at : joints)
        if (at.from == sender[number])
            far_end_name = end_name(at.link->to);
    return far_end_name.c_str();
}

void machine_module::describe_owed(const hd_text_sink &sink) const
{
    for (const joint &at : joints) {
        const std::string from = end_name(at.link->from), to = end_name(at.link->to);
        if (at.from && !at.to)
            at.from->describe_owed(sink, from.c_str(), to.c_str());
        else if (at.to && !at.from)
            at.to->describe_owed(sink, to.c_str(), from.c_str());
    }
    stands_still.describe_silent(sink);
}

hd_time machine_module::foreign_next() const
{
    if (!sc_core::sc_pending_activity() || !(has_foreign_initiator || around.payloads.is_in_use()))
        return HD_NEVER;
    return around.now() + sc_core::sc_time_to_pending_activity().value();
}

// Everything on the wires that arrives now.
void machine_module::serve_wires()
{
    hd_wire_event event;
    while (hd_engine_wire_next(around.engine) <= around.now() &&
           hd_engine_wire_take(around.engine, around.now(), &event)) {
        size_t number = reinterpret_cast<size_t>(hd_link_user(event.link)) - 1;
        if (event.packet)
            sender[number]->transmit(event.packet);
        else
            receiver[number]->credit(event.link);
    }
}

// Whoever else has something to do now does it first: only then it is known what is pending, and until when.
bool machine_module::others_wait()
{
    around.delivered.cancel(); // nobody else listens to it
    return sc_core::sc_pending_activity_at_current_time();
}

std::string machine_module::foreign_names() const
{
    std::string names;
    for (uint32_t block = 0; block < machine.block_count; block++)
        for (uint32_t i = 0; !machine.blocks[block].block_class->create && i < machine.blocks[block].count; i++)
            names += (names.empty() ? "" : ", ") + instance_name(block, i);
    return names;
}

// Others wait, and time has not moved since the last call: a model may notify itself for ever.
void machine_module::count_delta_cycle()
{
    static constexpr uint32_t most = 1000000;
    delta_cycles = stands_at == around.now() ? delta_cycles + 1 : 0;
    stands_at = around.now();
    if (delta_cycles < most)
        return;
    delta_cycles = 0;
    const std::string text = "time stands still: " + std::to_string(most) +
                             " delta cycles, in which a model notifies itself or waits for no time; models from "
                             "elsewhere are " +
                             foreign_names();
    around.fault("SystemC", text.c_str());
    SC_REPORT_ERROR("SystemC", text.c_str()); // nothing else ends sc_start
}

bool machine_module::wait_for_beginning(hd_time due)
{
    const bool was_silent = stands_still.is_silent();
    if (is_retired)
        return false;
    const bool is_heard = stands_still.wait_for_beginning(due == HD_NEVER && !is_over());
    if (options.is_guest && stands_still.is_silent() && !was_silent)
        warn_of_silence();
    return is_heard;
}

// The owner of a design may see nothing else of it: to a machine that has done all that it was asked for, all is well.
void machine_module::warn_of_silence()
{
    std::string text;
    const hd_text_sink sink = {&text, append_line};
    stands_still.describe_silent(sink);
    text.pop_back();
    SC_REPORT_WARNING("heddle", text.c_str());
}

bool machine_module::is_over() const
{
    return options.is_over && options.is_over(options.program_context);
}

// Something is always to come, even if it never does: else SystemC would wait without bound for models that have asked it to
// (async_attach_suspending).
void machine_module::sleep(hd_time due)
{
    next_trigger(sc_core::sc_time::from_value(due - around.now()), around.delivered);
}

// Until there is something to do at or after `bound`, or in SystemC; returns when.
hd_time machine_module::advance(hd_time bound)
{
    hd_time next = hd_engine_next(around.engine);
    while (next < bound && next != hd_engine_wire_next(around.engine) &&
           !hd_engine_fault(around.engine, nullptr, nullptr))
        next = hd_engine_step(around.engine, bound);
    return next;
}

// Runs windows while nothing else can happen in SystemC, then sleeps until there is work again, here or elsewhere.
void machine_module::run()
{
    if (!failure.empty())
        return;
    if (is_retired) {
        next_trigger(around.delivered);
        return;
    }
    if (!others_wait())
        serve_wires();
    if (others_wait()) {
        count_delta_cycle();
        next_trigger(sc_core::SC_ZERO_TIME);
        return;
    }
    hd_time others = HD_NEVER;
    if (sc_core::sc_pending_activity_at_future_time())
        others = around.now() + sc_core::sc_time_to_pending_activity().value();
    if (wait_for_models()) {
        next_trigger(sc_core::SC_ZERO_TIME);
        return;
    }
    if (is_interrupted()) {
        sc_core::sc_pause(); // models do not move either
        return;
    }
    const hd_time next = advance(std::min(limit, others)), due = std::min(next, others);
    if (around.now() < limit && wait_for_beginning(due)) {
        next_trigger(sc_core::SC_ZERO_TIME);
        return;
    }
    if (is_interrupted()) {
        sc_core::sc_pause();
        return;
    }
    if (next <= around.now() && next == hd_engine_wire_next(around.engine))
        next_trigger(sc_core::SC_ZERO_TIME);
    else
        sleep(due > around.now() ? due : HD_NEVER);
}

} // namespace heddle
