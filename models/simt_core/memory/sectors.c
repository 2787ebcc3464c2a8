/* SPDX-License-Identifier: MIT */
/*
 * The L1 where lines have sectors that come apart, or where a line takes its place when it comes (l1.sector, l1.allocate).
 *
 * Of an access, the lanes whose sectors are here are served at once, the others wait for theirs in the MSHR of the line. An
 * MSHR fetches more sectors as later accesses ask for them, and is free when none is on its way. What is on its way is not
 * here: a store waits for it too, behind earlier loads (mshr.c). With on_fill the MSHR alone stands for a line that has not
 * come, so that misses are no more limited by ways than sectors are.
 */
#include "state.h"

#include <string.h>

static cache *l1_of(memory *m)
{
    return &m->caches[CACHE_L1];
}

static uint32_t *head_of(memory *m, uint64_t address)
{
    const uint64_t hash = address / 32 * UINT64_C(0x9E3779B97F4A7C15);
    return &m->miss_heads[(uint32_t)(hash >> 40) & m->miss_mask];
}

static mshr *find_miss(memory *m, uint64_t address, uint32_t traffic_class)
{
    cache *l1 = l1_of(m);
    for (uint32_t i = *head_of(m, address); i != NO_MISS; i = l1->mshrs[i].next)
        if (l1->mshrs[i].address == address && l1->mshrs[i].traffic_class == traffic_class && l1->mshrs[i].install)
            return &l1->mshrs[i];
    return NULL;
}

/* ---- Sectors and lanes ---- */

static uint32_t shift_of(const memory *m)
{
    return m->sector_shift;
}

static uint8_t sector_of(const memory *m, const access_slot *slot, uint32_t lane)
{
    const uint32_t offset = slot->access.address[lane] & (m->caches[CACHE_L1].parameters.line_bytes - 1);
    return (uint8_t)(1u << (offset >> shift_of(m)));
}

static uint8_t sectors_of(const memory *m, const access_slot *slot, uint64_t lanes)
{
    uint8_t sectors = 0;
    for (uint64_t left = lanes; left != 0; left &= left - 1)
        sectors |= sector_of(m, slot, lowest_lane(left));
    return sectors;
}

static uint64_t lanes_in(const memory *m, const access_slot *slot, uint64_t lanes, uint8_t sectors)
{
    uint64_t found = 0;
    for (uint64_t left = lanes; left != 0; left &= left - 1)
        found |= (sector_of(m, slot, lowest_lane(left)) & sectors) != 0 ? left & -left : 0;
    return found;
}

static uint8_t written_whole(const memory *m, const access_slot *slot, uint64_t lanes)
{
    const uint32_t line_bytes = m->caches[CACHE_L1].parameters.line_bytes;
    uint32_t words = 0;
    for (uint64_t left = slot->bytes == 4 ? lanes : 0; left != 0; left &= left - 1)
        words |= 1u << (slot->access.address[lowest_lane(left)] & (line_bytes - 1)) / 4;
    const uint32_t words_of_sector = 1u << (shift_of(m) - 2);
    const uint32_t all = (uint32_t)((UINT64_C(1) << words_of_sector) - 1);
    uint8_t whole = 0;
    for (uint32_t sector = 0; sector * words_of_sector < line_bytes / 4; ++sector)
        whole |= (uint8_t)((words >> sector * words_of_sector & all) == all) << sector;
    return whole;
}

static uint8_t all_sectors(const memory *m)
{
    return (uint8_t)((1u << (m->caches[CACHE_L1].parameters.line_bytes >> shift_of(m))) - 1);
}

/* ---- One line of an access ---- */

/* What there is of a line, and what an access wants of it. */
typedef struct lookup {
    uint64_t address;
    uint32_t traffic_class;
    uint32_t stores;
    uint64_t lanes; /* 0: of a log */
    cache_line *line;
    mshr *miss;
    uint8_t now;   /* sectors that are read or written at once */
    uint8_t wait;  /* that have to come first, */
    uint8_t fetch; /* and of those the ones that are not on their way */
} lookup;

