/* SPDX-License-Identifier: MIT */
/* Trace events of the timed core, for the files of this folder. Each is called only while core->tracing.trace is not NULL. */
#ifndef SIMT_CORE_TRACE_H
#define SIMT_CORE_TRACE_H

#include "entities.h"
#include "hd_trace.h"

typedef struct simt_core simt_core;
struct tx_cause;

typedef struct tracing_state {
    const hd_trace *trace; /* NULL: the run is not traced */
    uint32_t slot_tracks, warp_tracks, path_tracks;
    uint32_t warps, misses; /* levels that were recorded last */
} tracing_state;

#define CORE_TRACE_EVENTS 28u
extern const hd_trace_event core_trace_events[CORE_TRACE_EVENTS];

/* Makes the tracks, if the run is traced. */
void core_trace_create(simt_core *core);
/* The block has entered the slot, or leaves it, with its warps. */
void core_trace_enter(simt_core *core, uint32_t slot);
void core_trace_enter_warp(simt_core *core, uint32_t warp);
void core_trace_leave(simt_core *core, uint32_t slot);
void core_trace_arrive(simt_core *core, uint32_t path, uint32_t number);
/* Before the paths that wait go on. */
void core_trace_release(simt_core *core, uint32_t slot, uint32_t number);
void core_trace_status(simt_core *core, uint32_t path, enum path_status before, enum path_status now);
/* The warp goes from one state of a transaction to another (enum tx_state), or the lanes give their attempt up. */
void core_trace_transaction(simt_core *core, uint32_t warp, uint32_t before, uint32_t now);
void core_trace_abort(simt_core *core, uint32_t warp, uint64_t lanes, const struct tx_cause *cause);
void core_trace_issue(simt_core *core, uint32_t path);
/* After an edge of work. */
void core_trace_levels(simt_core *core);

#endif
