/* SPDX-License-Identifier: MIT */
/* An attempt begins, gives lanes up, ends; what follows it is another one, or the code behind the transaction. */
#include "back_off.h"
#include "mistakes.h"
#include "tx/tx.h"

#include <assert.h>
#include <string.h>

/* ---- Registers ------------------------------------------------------------------------------------------------------ */

static void save_registers(const transactions *t, uint32_t warp)
{
    const tx_warp *w = &t->warps[warp];
    t->core.port->save_registers(t->core.context, w->path, t->core.paths[w->path].mask, w->checkpoint, w->fcsr);
}

void tx_restore_registers(const transactions *t, uint32_t warp, uint64_t mask)
{
    const tx_warp *w = &t->warps[warp];
    t->core.port->restore_registers(t->core.context, w->path, mask, w->checkpoint, w->fcsr);
}

/* ---- Tokens --------------------------------------------------------------------------------------------------------- */

static uint32_t has_token(const transactions *t)
{
    const uint64_t limit = tx_parameter(t, TX_PARAMETER_TX_CONCURRENCY);
    const uint64_t room = t->core.accesses / TX_ACCESSES;
    return t->tokens < room && (!limit || t->tokens < limit);
}

static void take_token(transactions *t, uint32_t warp)
{
    tx_counters *counters = t->core.counters;
    t->warps[warp].holds_token = 1;
    t->tokens++;
    assert(
        (!tx_parameter(t, TX_PARAMETER_TX_CONCURRENCY) || t->tokens <= tx_parameter(t, TX_PARAMETER_TX_CONCURRENCY)) &&
        "I9");
    if (t->tokens > counters->tx_maximum_warps)
        counters->tx_maximum_warps = t->tokens;
}

/* tx.begin takes place, for these lanes at first: the path stands there. */
static void enter(transactions *t, uint32_t warp, uint64_t lanes)
{
    const tx_core *core = &t->core;
    tx_warp *w = &t->warps[warp];
    const uint64_t cost = tx_parameter(t, TX_PARAMETER_TX_CHECKPOINT);
    take_token(t, warp);
    core->counters->tx_begins++;
    core->counters->tx_scratchpad_begins += w->domain == TX_SCRATCHPAD;
    w->failures = 0;
    assert(!w->fruitless && !w->fruitless_cycles && "the last attempt of the transaction before has committed");
    w->goes_on = 0;
    w->entered = core->paths[w->path].mask;
    memset(w->attempts, 0, core->lane_count * sizeof *w->attempts);
    tx_undo_forget(t, warp, core->paths[w->path].mask);
    save_registers(t, warp);
    core->port->before_lanes_change(core->context);
    core->reconvergence_unit->tx_begin(core->reconvergence, w->path, lanes, core->paths[w->path].pc + 4);
    tx_attempt_begin(t, warp, lanes);
    if (cost) {
        tx_set_state(t, warp, TX_CHECKPOINT);
        tx_set_due(t, warp, core->now->n + cost);
        return;
    }
    tx_set_state(t, warp, TX_RUN);
    core->port->resume(core->context, w->path);
}

static uint64_t may_begin(const transactions *t, uint32_t warp, uint64_t lanes)
{
    const tx_protocol *protocol = tx_protocol_of(t, warp);
    return protocol->unit->may_begin ? protocol->unit->may_begin(protocol->state, warp, lanes) : lanes;
}

static uint64_t lanes_that_wait(const transactions *t, uint32_t warp)
{
    const tx_warp *w = &t->warps[warp];
    return w->state == TX_TOKEN ? t->core.paths[w->path].mask : tx_aborted(t, warp);
}

/* Of `warp`, if it is one and holds one; then whoever waits goes on, in order. */
void tx_release_token(transactions *t, uint32_t warp)
{
    if (warp != UINT32_MAX && t->warps[warp].holds_token) {
        t->warps[warp].holds_token = 0;
        t->tokens--;
    }
    for (uint32_t i = 0; i < t->waiting.count && has_token(t);) {
        const uint32_t next = tx_queue_at(&t->waiting, i);
        const uint64_t lanes = may_begin(t, next, lanes_that_wait(t, next));
        if (!lanes && !tx_protocol_of(t, next)->unit->lets_pass)
            return;
        if (!lanes) {
            i++;
            continue;
        }
        tx_queue_remove(&t->waiting, i);
        if (t->warps[next].state == TX_TOKEN) {
            enter(t, next, lanes);
        } else {
            take_token(t, next);
            t->warps[next].queued = 0;
            tx_step(t, next);
        }
    }
}

