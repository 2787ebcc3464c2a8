/* SPDX-License-Identifier: MIT */
/* State of the timed SIMT core: a part for each file, declared in its header. Nobody outside this folder includes it. */
#ifndef SIMT_CORE_CORE_H
#define SIMT_CORE_CORE_H

#include "access_kind.h"
#include "account.h"
#include "computing.h"
#include "context.h"
#include "context_arrays.h"
#include "context_engine.h"
#include "context_scratchpad.h"
#include "control.h"
#include "core_scoreboard.h"
#include "core_trace.h"
#include "debug.h"
#include "entities.h"
#include "fast_forward.h"
#include "front_end.h"
#include "functional_units.h"
#include "hd_block.h"
#include "hd_context.h"
#include "hd_extension.h"
#include "hd_message.h"
#include "hd_trace.h"
#include "instruction.h"
#include "issue.h"
#include "lanes.h"
#include "levels.h"
#include "live.h"
#include "lock_tries.h"
#include "memory/memory.h"
#include "mistakes.h"
#include "parameters.h"
#include "paths_of.h"
#include "pipe_exits.h"
#include "pipeline.h"
#include "profile.h"
#include "program.h"
#include "reconvergence/reconvergence.h"
#include "registers/registers.h"
#include "repetition.h"
#include "residency.h"
#include "scheduler/scheduler.h"
#include "spinning.h"
#include "synchronise.h"
#include "ticket.h"
#include "timing_wheel.h"
#include "tx_port.h"
#include "virtual_switches.h"
#include "warp_place.h"
#include "watched.h"
#include "write_back.h"

/* Of fault.c. */
typedef struct fault_state {
    uint32_t halted; /* after a fault */
    uint32_t warp;   /* whose lanes made a mistake, at this pc */
    uint32_t pc;
    uint64_t lanes;  /* 0: it was none of a program */
    uint32_t warned; /* of threads that ended before a barrier */
} fault_state;

struct simt_core {
    const hd_services *services;
    const hd_block_class *block_class;       /* with its units */
    const hd_unit_place *chosen[CORE_UNITS]; /* NULL: none */
    hd_value values[PARAMETER_COUNT];
    uint32_t lane_count, warp_count, block_count, scheduler_count;
    uint32_t path_count, paths_per_warp;
    const hd_accesses *accesses; /* NULL: nobody asks */
    uint32_t hears_accesses;     /* who wants to hear of each that is submitted, a set of: */
#define HEARS_CHECKER 1u         /* accesses */
#define HEARS_WORDS 2u           /* words */
#define HEARS_DEBUGGER 4u        /* debugging.listener */

    hd_cursor now; /* the edge being worked on, or the last one */

    path *paths;                /* the reconvergence unit's */
    const uint32_t *path_homes; /* [path][lane]: the unit's; NULL: it does not regroup lanes */
    path_state *path_states;
    warp_state *warps;
    block_state *blocks;
    thread_state *threads; /* [warp][lane], if lanes are regrouped */
    kept_homes kept;       /* of what is in flight, if they are */
    uint32_t *path_kept;   /* [path]: of its lanes as they are; NO_HOMES: nobody has asked */
    computing *computing;  /* [path] */
    ticket_state *tickets;

    edge_state edges;
    core_links links;
    front_end front_end;
    issue_state issue;
    functional_units units;
    operand_reads operands;
    pipe_exits exits;
    core_scoreboard scoreboard;
    timing_wheel wheel;
    waiting_results results;
    register_file registers; /* a row per warp */
    control_state control;
    reconvergence_state reconvergence;
    virtual_switches switches; /* none but with ssde=virtual */
    repetition_state repetition;
    spinning_state spinning;
    lock_tries lock_tries; /* of cores with spinning.unit, or with patience for locks */
    wanted_events wanted;
    residency_state residency;
    context_stops context;
    context_engine engine;
    level_counts levels;
    live_state live;
    fast_forward_state fast;
    pattern_cache patterns; /* with context.compress=write */
    array_table words;      /* with context.scratchpad=written, or arrays */
    array_reads arrays;
    memory *memory;
    const memory_status *memory_status; /* its */
    tx_port_state tx;
    fault_state fault;
    debug_state debugging;
    tracing_state tracing;

    account_state account;
    issued_count issued[ISA_CLASS_COUNT][ISA_OPERANDS_COUNT];
    core_profile profile;
    core_counters counters;   /* and behind them */
    uint64_t unit_counters[]; /* [hd_unit_counters] */
};

static inline uint64_t core_parameter_of(const simt_core *core, enum core_parameter parameter)
{
    return core->values[parameter].u;
}

/* create.c */
/* What the unit in this slot has of the core; values: as given to core_create. */
hd_unit_share core_share(simt_core *core, enum core_unit slot, const hd_value *values);
uint32_t core_check(const hd_value *values, hd_clock clock, hd_conflict *conflict);
hd_block *core_create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes);
void core_connect(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in);
void core_reset(hd_block *block);
void core_destroy(hd_block *block);

static inline uint64_t core_cycle(const simt_core *core)
{
    return core->now.n - core->edges.cycle_base;
}

/* The paths that run in the warp's slot. */
static inline path_range core_paths_of(const simt_core *core, uint32_t warp)
{
    return paths_of(warp, core->paths_per_warp);
}

