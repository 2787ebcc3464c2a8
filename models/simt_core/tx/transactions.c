/* SPDX-License-Identifier: MIT */
/* Life of the transactions of a core, and the states that a warp goes through. */
#include "lanes.h"
#include "tx/thread_time.h"
#include "tx/tx.h"

#include <stdlib.h>
#include <string.h>

#define LOG_ENTRY_BYTES 8u /* of a thread: address and value */

/* ---- Life ---------------------------------------------------------------------------------------------------------- */

static int create_queue(tx_queue *queue, uint32_t warps)
{
    *queue = (tx_queue){.warps = calloc(warps, sizeof *queue->warps), .capacity = warps};
    return queue->warps ? 0 : -1;
}

static int create_warp(const transactions *t, tx_warp *w)
{
    const uint32_t lanes = t->core.lane_count;
    const uint32_t words = (uint32_t)(t->log_bytes / 2 / LOG_ENTRY_BYTES);
    int failed = tx_log_create(&w->reads, lanes, words);
    failed |= tx_log_create(&w->writes, lanes, words);
    failed |= tx_undo_create(&w->undo, lanes, words);
    failed |= !(w->pauses = calloc(lanes, sizeof *w->pauses));
    failed |= !(w->attempts = calloc(lanes, sizeof *w->attempts));
    failed |= !(w->checkpoint = calloc((size_t)64 * lanes, sizeof *w->checkpoint));
    failed |= !(w->fcsr = calloc(lanes, sizeof *w->fcsr));
    return failed;
}

static void add_protocol(transactions *t, const tx_chosen *chosen)
{
    tx_protocol *added = &t->protocols[t->protocol_count++];
    *added = (tx_protocol){.unit = chosen->unit, .share = chosen->share};
    for (uint32_t domain = TX_GLOBAL; domain < TX_DOMAINS; domain++)
        if (chosen->unit->domains & domain)
            t->of[domain] = added;
}

static int create_protocols(transactions *t)
{
    for (uint32_t i = 0; i < t->protocol_count; i++)
        if (!(t->protocols[i].state = t->protocols[i].unit->create(t, &t->protocols[i].share)))
            return -1;
    return 0;
}

static int create_all(transactions *t)
{
    const tx_core *core = &t->core;
    int failed = create_queue(&t->waiting, core->warp_count) | create_queue(&t->resolving, core->warp_count);
    failed |= !(t->warps = calloc(core->warp_count, sizeof *t->warps));
    failed |= !(t->times = calloc(core->warp_count, sizeof *t->times));
    failed |= !(t->timed = calloc(core->warp_count / 64 + 1, sizeof *t->timed));
    failed |= !(t->ownership = calloc(1, tx_parameter(t, TX_PARAMETER_TX_OWNERSHIP) + 1));
    failed |= t->told && !(t->blocks = calloc(core->block_count, sizeof *t->blocks));
    failed |= !(t->words = calloc(t->log_bytes / LOG_ENTRY_BYTES, sizeof *t->words));
    for (uint32_t warp = 0; !failed && warp < core->warp_count; warp++)
        failed |= create_warp(t, &t->warps[warp]);
    return failed || create_protocols(t) ? -1 : 0;
}

static void fault(const transactions *t, uint32_t warp, uint32_t pc, uint64_t lanes, const char *text)
{
    t->core.port->fault(t->core.context, warp, pc, lanes, text);
}

static const tx_calls calls = {
    .running = transactions_running,
    .aborted = transactions_aborted,
    .abort_for = transactions_abort_for,
    .abort = transactions_abort,
    .decide = transactions_decide,
    .pause = transactions_pause,
    .report_commits = transactions_report_commits,
    .packet = transactions_packet,
    .fault = fault,
    .retry_begins = transactions_retry_begins,
    .settled = transactions_settled,
    .step = transactions_step,
};

