/* SPDX-License-Identifier: MIT */
/* Sectors that come, and the accesses that wait for them. */
#include "sectors.h"

#include <string.h>

/* The line of what has come: a new one, if it has none or has lost it. */
static cache_line *line_of(memory *m, const mshr *miss)
{
    cache *l1 = l1_of(m);
    if (m->parameters.l1_allocate == L1_ON_MISS)
        return &l1->lines[miss->line];
    cache_line *line = cache_find(l1, miss->address, miss->traffic_class);
    if (line != NULL)
        return line;
    line = cache_victim(l1, miss->address);
    l1_reserve(m, line, miss->address, miss->traffic_class, miss->warp, miss->block);
    line->state = LINE_CLEAN;
    return line;
}

/* Of a waiter: these lanes have what they waited for. */
static void serve(memory *m, const mshr_waiter *waiter, uint64_t lanes, cache_line *line, const uint8_t *bytes,
                  uint32_t origin)
{
    access_slot *slot = &m->slots[waiter->ticket];
    const uint32_t is_load = slot->kind == KIND_LOAD;
    if (is_load && lanes != 0) {
        const uint32_t place = place_of_line(slot, lanes, l1_of(m)->parameters.line_bytes);
        coalescer_gather(slot, lanes, line != NULL ? cache_bytes(l1_of(m), line) : bytes,
                         line != NULL ? place : place + origin);
    } else if (line != NULL && lanes != 0) {
        coalescer_scatter(slot, lanes, cache_bytes(l1_of(m), line),
                          place_of_line(slot, lanes, l1_of(m)->parameters.line_bytes));
        line->dirty |= sectors_of(m, slot, lanes);
    }
    if (waiter->lanes != lanes)
        slot->parts++; /* the rest still waits */
    pipe_respond(m, slot, is_load ? lanes : 0);
}

/* Those whose sectors have come leave the MSHR; the others stay, in order. */
static void serve_waiters(memory *m, mshr *miss, uint8_t sectors, cache_line *line, const uint8_t *bytes,
                          uint32_t origin)
{
    cache *l1 = l1_of(m);
    mshr_waiter *waiters = cache_waiters(l1, (uint32_t)(miss - l1->mshrs));
    uint32_t kept = 0;
    for (uint32_t i = 0; i < miss->waiting; ++i) {
        const mshr_waiter waiter = waiters[i];
        const uint64_t lanes = waiter.lanes == 0 ? 0 : lanes_in(m, &m->slots[waiter.ticket], waiter.lanes, sectors);
        if (waiter.lanes == 0 ? miss->pending == 0 : lanes != 0)
            serve(m, &waiter, lanes, line, bytes, origin);
        if (waiter.lanes == 0 ? miss->pending != 0 : lanes != waiter.lanes)
            waiters[kept++] = (mshr_waiter){.lanes = waiter.lanes & ~lanes, .ticket = waiter.ticket};
    }
    miss->waiting = kept;
}

static void release(memory *m, mshr *miss)
{
    cache *l1 = l1_of(m);
    const uint32_t index = (uint32_t)(miss - l1->mshrs);
    uint32_t *link = head_of(m, miss->address);
    while (*link != index)
        link = &l1->mshrs[*link].next;
    *link = miss->next;
    cache_give_back(l1, index);
}

void sectors_fill(memory *m, uint32_t index, const hd_packet *packet)
{
    mshr *miss = &l1_of(m)->mshrs[index];
    const uint8_t *bytes = hd_body_const(packet);
    const uint32_t origin = (uint32_t)(packet->address - miss->address);
    const uint8_t sectors = (uint8_t)(((1u << (packet->argument >> shift_of(m))) - 1) << (origin >> shift_of(m)));
    cache_line *line = miss->install ? line_of(m, miss) : NULL;
    miss->pending &= (uint8_t)~sectors;
    if (line != NULL) {
        memcpy(cache_bytes(l1_of(m), line) + origin, bytes, packet->argument);
        line->valid |= sectors;
    }
    m->counters->l1_no_installs += line == NULL;
    serve_waiters(m, miss, sectors, line, bytes, origin);
    if (line != NULL && (miss->pending == 0 || m->parameters.l1_allocate == L1_ON_FILL))
        line->state = line->dirty != 0 ? LINE_DIRTY : LINE_CLEAN;
    if (miss->pending == 0)
        release(m, miss);
    pipe_retry(m);
}