static void begin(transactions *t, uint32_t path, const isa_instruction *instruction)
{
    const tx_core *core = &t->core;
    const uint32_t warp = core->paths[path].warp;
    tx_warp *w = &t->warps[warp];
    if (instruction->immediate == TX_GLOBAL && !tx_logs_fit(t, warp)) {
        tx_fault(t, warp, core->paths[path].pc, core->paths[path].mask,
                 "private memory and logs of the block's transactions exceed its context slot: lower tx.log_bytes");
        return;
    }
    w->path = path;
    w->domain = (uint32_t)instruction->immediate;
    w->begin_pc = core->paths[path].pc;
    w->begin_depth = core->paths[path].depth;
    w->commit_pc = core->port->commit_of(core->context, path);
    tx_set_state(t, warp, TX_TOKEN);
    tx_threads_move(t, warp, core->paths[path].mask, THREADS_THROTTLED);
    core->port->suspend(core->context, path);
    core->port->recheck_ready(core->context, warp); /* another path may be about to begin */
    tx_queue_push(&t->waiting, warp);
    tx_release_token(t, UINT32_MAX);
}

/* ---- Attempts ------------------------------------------------------------------------------------------------------- */

void tx_attempt_begin(transactions *t, uint32_t warp, uint64_t lanes)
{
    tx_warp *w = &t->warps[warp];
    const uint64_t watchdog = tx_parameter(t, TX_PARAMETER_TX_WATCHDOG);
    w->lanes = lanes;
    w->fruitless += w->fruitless != UINT32_MAX;
    w->began = t->core.now->n;
    w->paused = 0;
    w->epoch = tx_next_epoch(w);
    w->attempt++;
    w->begun = t->core.now->t;
    w->reads.length = w->writes.length = 0;
    w->record_count = 0;
    w->accesses = 0;
    for (uint64_t left = lanes; left; left &= left - 1)
        w->attempts[__builtin_ctzll(left)] += w->attempts[__builtin_ctzll(left)] != UINT32_MAX;
    t->core.counters->tx_attempts += bits_count(lanes);
    t->core.counters->tx_scratchpad_attempts += w->domain == TX_SCRATCHPAD ? bits_count(lanes) : 0;
    thread_time_attempt(&t->times[warp], t->core.counters, lanes, t->core.now->n);
    t->core.port->lanes_begin(t->core.context, warp, w->begin_pc, lanes);
    if (watchdog)
        tx_set_watchdog(t, warp, t->core.now->n + watchdog);
    tx_patience_begin(t, warp);
    tx_protocol_of(t, warp)->unit->begin(tx_protocol_of(t, warp)->state, warp, lanes);
}

/* The path has lost lanes, or goes on elsewhere, or has nothing left to run. */
static void go_on_without(transactions *t, uint32_t warp)
{
    const tx_core *core = &t->core;
    const uint32_t path = t->warps[warp].path;
    if (core->paths[path].mask) {
        core->port->recheck(core->context, warp);
        return;
    }
    core->port->suspend(core->context, path);
    tx_set_state(t, warp, TX_DRAIN);
    tx_set_due(t, warp, core->now->n + 1);
}

_Static_assert(sizeof((tx_counters *)NULL)->aborts_for == TX_OWN_REASONS * sizeof(uint64_t), "a counter per reason");

static void count_abort(transactions *t, uint32_t warp, uint64_t lanes, const tx_cause *cause)
{
    const uint32_t count = bits_count(lanes);
    thread_time_decide(&t->times[warp], t->core.counters, lanes, 0, t->core.now->n);
    t->core.counters->tx_aborts += count;
    t->core.counters->tx_scratchpad_aborts += t->warps[warp].domain == TX_SCRATCHPAD ? count : 0;
    if (cause->reason < TX_OWN_REASONS)
        t->core.counters->aborts_for[cause->reason] += count;
    else
        tx_protocol_of(t, warp)->share.counters[cause->reason - TX_OWN_REASONS] += count;
    t->core.port->lanes_abort(t->core.context, warp, lanes, cause);
}

