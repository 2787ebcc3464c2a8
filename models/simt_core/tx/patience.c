/* SPDX-License-Identifier: MIT */
/* Attempts that do not end: after so many cycles it is a mistake to go on, which doomed lanes may make, and others may not. */
#include "mistakes.h"
#include "tx/tx.h"

static uint64_t patience_from(const transactions *t, uint64_t cycles)
{
    return tx_parameter(t, TX_PARAMETER_TX_PATIENCE) ? t->core.now->n + cycles : UINT64_MAX;
}

void tx_patience_begin(const transactions *t, uint32_t warp)
{
    tx_warp *w = &t->warps[warp];
    w->patience = patience_from(t, w->patience_left ? w->patience_left : tx_parameter(t, TX_PARAMETER_TX_PATIENCE));
    w->patience_left = 0;
}

uint32_t tx_patience_is_over(const transactions *t, uint32_t warp)
{
    return t->warps[warp].patience <= t->core.now->n;
}

void tx_patience_keep(const transactions *t, uint32_t warp)
{
    tx_warp *w = &t->warps[warp];
    w->patience_left = w->patience == UINT64_MAX ? 0 : w->patience - t->core.now->n;
}

const char *tx_patience_refusal(const transactions *t, uint32_t path)
{
    const uint32_t warp = t->core.paths[path].warp;
    if (!tx_patience_is_over(t, warp))
        return NULL;
    t->warps[warp].patience = patience_from(t, tx_parameter(t, TX_PARAMETER_TX_PATIENCE));
    return MISTAKE_ENDLESS;
}
