/* SPDX-License-Identifier: MIT */
/* State of the timed SIMT core, and the calls between its files. Nobody outside this folder includes it. */
#ifndef SIMT_CORE_CORE_H
#define SIMT_CORE_CORE_H

#include "access_kind.h"
#include "computing.h"
#include "functional_units.h"
#include "hd_block.h"
#include "hd_context.h"
#include "hd_extension.h"
#include "hd_message.h"
#include "hd_trace.h"
#include "instruction.h"
#include "lanes.h"
#include "memory/memory.h"
#include "mistakes.h"
#include "parameters.h"
#include "paths_of.h"
#include "pipe_exits.h"
#include "profile.h"
#include "program.h"
#include "reconvergence/reconvergence.h"
#include "registers/registers.h"
#include "scheduler/scheduler.h"
#include "scoreboard/scoreboard.h"
#include "ticket.h"
#include "timing_wheel.h"
#include "warp_place.h"
#include "write_back.h"

#define NO_SLOT UINT32_MAX

/* What a path is doing. At most one instruction of a path is between fetch and issue. */
enum path_status {
    PATH_NONE,        /* does not exist */
    PATH_FETCH,       /* waits for fetch and decode */
    PATH_FETCH_MISS,  /* its fetch missed in the instruction cache */
    PATH_READY,       /* its instruction can issue */
    PATH_WAIT_RESULT, /* scoreboard: a register that a functional unit will write */
    PATH_WAIT_DATA,   /* scoreboard: a register that a load will write */
    PATH_FENCE,       /* its fence waits for earlier accesses */
    PATH_HELD,        /* its instruction waits for what transactions have in flight */
    PATH_CONTROL,     /* its branch or jump is not resolved yet */
    PATH_TRANSACTION, /* to begin, commit or retry a transaction */
    PATH_BARRIER,
    PATH_WARP_SYNC,
    PATH_STOPPED, /* with its block; when it goes on it fetches */
    PATH_STATUS_COUNT
};

typedef struct path_state {
    const isa_instruction *instruction; /* fetched, in the instruction buffer, or in execution while PATH_CONTROL */
    uint64_t taken;                     /* PATH_CONTROL of a branch: its outcome */
    path_count count;                   /* of retired instructions */
    union {
        uint64_t since;        /* PATH_FETCH_MISS: edge of the look-up; stalled: cycle of the first event of it */
        uint64_t synchronised; /* PATH_WARP_SYNC: lanes whose warps have all come, others of the path's have not */
    };
    uint32_t sequence;                  /* a fetch that carries another number is of an earlier life */
    uint16_t in_flight;                 /* instructions issued and not complete */
    uint16_t memory_in_flight;          /* those of them in the memory pipe */
    uint16_t acquiring;                 /* atomics with acquire in flight: no later access may pass them */
    uint8_t status;
    uint8_t unit; /* that the instruction needs */
    uint8_t scheduler;
    uint8_t barrier; /* number, while PATH_BARRIER */
} path_state;

/* Of a thread that goes from path to path, what path_state has where it does not. */
typedef struct thread_state {
    uint16_t memory_in_flight;
    uint16_t acquiring;
} thread_state;

typedef struct warp_state {
    uint32_t block;         /* slot, NO_SLOT = free */
    uint32_t index;         /* warp in block */
    uint32_t waiting;       /* paths that wait for the scoreboard */
    uint32_t synchronising; /* lanes at warp.sync */
    uint32_t stopped;       /* its paths do not fetch */
    uint64_t *retired;      /* [lane]: instructions, without those of path_state.count */
} warp_state;

/* From running to stopped (context.c). */
enum { STAGE_RUNNING, STAGE_DRAINING, STAGE_FLUSHING, STAGE_STOPPED };

typedef struct block_state {
    hd_block_launch launch;
    const isa_program *program;
    const uint32_t *meetings; /* its table for the reconvergence unit; NULL: that needs none */
    const uint32_t *commits;  /* its table "commit" */
    uint64_t tag;
    uint64_t number;   /* launches of this core before it */
    uint32_t resident; /* 0 = the slot is free */
    uint32_t live;     /* threads that have not exited */
    uint32_t threads;
    uint32_t warps;
    uint32_t scratchpad_offset;
    uint32_t arrived[BARRIERS]; /* threads at each barrier */
    uint32_t releases;          /* of barriers and warp.sync that are due */
    uint32_t stage;             /* STAGE_* */
    uint32_t busy_path;         /* which was not done when the block's end was looked for last: a hint */
} block_state;

