/* SPDX-License-Identifier: MIT */
/*
 * The L1 where lines have sectors that come apart, or where a line takes its place when it comes (l1.sector, l1.allocate).
 *
 * Of an access, the lanes whose sectors are here are served at once, the others wait for theirs in the MSHR of the line. An
 * MSHR fetches more sectors as later accesses ask for them, and is free when none is on its way. What is on its way is not
 * here: a store waits for it too, behind earlier loads (mshr.c). With on_fill the MSHR alone stands for a line that has not
 * come: misses in flight take no ways.
 */
#include "sectors.h"

#include <string.h>

/* What there is of a line, and what an access wants of it. */
typedef struct lookup {
    uint64_t address;
    uint32_t traffic_class;
    uint32_t stores;
    uint64_t lanes; /* 0: of a log */
    cache_line *line;
    uint32_t miss; /* its MSHR, or CACHE_NO_MSHR */
    uint8_t now;   /* sectors that are read or written at once */
    uint8_t wait;  /* that have to come first, */
    uint8_t fetch; /* and of those the ones that are not on their way */
} lookup;

static lookup look_up(memory *m, uint64_t address, uint32_t traffic_class, uint8_t needs, uint8_t whole)
{
    lookup l = {.address = address, .traffic_class = traffic_class, .stores = whole != 0};
    l.line = cache_find(l1_of(m), address, traffic_class);
    if (l.line != NULL && l.line->unacknowledged != 0 && traffic_class == HD_CLASS_GLOBAL) {
        m->counters->l1_unacknowledged_drops++;
        l1_drop_line(m, address);
        l.line = NULL;
    }
    l.miss = find_miss(m, address, traffic_class);
    const uint8_t valid = l.line != NULL ? l.line->valid : 0;
    const uint8_t pending = l.miss != CACHE_NO_MSHR ? miss_of(m, l.miss)->pending : 0;
    l.now = needs & (valid | (whole & (uint8_t)~pending));
    l.wait = needs & (uint8_t)~l.now;
    l.fetch = l.wait & (uint8_t)~pending;
    return l;
}

static uint32_t needs_line(const memory *m, const lookup *l)
{
    return l->line == NULL && (l->now != 0 || (l->fetch != 0 && m->parameters.l1_allocate == L1_ON_MISS));
}

/* Is there what the access needs? *victim: the line that it takes, if it takes one. */
static uint32_t obstacle(memory *m, const lookup *l, cache_line **victim)
{
    cache *l1 = l1_of(m);
    *victim = NULL;
    if (l->fetch != 0 && l->miss == CACHE_NO_MSHR && cache_mshrs_is_full(&l1->mshrs))
        return WAIT_MSHR;
    if (l->wait != 0 && l->miss != CACHE_NO_MSHR && !cache_mshrs_can_wait(&l1->mshrs, l->miss))
        return WAIT_MERGE;
    if (needs_line(m, l) && (*victim = cache_victim(l1, l->address)) == NULL)
        return WAIT_WAY;
    if ((l->fetch != 0 || (*victim != NULL && (*victim)->state == LINE_DIRTY)) && !network_is_free(m))
        return WAIT_NETWORK;
    return STARTED;
}

static void open_miss(memory *m, access_slot *slot, lookup *l)
{
    l->miss = cache_open_apart(l1_of(m), l->address, l->traffic_class);
    miss_of(m, l->miss)->warp = slot->access.warp;
    miss_of(m, l->miss)->block = m->warps[slot->access.warp].view.block;
    l1_count_mshrs(m);
}

static void fetch(memory *m, const lookup *l)
{
    for (uint8_t left = l->fetch; left != 0;) {
        const cache_run run = cache_take_run(&left);
        network_fetch_part(m, l1_of(m), l->miss, run.first << shift_of(m), run.count << shift_of(m));
    }
    miss_of(m, l->miss)->pending |= l->fetch;
    if (m->parameters.l1_allocate == L1_ON_MISS)
        cache_await(l1_of(m), l->line, l->miss);
}

