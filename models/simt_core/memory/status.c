/* SPDX-License-Identifier: MIT */
/* When the core has to work the pipe, and when the pipe could send (memory_status). */
#include "hd_link.h"
#include "state.h"

/* First edge at which the head of the queue can be tried. */
static uint64_t head_edge(const memory *m)
{
    if (m->pipe.waiting.count == 0 && m->addresses.units != NULL) {
        const uint64_t ready = address_units_edge(m);
        return ready > m->pipe.free ? ready : m->pipe.free;
    }
    if (m->pipe.waiting.count == 0 || m->pipe.stall != STARTED || m->pipe.head_waits_for_network)
        return NO_EDGE;
    const uint64_t ready = m->slots[m->pipe.queue[m->pipe.waiting.first]].ready;
    return ready > m->pipe.free ? ready : m->pipe.free;
}

/* First edge at which a packet can leave or the pipe can go on; where a credit is awaited, its arrival wakes the core. */
static uint64_t request_edge(const memory *m)
{
    if (!network_has_packet(m) && m->l1.flush.blocks)
        return m->unworked;
    return network_has_packet(m) && m->network.credit_arrival == 0 ? m->unworked : head_edge(m);
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t unworked_from(const memory *m, uint64_t n)
{
    return n > m->unworked ? n : m->unworked;
}

static void update_next_arrival(memory *m)
{
    m->status.next_arrival = m->network.credit_arrival != 0
                                 ? hd_earlier(m->network.credit_arrival, m->network.reply_arrival)
                                 : m->network.reply_arrival;
}

/* What is different where the pipe may be narrower than an access, or has address units before it. */
static void update_narrow(memory *m)
{
    m->status.is_narrow = m->pipe.is_narrow;
    if (m->pipe.is_narrow)
        m->status.next_edge = earlier(m->status.next_edge, m->pipe.free);
    if (m->addresses.units != NULL)
        m->status.room = m->tickets.count != 0 ? address_units_room(m) : 0;
}

void pipe_find_due(memory *m)
{
    m->values.due = earlier(earlier(earlier(completion_edge(&m->values.hits), completion_edge(&m->values.responses)),
                                    earlier(completion_edge(&m->values.passes), completion_edge(&m->constants.values))),
                            completion_edge(&m->textures.values));
}

void pipe_update_status(memory *m)
{
    m->status.next_edge = unworked_from(m, earlier(request_edge(m), m->values.due));
    m->status.room =
        m->pipe.waiting.count + m->parameters.spare < m->parameters.queue && m->tickets.count > m->parameters.spare
            ? UINT32_MAX
            : 0;
    m->status.awaits_credit = m->network.blocked_since != NO_EDGE;
    update_next_arrival(m);
    if (m->pipe.is_narrowable)
        update_narrow(m);
}

const memory_status *memory_status_of(const memory *m)
{
    return &m->status;
}

void memory_note_arrivals(memory *m)
{
    m->network.reply_arrival = hd_link_arrival(m->network.reply);
    if (m->network.credit_arrival != 0)
        m->network.credit_arrival = m->services->credit_arrival(m->services->context, m->network.request);
    update_next_arrival(m);
}

void pipe_wake_head(memory *m)
{
    m->pipe.head_waits_for_network = 0;
    pipe_update_status(m);
}

uint64_t memory_promise(const memory *m)
{
    if (m->network.credit_arrival != 0)
        return NO_EDGE; /* what it holds waits for input */
    if (network_has_packet(m) || m->l1.flush.blocks)
        return m->unworked;
    /* The last value that an attempt waits for may let its log leave at the same edge. */
    return unworked_from(m, m->transactional.port ? earlier(head_edge(m), m->values.due) : head_edge(m));
}