typedef struct fetch_entry {
    uint32_t path;
    uint32_t sequence;
    uint64_t cycle; /* decoded: when it is in the instruction buffer */
} fetch_entry;

/* FIFO of paths on their way through fetch and decode; capacity is a power of two. */
typedef struct fetch_queue {
    fetch_entry *entry;
    uint32_t mask;
    uint32_t head, tail;
} fetch_queue;

typedef struct simt_core {
    const hd_services *services;
    const hd_block_class *block_class;       /* with its units */
    const hd_unit_place *chosen[CORE_UNITS]; /* NULL: none */
    hd_value values[PARAMETER_COUNT];
    uint32_t lane_count, warp_count, block_count, scheduler_count;
    uint32_t path_count, paths_per_warp, ready_words;
    uint32_t dual_issue;   /* two instructions of a path may issue from one port in one cycle */
    uint32_t issues_apart; /* they may, or lanes are regrouped */
    uint32_t waits_apart;  /* lanes are regrouped, or the scoreboard is simple */
    uint32_t issue_cycles; /* an instruction occupies its issue port */
    functional_units units;
    operand_reads operands;
    pipe_exits exits;
    uint32_t issue_delay; /* of the instruction that issues: cycles until its operands come and its pipeline takes it */
    hd_time register_read_time;
    hd_time work_to_network_time; /* at least, from any edge of work to a packet that it causes */
    uint32_t simple_scoreboard;
    uint32_t instruction_cache; /* 0: every fetch hits */

    hd_cursor now;             /* the edge being worked on, or the last one */
    uint64_t cycle_base;       /* edge from which programs and schedulers count cycles: that of the last alignment */
    uint64_t accounted;        /* edges below are in the statistics */
    uint64_t settled;          /* edges below have issued: what changes now shows from this one on */
    hd_time horizon;           /* everything before is done */
    uint64_t pipeline_next;    /* first edge with work for more than the memory pipe, unless something changes */
    uint32_t pipeline_changed; /* at this edge: what a path is doing, or what a block's end waits for */
    /* Of what is on its way (pipeline.c): when it comes, and the first edge from then on */
    hd_time launch_arrival;
    hd_time credit_arrival; /* while end_awaits_credit */
    hd_time transaction_arrival;
    hd_time input_time;
    uint64_t input_edge;
    uint32_t capacity_sent;
    uint32_t halted; /* after a fault */
    uint32_t warned; /* of threads that ended before a barrier */
    uint32_t held;   /* the block at the head of dispatch does not fit yet */
    uint32_t freed;  /* a block has ended since it was tried */

    hd_link *request, *reply, *dispatch, *event, *transaction_request, *transaction_reply;
    uint32_t message_launch, message_capacity, message_done;
    const hd_programs *programs;
    const hd_trace *trace;       /* NULL: the run is not traced */
    const hd_accesses *accesses; /* NULL: nobody asks */
    uint32_t slot_tracks, warp_tracks, path_tracks;
    uint32_t traced_warps, traced_misses; /* levels that were recorded last */

    uint32_t wanted; /* kinds of events that some unit wants, */
    uint32_t reconvergence_wants, scheduler_wants;
    const reconvergence_unit *reconvergence_unit;
    reconvergence *reconvergence;
    path *paths;                /* the reconvergence unit's */
    const uint32_t *path_homes; /* [path][lane]: the unit's; NULL: it does not regroup lanes */
    kept_homes kept;            /* of what is in flight, if it does */
    thread_state *threads;      /* [warp][lane], if it does */
    const scheduler_unit *scheduler_unit;
    scheduler_shared *scheduler_shared;
    scheduler *scheduler[MAX_SCHEDULERS];
    uint64_t port_busy_until[MAX_SCHEDULERS]; /* cycle at which the issue port is free */
    uint64_t port_waits_from[MAX_SCHEDULERS]; /* until then, for operands; only with a read window */
    uint64_t unit_busy_until[UNIT_COUNT];
    uint64_t *own[MAX_SCHEDULERS]; /* paths of each scheduler, a bit each */
    uint64_t *ready[UNIT_COUNT];   /* paths whose instruction can issue, by the unit it needs */
    uint64_t *candidates;          /* scratch */
    uint32_t ready_count[MAX_SCHEDULERS][UNIT_COUNT];
    uint32_t awaits_credit, is_narrow; /* what memory_status said of the edge being worked on */
    uint32_t declined;    /* schedulers that were asked last with something ready and let none of it issue, a bit each */
    uint32_t ports_without_room; /* issue ports with something ready that finds none in the memory pipe, a bit each */
    uint32_t ready_units[MAX_SCHEDULERS]; /* those of which ready_count is not 0, a bit each */
    uint32_t status_count[MAX_SCHEDULERS][PATH_STATUS_COUNT];

    scoreboard scoreboard;
    timing_wheel wheel;
    result_queue unit_results, loaded_results; /* that have no turn yet; only with write_back_width */
    uint32_t write_back_width;                 /* per cycle; 0: all */
    fetch_queue to_fetch, decoding;
    fetch_queue fetched; /* their lines have come after a miss */
    fetch_queue refused; /* until another fetch has its line */
    memory *memory;
    const memory_status *memory_status; /* its */
    ticket_state *tickets;

    struct transactions *tx; /* NULL: none */
    uint64_t tx_next;        /* first edge at which something of them is due, UINT64_MAX if there is none */
    uint64_t reconvergence_next; /* the same of the reconvergence unit, */
    uint32_t reconvergence_acts; /* if it ever does anything by itself */

    path_state *path_states;
    computing *computing; /* [path] */
    warp_state *warps;
    block_state *blocks;
    register_file registers; /* a row per warp */
    uint64_t *retired;       /* [warp][lane] */
    uint32_t *jump_target;   /* [warp or, where lanes are regrouped, path][lane], of indirect jumps that are not resolved */
    uint32_t resident_blocks, resident_warps, ending_blocks;
    uint32_t end_awaits_credit; /* a block could end, but for a credit */
    uint32_t may_end;           /* since the end of a block was looked for last, something that it waits for has come */
    uint32_t stopping_blocks;   /* STAGE_DRAINING or STAGE_FLUSHING */
    uint32_t returning;         /* returns from the kernel that are not resolved */
    uint64_t launches;

    core_profile profile;
    core_counters counters;   /* and behind them */
    uint64_t unit_counters[]; /* [hd_unit_counters] */
} simt_core;

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

