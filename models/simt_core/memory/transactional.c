/* SPDX-License-Identifier: MIT */
/*
 * Accesses to global memory within a transaction. At the head of the pipe an access first looks at its warp's logs; lanes that
 * they serve send nothing, the others go in groups of one granule, a packet and a cycle each.
 */
#include "hd_transactions.h"
#include "state.h"

#include <string.h>

void memory_set_transactions(memory *m, const memory_transactions *transactions)
{
    m->transactional.port = transactions;
}

static void offer_packets(memory *m, uint32_t count)
{
    m->transactional.offered += count;
    pipe_update_status(m);
}

static uint32_t free_accesses(const memory *m)
{
    return m->tickets.count;
}

static const hd_address_map *map_of(const memory *m)
{
    return m->map;
}

static hd_packet *new_packet(memory *m, uint32_t message, uint32_t traffic_class, uint64_t address, uint32_t body_bytes)
{
    return network_packet(m, message, traffic_class, address, body_bytes);
}

static uint64_t log_address(const memory *m, const access_slot *slot, const memory_log_run *run)
{
    const uint32_t line = run->place / HD_LINE_BYTES * MEMORY_LOG_ARRAYS + run->array;
    return window_log_line(&m->warps[slot->access.warp].view, line) + run->place % HD_LINE_BYTES;
}

/* Lines of the log, in the order of the runs. */
uint32_t transactional_log(memory *m, access_slot *slot)
{
    memory_log_run *run = slot->log.run;
    while (run->count == 0)
        ++run;
    const uint32_t result = l1_log(m, slot, log_address(m, slot, run), run->writes);
    if (result != STARTED)
        return result;
    run->place += m->caches[CACHE_L1].parameters.line_bytes;
    run->count--;
    slot->log_left--;
    return STARTED;
}

void transactional_serve(memory *m, access_slot *slot)
{
    const uint64_t lanes = slot->log.served;
    slot->log.served = 0;
    pipe_give_later(m, &m->values.hits, slot, lanes, m->parameters.l1_latency);
}

static void enter(memory *m, access_slot *slot)
{
    const memory_transactions *t = m->transactional.port;
    memset(&slot->log, 0, sizeof slot->log);
    slot->checked = 1;
    t->enter(t->context, &slot->access, slot->remaining[WINDOW_GLOBAL], &slot->log);
    slot->remaining[WINDOW_GLOBAL] &= ~slot->log.served;
    for (uint32_t i = 0; i < slot->log.runs; i++)
        slot->log_left += slot->log.run[i].count;
}

/* Nothing comes of these lanes' part: a lane that has aborted reads 0. */
static void blank(access_slot *slot, uint64_t lanes)
{
    for (uint64_t left = lanes; left != 0; left &= left - 1)
        slot->access.data[lowest_lane(left)] = 0;
}

static void send(memory *m, access_slot *slot, const line_group *group)
{
    const memory_transactions *t = m->transactional.port;
    const uint64_t base = slot->base[WINDOW_GLOBAL] + group->place;
    const uint32_t low = group->low & ~3u, high = (group->high + 3) & ~3u;
    const uint32_t loads = slot->kind == KIND_LOAD;
    uint64_t lanes = group->lanes;
    hd_packet *packet = t->request(t->context, &slot->access, &lanes, loads ? base + low : base,
                                   loads ? high - low : t->group_bytes, network_next_tag(m, slot));
    if (group->lanes != lanes) {
        blank(slot, group->lanes & ~lanes);
        pipe_give_later(m, &m->values.hits, slot, group->lanes & ~lanes, m->parameters.l1_latency);
    }
    if (lanes == 0)
        return;
    const uint64_t tag = network_group_tag(m, slot, WINDOW_GLOBAL, lanes);
    m->counters->l1_bypasses++;
    if (packet == NULL) {
        slot->group_edge[slot->groups - 1] = NO_EDGE;
        return;
    }
    packet->tag = tag;
    if (loads)
        network_count_data(m, packet->traffic_class, high - low);
    network_queue(m, packet);
}

