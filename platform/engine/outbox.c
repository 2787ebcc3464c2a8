/* SPDX-License-Identifier: MIT */
#include "engine_internal.h"

#include <stdlib.h>

void outboxes_create(hd_engine *engine, uint32_t count)
{
    engine->outboxes = aligned_zero(count * sizeof *engine->outboxes);
    engine->outbox_count = count;
    for (uint32_t i = 0; i < count; i++)
        engine->outboxes[i].pool.depot = &engine->depot;
    outboxes_make_room(engine);
}

void outboxes_make_room(hd_engine *engine)
{
    for (uint32_t i = 0; i < engine->outbox_count; i++) {
        outbox *box = &engine->outboxes[i];
        free(box->packets);
        free(box->credits);
        box->packets = aligned_zero((engine->link_count + 1) * sizeof *box->packets);
        box->credits = aligned_zero((engine->link_count + 1) * sizeof *box->credits);
    }
}

void outboxes_destroy(hd_engine *engine)
{
    for (uint32_t i = 0; i < engine->outbox_count; i++) {
        free(engine->outboxes[i].packets);
        free(engine->outboxes[i].credits);
    }
    free(engine->outboxes);
}

void outboxes_count_anew(hd_engine *engine)
{
    uint64_t live = 0;
    for (uint32_t i = 0; i < engine->outbox_count; i++) {
        packet_pool *pool = &engine->outboxes[i].pool;
        live += pool->allocated - pool->freed;
        pool->allocated = pool->freed = 0;
    }
    engine->outboxes->pool.allocated = live;
}

/* A block that looks ahead hears of a link that was empty; it asks for what comes next when it has taken what it knows. */
static inline void announce_to_foresighted(node *receiver, hd_link *link, hd_time first)
{
    node_wake(receiver, first);
    if (link->is_filled)
        return;
    link->is_filled = 1;
    link->next_filled = receiver->filled;
    receiver->filled = link;
}

static void announce_packet(node *receiver, const hd_link *link, hd_time first)
{
    hd_time *input = &receiver->inputs[link->packet_input];
    if (first >= *input)
        return;
    *input = first;
    node_wake_for_input(receiver, first);
}

void link_publish_packets(hd_link *link)
{
    node *receiver = link->receiver;
    const uint32_t tail = link->packet_tail;
    const hd_time first = link->packets[tail & link->mask].t;
    const uint32_t was_empty = link->packet_head == tail;
    link->packet_tail = link->packet_end;
    if (was_empty)
        link_show_head(link);
    if (!receiver->looks_ahead)
        announce_packet(receiver, link, first);
    else if (was_empty)
        announce_to_foresighted(receiver, link, first);
}

static __attribute__((noinline)) void announce_credit(hd_link *link, hd_time first)
{
    node *sender = link->sender;
    if (sender->looks_ahead) {
        link->tells_of_credits = 0;
        node_wake(sender, first);
        return;
    }
    hd_time *input = &sender->inputs[link->credit_input];
    if (first >= *input)
        return;
    *input = first;
    if (sender->starved[link->credit_input])
        node_wake_for_input(sender, first);
}

void link_publish_credits(hd_link *link)
{
    const uint32_t tail = link->credit_tail;
    link->credit_tail = link->credit_end;
    if (__builtin_expect(link->tells_of_credits, 0))
        announce_credit(link, link->credits[tail & link->mask]);
}

static inline void publish(outbox *box)
{
    hd_link **const packets_end = box->packets + box->packet_count,
                    **const credits_end = box->credits + box->credit_count;
    for (hd_link **link = box->packets; link != packets_end; link++)
        if (__builtin_expect((*link)->is_wire, 0))
            wire_publish_packets(*link);
        else
            link_publish_packets(*link);
    for (hd_link **link = box->credits; link != credits_end; link++)
        if (__builtin_expect((*link)->is_wire, 0))
            wire_publish_credits(*link);
        else
            link_publish_credits(*link);
    box->packet_count = box->credit_count = 0;
}

void outboxes_publish(hd_engine *engine)
{
    outbox *box = engine->outboxes;
    for (uint32_t i = 0; i < engine->outbox_count; i++, box++)
        if (box->packet_count | box->credit_count)
            publish(box);
}

void outboxes_merge(hd_engine *engine)
{
    outboxes_publish(engine);
    services_flush_logs(engine);
    if (__builtin_expect(engine->observer.tracer != NULL, 0))
        trace_flush(engine);
}