/* pipeline.c: the edges */
hd_time core_advance(hd_block *block, hd_time now, hd_time horizon);
hd_time core_promise(hd_block *block, hd_time now);

/* front_end.c: fetch, decode, scoreboard check */
void front_end_start(simt_core *core, uint32_t path);
void front_end_decode(simt_core *core);
void front_end_fetch(simt_core *core);
/* The path has just gone on by one instruction and fetches the next one. Has that come by the same fetch, and could issue? */
uint32_t front_end_has_another(simt_core *core, uint32_t path);
/* Then it is in the buffer, and the fetch that has begun is void. */
void front_end_take_another(simt_core *core, uint32_t path);
/* Edge at which the next instruction is decoded, UINT64_MAX if none is on its way. */
static inline uint64_t front_end_decodes_at(const simt_core *core)
{
    const fetch_queue *queue = &core->decoding;
    return queue->head == queue->tail ? UINT64_MAX : queue->entry[queue->head & queue->mask].cycle;
}
static inline uint32_t front_end_has_fetches(const simt_core *core)
{
    return core->to_fetch.head != core->to_fetch.tail || core->fetched.head != core->fetched.tail;
}
void front_end_fetched(simt_core *core, uint32_t path, uint32_t sequence);
/* Registers or accesses of the warp's lanes are there: whoever waits for them goes on. */
void front_end_recheck_warp(simt_core *core, uint32_t warp);
/* Of the paths that run in the warp's slot alone. */
void front_end_recheck_waiting(simt_core *core, uint32_t warp);
static inline void front_end_recheck_slot(simt_core *core, uint32_t warp)
{
    if (core->warps[warp].waiting)
        front_end_recheck_waiting(core, warp);
}
/* The path has other lanes at the same pc. */
void front_end_regrouped(simt_core *core, uint32_t path);
/* For one more path in the queues: paths may come and go without being fetched. */
void front_end_make_room(simt_core *core);
/* Of those that are ready, whether they have to wait now. */
void front_end_recheck_ready(simt_core *core, uint32_t warp);
void path_set_status(simt_core *core, uint32_t path, enum path_status status);