transactions *tx_create(const tx_core *core)
{
    transactions *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    t->calls = &calls;
    t->core = *core;
    for (uint32_t i = 0; i < core->chosen_count; i++)
        add_protocol(t, &core->chosen[i]);
    t->of[0] = t->protocols;
    t->core.chosen = NULL; /* the caller's */
    t->told = core->services->extension(core->services->context, HD_EXTENSION_TRANSACTIONS);
    t->log_bytes = tx_parameter(t, TX_PARAMETER_TX_LOG_BYTES);
    t->undo_load = t->walk = isa_decode(0x00002003); /* lw zero, 0(zero) */
    t->undo_store = isa_decode(0x00002023);          /* sw zero, 0(zero) */
    if (create_all(t)) {
        tx_destroy(t);
        return NULL;
    }
    t->hooks = tx_memory_hooks(t);
    memory_set_transactions(core->memory, &t->hooks);
    return t;
}

void tx_destroy(transactions *t)
{
    if (!t)
        return;
    for (uint32_t i = 0; i < t->protocol_count && t->protocols[i].state; i++)
        t->protocols[i].unit->destroy(t->protocols[i].state);
    for (uint32_t warp = 0; t->warps && warp < t->core.warp_count; warp++) {
        tx_warp *w = &t->warps[warp];
        tx_log_destroy(&w->reads);
        tx_log_destroy(&w->writes);
        tx_undo_destroy(&w->undo);
        free(w->records);
        free(w->pauses);
        free(w->attempts);
        free(w->checkpoint);
        free(w->fcsr);
    }
    free(t->warps);
    free(t->times);
    free(t->timed);
    free(t->waiting.warps);
    free(t->resolving.warps);
    free(t->ownership);
    free(t->blocks);
    free(t->words);
    free(t->accesses);
    free(t);
}

static void reset_warp(const transactions *t, tx_warp *w)
{
    const tx_warp kept = *w;
    memset(w, 0, sizeof *w);
    w->reads = kept.reads;
    w->writes = kept.writes;
    w->undo = kept.undo;
    w->records = kept.records;
    w->record_capacity = kept.record_capacity;
    w->pauses = kept.pauses;
    w->attempts = kept.attempts;
    w->checkpoint = kept.checkpoint;
    w->fcsr = kept.fcsr;
    w->reads.length = w->writes.length = 0;
    w->undo.pending = w->undo.restored = 0;
    w->undo.restoring = 0;
    memset(w->undo.count, 0, t->core.lane_count * sizeof *w->undo.count);
    w->due = w->watchdog = UINT64_MAX;
}

void tx_reset(transactions *t)
{
    if (!t)
        return;
    for (uint32_t warp = 0; warp < t->core.warp_count; warp++)
        reset_warp(t, &t->warps[warp]);
    memset(t->times, 0, t->core.warp_count * sizeof *t->times);
    memset(t->timed, 0, (t->core.warp_count / 64 + 1) * sizeof *t->timed);
    t->waiting.head = t->waiting.count = t->resolving.head = t->resolving.count = 0;
    t->tables = t->tokens = 0;
    for (uint32_t i = 0; i < t->protocol_count; i++)
        t->protocols[i].unit->reset(t->protocols[i].state);
}

void tx_align(transactions *t)
{
    for (uint32_t i = 0; t && i < t->protocol_count; i++)
        t->protocols[i].unit->align(t->protocols[i].state);
}

void tx_new_warp(transactions *t, uint32_t warp)
{
    if (t)
        t->warps[warp].furthest = 0;
    for (uint32_t i = 0; t && i < t->protocol_count; i++)
        t->protocols[i].unit->new_warp(t->protocols[i].state, warp);
}

/* ---- Threads -------------------------------------------------------------------------------------------------------- */

void tx_threads_enter(transactions *t, uint32_t warp, uint64_t lanes)
{
    if (t)
        thread_time_enter(&t->times[warp], lanes, t->core.now->n);
}

void tx_threads_end(transactions *t, uint32_t warp, uint64_t lanes)
{
    if (t)
        thread_time_end(&t->times[warp], t->core.counters, lanes, t->core.now->n);
}

void tx_threads_wait(transactions *t, uint32_t warp, uint64_t lanes)
{
    if (t)
        tx_threads_move(t, warp, lanes, THREADS_BARRIER);
}

void tx_threads_go_on(transactions *t, uint32_t warp, uint64_t lanes)
{
    if (t)
        thread_time_go_on(&t->times[warp], t->core.counters, lanes, t->core.now->n);
}

/* ---- States --------------------------------------------------------------------------------------------------------- */

uint64_t transactions_running(const transactions *t, uint32_t warp)
{
    return t->core.reconvergence_unit->tx_running(t->core.reconvergence, warp);
}