static void tell_aborted(const transactions *t, uint32_t warp, uint64_t lanes, uint32_t reason)
{
    const tx_protocol *protocol = tx_protocol_of(t, warp);
    protocol->unit->aborted(protocol->state, warp, lanes, reason);
}

static tx_cause here(const transactions *t, uint32_t warp, uint32_t reason)
{
    const tx_warp *w = &t->warps[warp];
    const uint32_t is_at_commit = w->state > TX_RUN;
    return (tx_cause){
        .reason = reason, .pc = is_at_commit ? w->commit_pc : t->core.paths[w->path].pc, .winner = TX_NOBODY};
}

void transactions_abort(transactions *t, uint32_t warp, uint64_t lanes, uint32_t reason)
{
    const tx_cause cause = here(t, warp, reason);
    tx_abort_for(t, warp, lanes, &cause);
}

void transactions_abort_for(transactions *t, uint32_t warp, uint64_t lanes, const tx_cause *cause)
{
    tx_warp *w = &t->warps[warp];
    lanes &= tx_running(t, warp);
    if (!lanes)
        return;
    count_abort(t, warp, lanes, cause);
    t->core.port->before_lanes_change(t->core.context);
    t->core.reconvergence_unit->tx_abort(t->core.reconvergence, warp, lanes);
    tell_aborted(t, warp, lanes, cause->reason);
    if (w->state == TX_RUN || w->state == TX_CHECKPOINT)
        go_on_without(t, warp);
}

static uint64_t doomed_of(const transactions *t, uint32_t warp, uint64_t lanes, const tx_mishap *mishap,
                          uint32_t *reason)
{
    const tx_protocol *protocol = tx_protocol_of(t, warp);
    *reason = TX_WATCHDOG;
    if (!protocol->unit->doomed)
        return mishap->trouble == TX_RUNS_TOO_LONG ? lanes : 0;
    const uint64_t doomed = protocol->unit->doomed(protocol->state, warp, lanes, mishap, reason);
    assert(!(doomed & ~lanes));
    return doomed;
}

uint64_t tx_abort_doomed(transactions *t, uint32_t warp, uint64_t lanes, const tx_mishap *mishap)
{
    uint32_t reason;
    const uint64_t doomed = doomed_of(t, warp, lanes, mishap, &reason);
    tx_abort_for(t, warp, doomed, &(tx_cause){.reason = reason, .pc = mishap->pc, .winner = TX_NOBODY});
    return lanes & ~doomed;
}

uint32_t tx_forgives(transactions *t, uint32_t path, uint64_t lanes, uint32_t pc, const char *text)
{
    uint32_t reason;
    if (!tx_is_inside(t, path))
        return 0;
    const struct path *p = &t->core.paths[path];
    if (!tx_protocol_of(t, p->warp)->unit->doomed)
        return 0;
    const tx_mishap mishap = {.trouble = TX_MISTAKE, .pc = pc, .text = text};
    if (doomed_of(t, p->warp, lanes, &mishap, &reason) != lanes)
        return 0;
    tx_abort_for(t, p->warp, p->mask, &(tx_cause){.reason = reason, .pc = pc, .winner = TX_NOBODY});
    return 1;
}

/* Returns how many the lane has written. */
static uint32_t count_words(transactions *t, uint32_t warp, uint32_t lane)
{
    tx_counters *c = t->core.counters;
    const tx_warp *w = &t->warps[warp];
    const tx_protocol *protocol = tx_protocol_of(t, warp);
    uint32_t reads = tx_log_words(&w->reads, lane), writes = tx_log_words(&w->writes, lane);
    if (w->domain == TX_SCRATCHPAD && protocol->unit->words)
        protocol->unit->words(protocol->state, warp, lane, &reads, &writes);
    c->tx_read_words += reads;
    c->tx_write_words += writes;
    c->tx_maximum_read_words = reads > c->tx_maximum_read_words ? reads : c->tx_maximum_read_words;
    c->tx_maximum_write_words = writes > c->tx_maximum_write_words ? writes : c->tx_maximum_write_words;
    return writes;
}