static lookup look_up(memory *m, uint64_t address, uint32_t traffic_class, uint8_t needs, uint8_t whole)
{
    lookup l = {.address = address, .traffic_class = traffic_class, .stores = whole != 0};
    l.line = cache_find(l1_of(m), address, traffic_class);
    l.miss = find_miss(m, address, traffic_class);
    const uint8_t valid = l.line != NULL ? l.line->valid : 0;
    const uint8_t pending = l.miss != NULL ? l.miss->pending : 0;
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
    if (l->fetch != 0 && l->miss == NULL && l1->free_mshr_count == 0)
        return WAIT_MSHR;
    if (l->wait != 0 && l->miss != NULL && !cache_can_wait(l1, (uint32_t)(l->miss - l1->mshrs)))
        return WAIT_MERGE;
    if (needs_line(m, l) && (*victim = cache_victim(l1, l->address)) == NULL)
        return WAIT_WAY;
    if ((l->fetch != 0 || (*victim != NULL && (*victim)->state == LINE_DIRTY)) && !network_is_free(m))
        return WAIT_NETWORK;
    return STARTED;
}

static void open_miss(memory *m, access_slot *slot, lookup *l)
{
    cache *l1 = l1_of(m);
    const uint32_t index = cache_open_apart(l1, l->address, l->traffic_class);
    uint32_t *head = head_of(m, l->address);
    l->miss = &l1->mshrs[index];
    l->miss->next = *head;
    *head = index;
    l->miss->warp = slot->access.warp;
    l->miss->block = m->warps[slot->access.warp].view.block;
    if (cache_misses_in_flight(l1) > m->counters->maximum_mshrs)
        m->counters->maximum_mshrs = cache_misses_in_flight(l1);
}

static void fetch(memory *m, const lookup *l)
{
    const uint32_t index = (uint32_t)(l->miss - l1_of(m)->mshrs);
    for (uint32_t left = l->fetch; left != 0;) {
        const uint32_t first = (uint32_t)__builtin_ctz(left);
        const uint32_t count = (uint32_t)__builtin_ctz(~(left >> first));
        network_fetch_part(m, l1_of(m), index, first << shift_of(m), count << shift_of(m));
        left &= ~(((1u << count) - 1) << first);
    }
    l->miss->pending |= l->fetch;
    if (m->parameters.l1_allocate == L1_ON_MISS) {
        l->line->state = LINE_PENDING;
        l->line->mshr = index;
        l->miss->line = (uint32_t)(l->line - l1_of(m)->lines);
    }
}

static void serve_now(memory *m, access_slot *slot, const lookup *l, uint64_t lanes, uint32_t place)
{
    uint8_t *bytes = cache_bytes(l1_of(m), l->line);
    cache_touch(l1_of(m), l->line);
    m->moved += (uint32_t)__builtin_popcount(l->now) << shift_of(m);
    if (!l->stores) {
        if (lanes != 0) {
            coalescer_gather(slot, lanes, bytes, place);
            pipe_give_later(m, &m->hits, slot, lanes, m->parameters.l1_latency);
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
    cache_wait(l1_of(m), (uint32_t)(l->miss - l1_of(m)->mshrs),
               &(mshr_waiter){.lanes = lanes, .ticket = ticket_of(m, slot)});
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
    if (l->fetch != 0 && l->miss == NULL)
        open_miss(m, slot, l);
    if (l->fetch != 0)
        fetch(m, l);
    if (l->wait != 0)
        wait_for(m, slot, l, waiting);
}

static void count(memory *m, const lookup *l)
{
    const l1_counters *counters = &m->l1_class[l->traffic_class];
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

/* ---- Fills ---- */

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

/* ---- Lines in flight that are dropped ---- */

void sectors_drop_miss(memory *m, uint64_t address, uint32_t traffic_class)
{
    mshr *miss = find_miss(m, address, traffic_class);
    if (miss != NULL)
        miss->install = 0;
}

void sectors_drop_misses(memory *m, uint32_t traffic_class, uint32_t block)
{
    const mshr *mshrs = l1_of(m)->mshrs;
    for (uint32_t head = 0; head <= m->miss_mask; ++head)
        for (uint32_t i = m->miss_heads[head]; i != NO_MISS; i = mshrs[i].next)
            if (mshrs[i].traffic_class == traffic_class && (block == MEMORY_ANY_BLOCK || mshrs[i].block == block))
                l1_of(m)->mshrs[i].install = 0;
}
