/* SPDX-License-Identifier: MIT */
/* What the files of the SIMT stack share. */
#ifndef SIMT_CORE_STACK_STATE_H
#define SIMT_CORE_STACK_STATE_H

#include "analysis.h"
#include "stack.h"

typedef struct warp_stack {
    stack_entry *entries;
    uint32_t *arrival_pcs; /* by lane: where it returned to, while it waits at ISA_RECONVERGE_AT_RETURN */
    uint64_t live;
    uint32_t size;
    uint32_t retry;       /* index of ENTRY_RETRY */
    uint32_t transaction; /* index of the ENTRY_TRANSACTION of those that run, 0 = none */
} warp_stack;

typedef struct stack {
    reconvergence_parameters parameters;
    reconvergence_events events;
    uint32_t capacity;
    uint32_t first;                    /* FIRST_* */
    const isa_analysis *likely_points; /* NULL: none */
    isa_analysis by_profile;
    uint64_t maximum_depth;
    path *paths;
    warp_stack *warps;
    stack_entry *entries;
    uint32_t *arrival_pcs;
} stack;

/* stack.c: the warp's path runs what the top entry says. */
void stack_publish_top(stack *s, uint32_t warp);
/* Drops what has ended or arrived until the top entry has something to run, and makes that the warp's path. */
void stack_reveal(stack *s, uint32_t warp);
/* The path's pc and depth to the top entry. */
void stack_save_pc(stack *s, uint32_t warp);

/* stack_transaction.c */
void stack_tx_begin(reconvergence *unit, uint32_t path, uint64_t lanes, uint32_t restart_pc);
uint64_t stack_tx_running(const reconvergence *unit, uint32_t warp);
uint64_t stack_tx_aborted(const reconvergence *unit, uint32_t warp);
uint32_t stack_tx_together(const reconvergence *unit, uint32_t warp);
void stack_tx_abort(reconvergence *unit, uint32_t warp, uint64_t lanes);
void stack_tx_done(reconvergence *unit, uint32_t warp, uint64_t committed, uint64_t failed);
void stack_tx_restart(reconvergence *unit, uint32_t warp, uint64_t lanes);
void stack_tx_leave(reconvergence *unit, uint32_t warp, uint32_t pc);
void stack_tx_pause(reconvergence *unit, uint32_t warp, uint64_t going);
uint64_t stack_tx_paused(const reconvergence *unit, uint32_t warp);
void stack_tx_resume(reconvergence *unit, uint32_t warp);

/* stack_waits.c */
void stack_describe(const reconvergence *unit, uint32_t warp, const isa_program *program, const hd_text_sink *sink);
uint32_t stack_waiting_pc(const reconvergence *unit, uint32_t warp, uint32_t lane, uint32_t *pc);

/* stack_context.c */
void stack_save(reconvergence *unit, const block_warps *warps, byte_stream *stream);
uint32_t stack_restore(reconvergence *unit, const block_warps *warps, byte_stream *stream);
void stack_drop(reconvergence *unit, const block_warps *warps);
void stack_transfer_state(reconvergence *unit, const hd_state_stream *stream);

#endif
