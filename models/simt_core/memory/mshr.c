/* SPDX-License-Identifier: MIT */
/*
 * Accesses that wait for the line of an MSHR. Stores to private memory wait too: a store that wrote at once would be seen
 * by an earlier load of the same thread.
 */
#include "state.h"

#include <string.h>

static void wait_for(memory *m, cache *c, access_slot *slot, uint32_t index, uint64_t lanes)
{
    cache_wait(c, index, &(mshr_waiter){.lanes = lanes, .ticket = ticket_of(m, slot)});
    slot->parts++;
}

uint32_t mshr_merge(memory *m, cache *c, access_slot *slot, const cache_line *line, uint64_t lanes)
{
    if (!cache_mshrs_can_wait(&c->mshrs, line->mshr))
        return WAIT_MERGE;
    wait_for(m, c, slot, line->mshr, lanes);
    return STARTED;
}

void mshr_open(memory *m, cache *c, access_slot *slot, cache_line *line, uint64_t lanes)
{
    const uint32_t index = cache_open(c, line);
    wait_for(m, c, slot, index, lanes);
    network_fetch(m, c, index);
}

/* line: NULL if it is not installed. */
static void serve(memory *m, cache *c, cache_line *line, const mshr_waiter *waiter, const uint8_t *bytes)
{
    access_slot *slot = &m->slots[waiter->ticket];
    if (waiter->lanes == 0) { /* of a log: nothing but time */
        pipe_respond(m, slot, 0);
        return;
    }
    const uint32_t place = place_of_line(slot, waiter->lanes, c->parameters.line_bytes);
    if (slot->kind == KIND_LOAD) {
        coalescer_gather(slot, waiter->lanes, line != NULL ? cache_bytes(c, line) : bytes, place);
        pipe_respond(m, slot, waiter->lanes);
        return;
    }
    if (line != NULL) {
        coalescer_scatter(slot, waiter->lanes, cache_bytes(c, line), place);
        line->state = LINE_DIRTY;
    }
    pipe_respond(m, slot, 0);
}

void mshr_fill(memory *m, cache *c, uint32_t index, const uint8_t *bytes)
{
    const uint32_t waiting = cache_mshrs_waiting(&c->mshrs, index);
    cache_line *line = cache_release(c, index);
    if (line != NULL)
        memcpy(cache_bytes(c, line), bytes, c->parameters.line_bytes);
    else
        m->counters->l1_no_installs += c == &m->caches[CACHE_L1];
    for (uint32_t i = 0; i < waiting; i++)
        serve(m, c, line, cache_waiter(c, index, i), bytes);
    pipe_end_stall(m);
}
