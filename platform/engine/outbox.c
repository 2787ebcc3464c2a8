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

static void publish(outbox *box)
{
    for (uint32_t i = 0; i < box->packet_count; i++) {
        hd_link *link = box->packets[i];
        if (__builtin_expect(link->is_wire, 0))
            wire_publish_packets(link);
        else
            link_publish_packets(link);
    }
    for (uint32_t i = 0; i < box->credit_count; i++) {
        hd_link *link = box->credits[i];
        if (__builtin_expect(link->is_wire, 0))
            wire_publish_credits(link);
        else
            link_publish_credits(link);
    }
    box->packet_count = box->credit_count = 0;
}

void outboxes_publish(hd_engine *engine)
{
    for (uint32_t i = 0; i < engine->outbox_count; i++)
        publish(&engine->outboxes[i]);
}

void outboxes_merge(hd_engine *engine)
{
    outboxes_publish(engine);
    services_flush_logs(engine);
    if (__builtin_expect(engine->observer.tracer != NULL, 0))
        trace_flush(engine);
}
