/* SPDX-License-Identifier: MIT */
/* Packets to and from the memory partitions: one injected per cycle. */
#include "hd_link.h"
#include "state.h"

#include <string.h>

/* A reply finds its access by the tag: the kind, then serial, ticket and group, or cache and MSHR, or of a store: its number for
 * refused.c, the line that it updates, and what pipe_acknowledge is given. */
#define TAG_GROUP (UINT64_C(1) << TAG_KIND_SHIFT)
#define TAG_MSHR (UINT64_C(2) << TAG_KIND_SHIFT)
#define TAG_STORE (UINT64_C(3) << TAG_KIND_SHIFT)
#define TAG_KINDS TAG_STORE
#define TAG_GROUP_BITS MEMORY_TAG_GROUP_BITS
#define TAG_SERIAL_SHIFT 32
#define SERIAL_MASK ((1u << (TAG_KIND_SHIFT - TAG_SERIAL_SHIFT)) - 1)
#define TAG_CACHE_SHIFT 32
#define TAG_LINE_SHIFT 24
#define TAG_ORIGIN_SHIFT 46
#define LINE_MASK ((1u << (TAG_ORIGIN_SHIFT - TAG_LINE_SHIFT)) - 1)
#define NUMBER_MASK ((1u << TAG_LINE_SHIFT) - 1)

uint32_t network_is_free(const memory *m)
{
    return m->network.unsent.count == 0;
}

hd_packet *network_packet(memory *m, uint32_t message, uint32_t traffic_class, uint64_t address, uint32_t body_bytes)
{
    hd_packet *packet = hd_partition_request(m->services, m->map, address, body_bytes);
    packet->message = message;
    packet->traffic_class = traffic_class;
    return packet;
}

void network_queue(memory *m, hd_packet *packet)
{
    m->network.out[hd_ring_push(&m->network.unsent)] = packet;
}

uint64_t network_next_tag(const memory *m, const access_slot *slot)
{
    return TAG_GROUP | (uint64_t)(slot->serial & SERIAL_MASK) << TAG_SERIAL_SHIFT |
           (uint64_t)ticket_of(m, slot) << TAG_GROUP_BITS | slot->groups;
}

uint64_t network_group_tag(memory *m, access_slot *slot, uint32_t window, uint64_t lanes)
{
    const uint64_t tag = network_next_tag(m, slot);
    const uint32_t group = slot->groups++;
    slot->group_window[group] = (uint8_t)window;
    slot->group_lanes[group] = lanes;
    slot->group_edge[group] = 0;
    slot->parts++;
    return tag;
}

static access_slot *slot_of(const memory *m, uint64_t tag)
{
    return &m->slots[memory_ticket(tag)];
}

static uint32_t group_of(uint64_t tag)
{
    return (uint32_t)(tag % (1u << TAG_GROUP_BITS));
}

access_slot *network_find(const memory *m, uint64_t tag, uint32_t *group)
{
    access_slot *slot = slot_of(m, tag);
    *group = group_of(tag);
    return slot->in_use && (slot->serial & SERIAL_MASK) == (tag >> TAG_SERIAL_SHIFT & SERIAL_MASK) &&
                   slot->group_lanes[*group] != 0
               ? slot
               : NULL;
}

access_slot *network_find_slot(memory *m, uint64_t tag, uint32_t *group)
{
    access_slot *slot = network_find(m, tag, group);
    m->counters->late_replies += slot == NULL;
    return slot;
}

void network_count_data(memory *m, uint32_t traffic_class, uint32_t bytes)
{
    switch (traffic_class) {
    case HD_CLASS_GLOBAL: m->counters->global_bytes += bytes; break;
    case HD_CLASS_PRIVATE: m->counters->private_bytes += bytes; break;
    case HD_CLASS_CONSTANT: m->counters->constant_bytes += bytes; break;
    case HD_CLASS_TEXTURE: m->counters->texture_bytes += bytes; break;
    case HD_CLASS_CODE: m->counters->code_bytes += bytes; break;
    case HD_CLASS_TRANSACTION: m->counters->transaction_bytes += bytes; break;
    default: m->counters->atomic_bytes += bytes; break;
    }
}

static uint32_t class_of(uint32_t window)
{
    return window == WINDOW_PRIVATE ? HD_CLASS_PRIVATE : HD_CLASS_GLOBAL;
}

