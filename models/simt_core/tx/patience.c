/* SPDX-License-Identifier: MIT */
/* Attempts that do not end: after so many instructions it is a mistake to go on, which doomed lanes may make, and others may not. */
#include "mistakes.h"
#include "tx/tx.h"

void tx_patience_begin(const transactions *t, uint32_t warp)
{
    tx_warp *w = &t->warps[warp];
    if (!w->goes_on)
        w->instructions = 0;
    w->goes_on = 0;
}

uint32_t tx_patience_is_over(const transactions *t, uint32_t warp)
{
    const uint64_t patience = tx_parameter(t, TX_PARAMETER_TX_PATIENCE);
    return patience && t->warps[warp].instructions >= patience;
}

const char *tx_patience_refusal(const transactions *t, uint32_t path)
{
    const uint32_t warp = t->core.paths[path].warp;
    if (!tx_patience_is_over(t, warp)) {
        t->warps[warp].instructions++;
        return NULL;
    }
    t->warps[warp].instructions = 0;
    return MISTAKE_ENDLESS;
}
