/* SPDX-License-Identifier: MIT */
/* Clocks begin anew: every attempt is given up, what was committed before is applied, then an era begins (Ren & Lis §V-B1). */
#include "tx/getm/getm.h"

void getm_new_era(getm *g)
{
    for (uint32_t warp = 0; warp < g->t->core.warp_count; warp++) {
        g->warps[warp].clock = 0;
        g->warps[warp].cause = HD_GETM_NO_CAUSE;
    }
    g->latest = 0;
    g->era++;
}

static uint32_t is_running(const getm *g, uint32_t warp)
{
    return tx_is_in(g->t, warp, TX_GLOBAL, TX_CHECKPOINT) && tx_warp_of(g->t, warp)->state < TX_COMMIT;
}

void getm_rollover(getm *g, uint32_t unit)
{
    g->rolls = ROLLS;
    g->rollover_unit = unit;
    ++*getm_counter(g, GETM_ROLLOVERS);
    for (uint32_t warp = 0; warp < g->t->core.warp_count; warp++) {
        if (!is_running(g, warp))
            continue;
        g->warps[warp].no_logs = 1;
        getm_gate_forget(g, warp);
        tx_abort(g->t, warp, tx_running(g->t, warp), GETM_ROLLOVER);
        memory_give_up(g->t->core.memory, tx_warp_of(g->t, warp)->path);
    }
    tx_wake(g->t, g->t->core.now->n + 1);
}

void getm_roll(getm *g)
{
    for (uint32_t warp = 0; warp < g->t->core.warp_count; warp++) {
        const uint32_t commits =
            tx_is_in(g->t, warp, TX_GLOBAL, TX_COMMIT) && tx_warp_of(g->t, warp)->state == TX_COMMIT;
        if (g->warps[warp].logs || is_running(g, warp) || commits) {
            tx_wake(g->t, g->t->core.now->n + 1);
            return;
        }
    }
    getm_new_era(g);
    g->rolls = ROLLS_TELLS;
    memory_offer_packets(g->t->core.memory, 1);
}

hd_packet *getm_rolled_over(getm *g)
{
    hd_packet *packet = memory_packet(g->t->core.memory, g->message_rolled_over, HD_CLASS_TRANSACTION, 0, 0);
    packet->destination = (uint16_t)g->rollover_unit;
    packet->unit = HD_DESTINATION_VALIDATION_UNIT;
    g->rolls = ROLLS_WAITS;
    return packet;
}

void getm_rollover_end(getm *g)
{
    g->rolls = ROLLS_NOT;
    tx_retry_begins(g->t);
}
