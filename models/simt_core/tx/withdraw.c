/* SPDX-License-Identifier: MIT */
/* A warp whose block leaves the core comes out of its transaction by the door it came in: all lanes abort, and stand at tx.begin. */
#include "tx/tx.h"

/* It does not wait for a token any more. */
static void leave_queue(transactions *t, uint32_t warp)
{
    for (uint32_t i = 0; i < t->waiting.count; i++) {
        if (tx_queue_at(&t->waiting, i) == warp) {
            tx_queue_remove(&t->waiting, i);
            break;
        }
    }
    t->warps[warp].queued = 0;
}

/* Of the transaction nothing is left but the lanes, which wait. */
static void come_out(transactions *t, uint32_t warp, uint64_t lanes)
{
    tx_warp *w = &t->warps[warp];
    leave_queue(t, warp);
    tx_set_state(t, warp, TX_OUTSIDE);
    w->watchdog = UINT64_MAX;
    w->fruitless = w->fruitless_cycles = 0;
    w->polls = 0;
    tx_threads_move(t, warp, lanes, THREADS_OTHER);
    tx_release_token(t, warp);
    t->core.port->look_for_ends(t->core.context);
}

static void turn_round(transactions *t, uint32_t warp)
{
    const uint32_t path = t->warps[warp].path;
    come_out(t, warp, t->core.paths[path].mask);
    t->core.port->start(t->core.context, path);
    t->core.port->recheck(t->core.context, warp);
}

static uint64_t paused(const transactions *t, uint32_t warp)
{
    const reconvergence_unit *unit = t->core.reconvergence_unit;
    return unit->tx_paused ? unit->tx_paused(t->core.reconvergence, warp) : 0;
}

static uint32_t has_committed(const transactions *t, uint32_t warp)
{
    return (t->warps[warp].entered & ~(tx_running(t, warp) | tx_aborted(t, warp) | paused(t, warp))) != 0;
}

/* Registers and private memory are those of tx.begin. Until then no attempt begins: without a back-off, the edge at which private memory is
 * back would be that of the next one, and the block would never leave. */
static void go_back(transactions *t, uint32_t warp)
{
    const tx_core *core = &t->core;
    tx_warp *w = &t->warps[warp];
    const uint64_t lanes = tx_aborted(t, warp);
    w->due = UINT64_MAX;
    if (w->undo.restoring || !tx_is_drained(t, warp))
        return;
    core->counters->tx_withdrawals++;
    tx_restore_registers(t, warp, lanes);
    core->reconvergence_unit->tx_restart(core->reconvergence, warp, lanes);
    core->reconvergence_unit->tx_done(core->reconvergence, warp, lanes, 0);
    come_out(t, warp, lanes);
    core->reconvergence_unit->tx_leave(core->reconvergence, warp, w->begin_pc);
    core->port->recheck(core->context, warp);
}

void tx_withdraw(transactions *t, uint32_t warp)
{
    if (!t)
        return;
    switch (t->warps[warp].state) {
    case TX_TOKEN: turn_round(t, warp); return;
    case TX_CHECKPOINT:
    case TX_RUN:
        if (!has_committed(t, warp))
            transactions_abort(t, warp, tx_running(t, warp), TX_PREEMPTED);
        return;
    case TX_RETRY:
        if (!has_committed(t, warp))
            go_back(t, warp);
        return;
    default: return;
    }
}
