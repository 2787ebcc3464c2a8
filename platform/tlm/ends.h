// SPDX-License-Identifier: MIT
// The two sides of a socket: an end per port element, between a link of the engine and TLM transport calls.
#ifndef HD_TLM_ENDS_H
#define HD_TLM_ENDS_H

#include <chrono>
#include <systemc>
#include <tlm>

#include "engine_link.h"
#include "netlist.h"
#include "payload.h"

namespace heddle
{

using real_clock = std::chrono::steady_clock;

// Of a time that a netlist gives.
inline std::chrono::milliseconds real_time(hd_time picoseconds)
{
    return std::chrono::milliseconds(picoseconds / (HD_PS_PER_SECOND / 1000));
}

// What ends share: the engine, the payloads, and the process that must look when something was delivered.
struct surroundings {
    hd_engine *engine = nullptr;
    payload_pool payloads;
    sc_core::sc_event delivered;
    uint64_t transport_calls = 0;
    const struct hd_address_map *address_map = nullptr; // NULL: the machine has none

    hd_time now() const
    {
        return sc_core::sc_time_stamp().value();
    }
    // A packet or credit that comes from outside takes effect now, or when the engine stands further on, then.
    hd_time arrival() const
    {
        return std::max(now(), hd_engine_now(engine));
    }
    void fault(const char *where, const char *what);
};

// What one port element is: its names, its block (HD_FOREIGN has no ends) and its links, set at start of simulation.
class port_end
{
  public:
    port_end(surroundings &around, const std::string &name) : around(around), name(name)
    {
    }
    virtual ~port_end() = default;
    port_end(const port_end &) = delete;
    port_end &operator=(const port_end &) = delete;

    // A packet that this end's block sent has arrived at the far end of its link: make the transport call.
    virtual void transmit(hd_packet *packet) = 0;
    // A credit for something this end's block popped has arrived at the far end of the link.
    virtual void credit(hd_link *link) = 0;
    // Is a socket's peer an end of this platform, bound directly?
    virtual bool peer_is_ours() = 0;
    // A line about what the model at the far end owes, if it owes something: who waits since when, and for which phase.
    virtual void describe_owed(const hd_text_sink &, const char *ours, const char *theirs) const
    {
        (void)ours, (void)theirs;
    }
    // Does a thread of the model at the far end work on a request, for which simulated time is not to pass?
    virtual bool holds_time() const
    {
        return false;
    }
    // What it has not answered in the real time that it has, or "".
    virtual std::string describe_overdue(real_clock::time_point, const char *) const
    {
        return "";
    }
    // What the model at the far end is like, NETLIST_* bits; partitions for each of its instances, where addresses are of a channel; and
    // the real time in which it answers, 0: it has no threads that are waited for.
    void set_model(uint32_t model_options, uint32_t partitions, hd_time answers_within)
    {
        options = model_options;
        shared = partitions;
        within = answers_within;
    }
    // One link joins two blocks of ours: its credits are the engine's.
    void join(hd_link *outgoing, hd_link *incoming, bool both_ours)
    {
        out = outgoing;
        in = incoming;
        own_far_end = both_ours;
    }

  protected:
    surroundings &around;
    const std::string name;
    hd_link *out = nullptr;
    hd_link *in = nullptr;
    bool own_far_end = true;
    uint32_t options = 0, shared = 1;
    hd_time within = 0;

    bool is(uint32_t option) const
    {
        return (options & 1u << option) != 0;
    }
};

} // namespace heddle

#endif