void network_load(memory *m, access_slot *slot, uint32_t window, line_group *group)
{
    const uint32_t sector = m->parameters.sector_bytes;
    coalescer_span(slot, group);
    const uint32_t low = group->low & ~(sector - 1);
    const uint32_t high = (group->high + sector - 1) & ~(sector - 1);
    const uint64_t address = place_address(m, slot, window, group->place + low);
    hd_packet *packet = network_packet(m, m->network.message_load, class_of(window), address, 0);
    packet->argument = high - low;
    packet->tag = network_group_tag(m, slot, window, group->lanes);
    network_count_data(m, packet->traffic_class, packet->argument);
    network_queue(m, packet);
}

static hd_packet *part_request(memory *m, const cache *c, uint32_t index, uint32_t offset, uint32_t bytes)
{
    const uint64_t tag = c->mshrs.of[index].tag;
    hd_packet *packet =
        network_packet(m, m->network.message_load, cache_tag_class(tag), cache_tag_address(tag) + offset, 0);
    packet->argument = bytes;
    packet->tag = TAG_MSHR | (uint64_t)(c - m->caches) << TAG_CACHE_SHIFT | index;
    network_count_data(m, packet->traffic_class, packet->argument);
    return packet;
}

static hd_packet *line_request(memory *m, const cache *c, uint32_t index)
{
    return part_request(m, c, index, 0, c->parameters.line_bytes);
}

void network_fetch_part(memory *m, const cache *c, uint32_t index, uint32_t offset, uint32_t bytes)
{
    network_queue(m, part_request(m, c, index, offset, bytes));
}

void network_fetch(memory *m, const cache *c, uint32_t index)
{
    network_queue(m, line_request(m, c, index));
}

/* number: what pipe_acknowledge is given. */
static void queue_store(memory *m, hd_packet *packet, uint32_t bytes, uint32_t path, uint32_t number)
{
    packet->argument = bytes;
    packet->wire_bytes += bytes;
    packet->tag = TAG_STORE | number;
    network_count_data(m, packet->traffic_class, bytes);
    m->outstanding.path_stores[path]++;
    m->network.unacknowledged++;
    network_queue(m, packet);
}

/* Bytes written, of a span that starts at place origin. */
static void mark_bytes(const access_slot *slot, uint64_t lanes, uint32_t origin, uint32_t *byte_mask)
{
    const uint32_t bits = (1u << slot->bytes) - 1;
    memset(byte_mask, 0, sizeof(((hd_store *)0)->byte_mask));
    for (uint64_t left = lanes; left != 0; left &= left - 1) {
        const uint32_t at = slot->place[lowest_lane(left)] - origin;
        byte_mask[at / 32] |= bits << at % 32;
    }
}

void network_store(memory *m, access_slot *slot, uint32_t window, line_group *group, uint32_t updates)
{
    coalescer_span(slot, group);
    const uint32_t low = group->low & ~3u;
    const uint32_t bytes = ((group->high + 3) & ~3u) - low;
    const uint32_t origin = group->place + low;
    hd_packet *packet = network_packet(m, m->network.message_store, class_of(window),
                                       place_address(m, slot, window, origin), (uint32_t)sizeof(hd_store) + bytes);
    hd_store *body = hd_body(packet);
    uint8_t *data = hd_store_data(body);
    if (slot->consecutive && lane_count(group->lanes) == HD_LINE_BYTES / 4) {
        memset(body->byte_mask, 0xFF, sizeof body->byte_mask);
        memcpy(data, &slot->access.data[lowest_lane(group->lanes)], HD_LINE_BYTES);
    } else {
        memset(data, 0, bytes);
        mark_bytes(slot, group->lanes, origin, body->byte_mask);
        coalescer_scatter(slot, group->lanes, data, origin);
    }
    queue_store(m, packet, bytes, slot->access.path, pipe_expect_acknowledgement(m, slot));
    packet->tag |= (uint64_t)updates << TAG_LINE_SHIFT | (uint64_t)refused_note(m, slot, group->lanes)
                                                             << TAG_ORIGIN_SHIFT;
}

