/* SPDX-License-Identifier: MIT */
/* Transactions in the core: what the core calls, and what the files of the shared part call of each other. Protocols: protocol.h. */
#ifndef SIMT_CORE_TX_H
#define SIMT_CORE_TX_H

#include "memory/memory.h"
#include "protocol.h"
#include "thread_time.h"

/* Accesses in flight that a warp needs to complete its transaction: a store and the load of its old value for the undo log.
 * A warp that waits at a partition for another warp's commit must not occupy the entries that the other one needs. */
#define TX_ACCESSES 2u

/* ---- For the core ------------------------------------------------------------------------------------------------- */

/* The core's memory pipe has been told of them. NULL: out of memory. */
transactions *tx_create(const tx_core *core);
void tx_destroy(transactions *t); /* or NULL */
void tx_reset(transactions *t);   /* or NULL */
void tx_align(transactions *t);   /* or NULL */
/* heddle.state/1; NULL is allowed in both. The instructions that the accesses of transactions describe themselves by. */
struct instruction_places;
void tx_transfer(transactions *t, const struct instruction_places *places, const hd_state_stream *stream);
void tx_own_instructions(const transactions *t, struct instruction_places *places);
/* `t` may be NULL. */
static inline uint32_t tx_is_inside(const transactions *t, uint32_t path)
{
    if (!t)
        return 0;
    const tx_warp *w = &t->warps[t->core.paths[path].warp];
    return w->state > TX_TOKEN && w->path == path;
}
/* What the path's transaction is on, TX_*; 0: it is in none. `t` may be NULL. */
static inline uint32_t tx_domain(const transactions *t, uint32_t path)
{
    return tx_is_inside(t, path) ? t->warps[t->core.paths[path].warp].domain : 0;
}
/* What of the scratchpad blocks take. `t` may be NULL. */
static inline hd_scratchpad_rows tx_scratchpad_rows(const transactions *t)
{
    const tx_protocol *protocol = t ? t->of[TX_SCRATCHPAD] : NULL;
    return protocol && protocol->unit->scratchpad_rows ? protocol->unit->scratchpad_rows(protocol->state)
                                                       : (hd_scratchpad_rows){0};
}
/* Registers that a thread takes, for each of its own. `t` may be NULL. */
uint32_t tx_register_copies(const transactions *t);
/* Which of tx_core.chosen has the warp's transaction, or had its latest. */
static inline uint32_t tx_chosen_of(const transactions *t, uint32_t warp)
{
    return (uint32_t)(t->of[t->warps[warp].domain] - t->protocols);
}
/* Whether the path's next instruction, this one, must wait: for commits in flight, or for another path's transaction. */
uint32_t tx_holds(const transactions *t, uint32_t path, const isa_instruction *instruction);
/* Executes tx.begin, tx.commit, tx.abort. */
void tx_execute(transactions *t, uint32_t path, const isa_instruction *instruction);
/* Why the path's instruction is not allowed in a transaction, as part of a sentence; NULL: it is allowed, or not in one. */
const char *tx_forbids(const transactions *t, uint32_t path, const isa_instruction *instruction);
/* Lanes of the path have made a mistake at pc, that the text describes, and nothing of their instruction takes place. 1: they may be
 * doomed, and the attempt of all lanes of the path is over; 0: the run must end. t may be NULL: 0. */
uint32_t tx_forgives(transactions *t, uint32_t path, uint64_t lanes, uint32_t pc, const char *text);
/* Whether tx_before_issue does anything. t may be NULL. */
static inline uint32_t tx_wants_issues(const transactions *t)
{
    return t && t->of[TX_GLOBAL] && t->of[TX_GLOBAL]->unit->before_issue;
}
/* The path is about to issue this instruction: it may lose lanes before. Precondition: tx_wants_issues. */
void tx_before_issue(transactions *t, uint32_t path, const isa_instruction *instruction);
/* Prepares an access that the path is about to submit. Nonzero: it does not take place, and its lanes have aborted, or the run
 * ends. */
int tx_before_access(transactions *t, uint32_t path, const isa_instruction *instruction);
/* The access has been submitted. Returns whether it is a store of the transaction (ticket_state.transactional_store). */
uint32_t tx_submitted(transactions *t, const memory_access *access);
/* An access of the warp has returned values to lanes `mask`; last: it is complete. */
void tx_access_done(transactions *t, const ticket_state *ticket, uint64_t mask, const uint32_t *value, uint32_t last);
/* The edge asked for by wake, or by the last call, has been reached. Returns the next one at which a warp has something to do,
 * UINT64_MAX if there is none. */
