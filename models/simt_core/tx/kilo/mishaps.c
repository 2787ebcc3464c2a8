/* SPDX-License-Identifier: MIT */
/*
 * Lanes in trouble: what they have read may never have belonged together, and nobody has looked yet. So they abort, and commit units
 * are asked at the end of the attempt about what they had read. Who passes has done what its program does, and the run ends with
 * it. Source: Fung 2015 §4.2.2, §5.1.4.
 */
#include "tx/kilo/kilo.h"

#include <stdio.h>
#include <stdlib.h>

static void keep(kilo *k, uint32_t warp, uint64_t lanes, const tx_mishap *mishap)
{
    if (k->mishap_count == k->mishap_capacity) {
        k->mishap_capacity = k->mishap_capacity ? 2 * k->mishap_capacity : 8;
        kilo_mishap *grown = realloc(k->mishaps, k->mishap_capacity * sizeof *grown);
        if (!grown)
            abort();
        k->mishaps = grown;
    }
    kilo_mishap *kept = &k->mishaps[k->mishap_count++];
    *kept = (kilo_mishap){.warp = warp, .pc = mishap->pc, .lanes = lanes};
    snprintf(kept->text, sizeof kept->text, "%s", mishap->text);
    k->warps[warp].suspects |= lanes;
    kilo_trace_suspects(k, warp, mishap->pc, lanes);
}

/* One that has been cut short gets twice as long the next time: it may have been right. */
static uint32_t is_too_long(kilo *k, uint32_t warp)
{
    kilo_warp *kw = &k->warps[warp];
    const uint64_t limit = tx_parameter(k->t, TX_PARAMETER_TX_WATCHDOG) << kw->cut_short;
    if (tx_age(k->t, warp) < limit)
        return 0;
    kw->cut_short += kw->cut_short < KILO_CUT_SHORT_MAX;
    return 1;
}

uint64_t kilo_doomed(tx *unit, uint32_t warp, uint64_t lanes, const tx_mishap *mishap, uint32_t *reason)
{
    kilo *k = (kilo *)unit;
    const uint64_t readers = lanes & tx_log_users(&tx_warp_of(k->t, warp)->reads);
    if (mishap->trouble == TX_RUNS_TOO_LONG) {
        *reason = TX_WATCHDOG;
        return is_too_long(k, warp) ? readers : 0;
    }
    *reason = KILO_DOOMED;
    if (readers)
        keep(k, warp, readers, mishap);
    return readers;
}

void kilo_forget_mishaps(kilo *k, uint32_t warp)
{
    uint32_t kept = 0;
    if (!k->warps[warp].suspects)
        return;
    for (uint32_t i = 0; i < k->mishap_count; i++)
        if (k->mishaps[i].warp != warp)
            k->mishaps[kept++] = k->mishaps[i];
    k->mishap_count = kept;
    k->warps[warp].suspects = 0;
}

void kilo_blame(const kilo *k, uint32_t warp, uint64_t lanes)
{
    for (uint32_t i = 0; i < k->mishap_count; i++) {
        const kilo_mishap *mishap = &k->mishaps[i];
        if (mishap->warp != warp || !(mishap->lanes & lanes))
            continue;
        tx_fault(k->t, warp, mishap->pc, mishap->lanes & lanes, "%s", mishap->text);
        return;
    }
}