/* issue.c: schedulers and functional units */
/* As they are without paths, before anything has issued. */
void issue_reset_schedulers(simt_core *core);
void issue_all(simt_core *core);
/* First edge at which something can issue, UINT64_MAX if nothing is ready that has room. It may lie behind. */
uint64_t issue_next(simt_core *core);
/* Something is ready that had no room in the memory pipe, and has it now. */
uint32_t issue_has_room_again(const simt_core *core);

/* write_back.c: results reach their registers, and whoever waits for them goes on */
/* Of a functional unit, at this edge or, without a turn, a later one. */
void write_back(simt_core *core, const wheel_event *event);
/* Values of an access, which are in the registers: of these lanes, and the last ones. */
void write_back_loaded(simt_core *core, const ticket_state *ticket, uint64_t mask, const uint32_t *value,
                       uint32_t last);
/* The turns of this edge, when all that comes at it is here. */
void write_back_take_turns(simt_core *core);
static inline uint32_t write_back_is_due(const simt_core *core)
{
    return core->unit_results.count + core->loaded_results.count != 0;
}

static inline uint64_t core_cycle(const simt_core *core)
{
    return core->now.n - core->cycle_base;
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
    if (core->scheduler_wants & event->kind)
        core->scheduler_unit->event(core->scheduler[core->path_states[event->path].scheduler], event);
    if (core->reconvergence_wants & event->kind)
        core->reconvergence_unit->event(core->reconvergence, event);
}

/* The same of a warp: path is NO_PATH. */
static inline void core_raise_of_warp(const simt_core *core, const path_event *event)
{
    const uint32_t first = core_paths_of(core, event->warp).first;
    if (core->scheduler_wants & event->kind)
        core->scheduler_unit->event(core->scheduler[core->path_states[first].scheduler], event);
    if (core->reconvergence_wants & event->kind)
        core->reconvergence_unit->event(core->reconvergence, event);
}

/* control.c: control transfers, and what becomes of paths */
void control_issue(simt_core *core, uint32_t path);
/* PATH_COMPARED, if the path's instruction compares; the registers that it reads are in lanes. */
void control_raise_compare(const simt_core *core, uint32_t path, const isa_lanes *lanes);
void control_resolve(simt_core *core, uint32_t path);
void control_step(simt_core *core, uint32_t path);
extern const reconvergence_events control_events;

/* synchronise.c: barriers and warp.sync */
void barrier_arrive(simt_core *core, uint32_t path);
void barrier_check(simt_core *core, uint32_t block);
void barrier_release(simt_core *core, uint32_t block, uint32_t number);
void warp_sync_arrive(simt_core *core, uint32_t path);
void warp_sync_check(simt_core *core, uint32_t warp);
void warp_sync_release(simt_core *core, uint32_t warp);

/* residency.c: thread blocks come and go */
void residency_accept(simt_core *core);
void residency_exit_threads(simt_core *core, uint32_t path, uint64_t mask);
void residency_end_blocks(simt_core *core);

/* Something has come that the end of a block may wait for. */
static inline void residency_recheck_ends(simt_core *core)
{
    core->may_end = 1;
    core->pipeline_changed |= core->ending_blocks;
}

/* Is there room for a block of this grid now, and where? */
uint32_t residency_find_room(const simt_core *core, const hd_grid *grid, uint32_t *slot, uint32_t *offset);
/* The block takes the slot and this offset of the scratchpad. Nonzero: its program is not loaded. */
int residency_enter(simt_core *core, uint32_t slot, uint32_t offset, const hd_block_launch *launch, uint64_t tag);
/* The warp becomes warp `index` of the block in the slot. */
void residency_enter_warp(simt_core *core, uint32_t slot, uint32_t warp, uint32_t index);
/* Slot, warps and scratchpad are free again. */
void residency_leave(simt_core *core, uint32_t slot);

/* context.c: thread blocks stop, and go on here or elsewhere (hd_context.h) */
extern const hd_context core_context;
/* Slot of the block with this tag, or NO_SLOT. */
uint32_t context_find(const simt_core *core, uint64_t tag);
/* The block is gone without having ended; nothing of it is in flight. */
void context_leave(simt_core *core, uint32_t slot);
/* Whoever stops may have got one step further at this edge. */
void context_work(simt_core *core);

