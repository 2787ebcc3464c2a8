/* SPDX-License-Identifier: MIT */
/*
 * A warp waits before an access until its words are not being committed any more. It has no commit ID then and nobody waits for it, and
 * all else of the core goes on. Messages may have been lost, or out of order, so that a word never leaves: it waits for some time
 * at most.
 */
#include "tx/eapg/eapg.h"

static uint64_t now_of(const eapg *e)
{
    return e->kilo.t->core.now->n;
}

static uint32_t is_too_long(const eapg *e, const eapg_warp *ew)
{
    return e->time_out && now_of(e) >= ew->waits_since + e->time_out;
}

uint32_t eapg_is_waiting(const eapg *e, uint32_t path, const isa_instruction *instruction)
{
    eapg_warp *ew = &e->warps[e->kilo.t->core.paths[path].warp];
    if (!e->waits || !eapg_is_looked_up(e, path, instruction) || !eapg_hits_of(e, path, instruction))
        return 0;
    if (!ew->waits_since) {
        ew->waits_since = now_of(e);
        ++*eapg_counter(e, EAPG_WAITS);
        if (e->time_out)
            tx_wake(e->kilo.t, ew->waits_since + e->time_out);
    }
    return !is_too_long(e, ew);
}

void eapg_goes_on(eapg *e, uint32_t warp)
{
    eapg_warp *ew = &e->warps[warp];
    ew->looked_up = 0;
    if (!ew->waits_since)
        return;
    *eapg_counter(e, EAPG_WAIT_CYCLES) += now_of(e) - ew->waits_since;
    *eapg_counter(e, EAPG_TIME_OUTS) += is_too_long(e, ew);
    ew->waits_since = 0;
    if (e->has_withheld)
        memory_offer_packets(e->kilo.t->core.memory, 1);
    e->has_withheld = 0;
}

static void recheck_by(const eapg *e, void (*recheck)(void *core, uint32_t warp))
{
    const tx_core *core = &e->kilo.t->core;
    for (uint32_t warp = 0; e->waits && warp < core->warp_count; warp++)
        if (tx_warp_of(e->kilo.t, warp)->state == TX_RUN)
            recheck(core->context, warp);
}

void eapg_recheck_ready(const eapg *e)
{
    recheck_by(e, e->kilo.t->core.port->recheck_ready);
}

void eapg_recheck_waiting(const eapg *e)
{
    recheck_by(e, e->kilo.t->core.port->recheck);
}

const char *eapg_describe_hold(const tx *unit, uint32_t warp)
{
    return ((const eapg *)unit)->warps[warp].waits_since ? "waits for words that are being committed" : NULL;
}

static uint32_t somebody_waits(const eapg *e)
{
    uint32_t warp = 0;
    while (warp < e->kilo.t->core.warp_count && !e->warps[warp].waits_since)
        warp++;
    return warp < e->kilo.t->core.warp_count;
}

hd_packet *eapg_offered(tx *unit)
{
    eapg *e = (eapg *)unit;
    if (!e->keeps_pipe || !somebody_waits(e))
        return kilo_offered(unit);
    e->has_withheld = 1;
    return NULL;
}

/* What holds the warp ends at that edge, or has ended, or at none. */
static void work_warp(const eapg *e, uint32_t warp)
{
    const tx_core *core = &e->kilo.t->core;
    const eapg_warp *ew = &e->warps[warp];
    const uint64_t ends[] = {ew->looked_up, e->time_out && ew->waits_since ? ew->waits_since + e->time_out : 0};
    for (uint32_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (ends[i] > core->now->n)
            tx_wake(e->kilo.t, ends[i]);
        else if (ends[i])
            core->port->recheck(core->context, warp);
}

void eapg_work(tx *unit)
{
    const eapg *e = (const eapg *)unit;
    kilo_work(unit);
    for (uint32_t warp = 0; (e->waits || e->costs) && warp < e->kilo.t->core.warp_count; warp++)
        work_warp(e, warp);
}
