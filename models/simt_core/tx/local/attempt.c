/* SPDX-License-Identifier: MIT */
/* Attempts of a warp: who may begin, what is left of them, and who comes next. */
#include "tx/local/local.h"

#include <string.h>

uint64_t local_may_begin(const tx *unit, uint32_t warp, uint64_t lanes)
{
    const local *l = (const local *)unit;
    local_warp *lw = &l->warps[warp];
    const local_group *group = local_group_of(l, warp);
    static const warp_turn first = {.mode = TURN_NORMAL};
    const uint64_t now = l->t->core.now->n;
    const uint64_t may = warp_turn_lanes(&l->rules, lw->is_inside ? &lw->turn : &first, &group->turn, lw->index, lanes);
    if (!may && lw->stands == UINT64_MAX)
        lw->stands = now;
    return lw->ready > now ? 0 : may;
}

void local_begin(tx *unit, uint32_t warp, uint64_t lanes)
{
    local *l = (local *)unit;
    local_warp *lw = &l->warps[warp];
    local_group *group = local_group_of(l, warp);
    const tx_warp *w = tx_warp_of(l->t, warp);
    if (!group->fits) {
        tx_fault(l->t, warp, w->begin_pc, lanes,
                 "a transaction on the scratchpad in a block of more than %u threads, or %u warps: an owner's byte can "
                 "name no more",
                 OWNERSHIP_THREADS, OWNERSHIP_WARPS);
        return;
    }
    if (!lw->is_inside) {
        warp_turn_enter(&lw->turn);
        ownership_enter(&group->ownership, lw->index);
        lw->in_vain = 0;
        *local_counter(l, LOCAL_BEGIN_CYCLES) += tx_parameter(l->t, TX_PARAMETER_TX_CHECKPOINT);
    }
    if (lw->stands != UINT64_MAX)
        *local_counter(l, LOCAL_BLOCK_WAIT_CYCLES) += l->t->core.now->n - lw->stands;
    lw->stands = UINT64_MAX;
    lw->is_inside = lw->is_running = 1;
    lw->gives_way = 0;
    warp_turn_begin(&lw->turn, lanes);
    memset(local_used(l, warp, 0), 0, l->t->core.lane_count * sizeof *l->used);
    *local_counter(l, LOCAL_SERIAL_ATTEMPTS) += lw->turn.mode == TURN_IN_WARP;
    *local_counter(l, LOCAL_ALONE_ATTEMPTS) += lw->turn.mode == TURN_IN_BLOCK;
    local_forget_records(l, warp);
}

/* Those that have lost at a bank have been taken back there. */
void local_aborted(tx *unit, uint32_t warp, uint64_t lanes, uint32_t reason)
{
    if (reason < TX_OWN_REASONS || reason == TX_OWN_REASONS + LOCAL_ABORTS_GAVE_WAY)
        local_take_back((local *)unit, warp, lanes);
}

/* ---- Ends --------------------------------------------------------------------------------------------------------------- */

static void release(local *l, uint32_t warp, uint64_t lanes)
{
    const local_warp *lw = &l->warps[warp];
    ownership *o = &local_group_of(l, warp)->ownership;
    for (uint64_t left = lanes; left; left &= left - 1)
        ownership_commit(o, local_thread_of(l, warp, (uint32_t)__builtin_ctzll(left)));
    ownership_end_attempt(o, lw->index);
    *local_counter(l, LOCAL_SERIAL_COMMITS) += lw->turn.mode == TURN_IN_WARP ? bits_count(lanes) : 0;
    *local_counter(l, LOCAL_ALONE_COMMITS) += lw->turn.mode == TURN_IN_BLOCK ? bits_count(lanes) : 0;
}

/* A lane that is alone loses to nobody: it has given up by itself, and will do so again if nothing changes. */
static void note_vain(local *l, uint32_t warp, uint64_t done)
{
    local_warp *lw = &l->warps[warp];
    const uint64_t patience = local_parameter(l, LOCAL_PATIENCE);
    lw->in_vain = done ? 0 : lw->in_vain + 1;
    if (!patience || lw->in_vain < patience)
        return;
    const tx_warp *w = tx_warp_of(l->t, warp);
    tx_fault(l->t, warp, w->begin_pc, UINT64_C(1) << lw->turn.selected,
             "a transaction that aborts for ever: alone in its block, it has given up %u times in a row by itself",
             lw->in_vain);
}

/* What the attempt has left: lanes that have aborted, or that have not begun yet. */
static uint32_t go_on(local *l, uint32_t warp, uint64_t left, uint64_t done)
{
    local_warp *lw = &l->warps[warp];
    if (!left) {
        ownership_leave(&local_group_of(l, warp)->ownership, lw->index);
        lw->is_inside = 0;
        return 0;
    }
    return !lw->gives_way && warp_turn_end(&l->rules, &lw->turn, left, done != 0);
}

static void finish(local *l, uint32_t warp)
{
    local_warp *lw = &l->warps[warp];
    local_group *group = local_group_of(l, warp);
    const uint64_t done = tx_running(l->t, warp), left = tx_aborted(l->t, warp);
    const uint32_t was_alone = lw->turn.mode == TURN_IN_BLOCK;
    lw->finishes = UINT64_MAX;
    if (done) {
        tx_warp_of(l->t, warp)->era = 0; /* whatever another protocol has made of it */
        tx_warp_of(l->t, warp)->order = local_next_order(l);
        tx_report_commits(l->t, warp, done, l->t->core.now->t);
    }
    release(l, warp, done);
    if (was_alone)
        note_vain(l, warp, done);
    if (go_on(l, warp, left, done))
        block_turn_ask(&group->turn, lw->index);
    lw->is_running = 0;
    tx_decide(l->t, warp, done, 0, TX_NO_REASON);
    if (was_alone)
        block_turn_release(&group->turn);
    local_grant(l, group);
    if (was_alone)
        tx_retry_begins(l->t);
}

void local_commit(tx *unit, uint32_t warp, uint64_t lanes)
{
    local *l = (local *)unit;
    const uint64_t cycles = lanes ? local_parameter(l, LOCAL_COMMIT_CYCLES) : 0;
    l->warps[warp].finishes = l->t->core.now->n + cycles;
    if (cycles)
        local_wake(l, l->warps[warp].finishes);
    else
        finish(l, warp);
}

/* Commits that are over, and warps whose words have been restored. */
static void work_all(local *l, uint64_t now)
{
    uint32_t is_ready = 0;
    for (uint32_t warp = 0; warp < l->t->core.warp_count && !l->t->core.port->is_halted(l->t->core.context); warp++) {
        local_warp *lw = &l->warps[warp];
        if (lw->finishes <= now)
            finish(l, warp);
        if (lw->ready && lw->ready <= now) {
            lw->ready = 0;
            is_ready = 1;
        }
    }
    if (is_ready)
        tx_retry_begins(l->t);
    for (uint32_t warp = 0; warp < l->t->core.warp_count; warp++) {
        const local_warp *lw = &l->warps[warp];
        if (lw->ready)
            local_wake(l, lw->ready);
        if (lw->finishes != UINT64_MAX)
            local_wake(l, lw->finishes);
    }
}

void local_work(tx *unit)
{
    local *l = (local *)unit;
    const uint64_t now = l->t->core.now->n;
    if (l->next <= now) {
        l->next = UINT64_MAX;
        work_all(l, now);
    }
    if (l->next != UINT64_MAX)
        tx_wake(l->t, l->next);
}
