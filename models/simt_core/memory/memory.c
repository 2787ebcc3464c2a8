/* SPDX-License-Identifier: MIT */
/* Life of the memory pipe, and the questions about it that change nothing. */
#include "memory.h"
#include "rows.h"
#include "state.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t allocate_caches(memory *m)
{
    const memory_parameters *p = &m->parameters;
    const cache_parameters parameters[CACHES] = {
        [CACHE_L1] = {.bytes = p->l1_bytes,
                      .ways = p->l1_ways,
                      .line_bytes = p->l1_line,
                      .mshrs = p->l1_mshrs,
                      .merges = p->l1_mshr_merges,
                      .set_hash = p->l1_set_hash,
                      .replacement = p->l1_replacement,
                      .share = p->l1_share},
        [CACHE_CONSTANT] = p->constant,
        [CACHE_TEXTURE] = p->texture,
        [CACHE_CODE] = p->code,
    };
    int failed = 0;
    for (uint32_t i = 0; i < CACHES; i++)
        failed |= cache_create(&m->caches[i], &parameters[i]);
    return !failed;
}

static uint32_t allocate(memory *m)
{
    const memory_parameters *p = &m->parameters;
    m->values.hits.ring.capacity = (p->l1_latency + 2) * p->l1_lookups;
    m->values.passes.ring.capacity = p->scratchpad_latency + 2;
    m->values.responses.ring.capacity = p->responses != 0 ? p->tickets * p->lanes : 1;
    m->slots = rows_allocate(p->tickets, sizeof *m->slots);
    m->tickets.free = calloc(p->tickets, sizeof *m->tickets.free);
    m->pipe.waiting.capacity = p->queue;
    m->pipe.queue = calloc(p->queue, sizeof *m->pipe.queue);
    m->warps = calloc(p->warps, sizeof *m->warps);
    m->outstanding.path_stores = calloc(p->paths, sizeof *m->outstanding.path_stores);
    m->outstanding.path_reads = calloc(p->paths, sizeof *m->outstanding.path_reads);
    m->outstanding.thread_stores =
        p->homes ? calloc((size_t)p->warps * p->lanes, sizeof *m->outstanding.thread_stores) : NULL;
    m->values.hits.entries = calloc(m->values.hits.ring.capacity, sizeof *m->values.hits.entries);
    m->values.passes.entries = calloc(m->values.passes.ring.capacity, sizeof *m->values.passes.entries);
    m->values.responses.entries = calloc(m->values.responses.ring.capacity, sizeof *m->values.responses.entries);
    m->code.unsent.capacity = p->code.mshrs;
    m->status.code_mask = ~(uint64_t)(p->code.line_bytes - 1);
    m->code.requests = calloc(p->code.mshrs + 1, sizeof *m->code.requests);
    m->scratchpad.bytes = rows_allocate(1, p->scratchpad_bytes + 4u);
    m->scratchpad.versions = rows_allocate(p->scratchpad_bytes / 4 + 1, sizeof *m->scratchpad.versions);
    m->scratchpad.reservations = rows_allocate((size_t)p->warps * p->lanes, sizeof *m->scratchpad.reservations);
    m->network.unsent.capacity = OUT_CAPACITY + (p->l1_allocate == L1_ON_FILL ? p->l1_mshrs : 0);
    m->network.out = calloc(m->network.unsent.capacity, sizeof *m->network.out);
    return refused_create(m) && read_only_caches_create(m) && address_units_create(m) && m->network.out && m->slots &&
           m->tickets.free && m->pipe.queue && m->warps && m->outstanding.path_stores && m->outstanding.path_reads &&
           (m->outstanding.thread_stores || !p->homes) && m->values.hits.entries && m->values.passes.entries &&
           m->values.responses.entries && m->code.requests && m->scratchpad.bytes && m->scratchpad.versions &&
           m->scratchpad.reservations && allocate_caches(m);
}