uint64_t transactions_aborted(const transactions *t, uint32_t warp)
{
    return t->core.reconvergence_unit->tx_aborted(t->core.reconvergence, warp);
}

uint32_t tx_is_last_commit(const transactions *t, uint32_t path)
{
    const struct path *p = &t->core.paths[path];
    const tx_warp *w = &t->warps[p->warp];
    return p->pc == w->commit_pc && p->depth == w->begin_depth;
}

void tx_set_state(transactions *t, uint32_t warp, enum tx_state state)
{
    tx_counters *counters = t->core.counters;
    tx_warp *w = &t->warps[warp];
    const uint64_t cycles = t->core.now->n - w->since;
    switch (w->state) {
    case TX_OUTSIDE: break;
    case TX_CHECKPOINT:
    case TX_RUN: counters->tx_execute_cycles += cycles; break;
    case TX_TOKEN: counters->tx_token_cycles += cycles; break;
    case TX_QUEUE:
    case TX_RESOLVE: counters->tx_resolve_cycles += cycles; break;
    case TX_RETRY: counters->tx_retry_cycles += cycles; break;
    default: counters->tx_commit_cycles += cycles; break;
    }
    if (w->state != TX_OUTSIDE && w->state != TX_CHECKPOINT && w->state != TX_RUN)
        counters->tx_wait_cycles += cycles;
    t->core.port->state_changes(t->core.context, warp, w->state, state);
    w->state = state;
    w->since = t->core.now->n;
    w->due = UINT64_MAX;
}

static void set_timed(transactions *t, uint32_t warp)
{
    t->timed[warp / 64] |= UINT64_C(1) << warp % 64;
}

/* The warp has something to do at that edge. */
static void wake_warp(transactions *t, uint32_t warp, uint64_t edge)
{
    set_timed(t, warp);
    tx_wake(t, edge);
}

void tx_poll(transactions *t, uint32_t warp)
{
    t->warps[warp].polls = 1;
    wake_warp(t, warp, t->core.now->n + 1);
}

void tx_await_room(transactions *t, uint32_t warp)
{
    t->warps[warp].polls = 1;
    set_timed(t, warp);
    t->core.port->await_room(t->core.context);
}

void tx_set_due(transactions *t, uint32_t warp, uint64_t edge)
{
    t->warps[warp].due = edge;
    wake_warp(t, warp, edge);
}

void tx_set_watchdog(transactions *t, uint32_t warp, uint64_t edge)
{
    t->warps[warp].watchdog = edge;
    wake_warp(t, warp, edge);
}

/* The last step of a state is due, or what it waited for has come. */
void transactions_step(transactions *t, uint32_t warp)
{
    tx_warp *w = &t->warps[warp];
    switch (w->state) {
    case TX_CHECKPOINT:
        tx_set_state(t, warp, TX_RUN);
        t->core.port->resume(t->core.context, w->path);
        return;
    case TX_DRAIN:
        if (tx_is_drained(t, warp))
            tx_commit_start(t, warp);
        return;
    case TX_RESOLVE:
    case TX_WALK: tx_commit_step(t, warp); return;
    case TX_RETRY: tx_attempt_restart(t, warp); return;
    default: return;
    }
}

static void check_watchdog(transactions *t, uint32_t warp)
{
    tx_warp *w = &t->warps[warp];
    if (w->watchdog > t->core.now->n)
        return;
    w->watchdog = UINT64_MAX;
    if ((w->state != TX_CHECKPOINT && w->state != TX_RUN) || tx_patience_is_over(t, warp))
        return;
    const uint64_t running = tx_running(t, warp);
    const uint64_t going_on =
        tx_abort_doomed(t, warp, running, &(tx_mishap){.trouble = TX_RUNS_TOO_LONG, .pc = t->core.paths[w->path].pc});
    w->goes_on = going_on != running;
    if (going_on)
        tx_set_watchdog(t, warp, t->core.now->n + tx_parameter(t, TX_PARAMETER_TX_WATCHDOG));
}

