/* SPDX-License-Identifier: MIT */
#include "engine_internal.h"

static void note(hd_engine *engine, uint32_t slot, hd_time t)
{
    if (t < engine->wire_times[slot])
        engine->wire_times[slot] = t;
    if (t < engine->wire_next)
        engine->wire_next = t;
}

void wire_publish_packets(hd_link *link)
{
    link_wire *wire = &link->wire;
    note(link->engine, 2 * wire->index, wire->packets[wire->packet_tail & link->mask].t);
    wire->packet_tail = wire->packet_end;
}

void wire_publish_credits(hd_link *link)
{
    link_wire *wire = &link->wire;
    note(link->engine, 2 * wire->index + 1, wire->credits[wire->credit_tail & link->mask]);
    wire->credit_tail = wire->credit_end;
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
    link_wire *wire = &link->wire;
    if (slot % 2 == 0) {
        event->packet = wire->packets[wire->packet_head++ & link->mask].packet;
        if (wire->packet_head != wire->packet_tail)
            next = wire->packets[wire->packet_head & link->mask].t;
    } else {
        wire->credit_head++;
        if (wire->credit_head != wire->credit_tail)
            next = wire->credits[wire->credit_head & link->mask];
    }
    wire->outside++;
    engine->wire_times[slot] = next;
    engine->wire_next = engine->wire_times[earliest(engine)];
    return 1;
}

uint32_t hd_link_deliver(hd_link *link, hd_packet *packet, hd_time t)
{
    link_wire *wire = &link->wire;
    if (!link->is_wire || !link->receiver || wire->outside == 0 || t < link->engine->now || t < wire->last_delivery)
        return 0;
    wire->outside--;
    wire->last_delivery = t;
    if (link->counts_bytes && !link->sender)
        link_count_bytes(link, packet);
    link_push_packet(link, packet, t);
    return 1;
}

uint32_t hd_link_deliver_credit(hd_link *link, hd_time t)
{
    link_wire *wire = &link->wire;
    if (!link->is_wire || !link->sender || wire->outside == 0 || t < link->engine->now ||
        t < wire->last_credit_delivery)
        return 0;
    wire->outside--;
    wire->last_credit_delivery = t;
    link_push_credit(link, t);
    return 1;
}

uint32_t hd_link_outside_credits(const hd_link *link)
{
    return link->wire.outside;
}