static void intern_messages(memory *m)
{
    const hd_services *s = m->services;
    m->network.message_load = s->message(s->context, HD_GLOBAL_LOAD);
    m->network.message_load_reply = s->message(s->context, HD_GLOBAL_LOAD_REPLY);
    m->network.message_store = s->message(s->context, HD_GLOBAL_STORE);
    m->network.message_store_ack = s->message(s->context, HD_GLOBAL_STORE_ACK);
    m->network.message_atomic = s->message(s->context, HD_GLOBAL_ATOMIC);
    m->network.message_atomic_reply = s->message(s->context, HD_GLOBAL_ATOMIC_REPLY);
    m->network.message_mistake = s->message(s->context, HD_GLOBAL_MISTAKE);
}

static void sort_counters(memory *m)
{
    memory_counters *c = m->counters;
    m->l1.counters[HD_CLASS_GLOBAL] = (l1_counters){&c->l1_global_hits, &c->l1_global_misses, &c->l1_global_merges};
    m->l1.counters[HD_CLASS_PRIVATE] = (l1_counters){&c->l1_private_hits, &c->l1_private_misses, &c->l1_private_merges};
    m->l1.counters[HD_CLASS_CONSTANT] =
        (l1_counters){&c->l1_constant_hits, &c->l1_constant_misses, &c->l1_constant_merges};
}

static memory *refuse(memory *m, const char *why, char *error, size_t error_bytes)
{
    if (error_bytes != 0)
        snprintf(error, error_bytes, "%s", why);
    memory_destroy(m);
    return NULL;
}

/* Of a group of so many lanes, 0: of all. */
static uint32_t cycles_of_lanes(const memory_parameters *p, uint32_t lanes)
{
    const uint32_t count = lanes != 0 && lanes < p->lanes ? lanes : p->lanes;
    return p->width != 0 ? (count + p->width - 1) / p->width : 1;
}

static void choose_sectors(memory *m)
{
    const memory_parameters *p = &m->parameters;
    const uint32_t sector = p->l1_sector != 0 ? p->l1_sector : p->l1_line;
    m->l1.sectored = sector != p->l1_line || p->l1_allocate == L1_ON_FILL || p->l1_write == L1_WRITE_THROUGH;
    m->l1.sector_shift = (uint32_t)__builtin_ctz(sector);
}

memory *memory_create(const hd_services *services, const memory_parameters *parameters, const memory_events *events,
                      memory_counters *counters, char *error, size_t error_bytes)
{
    memory *m = calloc(1, sizeof *m);
    if (m == NULL)
        return refuse(m, "out of memory", error, error_bytes);
    m->head.calls = &transactional_calls;
    m->services = services;
    m->parameters = *parameters;
    m->events = *events;
    m->counters = counters;
    m->paths_per_warp = parameters->paths / parameters->warps;
    choose_sectors(m);
    m->pipe.is_narrowable =
        parameters->width != 0 || parameters->l1_port_bytes != 0 || parameters->address_interval != 0;
    m->pipe.lane_cycles = cycles_of_lanes(parameters, parameters->lanes);
    m->pipe.pass_cycles = cycles_of_lanes(parameters, parameters->scratchpad_group);
    m->map = services->extension(services->context, HD_EXTENSION_ADDRESS_MAP);
    if (m->map == NULL)
        return refuse(m, "the machine has no address map", error, error_bytes);
    if (!allocate(m))
        return refuse(m, "out of memory", error, error_bytes);
    intern_messages(m);
    contexts_create(m);
    sort_counters(m);
    memory_reset(m);
    return m;
}

static void discard_packets(memory *m)
{
    for (uint32_t i = 0; i < m->network.unsent.count; i++)
        m->services->free(m->services->context, m->network.out[hd_ring_place(&m->network.unsent, i)]);
    hd_ring_clear(&m->network.unsent);
    contexts_reset(m);
}