uint64_t tx_work(transactions *t);
/* A packet has come by the core's own links for transactions. Lent. */
void tx_receive(transactions *t, const hd_packet *packet);
/* Whether the warp's block must not end or stop yet, because of the warp's transactions. t may be NULL. */
uint32_t tx_is_busy(const transactions *t, uint32_t warp);
/* t may be NULL: 0. */
uint32_t tx_csr(const transactions *t, uint32_t path, uint32_t lane, uint32_t csr);
/* The block of this warp stops, and does not wait for the transaction to end: called until that is outside, at every edge of work.
 * It begins anew where the block goes on, unless lanes of it have committed: then it is completed. t may be NULL. */
void tx_withdraw(transactions *t, uint32_t warp);
/* Describes what the warp waits for; NULL: it does not wait because of transactions. t may be NULL. */
const char *tx_describe(const transactions *t, uint32_t warp);
/* The same of the next instruction of a path of it that is held (tx_holds). */
const char *tx_describe_hold(const transactions *t, uint32_t warp);
/* How often the warp's transaction has been retried; 0 outside. t may be NULL. */
uint32_t tx_retries(const transactions *t, uint32_t warp);
/* A block of this slot has begun; was_cleared: its scratchpad is all 0. t may be NULL. */
void tx_block_begins(transactions *t, uint32_t slot, uint32_t was_cleared);
/* The block of this warp ends, and nothing of it is in flight any more. t may be NULL. */
void tx_block_ends(const transactions *t, uint32_t warp);
/* Whether what registers have been given by loads is to be told (tx_record_loaded). t may be NULL. */
static inline uint32_t tx_wants_loaded(const transactions *t)
{
    return t && t->told;
}
/* These lanes' register has now these values, by this access. */
void tx_record_loaded(transactions *t, const ticket_state *ticket, uint64_t mask, const uint32_t *value);
/* Another thread block's warp is in its place. t may be NULL. */
void tx_new_warp(transactions *t, uint32_t warp);
/* Threads of the warp, for thread_cycles_*: they come, after tx_new_warp; end, or leave with their block; wait at a barrier or warp.sync
 * outside of transactions, and go on. t may be NULL. */
void tx_threads_enter(transactions *t, uint32_t warp, uint64_t lanes);
void tx_threads_end(transactions *t, uint32_t warp, uint64_t lanes);
void tx_threads_wait(transactions *t, uint32_t warp, uint64_t lanes);
void tx_threads_go_on(transactions *t, uint32_t warp, uint64_t lanes);

/* ---- Between the files of this folder ----------------------------------------------------------------------------- */

/* Behind tx_calls, which has their contracts; in transactions.c, attempt.c, access.c, pause.c and report.c */
uint64_t transactions_running(const transactions *t, uint32_t warp);
uint64_t transactions_aborted(const transactions *t, uint32_t warp);
void transactions_abort_for(transactions *t, uint32_t warp, uint64_t lanes, const tx_cause *cause);
void transactions_abort(transactions *t, uint32_t warp, uint64_t lanes, uint32_t reason);
void transactions_decide(transactions *t, uint32_t warp, uint64_t committed, uint64_t failed, uint32_t reason);
void transactions_pause(transactions *t, uint32_t warp, uint64_t going);
void transactions_report_commits(transactions *t, uint32_t warp, uint64_t lanes, hd_time committed);
hd_packet *transactions_packet(const transactions *t, uint32_t warp, uint32_t message, uint64_t address,
                               uint32_t body_bytes);
void transactions_retry_begins(transactions *t);
void transactions_settled(transactions *t, uint32_t warp);
void transactions_step(transactions *t, uint32_t warp);

/* The protocol of the warp's transaction; outside of one it is that of its latest, or any. */
static inline const tx_protocol *tx_protocol_of(const transactions *t, uint32_t warp)
{
    return t->of[t->warps[warp].domain];
}

