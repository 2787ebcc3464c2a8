/* SPDX-License-Identifier: MIT */
/* Requests for contexts of thread blocks. Whether caches keep what they bring is in their message. */
#include "state.h"

#include <string.h>

void contexts_create(memory *m)
{
    const hd_services *s = m->services;
    const uint32_t is_cached = m->parameters.context_cached != MEMORY_CONTEXT_UNCACHED;
    m->contexts.message_load = s->message(s->context, is_cached ? HD_GLOBAL_LOAD : HD_UNCACHED_LOAD);
    m->contexts.message_store = s->message(s->context, is_cached ? HD_GLOBAL_STORE : HD_UNCACHED_STORE);
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

void memory_store_context(memory *m, uint64_t address, const void *bytes, uint32_t count, uint64_t number)
{
    hd_packet *packet =
        network_packet(m, m->contexts.message_store, HD_CLASS_CONTEXT, address, (uint32_t)sizeof(hd_store) + count);
    hd_store *body = hd_body(packet);
    memset(body->byte_mask, 0, sizeof body->byte_mask);
    memset(body->byte_mask, 0xFF, count / 8);
    memcpy(hd_store_data(body), bytes, count);
    packet->wire_bytes += count;
    put(m, packet, count, number);
}

void memory_load_context(memory *m, uint64_t address, uint32_t count, uint64_t number)
{
    put(m, network_packet(m, m->contexts.message_load, HD_CLASS_CONTEXT, address, 0), count, number);
}

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
    m->events.context_answered(m->events.context, packet->tag, bytes, count);
}
