/* SPDX-License-Identifier: MIT */
/* Sectors that come, and the accesses that wait for them. */
#include "sectors.h"

#include <string.h>

/* The line of what has come: a new one, if it has none or has lost it. */
static cache_line *line_of(memory *m, uint32_t index)
{
    cache *l1 = l1_of(m);
    const cache_miss *miss = &l1->misses[index];
    if (m->parameters.l1_allocate == L1_ON_MISS)
        return &l1->lines[miss->line];
    const uint64_t address = cache_tag_address(l1->mshrs.of[index].tag);
    const uint32_t traffic_class = cache_tag_class(l1->mshrs.of[index].tag);
    cache_line *line = cache_find(l1, address, traffic_class);
    if (line != NULL)
        return line;
    line = cache_victim(l1, address);
    l1_reserve(m, line, address, traffic_class, miss->warp, miss->block);
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
static void serve_waiters(memory *m, uint32_t index, uint8_t sectors, cache_line *line, const uint8_t *bytes,
                          uint32_t origin)
{
    cache *l1 = l1_of(m);
    const cache_miss *miss = &l1->misses[index];
    for (uint32_t left = cache_mshrs_waiting(&l1->mshrs, index); left != 0; --left) {
        const mshr_waiter waiter = l1->waiters[cache_mshrs_pop(&l1->mshrs, index)];
        const uint64_t lanes = waiter.lanes == 0 ? 0 : lanes_in(m, &m->slots[waiter.ticket], waiter.lanes, sectors);
        if (waiter.lanes == 0 ? miss->pending == 0 : lanes != 0)
            serve(m, &waiter, lanes, line, bytes, origin);
        if (waiter.lanes == 0 ? miss->pending != 0 : lanes != waiter.lanes)
            cache_wait(l1, index, &(mshr_waiter){.lanes = waiter.lanes & ~lanes, .ticket = waiter.ticket});
    }
}

void sectors_fill(memory *m, uint32_t index, const hd_packet *packet)
{
    cache *l1 = l1_of(m);
    cache_miss *miss = &l1->misses[index];
    const uint8_t *bytes = hd_body_const(packet);
    const uint32_t origin = (uint32_t)(packet->address - cache_tag_address(l1->mshrs.of[index].tag));
    const uint8_t sectors = cache_sectors_of_bytes(origin, packet->argument, shift_of(m));
    cache_line *line = l1->mshrs.of[index].is_listed ? line_of(m, index) : NULL;
    miss->pending &= (uint8_t)~sectors;
    if (line != NULL) {
        memcpy(cache_bytes(l1, line) + origin, bytes, packet->argument);
        line->valid |= sectors;
    }
    m->counters->l1_no_installs += line == NULL;
    serve_waiters(m, index, sectors, line, bytes, origin);
    if (line != NULL && (miss->pending == 0 || m->parameters.l1_allocate == L1_ON_FILL))
        cache_settle(l1, line, line->dirty != 0 ? LINE_DIRTY : LINE_CLEAN);
    if (miss->pending == 0)
        cache_mshrs_release(&l1->mshrs, index);
    pipe_end_stall(m);
}