/* transactions.c */
/* Of all protocols: earlier commits of the warp that are not in memory yet. */
uint32_t tx_in_flight(const transactions *t, uint32_t warp);
static inline void tx_threads_move(transactions *t, uint32_t warp, uint64_t lanes, enum thread_class to)
{
    thread_time_move(&t->times[warp], t->core.counters, lanes, to, t->core.now->n);
}
void tx_set_state(transactions *t, uint32_t warp, enum tx_state state);
void tx_set_due(transactions *t, uint32_t warp, uint64_t edge);
void tx_set_watchdog(transactions *t, uint32_t warp, uint64_t edge);
/* The path, in a transaction, stands at the tx.commit that ends it; those of nested transactions do nothing. Lanes that are in
 * a nested one part from others, and abort, so that only the place tells. */
uint32_t tx_is_last_commit(const transactions *t, uint32_t path);
/* Calls tx_step for the warp at the next edge. */
void tx_poll(transactions *t, uint32_t warp);
/* The same when memory_can_submit, or before. */
void tx_await_room(transactions *t, uint32_t warp);

/* attempt.c */
/* Aborts those of the running lanes that are doomed, and returns the others. */
uint64_t tx_abort_doomed(transactions *t, uint32_t warp, uint64_t lanes, const tx_mishap *mishap);
void tx_attempt_begin(transactions *t, uint32_t warp, uint64_t lanes);
void tx_attempt_over(transactions *t, uint32_t warp);
void tx_attempt_restart(transactions *t, uint32_t warp);
void tx_release_token(transactions *t, uint32_t warp);
/* Lanes that have reached the end commit, or fail. */
void tx_lanes_done(transactions *t, uint32_t warp, uint64_t committed, uint64_t failed, uint32_t reason);

void tx_restore_registers(const transactions *t, uint32_t warp, uint64_t mask);

/* patience.c: how long attempts may run (tx.patience) */
/* One begins, and counts on from the one before if the watchdog has ended that. */
void tx_patience_begin(const transactions *t, uint32_t warp);
/* Its next instruction is a mistake. */
uint32_t tx_patience_is_over(const transactions *t, uint32_t warp);
/* Of each instruction of a path that is in a transaction: what is wrong with it; NULL: nothing. Once said, the lanes that are left after
 * the mistake begin anew. */
const char *tx_patience_refusal(const transactions *t, uint32_t path);

/* pause.c */
/* Lanes that have paused last run on. Some have, and no lane runs. */
void tx_resume(transactions *t, uint32_t warp);

/* commit.c */
void tx_commit_start(transactions *t, uint32_t warp);
void tx_commit_step(transactions *t, uint32_t warp);

/* report.c: for the checker; nothing without one */
/* Lanes of the access, which load or store. entry: of the read log, for loads that have no values yet; else TX_NO_ENTRY. */
void tx_record_access(transactions *t, const memory_access *access, uint64_t lanes, uint32_t entry);
/* They have them. */
void tx_record_values(void *context, const memory_access *access, uint64_t lanes);
/* Data of lanes have moved to the scratchpad, byte place[lane] of it, or from there. */
void tx_record_moved(void *context, const memory_access *access, uint64_t lanes, const uint32_t *place);
/* What lanes have stored to the scratchpad that have just committed is there now. */
void tx_report_held(const transactions *t, uint32_t warp, uint64_t lanes);
/* heddle.state/1: what is noted of the warp's attempt. */
void tx_records_transfer(tx_warp *w, const struct instruction_places *places, const hd_state_stream *stream);

/* access.c */
memory_transactions tx_memory_hooks(transactions *t);
uint32_t tx_logs_fit(const transactions *t, uint32_t warp);
/* Lines of `count` entries of the log from `entry` on; `row` 0: addresses, 1: values. */
memory_log_run tx_log_run(const transactions *t, uint32_t warp, const tx_log *log, uint32_t entry, uint32_t row,
                          uint32_t count);

/* undo.c */
int tx_undo_create(tx_undo *undo, uint32_t lanes, uint32_t words);
void tx_undo_destroy(tx_undo *undo);
void tx_undo_forget(transactions *t, uint32_t warp, uint64_t lanes);
/* Loads what a store to private memory is about to overwrite. */
int tx_undo_save(transactions *t, uint32_t path, const uint32_t *addresses);
void tx_undo_saved(transactions *t, uint32_t warp, uint64_t mask, const uint32_t *value);
void tx_undo_restore(transactions *t, uint32_t warp, uint64_t lanes);
/* Submits what there is room for; 1: all of it is submitted. */
uint32_t tx_undo_go_on(transactions *t, uint32_t warp);

#endif
