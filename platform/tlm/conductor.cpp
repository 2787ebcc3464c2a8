// SPDX-License-Identifier: MIT
#include "conductor.h"

#include <algorithm>
#include <map>

#include "machine_module.h"

namespace heddle
{

conductor::conductor(sc_core::sc_module_name name) : sc_module(name)
{
    SC_METHOD(run);
}

std::shared_ptr<conductor> conductor::current()
{
    static std::map<sc_core::sc_simcontext *, std::weak_ptr<conductor>> of_contexts;
    std::weak_ptr<conductor> &known = of_contexts[sc_core::sc_get_curr_simcontext()];
    std::shared_ptr<conductor> found = known.lock();
    if (!found)
        known = found = std::make_shared<conductor>(sc_core::sc_gen_unique_name("heddle_conductor"));
    return found;
}

void conductor::add(machine_module &machine)
{
    machines.push_back(&machine);
    delivered |= machine.around.delivered;
}

void conductor::remove(machine_module &machine)
{
    machines.erase(std::remove(machines.begin(), machines.end(), &machine), machines.end());
}

bool conductor::others_wait()
{
    for (machine_module *each : machines)
        each->around.delivered.cancel(); // nobody else listens to it
    return sc_core::sc_pending_activity_at_current_time();
}

// Everything before the limit that no call to the outside has to come before. A machine goes no further than to the next work of
// another one, which may be bound to it.
hd_time conductor::advance(hd_time limit)
{
    for (;;) {
        machine_module *first = nullptr;
        hd_time next = HD_NEVER, after = HD_NEVER, wire = HD_NEVER;
        for (machine_module *each : machines) {
            const hd_time at = each->next_work();
            wire = std::min(wire, each->next_call());
            after = std::min(after, at < next ? next : at);
            first = at < next ? each : first;
            next = std::min(next, at);
        }
        if (next >= limit || next >= wire)
            return next;
        first->step(std::min({limit, wire, after == HD_NEVER ? after : after + 1}));
    }
}

void conductor::sleep(hd_time due)
{
    const hd_time now = sc_core::sc_time_stamp().value();
    if (due <= now)
        next_trigger(sc_core::SC_ZERO_TIME);
    else if (due != HD_NEVER)
        next_trigger(sc_core::sc_time::from_value(due - now), delivered);
    else
        next_trigger(delivered);
}

// How far ahead of SystemC's time machines may be: outside of its processes nobody is known who could act before. The quantum says how
// inexact that may be.
static hd_time furthest(hd_time now)
{
    const hd_time quantum = tlm::tlm_global_quantum::instance().get().value();
    return now + std::max<hd_time>(quantum, 1);
}

void conductor::run()
{
    const hd_time now = sc_core::sc_time_stamp().value();
    if (machines.empty())
        return;
    if (!others_wait())
        for (machine_module *each : machines)
            each->serve_calls();
    if (others_wait()) {
        next_trigger(sc_core::SC_ZERO_TIME);
        machines.front()->count_delta_cycle();
        return;
    }
    hd_time others = HD_NEVER;
    if (sc_core::sc_pending_activity_at_future_time())
        others = now + sc_core::sc_time_to_pending_activity().value();
    for (machine_module *each : machines)
        if (each->wait_for_models()) {
            next_trigger(sc_core::SC_ZERO_TIME);
            return;
        }
    hd_time due = std::min(advance(std::min(others, furthest(now))), others);
    for (machine_module *each : machines)
        if (each->wait_for_beginning(due)) {
            next_trigger(sc_core::SC_ZERO_TIME);
            return;
        }
    for (machine_module *each : machines)
        due = std::min(due, each->look(now));
    sleep(due);
}

} // namespace heddle
