/* SPDX-License-Identifier: MIT */
/*
 * Attempts that abort each other for ever run one at a time in the machine. Each reserves the same granule, HD_GETM_GATE, before
 * it runs, and gives it back with its logs: the rules of reservations do the rest, and the units at the partitions know nothing
 * of it. Who runs then meets only attempts that have not failed as often.
 */
#include "tx/getm/getm.h"

#define FRUITLESS_MIN 4u /* fewer attempts in a row without a commit are bad luck, however long they take */

static void set(getm *g, uint32_t warp, uint32_t gate)
{
    g->warps[warp].gate = gate;
    tx_warp_of(g->t, warp)->is_gated = gate == GATE_WANTED || gate == GATE_ASKED;
}

/* Warps abort each other for ever where their back-off stays shorter than an attempt. */
static uint32_t is_escalated(const getm *g, uint32_t warp)
{
    const tx_warp *w = tx_warp_of(g->t, warp);
    const uint64_t patience = getm_parameter_of(g, GETM_ESCALATION);
    if (!w->failures)
        return 0; /* another transaction */
    return g->warps[warp].escalated || (patience && w->fruitless > FRUITLESS_MIN && w->fruitless_cycles > patience);
}

void getm_gate_begin(getm *g, uint32_t warp)
{
    g->warps[warp].escalated = is_escalated(g, warp);
    if (!g->warps[warp].escalated) {
        set(g, warp, GATE_NONE);
        return;
    }
    set(g, warp, GATE_WANTED);
    ++*getm_counter(g, GETM_ESCALATIONS);
    memory_offer_packets(g->t->core.memory, 1);
}

void getm_gate_forget(getm *g, uint32_t warp)
{
    set(g, warp, GATE_NONE);
}

hd_packet *getm_next_gate(getm *g)
{
    uint32_t warp = 0;
    while (warp < g->t->core.warp_count && g->warps[warp].gate != GATE_WANTED)
        warp++;
    if (warp == g->t->core.warp_count)
        return NULL;
    hd_packet *packet = getm_access(g, warp, g->message_store, HD_GETM_GATE, 1, tx_warp_of(g->t, warp)->begin_pc);
    packet->argument = g->granule;
    packet->tag = warp;
    g->t->core.counters->tx_requests++;
    set(g, warp, GATE_ASKED);
    return packet;
}

uint32_t getm_is_of_gate(const getm *g, const hd_packet *packet)
{
    return packet->address == HD_GETM_GATE && packet->tag < g->t->core.warp_count;
}

/* Of an attempt that is over the answer is late. */
static uint32_t is_awaited(const getm *g, const hd_packet *packet)
{
    const uint32_t warp = (uint32_t)packet->tag;
    return g->warps[warp].gate == GATE_ASKED && tx_warp_of(g->t, warp)->epoch == packet->epoch;
}

void getm_gate_answered(getm *g, const hd_packet *packet)
{
    const uint32_t warp = (uint32_t)packet->tag, is_open = packet->message == g->message_store_ok;
    if (!is_awaited(g, packet))
        return;
    set(g, warp, is_open ? GATE_HELD : GATE_NONE);
    if (!is_open)
        getm_refused(g, warp, tx_running(g->t, warp), packet, tx_warp_of(g->t, warp)->begin_pc);
    if (tx_warp_of(g->t, warp)->state == TX_DRAIN)
        tx_step(g->t, warp);
    else
        g->t->core.port->recheck(g->t->core.context, warp);
}
