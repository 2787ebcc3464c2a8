/* SPDX-License-Identifier: MIT */
#include "engine_internal.h"

static void note(hd_engine *engine, uint32_t slot, hd_time t)
{
    if (t < engine->wire_times[slot])
        engine->wire_times[slot] = t;
    if (t < engine->wire_next)
        engine->wire_next = t;
}

void wire_hold_packet(hd_link *link, hd_packet *packet, hd_time t)
{
    link->packet_outbox.slots[link->packet_outbox.tail++ & link->mask] = (flight){packet, t};
    note(link->engine, 2 * link->wire_index, t);
}

void wire_hold_credit(hd_link *link, hd_time t)
{
    link->credit_outbox.slots[link->credit_outbox.tail++ & link->mask] = t;
    note(link->engine, 2 * link->wire_index + 1, t);
}

hd_time hd_engine_wire_next(const hd_engine *engine)
{
    return engine->wire_next;
}

static uint32_t earliest(const hd_engine *engine)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < 2 * engine->wire_count; i++)
        if (engine->wire_times[i] < engine->wire_times[best])
            best = i;
    return best;
}

uint32_t hd_engine_wire_take(hd_engine *engine, hd_time t, hd_wire_event *event)
{
    if (engine->wire_next == HD_NEVER || engine->wire_next > t)
        return 0;
    const uint32_t slot = earliest(engine);
    hd_link *link = engine->wires[slot / 2];
    *event = (hd_wire_event){.link = link, .t = engine->wire_times[slot]};
    hd_time next = HD_NEVER;
    if (slot % 2 == 0) {
        packet_ring *ring = &link->packet_outbox;
        event->packet = ring->slots[ring->head++ & link->mask].packet;
        if (ring->head != ring->tail)
            next = ring->slots[ring->head & link->mask].t;
    } else {
        credit_ring *ring = &link->credit_outbox;
        ring->head++;
        if (ring->head != ring->tail)
            next = ring->slots[ring->head & link->mask];
    }
    link->outside++;
    engine->wire_times[slot] = next;
    engine->wire_next = engine->wire_times[earliest(engine)];
    return 1;
}

uint32_t hd_link_deliver(hd_link *link, hd_packet *packet, hd_time t)
{
    if (!link->wire || !link->receiver || link->outside == 0 || t < link->engine->now || t < link->last_delivery)
        return 0;
    link->outside--;
    link->last_delivery = t;
    link_push_packet(link, packet, t);
    return 1;
}

uint32_t hd_link_deliver_credit(hd_link *link, hd_time t)
{
    if (!link->wire || !link->sender || link->outside == 0 || t < link->engine->now || t < link->last_credit_delivery)
        return 0;
    link->outside--;
    link->last_credit_delivery = t;
    link_push_credit(link, t);
    return 1;
}

uint32_t hd_link_outside_credits(const hd_link *link)
{
    return link->outside;
}