void network_write_back(memory *m, const cache_line *line)
{
    const cache *l1 = &m->caches[CACHE_L1];
    const uint32_t dirty = m->l1.sectored ? line->dirty : 1;
    const uint32_t sector = m->l1.sectored ? 1u << m->l1.sector_shift : l1->parameters.line_bytes;
    const uint32_t first = (uint32_t)__builtin_ctz(dirty), last = 31u - (uint32_t)__builtin_clz(dirty);
    const uint32_t offset = first * sector, bytes = (last - first + 1) * sector;
    hd_packet *packet = network_packet(m, m->network.message_store, cache_class(l1, line),
                                       cache_address(l1, line) + offset, (uint32_t)sizeof(hd_store) + bytes);
    hd_store *body = hd_body(packet);
    memset(body->byte_mask, 0, sizeof body->byte_mask);
    for (uint32_t i = first; i <= last; i++)
        memset((uint8_t *)body->byte_mask + (i - first) * sector / 8, dirty >> i & 1 ? 0xFF : 0, sector / 8);
    memcpy(hd_store_data(body), cache_bytes(l1, line) + offset, bytes);
    const uint32_t path = paths_of(line->warp, m->paths_per_warp).first;
    queue_store(m, packet, bytes, path, path);
}

/* Of what the packet asks for, or brings. */
static uint64_t *edge_of(cache_miss *miss, const hd_packet *packet)
{
    return &miss->edges[packet->address % HD_LINE_BYTES / (HD_LINE_BYTES / CACHE_SECTORS)];
}

/* Latency is counted from here: the wait for a credit is not the memory's. */
static void stamp(memory *m, const hd_packet *packet)
{
    const uint64_t index = packet->tag & ~TAG_KINDS;
    if ((packet->tag & TAG_KINDS) == TAG_MSHR)
        *edge_of(&m->caches[index >> TAG_CACHE_SHIFT].misses[(uint32_t)index], packet) = m->cursor.n;
    else if ((packet->tag & TAG_KINDS) == TAG_GROUP)
        slot_of(m, packet->tag)->group_edge[group_of(packet->tag)] = m->cursor.n;
}

/* Of those offered by transactions. NULL: there is none any more. */
static hd_packet *offered_packet(memory *m)
{
    hd_packet *packet = m->transactional.port->next_packet(m->transactional.port->context);
    m->transactional.offered = packet != NULL ? m->transactional.offered - 1 : 0;
    m->transactional.their_turn = 0;
    return packet;
}

/* Fetches go first: they are few, and a warp without code does nothing at all. NULL: there is nothing to send. */
static hd_packet *next_packet(memory *m)
{
    if (m->code.unsent.count != 0)
        return line_request(m, &m->caches[CACHE_CODE], code_next_request(m));
    if (__builtin_expect(m->contexts.unsent != NULL, 0) && contexts_turn(m))
        return contexts_take(m);
    if (m->transactional.offered != 0 && (m->network.unsent.count == 0 || m->transactional.their_turn)) {
        hd_packet *packet = offered_packet(m);
        if (packet != NULL || m->network.unsent.count == 0)
            return packet;
    }
    m->transactional.their_turn = 1;
    hd_packet *packet = m->network.out[hd_ring_pop(&m->network.unsent)];
    m->pipe.head_waits_for_network = 0;
    return packet;
}

void network_inject(memory *m)
{
    if (!hd_link_has_credit(m->services, m->network.request, m->cursor.t)) {
        m->network.credit_arrival = m->services->credit_arrival(m->services->context, m->network.request);
        if (m->network.blocked_since == NO_EDGE)
            m->network.blocked_since = m->cursor.n;
        return;
    }
    m->network.credit_arrival = 0;
    if (m->network.blocked_since != NO_EDGE) {
        m->counters->stall_network += m->cursor.n - m->network.blocked_since;
        m->network.blocked_since = NO_EDGE;
    }
    hd_packet *packet = next_packet(m);
    if (packet == NULL)
        return;
    stamp(m, packet);
    traffic_count_sent(m->counters, packet);
    const uint32_t is_context = contexts_have(packet);
    m->services->send(m->services->context, m->network.request, packet, m->cursor.t);
    if (__builtin_expect(is_context, 0))
        m->events.context_sent(m->events.context);
}

static void count_load_reply(memory *m, uint64_t injected)
{
    m->counters->load_latency_cycles += m->cursor.n - injected;
    m->counters->load_replies++;
}