/* What happens to the path at this edge; members of its kind follow. */
static inline path_event core_event(const simt_core *core, uint32_t path, uint32_t kind)
{
    const struct path *p = &core->paths[path];
    return (path_event){
        .kind = kind, .path = path, .warp = p->warp, .pc = p->pc, .mask = p->mask, .cycle = core_cycle(core)};
}

/* To the units that want it, but for what the reconvergence unit is called for. */
static inline void core_raise(const simt_core *core, const path_event *event)
{
    if (core->wanted.by_scheduler & event->kind)
        core->issue.scheduler_unit->event(core->issue.scheduler[core->path_states[event->path].scheduler], event);
    if (core->wanted.by_reconvergence & event->kind)
        core->reconvergence.unit->event(core->reconvergence.state, event);
}

/* The same of a warp: path is NO_PATH. */
static inline void core_raise_of_warp(const simt_core *core, const path_event *event)
{
    const uint32_t first = core_paths_of(core, event->warp).first;
    if (core->wanted.by_scheduler & event->kind)
        core->issue.scheduler_unit->event(core->issue.scheduler[core->path_states[first].scheduler], event);
    if (core->wanted.by_reconvergence & event->kind)
        core->reconvergence.unit->event(core->reconvergence.state, event);
}

/* Time of edge `cycle`, or of the next to work on if that is later; HD_NEVER of UINT64_MAX. */
static inline hd_time core_time_of(const simt_core *core, uint64_t cycle)
{
    if (cycle == UINT64_MAX)
        return HD_NEVER;
    return cycle <= core->now.n ? core->now.t : hd_cursor_time_of(&core->now, cycle);
}

static inline void front_end_recheck_slot(simt_core *core, uint32_t warp)
{
    if (core->warps[warp].waiting)
        front_end_recheck_waiting(core, warp);
}

/* Something has come that the end of a block may wait for. */
static inline void residency_recheck_ends(simt_core *core)
{
    core->residency.may_end = 1;
    core->edges.changed |= core->residency.ending;
}

/* issue_all and issue_next have something to find: what is ready and has room, if it needs some, or was declined. */
static inline uint32_t issue_may(const simt_core *core)
{
    return (core->issue.ready_ports | core->issue.declined) &&
           (core->memory_status->room == UINT32_MAX || issue_may_without_room(core));
}

/* Something is ready that had no room in the memory pipe, and has it now: of which ports, a bit each. */
static inline uint32_t issue_has_room_again(const simt_core *core)
{
    return core->issue.ports_without_room & core->memory_status->room;
}

/* Every edge below this one is in the statistics as things stand: called before anything changes that they tell. */
static inline void account_until(simt_core *core, uint64_t edge)
{
    if (core->account.accounted < edge)
        account_span(core, edge);
}
/* The same of the slots of one port, where nothing else changes. */
static inline void account_port_until(simt_core *core, uint32_t port, uint64_t edge)
{
    if (core->account.of_port[port] < edge)
        account_port(core, port, edge);
}

static inline uint32_t profile_is_asked(const simt_core *core)
{
    return core->profile.table.counts != NULL;
}
/* Something has happened at the pc of the path. */
static inline void profile_count(simt_core *core, uint32_t path, enum core_profile_column column, uint64_t count)
{
    if (profile_is_asked(core))
        profile_count_path(core, path, column, count);
}

/* execute.c: the path's instruction issues; the path goes on to the next one unless it must wait for something. */
void execute_instruction(simt_core *core, uint32_t path);

/* csr.c */
uint32_t csr_execute(simt_core *core, uint32_t path);

/* accesses.c */
/* Is it of the transaction's memory? One on the scratchpad also loads from others. `address`: as the program gave them. */
uint32_t core_access_is_transactional(const memory_access *access, const uint32_t *address);
/* Only while somebody asks: */
void core_report_access(const simt_core *core, const memory_access *access, const uint32_t *address,
                        ticket_state *ticket);
void core_report_sampled(const simt_core *core, uint32_t ticket, uint64_t lanes, hd_time t);
/* HD_ACCESS_FENCE, WARP_SYNC, COMMIT, ABORT of these lanes of the warp; BARRIER, BEGIN, END of the block in the slot. */
void core_report_order(const simt_core *core, uint32_t warp, uint64_t lanes, uint32_t kind, uint32_t flags);
void core_report_block(const simt_core *core, uint32_t slot, uint32_t kind);

/* fault.c. kind: HD_DEBUG_FAULT_*. Of the lanes those are named that are of the same warp as the lowest. */
void core_fault(simt_core *core, lane_homes homes, uint32_t pc, uint64_t lanes, uint32_t kind, const char *format, ...)
    __attribute__((format(printf, 6, 7)));
/* The same of lanes of the path, at its pc, unless its transaction forgives them: then their attempt is over. */
void core_mistake(simt_core *core, uint32_t path, uint64_t lanes, uint32_t kind, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
/* What a unit of the core has answered, which its interface does not allow: the run ends. */
void core_unit_mistake(simt_core *core, enum core_unit slot, const char *format, ...)
    __attribute__((cold, format(printf, 3, 4)));
/* The run goes on. */
void core_warn(const simt_core *core, lane_homes homes, uint32_t pc, uint64_t lanes, const char *what);
warp_place core_warp_place(const simt_core *core, uint32_t warp);

/* extension.c: pending, align, mark */
const char *core_path_activity(simt_core *core, uint32_t path);
const void *core_extension(hd_block *block, const char *id);

/* memory_events.c: answers of the memory pipe */
extern const memory_events memory_answers;

#endif
