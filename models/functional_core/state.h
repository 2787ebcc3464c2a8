/* SPDX-License-Identifier: MIT */
/* State of the functional core, and the calls between its files. Nobody outside this folder includes it. */
#ifndef FUNCTIONAL_CORE_STATE_H
#define FUNCTIONAL_CORE_STATE_H

#include "access_kind.h"
#include "block_threads.h"
#include "computing.h"
#include "hd_debug.h"
#include "hd_direct.h"
#include "hd_extension.h"
#include "hd_message.h"
#include "hd_state.h"
#include "hd_trace.h"
#include "hd_work.h"
#include "kind.h"
#include "lanes.h"
#include "meeting_points.h"
#include "mistakes.h"
#include "parameters.h"
#include "paths_of.h"
#include "places.h"
#include "reconvergence.h"
#include "residents.h"
#include "seen_words.h"
#include "virtual_switches.h"
#include "warp_place.h"
#include "window.h"

#define NO_SLOT UINT32_MAX
#define RANGES 4096u /* known ranges of direct memory, a power of two */

#define UNDO_BYTES 65536u /* of memory that an attempt may store to, however often */
#define UNDO_ROOM (2 * UNDO_BYTES)

typedef struct transaction {
    uint32_t nest; /* 0: the path is in none */
    uint32_t lane; /* that runs, or ran last */
    uint32_t begin_pc;
    uint32_t suspended; /* between two attempts */
    uint32_t registers[ISA_REGISTER_COUNT];
    uint32_t fcsr;
} transaction;

typedef struct undo_byte {
    uint64_t address; /* physical */
    uint8_t before;
    uint32_t number; /* of the attempt's stores of bytes since the last time that they were put together */
} undo_byte;

enum path_status { PATH_NONE, PATH_READY, PATH_BARRIER, PATH_WARP_SYNC, PATH_STATUS_COUNT };

typedef struct path_state {
    path_count count; /* of retired instructions */
    hd_time read;     /* when it last read what others may write */
    computing computing;
    uint8_t status;
    uint8_t barrier; /* number, while PATH_BARRIER */
} path_state;

/* Of a thread: what its load reserved has read. */
typedef struct reservation {
    uint64_t version;
    uint32_t address; /* as the thread has it */
    uint32_t valid;
} reservation;

typedef struct warp_state {
    isa_lanes lanes;
    memory_view view;
    uint32_t block;            /* slot, NO_SLOT = free */
    uint32_t index;            /* warp in block */
    uint32_t synchronising;    /* lanes at warp.sync */
    uint64_t *retired;         /* [lane]: instructions, without those of path_state.count */
    reservation *reservations; /* [lane] */
} warp_state;

typedef struct block_state {
    hd_block_launch launch;
    const isa_program *program;
    meeting_points points;  /* its tables for the reconvergence unit */
    switch_tables switches; /* nothing but with ssde=virtual */
    uint64_t tag;
    uint64_t ended;    /* no thread is live: cycle of the last exit */
    uint32_t resident; /* 0 = the slot is free */
    uint32_t warps;
    block_threads threads;
    uint8_t *scratchpad; /* the slot's own: scratchpad.bytes of it */
    uint64_t *versions;  /* by word of it */
} block_state;

/* Where a stretch of physical memory is: the one with this number, address >> range_shift. */
typedef struct known_range {
    uint64_t number; /* UINT64_MAX = none */
    uint8_t *bytes;
} known_range;

/* Of debug.c. */
typedef struct debug_state {
    hd_debug_listener listener;
    const hd_debug_moment *shown; /* lanes are shown at this access, which they have made; NULL: none */
} debug_state;