/* Returns whether some of them have written anything. */
static uint32_t count_commit(transactions *t, uint32_t warp, uint64_t lanes)
{
    tx_counters *c = t->core.counters;
    const tx_warp *w = &t->warps[warp];
    uint32_t has_written = 0;
    c->tx_commits += bits_count(lanes);
    c->tx_scratchpad_commits += w->domain == TX_SCRATCHPAD ? bits_count(lanes) : 0;
    thread_time_decide(&t->times[warp], c, lanes, 1, t->core.now->n);
    t->core.port->lanes_commit(t->core.context, warp, w->begin_pc, lanes);
    for (uint64_t left = lanes; left; left &= left - 1)
        has_written |= count_words(t, warp, (uint32_t)__builtin_ctzll(left)) != 0;
    return has_written;
}

/* What only reads may do so for ever, and begin again. */
static void note_progress(const transactions *t, uint32_t warp)
{
    t->warps[warp].furthest = 0;
    t->core.services->progress(t->core.services->context, t->core.now->t);
}

void tx_lanes_done(transactions *t, uint32_t warp, uint64_t committed, uint64_t failed, uint32_t reason)
{
    const tx_cause cause = here(t, warp, reason);
    const uint32_t has_written = count_commit(t, warp, committed);
    if (t->told)
        tx_report_held(t, warp, committed);
    if (committed)
        t->warps[warp].fruitless = t->warps[warp].fruitless_cycles = 0;
    if (failed)
        count_abort(t, warp, failed, &cause);
    t->core.reconvergence_unit->tx_done(t->core.reconvergence, warp, committed, failed);
    if (has_written)
        note_progress(t, warp);
    if (failed)
        tell_aborted(t, warp, failed, reason);
}

void transactions_decide(transactions *t, uint32_t warp, uint64_t committed, uint64_t failed, uint32_t reason)
{
    assert(t->warps[warp].state == TX_COMMIT);
    tx_lanes_done(t, warp, committed, failed, reason);
    if (!tx_running(t, warp))
        tx_attempt_over(t, warp);
}

static uint64_t wait_after(const transactions *t, uint32_t failures)
{
    const hd_services *services = t->core.services;
    const back_off parameters = {
        tx_parameter(t, TX_PARAMETER_TX_BACK_OFF_LAW), tx_parameter(t, TX_PARAMETER_TX_BACK_OFF),
        tx_parameter(t, TX_PARAMETER_TX_BACK_OFF_EXPONENT), tx_parameter(t, TX_PARAMETER_TX_BACK_OFF_MAXIMUM)};
    const uint64_t random = back_off_is_random(&parameters) ? services->random(services->context) : 0;
    return back_off_cycles(&parameters, failures, random);
}

static uint32_t backs_off(const transactions *t, uint32_t warp)
{
    const tx_protocol *protocol = tx_protocol_of(t, warp);
    return !protocol->unit->backs_off || protocol->unit->backs_off(protocol->state);
}

static void note_failure(const transactions *t, tx_warp *w)
{
    tx_counters *counters = t->core.counters;
    w->failures += w->failures != UINT32_MAX;
    if (!w->fruitless)
        return;
    w->fruitless_cycles += t->core.now->n - w->began;
    if (w->fruitless_cycles > counters->tx_maximum_fruitless_cycles)
        counters->tx_maximum_fruitless_cycles = w->fruitless_cycles;
}

static void leave(transactions *t, uint32_t warp)
{
    tx_warp *w = &t->warps[warp];
    tx_set_state(t, warp, TX_OUTSIDE);
    w->watchdog = UINT64_MAX;
    tx_threads_move(t, warp, t->times[warp].lanes[THREADS_COMMITTED], THREADS_OTHER);
    tx_release_token(t, warp);
    t->core.port->look_for_ends(t->core.context);
    t->core.reconvergence_unit->tx_leave(t->core.reconvergence, warp, w->commit_pc + 4);
    t->core.port->recheck(t->core.context, warp); /* another path may wait to begin */
}

