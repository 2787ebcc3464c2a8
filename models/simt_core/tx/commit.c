/* SPDX-License-Identifier: MIT */
/* From tx.commit to the protocol: conflicts within the warp, in the time that they take. */
#include "tx/tx.h"

static uint32_t scheme_of(const transactions *t)
{
    return (uint32_t)tx_parameter(t, TX_PARAMETER_TX_INTRA_WARP);
}

static uint64_t losers_of(const transactions *t, uint32_t warp, uint64_t lanes)
{
    const tx_warp *w = &t->warps[warp];
    switch (scheme_of(t)) {
    case INTRA_WARP_2PCR:
        return intra_warp_2pcr(&w->reads, &w->writes, lanes, t->ownership,
                               (uint32_t)tx_parameter(t, TX_PARAMETER_TX_OWNERSHIP));
    case INTRA_WARP_SCR: return intra_warp_scr(&w->reads, &w->writes, lanes, 0);
    case INTRA_WARP_PERFECT: return intra_warp_scr(&w->reads, &w->writes, lanes, 1);
    default: return 0; /* found at each access, or by the protocol */
    }
}

/* Addresses of both logs, those of writes twice, to resolve conflicts; addresses and values of what is sent. */
static uint32_t runs_of(const transactions *t, uint32_t warp, memory_log_run runs[4])
{
    const tx_warp *w = &t->warps[warp];
    const uint32_t reads = w->reads.length, writes = w->writes.length;
    runs[0] = tx_log_run(t, warp, &w->writes, 0, 0, writes);
    runs[1] = w->state == TX_WALK ? tx_log_run(t, warp, &w->writes, 0, 1, writes) : runs[0];
    runs[2] = tx_log_run(t, warp, &w->reads, 0, 0, reads);
    runs[3] = tx_log_run(t, warp, &w->reads, 0, 1, reads);
    if (w->state == TX_RESOLVE)
        return 3;
    return tx_protocol_of(t, warp)->unit->sends_reads ? 4 : 2;
}

static void walk(transactions *t, uint32_t warp)
{
    const tx_core *core = &t->core;
    memory_log_run runs[4];
    const uint32_t path = t->warps[warp].path;
    if (!memory_can_submit(core->memory)) {
        tx_await_room(t, warp);
        return;
    }
    t->warps[warp].to_walk--;
    const uint32_t ticket =
        memory_submit_walk(core->memory, &t->walk, path, warp, runs, runs_of(t, warp, runs), core->now->t);
    core->port->keep_ticket(core->context, ticket,
                            &(ticket_state){.instruction = &t->walk, .path = path, .warp = warp});
}

static void commit(transactions *t, uint32_t warp)
{
    const tx_protocol *protocol = tx_protocol_of(t, warp);
    tx_set_state(t, warp, TX_COMMIT);
    protocol->unit->commit(protocol->state, warp, tx_running(t, warp));
}

static uint32_t walks_of(const transactions *t, uint32_t warp)
{
    if (tx_parameter(t, TX_PARAMETER_TX_LOG_TRAFFIC) != 0)
        return 0;
    const tx_protocol *protocol = tx_protocol_of(t, warp);
    return t->warps[warp].state == TX_RESOLVE && protocol->unit->resolving_walks
               ? protocol->unit->resolving_walks(protocol->state)
               : 1;
}

static void start_walk(transactions *t, uint32_t warp)
{
    t->warps[warp].to_walk = walks_of(t, warp);
    if (t->warps[warp].to_walk)
        walk(t, warp);
}

static void hand_over(transactions *t, uint32_t warp)
{
    const tx_warp *w = &t->warps[warp];
    const tx_protocol *protocol = tx_protocol_of(t, warp);
    if (protocol->unit->resolved && tx_running(t, warp))
        protocol->unit->resolved(protocol->state, warp, tx_running(t, warp));
    const uint32_t sends_reads = protocol->unit->sends_reads && tx_running(t, warp);
    if (!w->writes.length && !(sends_reads && w->reads.length)) {
        commit(t, warp);
        return;
    }
    tx_set_state(t, warp, TX_WALK);
    start_walk(t, warp);
    if (!w->to_walk && tx_is_drained(t, warp))
        commit(t, warp);
}

static void resolve(transactions *t, uint32_t warp)
{
    const tx_warp *w = &t->warps[warp];
    const uint64_t lanes = tx_running(t, warp);
    const uint64_t cycles =
        intra_warp_cycles(scheme_of(t), &w->reads, &w->writes, lanes, lanes & ~losers_of(t, warp, lanes),
                          (uint32_t)tx_parameter(t, TX_PARAMETER_TX_OWNERSHIP));
    t->tables++;
    tx_set_state(t, warp, TX_RESOLVE);
    tx_set_due(t, warp, t->core.now->n + cycles + 1);
    start_walk(t, warp);
}

static uint32_t has_table(const transactions *t)
{
    const uint64_t limit = tx_parameter(t, TX_PARAMETER_TX_RESOLUTIONS);
    return !limit || t->tables < limit;
}

/* Whether two lanes can be in each other's way that nobody else has looked at; without cost, that is known at once. */
static uint32_t has_to_resolve(const transactions *t, uint32_t warp)
{
    const uint64_t lanes = tx_running(t, warp);
    return !tx_protocol_of(t, warp)->unit->detects_within_warp && (lanes & (lanes - 1)) != 0 &&
           t->warps[warp].writes.length != 0 && scheme_of(t) <= INTRA_WARP_SCR;
}

static void commit_silently(transactions *t, uint32_t warp)
{
    const uint64_t running = tx_running(t, warp);
    const tx_protocol *protocol = tx_protocol_of(t, warp);
    const uint64_t silent =
        protocol->unit->at_commit && running ? protocol->unit->at_commit(protocol->state, warp, running) : 0;
    if (silent)
        tx_lanes_done(t, warp, silent, 0, TX_NO_REASON);
}

void tx_commit_start(transactions *t, uint32_t warp)
{
    commit_silently(t, warp);
    tx_threads_move(t, warp, tx_running(t, warp), THREADS_COMMITTING);
    if (has_to_resolve(t, warp)) {
        tx_set_state(t, warp, TX_QUEUE);
        tx_queue_push(&t->resolving, warp);
        if (has_table(t))
            resolve(t, tx_queue_pop(&t->resolving));
        return;
    }
    tx_set_state(t, warp, TX_RESOLVE);
    if (!tx_protocol_of(t, warp)->unit->detects_within_warp)
        tx_abort(t, warp, losers_of(t, warp, tx_running(t, warp)), TX_INTRA_WARP);
    hand_over(t, warp);
}

void tx_commit_step(transactions *t, uint32_t warp)
{
    if (t->warps[warp].to_walk)
        walk(t, warp);
    if (t->warps[warp].to_walk || !tx_is_drained(t, warp))
        return;
    if (t->warps[warp].state == TX_WALK) {
        commit(t, warp);
        return;
    }
    if (t->warps[warp].due)
        return;
    t->tables--;
    tx_abort(t, warp, losers_of(t, warp, tx_running(t, warp)), TX_INTRA_WARP);
    hand_over(t, warp);
    if (t->resolving.count && has_table(t))
        resolve(t, tx_queue_pop(&t->resolving));
}
