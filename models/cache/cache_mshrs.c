/* SPDX-License-Identifier: MIT */
#include "cache_mshrs.h"

#include <stdlib.h>

int cache_mshrs_create(cache_mshrs *m, uint32_t count, uint32_t targets)
{
    *m = (cache_mshrs){.count = count, .targets = targets, .chain_mask = 1};
    while (m->chain_mask < 2 * count)
        m->chain_mask = 2 * m->chain_mask + 1;
    m->of = calloc(count, sizeof *m->of);
    m->chains = calloc(m->chain_mask + 1, sizeof *m->chains);
    if (!m->of || !m->chains) {
        cache_mshrs_destroy(m);
        *m = (cache_mshrs){.count = 0};
        return -1;
    }
    cache_mshrs_reset(m);
    return 0;
}

void cache_mshrs_destroy(cache_mshrs *m)
{
    free(m->chains);
    free(m->of);
}

void cache_mshrs_reset(cache_mshrs *m)
{
    for (uint32_t i = 0; i <= m->chain_mask; i++)
        m->chains[i] = CACHE_NO_MSHR;
    for (uint32_t i = 0; i < m->count; i++)
        m->of[i] = (cache_mshr){.next = i + 1 < m->count ? i + 1 : CACHE_NO_MSHR, .targets.capacity = m->targets};
    m->free = 0;
    m->in_use = 0;
}

uint32_t cache_mshrs_take(cache_mshrs *m, uint64_t tag)
{
    const uint32_t number = m->free;
    cache_mshr *mshr = &m->of[number];
    uint32_t *chain = cache_mshrs_chain(m, tag);
    m->free = mshr->next;
    m->in_use++;
    mshr->tag = tag;
    mshr->is_listed = 1;
    mshr->next = *chain;
    *chain = number;
    hd_ring_clear(&mshr->targets);
    return number;
}

void cache_mshrs_hide(cache_mshrs *m, uint32_t number)
{
    cache_mshr *mshr = &m->of[number];
    uint32_t *link = cache_mshrs_chain(m, mshr->tag);
    if (!mshr->is_listed)
        return;
    while (*link != number)
        link = &m->of[*link].next;
    *link = mshr->next;
    mshr->is_listed = 0;
}

void cache_mshrs_release(cache_mshrs *m, uint32_t number)
{
    cache_mshrs_hide(m, number);
    m->of[number].next = m->free;
    m->free = number;
    m->in_use--;
}