/* Returns the next edge at which the warp has something to do, UINT64_MAX if there is none. */
static uint64_t work_warp(transactions *t, uint32_t warp)
{
    tx_warp *w = &t->warps[warp];
    const uint64_t n = t->core.now->n;
    check_watchdog(t, warp);
    if (w->polls || (w->due && w->due <= n)) {
        w->due = w->due <= n ? 0 : w->due;
        w->polls = 0;
        tx_step(t, warp);
    }
    const uint64_t due = w->due ? w->due : UINT64_MAX;
    return due < w->watchdog ? due : w->watchdog;
}

uint64_t tx_work(transactions *t)
{
    const tx_core *core = &t->core;
    uint64_t first_due = UINT64_MAX;
    for (uint32_t i = 0; i < t->protocol_count; i++)
        t->protocols[i].unit->work(t->protocols[i].state);
    for (uint32_t first = 0; first < core->warp_count; first += 64) {
        uint64_t *timed = &t->timed[first / 64];
        uint64_t after =
            UINT64_MAX; /* warps in this word that come after the one before, which may have given them work */
        for (uint64_t left; (left = *timed & after) && !core->port->is_halted(core->context);) {
            const uint64_t bit = left & -left;
            const uint32_t warp = first + (uint32_t)__builtin_ctzll(left);
            const uint64_t next = work_warp(t, warp);
            after = ~(bit | (bit - 1));
            if (next < first_due)
                first_due = next;
            if (next == UINT64_MAX && !t->warps[warp].polls)
                *timed ^= bit;
        }
    }
    return first_due;
}

void transactions_retry_begins(transactions *t)
{
    for (uint32_t warp = 0; warp < t->core.warp_count; warp++)
        if (t->warps[warp].state == TX_RETRY)
            tx_step(t, warp);
    tx_release_token(t, UINT32_MAX);
}

/* ---- Questions ------------------------------------------------------------------------------------------------------ */

uint32_t tx_in_flight(const transactions *t, uint32_t warp)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < t->protocol_count; i++)
        count += t->protocols[i].unit->in_flight(t->protocols[i].state, warp);
    return count;
}

uint32_t tx_is_busy(const transactions *t, uint32_t warp)
{
    return t && (t->warps[warp].state != TX_OUTSIDE || tx_in_flight(t, warp));
}

uint32_t tx_register_copies(const transactions *t)
{
    uint32_t most = 1;
    for (uint32_t i = 0; t && i < t->protocol_count; i++) {
        const tx_unit *unit = t->protocols[i].unit;
        const uint32_t copies = unit->register_copies ? unit->register_copies(t->protocols[i].state) : 1;
        most = copies > most ? copies : most;
    }
    return most;
}

uint32_t tx_csr(const transactions *t, uint32_t path, uint32_t lane, uint32_t csr)
{
    if (!tx_is_inside(t, path))
        return 0;
    const uint32_t warp = t->core.paths[path].warp;
    const tx_protocol *protocol = tx_protocol_of(t, warp);
    return csr == ISA_CSR_TX_ATTEMPT ? t->warps[warp].attempts[lane] : protocol->unit->timestamp(protocol->state, warp);
}

uint32_t tx_retries(const transactions *t, uint32_t warp)
{
    return t && t->warps[warp].state > TX_TOKEN ? t->warps[warp].failures : 0;
}

const char *tx_describe(const transactions *t, uint32_t warp)
{
    static const char *const texts[] = {
        [TX_OUTSIDE] = NULL,
        [TX_TOKEN] = "waits to begin a transaction: as many warps as may are in one",
        [TX_CHECKPOINT] = "begins a transaction",
        [TX_RUN] = NULL,
        [TX_DRAIN] = "has aborted, and waits for its accesses",
        [TX_QUEUE] = "waits at its commit for an ownership table",
        [TX_RESOLVE] = "resolves conflicts within the warp",
        [TX_WALK] = "reads its log",
        [TX_COMMIT] = "waits for its commit",
        [TX_RETRY] = "waits to try its transaction again",
    };
    if (t && t->warps[warp].state > TX_TOKEN && t->warps[warp].is_gated)
        return "waits for its turn among transactions that have failed too often";
    return t ? texts[t->warps[warp].state] : NULL;
}

const char *tx_describe_hold(const transactions *t, uint32_t warp)
{
    const tx_protocol *protocol = t ? tx_protocol_of(t, warp) : NULL;
    return protocol && protocol->unit->describe_hold ? protocol->unit->describe_hold(protocol->state, warp) : NULL;
}
