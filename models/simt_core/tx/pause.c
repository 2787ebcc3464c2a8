/* SPDX-License-Identifier: MIT */
/* Lanes of an attempt pause, so that others of it commit first, and run on where they were (Ren & Lis 2018 §VI, pause-and-go). */
#include "tx/tx.h"

#include <assert.h>

void transactions_pause(transactions *t, uint32_t warp, uint64_t going)
{
    const tx_core *core = &t->core;
    tx_warp *w = &t->warps[warp];
    const uint64_t lanes = tx_running(t, warp) & ~going;
    assert(w->state == TX_RUN && tx_is_drained(t, warp) && lanes);
    w->pauses[w->pause_count++] =
        (tx_pause){.lanes = lanes,
                   .began = core->now->n,
                   .executed = thread_time_pause(&t->times[warp], core->counters, lanes, core->now->n),
                   .watchdog = w->watchdog,
                   .instructions = w->instructions,
                   .paused = w->paused,
                   .reads = w->reads.length,
                   .writes = w->writes.length};
    core->port->before_lanes_change(core->context);
    core->reconvergence_unit->tx_pause(core->reconvergence, warp, going);
}

/* They append behind what they have logged, where those that have gone first did. */
static void take_logs_back(tx_warp *w, const tx_pause *pause)
{
    w->reads.length = pause->reads;
    w->writes.length = pause->writes;
}

void tx_resume(transactions *t, uint32_t warp)
{
    const tx_core *core = &t->core;
    tx_warp *w = &t->warps[warp];
    const tx_pause *pause = &w->pauses[--w->pause_count];
    const uint64_t cycles = core->now->n - pause->began;
    take_logs_back(w, pause);
    thread_time_resume(&t->times[warp], core->counters, pause->lanes, pause->executed, core->now->n);
    w->paused = pause->paused + cycles;
    tx_set_state(t, warp, TX_RUN);
    if (pause->watchdog != UINT64_MAX)
        tx_set_watchdog(t, warp, pause->watchdog + cycles);
    w->instructions = pause->instructions;
    core->reconvergence_unit->tx_resume(core->reconvergence, warp);
}