void tx_attempt_over(transactions *t, uint32_t warp)
{
    tx_warp *w = &t->warps[warp];
    const uint64_t lanes = tx_aborted(t, warp);
    if (w->pause_count) {
        tx_resume(t, warp);
        return;
    }
    if (!lanes) {
        leave(t, warp);
        return;
    }
    const uint32_t has_failed = (lanes & w->lanes) != 0;
    t->core.counters->tx_retries++;
    tx_threads_move(t, warp, lanes, THREADS_THROTTLED);
    if (has_failed)
        note_failure(t, w);
    tx_set_state(t, warp, TX_RETRY);
    tx_undo_restore(t, warp, lanes);
    tx_set_due(t, warp, t->core.now->n + 1 + (has_failed && backs_off(t, warp) ? wait_after(t, w->failures) : 0));
    tx_poll(t, warp);
    if (!tx_parameter(t, TX_PARAMETER_TX_TOKEN_HOLD))
        tx_release_token(t, warp);
}

static void queue_again(transactions *t, uint32_t warp)
{
    if (t->warps[warp].queued)
        return;
    t->warps[warp].queued = 1;
    tx_queue_push(&t->waiting, warp);
    tx_release_token(t, UINT32_MAX);
}

void tx_attempt_restart(transactions *t, uint32_t warp)
{
    const tx_core *core = &t->core;
    const tx_warp *w = &t->warps[warp];
    if (!tx_undo_go_on(t, warp)) {
        tx_await_room(t, warp);
        return;
    }
    if (w->due || !tx_is_drained(t, warp))
        return;
    if (!w->holds_token) {
        queue_again(t, warp);
        return;
    }
    const uint64_t lanes = may_begin(t, warp, tx_aborted(t, warp));
    if (!lanes)
        return;
    tx_restore_registers(t, warp, lanes);
    tx_attempt_begin(t, warp, lanes);
    tx_set_state(t, warp, TX_RUN);
    core->reconvergence_unit->tx_restart(core->reconvergence, warp, lanes);
}

/* ---- Instructions ---------------------------------------------------------------------------------------------------- */

static const char *refusal_of_domain(const transactions *t, uint32_t path, uint32_t domain)
{
    if ((domain != TX_GLOBAL && domain != TX_SCRATCHPAD) || !t->of[domain])
        return domain_without_transactions(domain);
    if (tx_is_inside(t, path) && t->warps[t->core.paths[path].warp].domain != domain)
        return MISTAKE_OTHER_DOMAIN;
    return NULL;
}

static const char *refusal(const transactions *t, uint32_t path, const isa_instruction *instruction)
{
    if (instruction->operation == ISA_OP_TX_BEGIN)
        return refusal_of_domain(t, path, (uint32_t)instruction->immediate);
    if (!tx_is_inside(t, path))
        return MISTAKE_NO_TRANSACTION;
    if (tx_is_last_commit(t, path) &&
        !t->core.reconvergence_unit->tx_together(t->core.reconvergence, t->core.paths[path].warp))
        return "tx.commit is reached by some of the lanes that began";
    return NULL;
}

void tx_execute(transactions *t, uint32_t path, const isa_instruction *instruction)
{
    const tx_core *core = &t->core;
    const uint32_t warp = core->paths[path].warp;
    const char *refused = refusal(t, path, instruction);
    if (refused) {
        const uint32_t pc = core->paths[path].pc;
        const uint64_t lanes = core->paths[path].mask;
        if (!tx_forgives(t, path, lanes, pc, refused))
            tx_fault(t, warp, pc, lanes, "%s", refused);
        return;
    }
    switch (instruction->operation) {
    case ISA_OP_TX_BEGIN:
        if (t->warps[warp].state == TX_OUTSIDE) {
            begin(t, path, instruction);
            return;
        }
        break;
    case ISA_OP_TX_COMMIT:
        if (tx_is_last_commit(t, path)) {
            core->port->suspend(core->context, path);
            tx_commit_start(t, warp);
            return;
        }
        break;
    default: tx_abort(t, warp, core->paths[path].mask, TX_PROGRAM); return;
    }
    core->port->resume(core->context, path);
}
