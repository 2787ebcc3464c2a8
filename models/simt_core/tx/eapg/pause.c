/* SPDX-License-Identifier: MIT */
/*
 * At a load or store: lanes to whose words transactions that are being committed stand in the way pause, and the others go on to
 * their commit. One always goes on, so that an attempt of n lanes parts n - 1 times at most. Lanes pause when nothing of them is in
 * flight; what would part them waits for that.
 */
#include "tx/eapg/eapg.h"

/* Of these lanes those that had better pause: not all. */
static uint64_t but_one(uint64_t hits, uint64_t lanes)
{
    return lanes & ~hits ? hits : hits & ~(UINT64_C(1) << (63 - __builtin_clzll(hits)));
}

/* Lanes of the path that pause before this access, or, if accesses are not repeated, behind it. */
static uint64_t pausing(const eapg *e, uint32_t path, const isa_instruction *instruction)
{
    const struct path *p = &e->kilo.t->core.paths[path];
    if (!(p->mask & (p->mask - 1)) || !eapg_is_looked_up(e, path, instruction))
        return 0;
    const uint64_t hits = eapg_hits_of(e, path, instruction);
    return hits ? but_one(hits, p->mask) : 0;
}

/* Of those that have paused last. */
static void lose_logs(tx_warp *w)
{
    w->pauses[w->pause_count - 1].reads = w->pauses[w->pause_count - 1].writes = 0;
}

static void pause(eapg *e, uint32_t warp, uint64_t lanes, uint64_t going)
{
    const transactions *t = e->kilo.t;
    eapg_warp *ew = &e->warps[warp];
    ++*eapg_counter(e, EAPG_PAUSES);
    *eapg_counter(e, EAPG_PAUSED_LANES) += bits_count(lanes);
    *eapg_counter(e, EAPG_PAUSED_TRANSACTIONS) += bits_count(lanes & ~ew->ever);
    ew->ever |= lanes;
    hd_trace_instant(t->core.trace, t->core.warp_tracks + warp, e->kilo.share->first_trace_event + EAPG_EVENT_PAUSE,
                     t->core.now->t, t->core.paths[tx_warp_of(t, warp)->path].pc, lanes, going);
    tx_pause_others(e->kilo.t, warp, going);
    if (e->loses_logs)
        lose_logs(tx_warp_of(t, warp));
}

uint32_t eapg_holds(const tx *unit, uint32_t path, const isa_instruction *instruction)
{
    const eapg *e = (const eapg *)unit;
    const uint32_t warp = e->kilo.t->core.paths[path].warp;
    if (e->warps[warp].about_to_pause || eapg_is_looking_up(e, path, instruction) ||
        eapg_is_waiting(e, path, instruction))
        return 1;
    return e->pauses && e->repeats && !tx_is_drained(e->kilo.t, warp) && pausing(e, path, instruction);
}

void eapg_before_issue(tx *unit, uint32_t path, const isa_instruction *instruction)
{
    eapg *e = (eapg *)unit;
    const struct path *p = &e->kilo.t->core.paths[path];
    const uint64_t lanes = e->pauses ? pausing(e, path, instruction) : 0;
    eapg_goes_on(e, p->warp);
    if (lanes && !e->repeats)
        e->warps[p->warp].about_to_pause = lanes;
    else if (lanes && tx_is_drained(e->kilo.t, p->warp))
        pause(e, p->warp, lanes, p->mask & ~lanes);
}

/* Some of those that were to pause may have aborted, and so may those that were to go on. */
void eapg_drained(tx *unit, uint32_t warp)
{
    eapg *e = (eapg *)unit;
    const struct path *p = &e->kilo.t->core.paths[tx_warp_of(e->kilo.t, warp)->path];
    const uint64_t lanes = e->warps[warp].about_to_pause & p->mask;
    e->warps[warp].about_to_pause = 0;
    const uint64_t some = lanes ? but_one(lanes, p->mask) : 0;
    if (some)
        pause(e, warp, some, p->mask & ~some);
}