void memory_destroy(memory *m)
{
    if (m == NULL)
        return;
    if (m->network.out != NULL)
        discard_packets(m);
    address_units_destroy(m);
    refused_destroy(m);
    free(m->network.out);
    rows_free(m->slots);
    free(m->tickets.free);
    free(m->pipe.queue);
    free(m->warps);
    free(m->outstanding.path_stores);
    free(m->outstanding.path_reads);
    free(m->outstanding.thread_stores);
    seen_words_reset(&m->progress.seen);
    free(m->values.hits.entries);
    free(m->values.passes.entries);
    read_only_caches_destroy(m);
    free(m->values.responses.entries);
    free(m->code.requests);
    rows_free(m->scratchpad.bytes);
    rows_free(m->scratchpad.versions);
    rows_free(m->scratchpad.reservations);
    for (uint32_t i = 0; i < CACHES; i++)
        cache_destroy(&m->caches[i]);
    free(m);
}

/* Lines, reservations and replacement order as after reset. */
static void empty_caches(memory *m)
{
    const memory_parameters *p = &m->parameters;
    for (uint32_t i = 0; i < CACHES; i++)
        cache_reset(&m->caches[i], m->l1.random_seed);
    memset(m->l1.class_lines, 0, sizeof m->l1.class_lines);
    m->status.code_line = NO_LINE;
    if (m->scratchpad.is_reserved)
        memset(m->scratchpad.reservations, 0, (size_t)p->warps * p->lanes * sizeof *m->scratchpad.reservations);
    m->scratchpad.is_reserved = 0;
    m->scratchpad.watched = 0;
}

/* The free list hands out tickets in ascending order. */
static void free_all_slots(memory *m)
{
    m->tickets.count = m->parameters.tickets;
    for (uint32_t i = 0; i < m->tickets.count; i++)
        m->tickets.free[i] = m->tickets.count - 1 - i;
    for (uint32_t i = 0; i < m->tickets.used; i++)
        m->slots[i].in_use = 0;
    m->tickets.used = 0;
}

void memory_reset(memory *m)
{
    const memory_parameters *p = &m->parameters;
    discard_packets(m);
    hd_cursor_init(&m->cursor, m->services->clock);
    m->unworked = 0;
    free_all_slots(m);
    hd_ring_clear(&m->pipe.waiting);
    m->pipe.free = 0;
    address_units_reset(m);
    refused_reset(m);
    m->pipe.is_narrow = 0;
    m->pipe.stall = STARTED;
    hd_ring_clear(&m->values.hits.ring);
    hd_ring_clear(&m->values.passes.ring);
    read_only_caches_reset(m);
    hd_ring_clear(&m->values.responses.ring);
    m->values.response_edge = m->values.responses_at_edge = 0;
    hd_ring_clear(&m->code.unsent);
    memset(m->warps, 0, p->warps * sizeof *m->warps);
    memset(m->outstanding.path_stores, 0, p->paths * sizeof *m->outstanding.path_stores);
    memset(m->outstanding.path_reads, 0, p->paths * sizeof *m->outstanding.path_reads);
    if (m->outstanding.thread_stores != NULL)
        memset(m->outstanding.thread_stores, 0, (size_t)p->warps * p->lanes * sizeof *m->outstanding.thread_stores);
    m->progress.notes_change = 0;
    seen_words_reset(&m->progress.seen);
    if (m->scratchpad.is_used)
        memset(m->scratchpad.bytes, 0, p->scratchpad_bytes);
    m->scratchpad.is_used = 0;
    m->network.blocked_since = NO_EDGE;
    m->network.reply_arrival = HD_NEVER;
    m->network.credit_arrival = 0;
    m->pipe.head_waits_for_network = 0;
    m->transactional.offered = m->transactional.their_turn = m->transactional.serial = 0;
    m->network.unacknowledged = 0;
    m->l1.flush.blocks = 0;
    memset(m->counters, 0, sizeof *m->counters);
    m->l1.random_seed = p->l1_replacement->draws ? m->services->random(m->services->context) : 0;
    empty_caches(m);
    pipe_find_due(m);
    pipe_update_status(m);
}