uint32_t transactional_start(memory *m, access_slot *slot)
{
    if (!slot->checked) {
        enter(m, slot);
        return STARTED;
    }
    if (!network_is_free(m))
        return WAIT_NETWORK;
    line_group group = coalescer_next(m, slot, WINDOW_GLOBAL);
    if (m->transactional.port->group_bytes < HD_LINE_BYTES)
        coalescer_narrow(m, slot, &group, m->transactional.port->group_bytes);
    coalescer_span(slot, &group);
    send(m, slot, &group);
    m->counters->wide_accesses++;
    m->counters->lane_accesses += lane_count(group.lanes);
    slot->remaining[WINDOW_GLOBAL] &= ~group.lanes;
    return STARTED;
}

/* Bytes that the lane's transaction has written before stand in the place of what has come. */
static void merge_own(access_slot *slot, uint32_t lane)
{
    const uint32_t first = slot->access.address[lane] % 4;
    const uint32_t bits = hd_bits_of_bytes(slot->log.own[lane] >> first & ((1u << slot->bytes) - 1));
    slot->access.data[lane] = (slot->access.data[lane] & ~bits) | (slot->access.compare[lane] >> 8 * first & bits);
}

void transactional_loaded(memory *m, access_slot *slot, uint64_t lanes, const hd_packet *reply)
{
    const memory_transactions *t = m->transactional.port;
    t->loaded(t->context, &slot->access, lanes, slot->log.own, reply);
    for (uint64_t left = lanes; left != 0; left &= left - 1)
        if (slot->log.own[lowest_lane(left)] != 0)
            merge_own(slot, lowest_lane(left));
    if (t->delivered != NULL)
        t->delivered(t->context, &slot->access, lanes);
}

static const memory_access *find_access(memory *m, uint64_t tag, uint64_t *lanes)
{
    uint32_t group;
    const access_slot *slot = network_find_slot(m, tag, &group);
    if (slot == NULL)
        return NULL;
    *lanes = slot->group_lanes[group];
    return &slot->access;
}

static const memory_access *awaiting(const memory *m, uint64_t tag, uint64_t *lanes)
{
    uint32_t group;
    const access_slot *slot = network_find(m, tag, &group);
    if (slot == NULL)
        return NULL;
    *lanes = slot->group_lanes[group];
    return &slot->access;
}

static void count_load(memory *m, const hd_packet *packet)
{
    network_count_data(m, packet->traffic_class, packet->argument);
}

static void count_log(memory *m, uint32_t bytes)
{
    m->counters->transaction_bytes += bytes;
}

static uint8_t *scratchpad_of(memory *m)
{
    return m->scratchpad.bytes;
}

static void give_up_group(memory *m, access_slot *slot, uint32_t group)
{
    const uint64_t lanes = slot->group_lanes[group];
    blank(slot, lanes);
    m->counters->withheld_requests += slot->group_edge[group] == NO_EDGE;
    slot->group_lanes[group] = 0;
    pipe_give(m, slot, slot->kind == KIND_LOAD ? lanes : 0, slot->access.data);
}

static void complete(memory *m, uint64_t tag)
{
    uint32_t group;
    access_slot *slot = network_find_slot(m, tag, &group);
    give_up_group(m, slot, group);
    pipe_update_status(m);
}

static void give_up(memory *m, uint32_t path)
{
    for (uint32_t i = 0; i < m->parameters.tickets; i++) {
        access_slot *slot = &m->slots[i];
        const uint32_t serial = slot->serial;
        for (uint32_t group = 0; slot->in_use && slot->serial == serial && group < slot->groups; group++)
            if (serial != 0 && slot->access.path == path && slot->group_window[group] == WINDOW_GLOBAL &&
                slot->group_lanes[group] != 0) {
                m->counters->given_up_requests += slot->group_edge[group] != NO_EDGE;
                give_up_group(m, slot, group);
            }
    }
    pipe_update_status(m);
}

const memory_calls transactional_calls = {
    .offer_packets = offer_packets,
    .map = map_of,
    .packet = new_packet,
    .free_accesses = free_accesses,
    .find_access = find_access,
    .awaiting = awaiting,
    .count_load = count_load,
    .count_log = count_log,
    .complete = complete,
    .give_up = give_up,
    .scratchpad = scratchpad_of,
};
