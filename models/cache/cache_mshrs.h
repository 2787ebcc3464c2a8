/* SPDX-License-Identifier: MIT */
/*
 * Miss status holding registers: one for each line that a cache awaits, with the accesses that wait for it, its targets, in order.
 * What a register and a target stand for is the cache's own, in arrays that have an entry for each register, and for each target:
 * here are their numbers. Source: Kroft 1981.
 *
 *   number = cache_mshrs_take(&m, tag);              targets[cache_mshrs_push(&m, number)] = access;
 *   ... the line comes:                              while (cache_mshrs_targets(&m, number)) serve(targets[cache_mshrs_pop(&m, number)]);
 *   cache_mshrs_release(&m, number);
 */
#ifndef CACHE_MSHRS_H
#define CACHE_MSHRS_H

#include <stdint.h>

#include "hd_ring.h"

#define CACHE_NO_MSHR UINT32_MAX

typedef struct cache_mshr {
    uint64_t tag;
    uint32_t next;      /* in its chain, or of those that are free */
    uint32_t is_listed; /* it is in use, and cache_mshrs_find finds it */
    hd_ring targets;
} cache_mshr;

typedef struct cache_mshrs {
    uint32_t count;
    uint32_t targets; /* that each has room for */
    uint32_t in_use;
    uint32_t free; /* the first of those that are; the one released last is taken first */
    uint32_t chain_mask;
    uint32_t *chains; /* first of those in use, by a hash of the tag; the latest is the first */
    cache_mshr *of;   /* [number] */
} cache_mshrs;

/* 0, all free; or -1 without memory, and there are none: to destroy them is allowed. count, targets: 1 at least. */
int cache_mshrs_create(cache_mshrs *m, uint32_t count, uint32_t targets);
void cache_mshrs_destroy(cache_mshrs *m);
void cache_mshrs_reset(cache_mshrs *m);

static inline uint32_t *cache_mshrs_chain(const cache_mshrs *m, uint64_t tag)
{
    return &m->chains[(uint32_t)(tag * UINT64_C(0x9E3779B97F4A7C15) >> 40) & m->chain_mask];
}

/* The register that awaits the line; CACHE_NO_MSHR: none does, or it is hidden. */
static inline uint32_t cache_mshrs_find(const cache_mshrs *m, uint64_t tag)
{
    uint32_t number = *cache_mshrs_chain(m, tag);
    while (number != CACHE_NO_MSHR && m->of[number].tag != tag)
        number = m->of[number].next;
    return number;
}

static inline uint32_t cache_mshrs_is_full(const cache_mshrs *m)
{
    return m->in_use == m->count;
}

/* One that is free, for this line; no target waits. They are not full. */
uint32_t cache_mshrs_take(cache_mshrs *m, uint64_t tag);
/* Whoever wants the line from now on does not find it: the cache does not take it when it comes. */
void cache_mshrs_hide(cache_mshrs *m, uint32_t number);
/* It is free, hidden or not. What its targets were can be read until it is taken again. */
void cache_mshrs_release(cache_mshrs *m, uint32_t number);

/* How many wait. */
static inline uint32_t cache_mshrs_waiting(const cache_mshrs *m, uint32_t number)
{
    return m->of[number].targets.count;
}

/* Is there room for one more? */
static inline uint32_t cache_mshrs_can_wait(const cache_mshrs *m, uint32_t number)
{
    return m->of[number].targets.count < m->targets;
}

/* Number of a target, below count * targets: the i-th of those that wait; of one that is to wait behind them, for which there is
 * room; of the first, which waits no longer. */
static inline uint32_t cache_mshrs_target(const cache_mshrs *m, uint32_t number, uint32_t i)
{
    return number * m->targets + hd_ring_place(&m->of[number].targets, i);
}
static inline uint32_t cache_mshrs_push(cache_mshrs *m, uint32_t number)
{
    return number * m->targets + hd_ring_push(&m->of[number].targets);
}
static inline uint32_t cache_mshrs_pop(cache_mshrs *m, uint32_t number)
{
    return number * m->targets + hd_ring_pop(&m->of[number].targets);
}

#endif
