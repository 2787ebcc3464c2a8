/* SPDX-License-Identifier: MIT */
/*
 * The instruction cache: tags of lines of code. What is fetched is timed here; the instructions are the program's, decoded
 * when it was loaded. A fetch that missed does not look up again: a line that is evicted before its turn would starve it.
 */
#include "state.h"

void code_drop(memory *m)
{
    m->status.code_line = NO_LINE;
    cache_forget_all(&m->caches[CACHE_CODE]);
}

static enum memory_fetched wait_for(memory *m, uint32_t index, uint32_t path, uint32_t sequence)
{
    cache_wait(&m->caches[CACHE_CODE], index, &(mshr_waiter){.sequence = sequence, .path = path});
    m->counters->fetch_misses++;
    return MEMORY_FETCH_MISS;
}

static enum memory_fetched miss(memory *m, uint64_t address, uint32_t path, uint32_t sequence)
{
    cache *c = &m->caches[CACHE_CODE];
    cache_line *line = cache_mshrs_is_full(&c->mshrs) ? NULL : cache_victim(c, address);
    if (line == NULL) {
        m->counters->fetch_refusals++;
        return MEMORY_FETCH_REFUSED;
    }
    m->status.code_line = NO_LINE;
    m->counters->fetch_evictions += !cache_is_empty(c, line);
    cache_reserve(c, line, address, HD_CLASS_CODE);
    const uint32_t index = cache_open(c, line);
    m->code.requests[hd_ring_push(&m->code.unsent)] = index;
    pipe_update_status(m);
    return wait_for(m, index, path, sequence);
}

static enum memory_fetched merge(memory *m, const cache_line *line, uint32_t path, uint32_t sequence)
{
    if (!cache_mshrs_can_wait(&m->caches[CACHE_CODE].mshrs, line->mshr)) {
        m->counters->fetch_refusals++;
        return MEMORY_FETCH_REFUSED;
    }
    m->counters->fetch_mshr_merges++;
    return wait_for(m, line->mshr, path, sequence);
}

enum memory_fetched memory_fetch(memory *m, uint64_t address, uint32_t path, uint32_t sequence)
{
    cache *c = &m->caches[CACHE_CODE];
    if (memory_fetch_again(&m->status, m->counters, address))
        return MEMORY_FETCH_HIT;
    const uint64_t line_address = address & m->status.code_mask;
    cache_line *line = cache_find(c, line_address, HD_CLASS_CODE);
    if (line == NULL)
        return miss(m, line_address, path, sequence);
    if (line->state == LINE_PENDING)
        return merge(m, line, path, sequence);
    cache_touch(c, line);
    m->status.code_line = line_address;
    m->counters->fetch_hits++;
    return MEMORY_FETCH_HIT;
}

uint32_t code_next_request(memory *m)
{
    return m->code.requests[hd_ring_pop(&m->code.unsent)];
}

void code_fill(memory *m, uint32_t index)
{
    cache *c = &m->caches[CACHE_CODE];
    const uint32_t waiting = cache_mshrs_waiting(&c->mshrs, index);
    cache_release(c, index);
    for (uint32_t i = 0; i < waiting; i++) {
        const mshr_waiter *waiter = cache_waiter(c, index, i);
        m->events.fetched(m->events.context, waiter->path, (uint32_t)waiter->sequence);
    }
}
