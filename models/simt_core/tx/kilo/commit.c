/* SPDX-License-Identifier: MIT */
/* From commit IDs to the last write (Fung 2015 §4.2.5): a lane commits if all units with words of it let it pass. */
#include "tx/kilo/kilo.h"

#include <assert.h>

static void set_phase(kilo *k, uint32_t warp, enum kilo_phase phase)
{
    static const enum kilo_statistic counters[] = {[KILO_IDS] = KILO_ID_CYCLES,
                                                   [KILO_LOGS] = KILO_SEND_CYCLES,
                                                   [KILO_VERDICTS] = KILO_VERDICT_CYCLES,
                                                   [KILO_WRITES] = KILO_WRITE_CYCLES};
    kilo_warp *kw = &k->warps[warp];
    if (kw->phase != KILO_RUNS)
        *kilo_counter(k, counters[kw->phase]) += k->t->core.now->n - kw->since;
    kilo_trace_phase(k, warp, (enum kilo_phase)kw->phase, phase);
    kw->phase = phase;
    kw->since = k->t->core.now->n;
}

/* ---- Commit IDs ------------------------------------------------------------------------------------------------------- */

static hd_packet *request_for(const kilo *k, uint32_t warp)
{
    const hd_services *services = k->t->core.services;
    hd_packet *packet = services->alloc(services->context, 0);
    packet->message = k->message_take_ids;
    packet->source = (uint16_t)services->endpoint;
    packet->traffic_class = HD_CLASS_TRANSACTION;
    packet->flow = tx_global_warp(k->t, warp);
    packet->epoch = tx_warp_of(k->t, warp)->epoch;
    packet->tag = warp;
    packet->argument = bits_count(k->warps[warp].group.lanes);
    packet->wire_bytes = HD_HEADER_WIRE_BYTES;
    return packet;
}

void kilo_ask(kilo *k)
{
    const tx_core *core = &k->t->core;
    while (k->asking.count && core->port->can_send(core->context))
        core->port->send(core->context, request_for(k, tx_queue_pop(&k->asking)));
    if (k->asking.count)
        tx_wake(k->t, core->now->n + 1);
}

void kilo_take_ids(kilo *k, uint32_t warp, uint64_t lanes)
{
    kilo_warp *kw = &k->warps[warp];
    kw->group.lanes = kw->open = lanes | kw->suspects;
    kw->failed = 0;
    *kilo_counter(k, KILO_COMMIT_IDS) += bits_count(kw->group.lanes);
    set_phase(k, warp, KILO_IDS);
    tx_queue_push(&k->asking, warp);
    kilo_ask(k);
}

void kilo_got_ids(kilo *k, uint32_t warp, uint64_t first)
{
    k->warps[warp].group.first = first;
    set_phase(k, warp, KILO_LOGS);
    kilo_send_logs(k, warp);
}

/* ---- Verdicts and outcomes ---------------------------------------------------------------------------------------------- */

static uint64_t awaited(const kilo *k, uint32_t warp)
{
    uint64_t lanes = 0;
    for (uint32_t p = 0; p < k->partitions; p++)
        lanes |= k->warps[warp].places[p].awaited;
    return lanes;
}

static void end_if_over(kilo *k, uint32_t warp)
{
    const kilo_warp *kw = &k->warps[warp];
    if (kw->is_listed || awaited(k, warp))
        return;
    assert(!kw->open && "who has no outcome has not been judged everywhere");
    set_phase(k, warp, KILO_RUNS);
    const uint64_t lanes = kw->group.lanes & ~kw->suspects;
    kilo_forget_mishaps(k, warp);
    tx_decide(k->t, warp, lanes & ~kw->failed, lanes & kw->failed, KILO_VALIDATION);
}

/* All units have said what they think of these lanes. */
static void finalise(kilo *k, uint32_t warp, uint64_t lanes)
{
    kilo_warp *kw = &k->warps[warp];
    const uint64_t passing = lanes & ~kw->failed & ~kw->suspects;
    if (lanes & kw->suspects & ~kw->failed) {
        kilo_blame(k, warp, lanes & kw->suspects & ~kw->failed);
        return;
    }
    for (uint32_t p = 0; p < k->partitions; p++) {
        kilo_place *place = &kw->places[p];
        place->to_tell |= place->touched & lanes;
        place->awaited |= place->written & passing;
    }
    kw->open &= ~lanes;
    kilo_trace_outcome(k, warp, passing, lanes & ~passing);
    tx_warp_of(k->t, warp)->order = kw->group.first;
    tx_report_commits(k->t, warp, passing, k->t->core.now->t);
    if (!kw->open && kw->phase == KILO_VERDICTS)
        set_phase(k, warp, KILO_WRITES);
    kilo_send(k, warp);
}

void kilo_judged(kilo *k, uint32_t warp, const hd_packet *packet)
{
    const hd_kilo_lanes *said = hd_body_const(packet);
    kilo_warp *kw = &k->warps[warp];
    kilo_place *place = &kw->places[packet->argument];
    assert(said->group.first == kw->group.first && !(said->lanes & ~(place->awaited & kw->open)));
    kilo_trace_verdict(k, warp, packet);
    place->awaited &= ~said->lanes;
    kw->failed |= said->lanes & ~said->marked;
    const uint64_t waiting = awaited(k, warp) & kw->open;
    const uint64_t complete = k->aggregates ? (waiting ? 0 : kw->open) : said->lanes & ~waiting;
    if (complete)
        finalise(k, warp, complete);
}

void kilo_written(kilo *k, uint32_t warp, uint32_t partition, const hd_kilo_lanes *said)
{
    kilo_place *place = &k->warps[warp].places[partition];
    assert(said->group.first == k->warps[warp].group.first && !(said->lanes & ~(place->awaited & place->written)));
    place->awaited &= ~said->lanes;
    end_if_over(k, warp);
}

void kilo_sent(kilo *k, uint32_t warp)
{
    if (k->warps[warp].phase == KILO_LOGS)
        set_phase(k, warp, k->warps[warp].open ? KILO_VERDICTS : KILO_WRITES);
    end_if_over(k, warp);
}
