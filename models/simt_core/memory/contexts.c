/* SPDX-License-Identifier: MIT */
/* Requests for contexts of thread blocks. Whether caches keep what they bring is in their message. */
#include "state.h"

#include <string.h>

void contexts_create(memory *m)
{
    const hd_services *s = m->services;
    const uint32_t is_cached = m->parameters.context_cached != MEMORY_CONTEXT_UNCACHED;
    m->contexts.message_load = s->message(s->context, is_cached ? HD_GLOBAL_LOAD : HD_UNCACHED_LOAD);
    m->contexts.message_array = s->message(s->context, HD_GLOBAL_LOAD);
    m->contexts.message_store = s->message(s->context, is_cached ? HD_GLOBAL_STORE : HD_UNCACHED_STORE);
    m->contexts.message_buffer_load = s->message(s->context, HD_BUFFER_LOAD);
    m->contexts.message_buffer_store = s->message(s->context, HD_BUFFER_STORE);
}

void contexts_reset(memory *m)
{
    if (m->contexts.unsent != NULL)
        m->services->free(m->services->context, m->contexts.unsent);
    m->contexts.unsent = NULL;
    m->contexts.their_turn = m->contexts.outstanding = 0;
}

uint32_t memory_can_move_context(const memory *m)
{
    return m->contexts.unsent == NULL;
}

uint32_t memory_contexts_outstanding(const memory *m)
{
    return m->contexts.outstanding;
}

static void put(memory *m, hd_packet *packet, uint32_t count, uint64_t number)
{
    packet->argument = count;
    packet->tag = number;
    m->contexts.unsent = packet;
    m->contexts.outstanding++;
    pipe_update_status(m);
}

/* What the L1 has of a context is in the L2 as well. Unless every way waits for a fill, or a dirty line cannot leave now. */
static void keep(memory *m, uint32_t warp, uint64_t address, const void *bytes, uint32_t count)
{
    cache *l1 = &m->caches[CACHE_L1];
    cache_line *line = cache_find(l1, address, HD_CLASS_CONTEXT);
    if (line == NULL) {
        line = cache_victim(l1, address);
        if (line == NULL || (line->state == LINE_DIRTY && !network_is_free(m)))
            return;
        l1_reserve(m, line, address, HD_CLASS_CONTEXT, warp, m->warps[warp].view.block);
        line->state = LINE_CLEAN;
        m->counters->l1_context_lines++;
    }
    cache_touch(l1, line);
    memcpy(cache_bytes(l1, line), bytes, count);
}

static const uint8_t *find_kept(const memory *m, uint64_t address)
{
    const cache *l1 = &m->caches[CACHE_L1];
    cache_line *line = cache_find(l1, address, HD_CLASS_CONTEXT);
    if (line == NULL)
        return NULL;
    cache_touch(l1, line);
    return cache_bytes(l1, line);
}

void memory_store_context(memory *m, uint32_t warp, uint64_t address, const void *bytes, uint32_t count,
                          uint64_t number)
{
    if (m->parameters.context_cached == MEMORY_CONTEXT_IN_L1)
        keep(m, warp, address, bytes, count);
    hd_packet *packet =
        network_packet(m, m->contexts.message_store, HD_CLASS_CONTEXT, address, (uint32_t)sizeof(hd_store) + count);
    hd_store *body = hd_body(packet);
    memset(body->byte_mask, 0, sizeof body->byte_mask);
    memset(body->byte_mask, 0xFF, count / 8);
    memcpy(hd_store_data(body), bytes, count);
    packet->wire_bytes += count;
    put(m, packet, count, number);
}

uint32_t memory_load_context(memory *m, uint64_t address, void *to, uint32_t count, uint64_t number, uint32_t is_own)
{
    const uint8_t *kept = is_own && m->parameters.context_cached == MEMORY_CONTEXT_IN_L1 ? find_kept(m, address) : NULL;
    if (kept != NULL) {
        m->counters->l1_context_hits++;
        memcpy(to, kept, count);
        return 1;
    }
    put(m, network_packet(m, m->contexts.message_load, HD_CLASS_CONTEXT, address, 0), count, number);
    return 0;
}

void memory_load_array(memory *m, uint64_t address, uint32_t count, uint64_t number)
{
    put(m, network_packet(m, m->contexts.message_array, HD_CLASS_CONTEXT, address, 0), count, number);
}

/* ---- Buffers of the L2, which the L1 knows nothing of ---------------------------------------------------------------- */

static hd_packet *buffer_packet(memory *m, uint32_t message, const memory_buffer_line *line, uint32_t body_bytes)
{
    hd_packet *packet = network_packet(m, message, HD_CLASS_CONTEXT, 0, body_bytes);
    packet->destination = (uint16_t)m->map->endpoints[line->buffer % m->map->partitions];
    packet->address = line->buffer / m->map->partitions * line->buffer_bytes + line->offset;
    packet->flow = HD_FLOW_BUFFER;
    return packet;
}

void memory_store_buffer(memory *m, const memory_buffer_line *line, const void *bytes)
{
    hd_packet *packet =
        buffer_packet(m, m->contexts.message_buffer_store, line, (uint32_t)sizeof(hd_store) + line->bytes);
    hd_store *body = hd_body(packet);
    memset(body->byte_mask, 0, sizeof body->byte_mask);
    memset(body->byte_mask, 0xFF, line->bytes / 8);
    memcpy(hd_store_data(body), bytes, line->bytes);
    packet->wire_bytes += line->bytes;
    put(m, packet, line->bytes, line->number);
}

void memory_load_buffer(memory *m, const memory_buffer_line *line)
{
    put(m, buffer_packet(m, m->contexts.message_buffer_load, line, 0), line->bytes, line->number);
}

/* ---- What leaves, and what is answered --------------------------------------------------------------------------------- */

uint32_t contexts_turn(memory *m)
{
    const uint32_t others = m->network.unsent.count | m->transactional.offered;
    const uint32_t turn = others == 0 || m->contexts.their_turn;
    m->contexts.their_turn = !turn;
    return turn;
}

hd_packet *contexts_take(memory *m)
{
    hd_packet *packet = m->contexts.unsent;
    m->contexts.unsent = NULL;
    return packet;
}

void contexts_answer(memory *m, const hd_packet *packet, const void *bytes, uint32_t count)
{
    m->contexts.outstanding--;
    const uint32_t is_context = packet->flow != HD_FLOW_BUFFER && packet->tag >> MEMORY_ARRAY_SHIFT == 0;
    if (bytes != NULL && is_context && m->parameters.context_cached == MEMORY_CONTEXT_IN_L1)
        keep(m, 0, packet->address, bytes, count);
    m->events.context_answered(m->events.context, packet->tag, bytes, count);
}