/* context_stream.c: a block at rest, to bytes and back */
void context_write(simt_core *core, uint32_t slot, byte_stream *stream);
/* Bytes of it that are pcs, masks and reconvergence state. */
uint64_t context_control_bytes(simt_core *core, uint32_t slot);
/* The block's slot, or NO_SLOT and one line in error. */
uint32_t context_read(simt_core *core, byte_stream *stream, char *error, size_t error_bytes);

/* Time of edge `cycle`, or of the next to work on if that is later; HD_NEVER of UINT64_MAX. */
static inline hd_time core_time_of(const simt_core *core, uint64_t cycle)
{
    if (cycle == UINT64_MAX)
        return HD_NEVER;
    return cycle <= core->now.n ? core->now.t : hd_cursor_time_of(&core->now, cycle);
}

/* execute.c: the path's instruction issues; the path goes on to the next one unless it must wait for something. */
void execute_instruction(simt_core *core, uint32_t path);

/* csr.c */
uint32_t csr_execute(simt_core *core, uint32_t path);

/* account.c: every cycle is in the statistics once */
void account_span(simt_core *core, uint64_t until);
/* Every edge below this one is in the statistics as things stand: called before anything changes that they tell. */
static inline void account_until(simt_core *core, uint64_t edge)
{
    if (core->accounted < edge)
        account_span(core, edge);
}
/* The edge being worked on, at which these ports have issued. */
void account_edge(simt_core *core, uint32_t issued_ports);
/* The path is about to issue. */
void account_issue(simt_core *core, uint32_t path);
/* Cause of the slots that a path in this status waits for; CORE_SLOT_COUNT: it does not, or is ready. */
enum core_slot account_wait(enum path_status status);
/* Instructions that the lane, one of the path's, has issued before this one. */
uint64_t account_retired(const simt_core *core, uint32_t path, uint32_t lane);
/* Instructions that the path's lanes have issued: a number that changes when they issue. */
uint64_t account_retired_by_path(const simt_core *core, uint32_t path);
const uint64_t *core_counters_of(hd_block *block);

/* accesses.c. Only while somebody asks: */
/* `address`: as the program gave them. */
void core_report_access(const simt_core *core, const memory_access *access, const uint32_t *address,
                      ticket_state *ticket);
void core_report_sampled(const simt_core *core, uint32_t ticket, uint64_t lanes, hd_time t);
/* HD_ACCESS_FENCE, WARP_SYNC, COMMIT, ABORT of these lanes of the warp; BARRIER, BEGIN, END of the block in the slot. */
void core_report_order(const simt_core *core, uint32_t warp, uint64_t lanes, uint32_t kind, uint32_t flags);
void core_report_block(const simt_core *core, uint32_t slot, uint32_t kind);

/* profile.c. Only while somebody asks: */
void profile_count_path(simt_core *core, uint32_t path, enum core_profile_column column, uint64_t count);
/* At this pc of the warp's program. */
void profile_count_at(simt_core *core, uint32_t warp, uint32_t pc, uint32_t column, uint64_t count);
/* Lanes at pc have given up for what was done at winner_pc; 0: that is not known. */
void profile_conflict(simt_core *core, uint32_t warp, uint32_t pc, uint32_t winner_pc, uint64_t count);
void profile_status(simt_core *core, uint32_t path); /* is about to change */
void profile_issue(simt_core *core, uint32_t path);
void profile_slots(simt_core *core, uint32_t port, enum core_slot slot, uint64_t cycles);
void profile_settle(simt_core *core, uint64_t edge); /* what is below it is in the table */
/* Nobody asks. */
int profile_create(simt_core *core); /* nonzero: out of memory */
void profile_destroy(simt_core *core);
void profile_reset(simt_core *core);
/* Of a statistic of the unit in this slot, one of hd_unit.profiled_count. */
uint32_t profile_column(const simt_core *core, enum core_unit slot, uint32_t statistic);
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

/* fault.c. Of the lanes those are named that are of the same warp as the lowest. */
void core_fault(simt_core *core, lane_homes homes, uint32_t pc, uint64_t lanes, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
/* The run goes on. */
void core_warn(const simt_core *core, lane_homes homes, uint32_t pc, uint64_t lanes, const char *what);
warp_place core_warp_place(const simt_core *core, uint32_t warp);

/* extension.c: pending, align, mark */
const void *core_extension(hd_block *block, const char *id);

/* memory_events.c: answers of the memory pipe */
extern const memory_events memory_answers;

#endif
