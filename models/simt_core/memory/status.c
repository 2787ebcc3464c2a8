/* SPDX-License-Identifier: MIT */
/* When the core has to work the pipe, and when the pipe could send (memory_status). */
#include "state.h"

/* First edge at which the head of the queue can be tried. */
static uint64_t head_edge(const memory *m)
{
    if (m->waiting.count == 0 && m->address_units != NULL) {
        const uint64_t ready = address_units_edge(m);
        return ready > m->pipe_free ? ready : m->pipe_free;
    }
    if (m->waiting.count == 0 || m->stall != STARTED || m->head_waits_for_network)
        return NO_EDGE;
    const uint64_t ready = m->slots[m->queue[m->waiting.first]].ready;
    return ready > m->pipe_free ? ready : m->pipe_free;
}

/* First edge at which a packet can leave or the pipe can go on; where a credit is awaited, its arrival wakes the core. */
static uint64_t request_edge(const memory *m)
{
    if (!network_has_packet(m) && m->flush.blocks)
        return m->unworked;
    return network_has_packet(m) && m->credit_arrival == 0 ? m->unworked : head_edge(m);
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
    m->status.next_arrival =
        m->credit_arrival != 0 ? hd_earlier(m->credit_arrival, m->reply_arrival) : m->reply_arrival;
}

/* What is different where the pipe may be narrower than an access, or has address units before it. */
static void update_narrow(memory *m)
{
    m->status.is_narrow = m->is_narrow;
    if (m->is_narrow)
        m->status.next_edge = earlier(m->status.next_edge, m->pipe_free);
    if (m->address_units != NULL)
        m->status.room = m->free_count != 0 ? address_units_room(m) : 0;
}

void pipe_update_status(memory *m)
{
    m->values_due = earlier(earlier(completion_edge(&m->hits), completion_edge(&m->responses)),
                            earlier(completion_edge(&m->passes), completion_edge(&m->constants)));
    m->status.next_edge = unworked_from(m, earlier(request_edge(m), m->values_due));
    m->status.room = m->waiting.count + m->parameters.spare < m->parameters.queue && m->free_count > m->parameters.spare
                         ? UINT32_MAX
                         : 0;
    m->status.awaits_credit = m->blocked_since != NO_EDGE;
    update_next_arrival(m);
    if (m->is_narrowable)
        update_narrow(m);
}

const memory_status *memory_status_of(const memory *m)
{
    return &m->status;
}

void memory_note_arrivals(memory *m)
{
    m->reply_arrival = m->services->arrival(m->services->context, m->reply);
    if (m->credit_arrival != 0)
        m->credit_arrival = m->services->credit_arrival(m->services->context, m->request);
    update_next_arrival(m);
}

void pipe_wake_head(memory *m)
{
    m->head_waits_for_network = 0;
    pipe_update_status(m);
}

uint64_t memory_promise(const memory *m)
{
    if (m->credit_arrival != 0)
        return NO_EDGE; /* what it holds waits for input */
    if (network_has_packet(m) || m->flush.blocks)
        return m->unworked;
    /* The last value that an attempt waits for may let its log leave at the same edge. */
    return unworked_from(m, m->transactions ? earlier(head_edge(m), m->values_due) : head_edge(m));
}