typedef struct functional_core {
    const hd_services *services;
    const hd_block_class *block_class; /* with its units */
    hd_value values[PARAMETER_COUNT];
    uint32_t lane_count, warp_count, block_count;
    uint32_t path_count, paths_per_warp, ready_words;
    uint32_t rate;

    hd_cursor now;       /* first edge not yet dealt with */
    uint64_t cycle_base; /* edge from which programs count cycles: that of the last alignment */
    uint64_t accounted;  /* edges below are in the statistics */
    uint32_t capacity_sent;
    uint32_t halted;  /* after a fault */
    uint32_t warned;  /* of threads that ended before a barrier */
    uint32_t held;    /* the block at the head of dispatch does not fit yet */
    uint32_t starved; /* an ended block waits for a credit */

    hd_link *dispatch, *event;
    uint32_t message_capacity, message_done;
    const hd_programs *programs;
    const hd_trace *trace; /* NULL: the run is not traced */
    uint32_t slot_tracks, warp_tracks;
    const hd_accesses *accesses; /* NULL: nobody asks */
    const hd_direct *direct;
    const hd_address_map *map; /* NULL: the machine has none */

    uint32_t turn_asked;         /* a turn will come */
    uint64_t turn_edge;          /* of this turn, or the last one */
    uint64_t issued;             /* instructions since then */
    uint64_t busy_until;         /* edge up to which the last turn has worked */
    uint32_t current;            /* path that runs, */
    uint32_t left;               /* for so many instructions more */
    uint32_t progressed;         /* in this turn */
    uint32_t scratchpad_watched; /* there has been a load reserved on a scratchpad */
    uint64_t *ready;             /* paths that can run, a bit each */

    uint64_t reconvergence_next; /* cycle at which the reconvergence unit wants to act by itself, */
    uint32_t reconvergence_acts; /* if it ever does */
    uint32_t wanted; /* kinds of events that the reconvergence unit is told of: those that this core tells */
    const reconvergence_unit *reconvergence_unit;
    reconvergence *reconvergence;
    virtual_switches switches; /* none but with ssde=virtual */
    path *paths;               /* the reconvergence unit's */
    transaction *transactions; /* by path */
    uint32_t *attempts;        /* [warp][lane]: of the transaction that runs */
    undo_byte *undo;           /* of the attempt that runs */
    uint32_t undo_count;
    uint32_t transaction;       /* path in an attempt, NO_SLOT = none */
    uint64_t transaction_began; /* in warp instructions */
    path_state *path_states;
    seen_words seen;
    warp_state *warps;
    block_state *blocks;
    uint32_t *registers; /* [warp][64][lane] */
    uint8_t *fcsr;       /* [warp][lane] */
    uint64_t *retired;   /* [warp][lane] */
    reservation *reservations;
    uint8_t *scratchpads;
    uint64_t *scratchpad_versions;
    residents residents;
    uint32_t ended_blocks, resident_scratchpad;

    known_range *ranges;  /* by number % RANGES */
    uint32_t range_shift; /* 0 = none is known yet */

    debug_state debugging;
    hd_profile_table profile;     /* counts NULL: nobody asks */
    functional_counters counters; /* and behind them */
    uint64_t unit_counters[];     /* [hd_unit_counters] */
} functional_core;

static inline uint64_t parameter_of(const functional_core *core, enum functional_parameter parameter)
{
    return core->values[parameter].u;
}

/* trace.c: what is shown of it. Nothing happens unless core->trace is there. */
#define FUNCTIONAL_TRACE_EVENTS 6u
extern const hd_trace_event functional_trace_events[FUNCTIONAL_TRACE_EVENTS];
void functional_trace_create(functional_core *core);
void functional_trace_enter(const functional_core *core, uint32_t slot, hd_time t);
void functional_trace_enter_warp(const functional_core *core, uint32_t warp, hd_time t);
void functional_trace_leave(const functional_core *core, uint32_t slot, hd_time t);
void functional_trace_arrive(const functional_core *core, uint32_t path, uint32_t number);
/* Before the paths that wait go on. */
void functional_trace_release(const functional_core *core, uint32_t slot, uint32_t number);

/* Edge at which the instruction that is being executed is issued. */
static inline uint64_t current_edge(const functional_core *core)
{
    return core->turn_edge + core->issued / core->rate;
}

/* What happens to the path; members of its kind follow. */
static inline path_event functional_event(const functional_core *core, uint32_t path, uint32_t kind)
{
    const struct path *p = &core->paths[path];
    return (path_event){.kind = kind,
                        .path = path,
                        .warp = p->warp,
                        .pc = p->pc,
                        .mask = p->mask,
                        .cycle = current_edge(core) - core->cycle_base};
}

static inline hd_time current_time(const functional_core *core)
{
    return hd_clock_edge(core->now.clock, current_edge(core));
}

static inline const isa_program *program_of(const functional_core *core, const path *p)
{
    return core->blocks[core->warps[p->warp].block].program;
}

/* accesses.c. Only while somebody asks: */
void functional_report_access(const functional_core *core, const path *p, const isa_instruction *instruction,
                              const uint32_t *address);
/* HD_ACCESS_FENCE, WARP_SYNC, COMMIT, ABORT of the path; BARRIER, BEGIN, END of the block in the slot. */
void functional_report_order(const functional_core *core, const path *p, uint32_t kind, uint32_t flags);
void functional_report_block(const functional_core *core, uint32_t slot, uint32_t kind, hd_time t);

/* create.c */
hd_block *functional_create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes);
void functional_connect(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in);
void functional_reset(hd_block *block);
void functional_destroy(hd_block *block);

/* messages.c: links, and cycles */
hd_time functional_advance(hd_block *block, hd_time now, hd_time horizon);
const uint64_t *functional_counters_of(hd_block *block);
void ask_for_turn(functional_core *core, uint64_t edge);

