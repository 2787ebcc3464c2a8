/* SPDX-License-Identifier: MIT */
/* At a commit: lanes that conflict with what is being committed abort before anything of them is sent. */
#include "tx/eapg/eapg.h"

static uint64_t hit_in(const eapg *e, const tx_log *log, uint64_t lanes, uint32_t is_store)
{
    uint64_t hit = 0;
    for (uint32_t entry = 0; entry < log->length; entry++)
        for (uint64_t left = log->mask[entry] & lanes & ~hit; left; left &= left - 1) {
            const uint32_t lane = (uint32_t)__builtin_ctzll(left);
            if (kilo_log_has_word(log, entry, lane) &&
                eapg_hits(e, log->address[tx_log_at(log, entry, lane)], is_store))
                hit |= left & -left;
        }
    return hit;
}

/* One lane goes on, whatever it hits: what it hits may fail itself, and attempts that abort each other would go round for ever. */
void eapg_resolved(tx *unit, uint32_t warp, uint64_t lanes)
{
    eapg *e = (eapg *)unit;
    const transactions *t = e->kilo.t;
    const tx_warp *w = tx_warp_of(t, warp);
    if (!e->aborts_early || eapg_knows_nothing(e))
        return;
    uint64_t losers = hit_in(e, &w->reads, lanes, 0);
    losers |= hit_in(e, &w->writes, lanes & ~losers, 1);
    if (losers == lanes && e->reprieves) {
        ++*eapg_counter(e, EAPG_REPRIEVES);
        losers &= losers - 1;
    }
    if (!losers)
        return;
    hd_trace_instant(t->core.trace, t->core.warp_tracks + warp, e->kilo.share->first_trace_event + EAPG_EVENT_EARLY,
                     t->core.now->t, losers, lanes & ~losers);
    tx_abort(e->kilo.t, warp, losers, EAPG_EARLY);
}