void memory_connect(memory *m, hd_link *request, uint32_t request_port, hd_link *reply)
{
    (void)request_port; /* a core has one way out: no route to look up */
    m->network.request = request;
    m->network.reply = reply;
}

void memory_set_view(memory *m, uint32_t warp, const memory_view *view)
{
    m->warps[warp].view = *view;
    m->warps[warp].view.memory_end = m->map->memory_end;
    atomics_forget(m, warp);
}

const memory_view *memory_view_of(const memory *m, uint32_t warp)
{
    return &m->warps[warp].view;
}

uint32_t memory_stores_outstanding(const memory *m, uint32_t path)
{
    return m->outstanding.path_stores[path];
}

uint32_t memory_thread_stores_outstanding(const memory *m, lane_homes homes, uint64_t lanes)
{
    uint32_t stores = 0;
    for (uint64_t left = lanes; left != 0;) {
        const home_part part = homes_take(homes, &left);
        for (uint64_t of = part.lanes; of != 0; of &= of - 1)
            stores |= m->outstanding.thread_stores[part.row * m->parameters.lanes + lowest_lane(of)];
    }
    return stores != 0;
}

hd_time memory_last_read(const memory *m, uint32_t path)
{
    return m->outstanding.path_reads[path];
}

hd_time memory_reads_afresh(memory *m, hd_time t, uint32_t anew)
{
    m->progress.notes_change = 1;
    return seen_words_check(&m->progress.seen, t, anew);
}

uint32_t memory_l1_misses(const memory *m)
{
    return m->caches[CACHE_L1].mshrs.in_use;
}

uint32_t memory_accesses_outstanding(const memory *m, uint32_t warp)
{
    return m->warps[warp].accesses;
}

uint32_t memory_is_idle(const memory *m)
{
    for (uint32_t i = 0; i < CACHES; i++)
        if (m->caches[i].mshrs.in_use != 0)
            return 0;
    return m->tickets.count == m->parameters.tickets && m->network.unsent.count == 0 && m->transactional.offered == 0 &&
           m->network.unacknowledged == 0 && m->contexts.outstanding == 0;
}

void memory_align(memory *m, const hd_write_back_sink *sink)
{
    const cache *l1 = &m->caches[CACHE_L1];
    const uint32_t sector = 1u << m->l1.sector_shift;
    for (const cache_line *line = l1->lines; line != l1->lines + l1->tags.places; line++)
        for (uint32_t at = 0; line->state == LINE_DIRTY && at < l1->parameters.line_bytes; at += sector)
            if (!m->l1.sectored || line->dirty >> at / sector & 1)
                sink->write_back(sink->context, cache_address(l1, line) + at, cache_bytes(l1, line) + at, sector);
    free_all_slots(m);
    empty_caches(m);
    pipe_update_status(m);
}

void memory_each_unsent(const memory *m, const hd_under_way_sink *sink)
{
    for (uint32_t i = 0; i < m->network.unsent.count; i++)
        sink->write(sink->context, m->network.out[hd_ring_place(&m->network.unsent, i)], 0);
}

void memory_describe(const memory *m, uint32_t warp, const hd_text_sink *sink)
{
    uint32_t stores = 0;
    const path_range paths = paths_of(warp, m->paths_per_warp);
    for (uint32_t path = paths.first; path < paths.end; path++)
        stores += m->outstanding.path_stores[path];
    for (uint32_t i = 0; i < m->tickets.used; i++) {
        const access_slot *slot = &m->slots[i];
        if (!slot->in_use || slot->access.warp != warp)
            continue;
        stores -= slot->is_store;
        sink->line(sink->context, "  %s at pc 0x%08x, address 0x%08x of lane %u, since %" PRIu64 " ps",
                   isa_mnemonic(slot->access.instruction->operation), slot->access.pc,
                   slot->access.address[lowest_lane(slot->access.mask)], lowest_lane(slot->access.mask), slot->since);
    }
    if (stores != 0)
        sink->line(sink->context, "  %u stores not acknowledged", stores);
}