static void line_reply(memory *m, cache *c, uint32_t index, const hd_packet *packet)
{
    if (c == &m->caches[CACHE_CODE]) {
        code_fill(m, index);
        return;
    }
    if (cache_tag_class(c->mshrs.of[index].tag) == HD_CLASS_GLOBAL)
        count_load_reply(m, *edge_of(&c->misses[index], packet));
    if (c == &m->caches[CACHE_L1] && m->l1.sectored)
        sectors_fill(m, index, packet);
    else
        mshr_fill(m, c, index, hd_body_const(packet));
}

static void load_reply(memory *m, const hd_packet *packet)
{
    if (__builtin_expect(contexts_have(packet), 0)) {
        contexts_answer(m, packet, hd_body_const(packet), packet->body_bytes);
        return;
    }
    const uint64_t index = packet->tag & ~TAG_KINDS;
    if ((packet->tag & TAG_KINDS) == TAG_MSHR) {
        line_reply(m, &m->caches[index >> TAG_CACHE_SHIFT], (uint32_t)index, packet);
        return;
    }
    uint32_t group;
    access_slot *slot = network_find_slot(m, packet->tag, &group);
    if (slot == NULL)
        return;
    const uint32_t window = slot->group_window[group];
    if (window == WINDOW_GLOBAL)
        count_load_reply(m, slot->group_edge[group]);
    const uint32_t line = place_of_line(slot, slot->group_lanes[group], HD_LINE_BYTES);
    coalescer_gather(slot, slot->group_lanes[group], hd_body_const(packet), line + packet->address % HD_LINE_BYTES);
    if (slot->serial != 0 && window == WINDOW_GLOBAL)
        transactional_loaded(m, slot, slot->group_lanes[group], packet);
    const uint64_t lanes = slot->group_lanes[group];
    slot->group_lanes[group] = 0;
    pipe_give(m, slot, lanes, slot->access.data);
}

static void store_ack(memory *m, const hd_packet *packet)
{
    const uint64_t tag = packet->tag;
    if (__builtin_expect(contexts_have(packet), 0)) {
        contexts_answer(m, packet, NULL, 0);
        return;
    }
    const uint32_t updates = (uint32_t)(tag >> TAG_LINE_SHIFT) & LINE_MASK;
    if (updates != 0)
        m->caches[CACHE_L1].lines[updates - 1].unacknowledged--;
    pipe_acknowledge(m, (uint32_t)tag & NUMBER_MASK);
}

static void atomic_reply(memory *m, const hd_packet *packet)
{
    access_slot *slot = slot_of(m, packet->tag);
    network_count_data(m, HD_CLASS_ATOMIC, packet->argument * 4);
    atomics_reply(m, slot, slot->group_lanes[group_of(packet->tag)], packet);
}

/* What some of the lanes have asked for is wrong: the first of them ends the run. The others have a reply like any. */
static void mistake_reply(memory *m, const hd_packet *packet)
{
    const uint64_t kind = packet->tag & TAG_KINDS;
    uint32_t group;
    access_slot *slot = kind == TAG_GROUP ? network_find(m, packet->tag, &group) : NULL;
    if (kind == TAG_STORE) {
        refused_report_store(m, (uint32_t)(packet->tag >> TAG_ORIGIN_SHIFT) & STORE_SERIALS, packet);
        store_ack(m, packet);
        return;
    }
    if (slot != NULL)
        refused_report(m, slot, slot->group_lanes[group], packet);
    (slot != NULL && slot->kind == KIND_ATOMIC ? atomic_reply : load_reply)(m, packet);
}

void network_receive(memory *m)
{
    while (m->network.reply_arrival <= m->cursor.t) {
        hd_packet *packet = hd_link_pop(m->services, m->network.reply, m->cursor.t);
        if (packet == NULL) /* refused: the run has ended with a fault */
            return;
        m->network.reply_arrival = hd_link_arrival(m->network.reply);
        traffic_count_received(m->counters, packet);
        if (packet->message == m->network.message_load_reply)
            load_reply(m, packet);
        else if (packet->message == m->network.message_store_ack)
            store_ack(m, packet);
        else if (packet->message == m->network.message_mistake)
            mistake_reply(m, packet);
        else if (packet->message == m->network.message_atomic_reply)
            atomic_reply(m, packet);
        else if (m->transactional.port != NULL)
            m->transactional.port->reply(m->transactional.port->context, packet);
        else
            m->services->fault(m->services->context, m->cursor.t, "%s: a reply of unknown message %u from endpoint %u",
                               m->services->name, packet->message, packet->source);
        m->services->free(m->services->context, packet);
    }
}