static void serve_now(memory *m, access_slot *slot, const lookup *l, uint64_t lanes, uint32_t place)
{
    uint8_t *bytes = cache_bytes(l1_of(m), l->line);
    cache_touch(l1_of(m), l->line);
    m->pipe.moved += (uint32_t)__builtin_popcount(l->now) << shift_of(m);
    if (!l->stores) {
        if (lanes != 0) {
            coalescer_gather(slot, lanes, bytes, place);
            pipe_give_later(m, &m->values.hits, slot, lanes, m->parameters.l1_latency);
        }
        return;
    }
    if (lanes != 0)
        coalescer_scatter(slot, lanes, bytes, place);
    else
        memset(bytes, 0, l1_of(m)->parameters.line_bytes); /* words of logs are kept elsewhere */
    l->line->valid |= l->now;
    l->line->dirty |= l->now;
    if (l->line->state != LINE_PENDING)
        l->line->state = LINE_DIRTY;
}

static void wait_for(memory *m, access_slot *slot, const lookup *l, uint64_t lanes)
{
    cache_wait(l1_of(m), l->miss, &(mshr_waiter){.lanes = lanes, .ticket = ticket_of(m, slot)});
    slot->parts++;
}

/* Serves the lanes that can be, and lets the others wait. */
static void start(memory *m, access_slot *slot, lookup *l, cache_line *victim, uint32_t place)
{
    const uint64_t waiting = l->lanes == 0 ? 0 : lanes_in(m, slot, l->lanes, l->wait);
    if (victim != NULL) {
        l1_reserve(m, victim, l->address, l->traffic_class, slot->access.warp, m->warps[slot->access.warp].view.block);
        victim->state = LINE_CLEAN;
        l->line = victim;
    }
    if (l->now != 0)
        serve_now(m, slot, l, l->lanes & ~waiting, place);
    if (l->fetch != 0 && l->miss == CACHE_NO_MSHR)
        open_miss(m, slot, l);
    if (l->fetch != 0)
        fetch(m, l);
    if (l->wait != 0)
        wait_for(m, slot, l, waiting);
}

static void count(memory *m, const lookup *l)
{
    const l1_counters *counters = &m->l1.counters[l->traffic_class];
    if (l->wait == 0 && l->line != NULL) {
        m->counters->l1_hits++;
        ++*counters->hits;
        return;
    }
    const uint32_t merges = l->wait != 0 && l->fetch == 0;
    m->counters->l1_misses++;
    m->counters->l1_mshr_merges += merges;
    m->counters->l1_sector_misses += l->fetch != 0 && l->line != NULL;
    ++*counters->misses;
    *counters->merges += merges;
}

uint32_t sectors_start(memory *m, access_slot *slot, uint64_t address, uint32_t traffic_class, const line_group *group)
{
    const uint32_t stores = slot->kind == KIND_STORE;
    const uint8_t whole = stores ? written_whole(m, slot, group->lanes) : 0;
    lookup l = look_up(m, address, traffic_class, sectors_of(m, slot, group->lanes), whole);
    cache_line *victim;
    l.lanes = group->lanes;
    l.stores = stores;
    const uint32_t result = obstacle(m, &l, &victim);
    if (result != STARTED)
        return result;
    count(m, &l);
    start(m, slot, &l, victim, group->place);
    return STARTED;
}

uint32_t sectors_log(memory *m, access_slot *slot, uint64_t address, uint32_t writes)
{
    const uint8_t all = all_sectors(m);
    lookup l = look_up(m, address, HD_CLASS_PRIVATE, all, writes ? all : 0);
    cache_line *victim;
    const uint32_t result = obstacle(m, &l, &victim);
    if (result != STARTED)
        return result;
    m->counters->log_hits += l.wait == 0;
    m->counters->log_misses += l.wait != 0;
    start(m, slot, &l, victim, 0);
    return STARTED;
}

/* ---- Lines in flight that are dropped ---- */

void sectors_drop_miss(memory *m, uint64_t address, uint32_t traffic_class)
{
    const uint32_t miss = find_miss(m, address, traffic_class);
    if (miss != CACHE_NO_MSHR)
        cache_mshrs_hide(&l1_of(m)->mshrs, miss);
}

void sectors_drop_misses(memory *m, uint32_t traffic_class, uint32_t block)
{
    cache_mshrs *mshrs = &l1_of(m)->mshrs;
    for (uint32_t i = 0; i < mshrs->count; i++)
        if (mshrs->of[i].is_listed && cache_tag_class(mshrs->of[i].tag) == traffic_class &&
            (block == MEMORY_ANY_BLOCK || miss_of(m, i)->block == block))
            cache_mshrs_hide(mshrs, i);
}