/* residency.c: thread blocks come and go */
void functional_residency_accept(functional_core *core, hd_time t);
/* The program of the block's launch, and its tables; NULL: it is not loaded. */
void functional_residency_find_program(functional_core *core, uint32_t slot);
void functional_residency_end_blocks(functional_core *core, hd_time t);
void functional_residency_exit_threads(functional_core *core, uint32_t path, uint64_t mask);

/* turn.c: whose instructions come next */
void functional_turn(hd_block *block, hd_time t);
void functional_path_set_status(functional_core *core, uint32_t path, enum path_status status);
extern const reconvergence_events turn_events;

/* execute.c: instructions of one path, at most `limit` of them */
void execute_path(functional_core *core, uint32_t path, uint64_t limit);
/* To the next instruction; the lanes may meet others there. */
void execute_step(functional_core *core, uint32_t path);
/* kind: HD_DEBUG_FAULT_* */
void functional_fault(functional_core *core, const path *p, uint64_t lanes, uint32_t kind, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
warp_place functional_warp_place(const functional_core *core, uint32_t warp);
/* Something in memory is other than before. */
void note_progress(functional_core *core);

/* profile.c */
enum functional_column {
#define FUNCTIONAL_COLUMN(name, unit, kind, doc) PROFILE_##name,
    PLACES_INSTRUCTIONS(FUNCTIONAL_COLUMN) PLACES_TRANSACTIONS(FUNCTIONAL_COLUMN)
#undef FUNCTIONAL_COLUMN
        PROFILE_COLUMN_COUNT
};
extern const hd_profile functional_profile;
/* Only while somebody asks: the path executes so many instructions from its pc on; so many more at this pc of its program. */
void functional_profile_run(functional_core *core, uint32_t path, uint64_t instructions);
void functional_profile_add(functional_core *core, const path *p, uint32_t pc, enum functional_column column,
                            uint64_t count);

static inline void functional_profile_count(functional_core *core, const path *p, uint32_t pc,
                                            enum functional_column column)
{
    if (__builtin_expect(core->profile.counts != NULL, 0))
        functional_profile_add(core, p, pc, column, 1);
}

/* control.c */
void control_transfer(functional_core *core, uint32_t path, const isa_instruction *instruction);

/* synchronise.c */
void functional_barrier_arrive(functional_core *core, uint32_t path, const isa_instruction *instruction);
/* Does the path wait at this barrier of the block in the slot? */
uint32_t functional_waits_at(const functional_core *core, uint32_t path, uint32_t block, uint32_t number);
void functional_barrier_check(functional_core *core, uint32_t block);
void functional_warp_sync_arrive(functional_core *core, uint32_t path);
void functional_warp_sync_check(functional_core *core, uint32_t warp);

/* transactions.c */
uint32_t transaction_is_open(const functional_core *core, uint32_t path);
/* The path runs again; maybe another attempt begins. */
void transaction_go_on(functional_core *core, uint32_t path);
/* tx.begin, tx.commit, tx.abort */
void transaction_execute(functional_core *core, uint32_t path, const isa_instruction *instruction);
/* Within an attempt: may this instruction not be there? Then it is reported. */
uint32_t transaction_refuses(functional_core *core, uint32_t path, const isa_instruction *instruction);
/* These bytes, which lie at this physical address, are about to be overwritten. Nonzero: refused. */
int transaction_note(functional_core *core, uint64_t address, const uint8_t *at, uint32_t bytes);

/* memory.c: loads and stores. A refused access is reported as a fault. */
void memory_execute(functional_core *core, const path *p, const isa_instruction *instruction);

/* atomics.c: lane by lane in ascending order; all addresses are allowed. */
void atomics_execute(functional_core *core, const path *p, const isa_instruction *instruction, const uint32_t *address);

/* ranges.c */
/* Bytes at a physical address, up to the end of its range; NULL if nobody holds it. */
uint8_t *ranges_find(functional_core *core, uint64_t address);
void ranges_forget(functional_core *core);

static inline uint8_t *physical_bytes(functional_core *core, uint64_t address)
{
    const uint64_t number = address >> core->range_shift;
    const known_range *known = &core->ranges[number % RANGES];
    if (__builtin_expect(known->number == number, 1))
        return known->bytes + (address - (number << core->range_shift));
    return ranges_find(core, address);
}

/* debug.c */
extern const hd_debug functional_debug;
/* As execute_path, while somebody listens. */
void functional_debug_path(functional_core *core, uint32_t path, uint64_t limit);
/* Lanes of the path have made a mistake, and the run ends. Nobody need listen. */
void functional_debug_fault(const functional_core *core, const path *p, uint64_t lanes, uint32_t kind,
                            const char *what);

/* checkpoint.c */
extern const hd_state functional_state;

/* extension.c */
const void *functional_extension(hd_block *block, const char *id);
/* What the path does: "waits at a barrier". */
const char *functional_path_activity(const functional_core *core, uint32_t path);

#endif
