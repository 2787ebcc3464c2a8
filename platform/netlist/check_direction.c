/* SPDX-License-Identifier: MIT */
/* Directions and protocols of the two sides of a link. */
#include "loader.h"

const char *netlist_direction_text(uint32_t direction)
{
    switch (direction) {
    case HD_PORT_SEND: return "sends messages";
    case HD_PORT_RECEIVE: return "receives messages";
    case HD_PORT_INITIATOR: return "initiates memory accesses";
    case HD_PORT_TARGET: return "is a target of memory accesses";
    case HD_PORT_TAPPED: return "tells what is accepted";
    default: return "is told what is accepted";
    }
}

static int fits(uint32_t from, uint32_t to)
{
    return (from == HD_PORT_SEND && to == HD_PORT_RECEIVE) || (from == HD_PORT_INITIATOR && to == HD_PORT_TARGET) ||
           (from == HD_PORT_TAPPED && to == HD_PORT_TAP);
}

/* Keys that mean nothing on this kind of link. */
static void check_keys(loader *state, const written_link *link, uint32_t from)
{
    static const char *const keys[] = {"response_latency", "response_credit_latency", "response_credits",
                                       "latency",          "credit_latency",          "credits"};
    const size_t meaningless = from == HD_PORT_TAPPED ? 6 : from == HD_PORT_SEND ? 3 : 0;
    for (size_t i = 0; i < meaningless; i++) {
        const entry *found = netlist_entry(link->source, keys[i]);
        if (found)
            report_error(&state->log, ERROR_DIRECTION, found->key->at, "%s on a %s", keys[i],
                         from == HD_PORT_SEND ? "link that carries messages one way" : "tap, which carries nothing");
    }
}

static uint32_t direction_of(const draft *work, const link_side *side)
{
    return work->blocks[side->block].block_class->ports[side->port].direction;
}

int netlist_check_direction(loader *state, const draft *work, const written_link *link)
{
    const uint32_t from = direction_of(work, &link->from);
    const uint32_t to = direction_of(work, &link->to);
    if (fits(from, to)) {
        check_keys(state, link, from);
        return 1;
    }
    report_error(&state->log, ERROR_DIRECTION, link->to.reference->at, "'%s' (%s) cannot be bound to '%s' (%s)",
                 link->from.reference->text, netlist_direction_text(from), link->to.reference->text,
                 netlist_direction_text(to));
    if (fits(to, from))
        report_note(&state->log, "swap 'from' and 'to'");
    return 0;
}
