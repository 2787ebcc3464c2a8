/* SPDX-License-Identifier: MIT */
/* Private to tb_scheduler. */
#ifndef TB_SCHEDULER_ROUND_ROBIN_H
#define TB_SCHEDULER_ROUND_ROBIN_H

#include "hd_block.h"
#include "hd_extension.h"
#include "hd_message.h"
#include "hd_state.h"
#include "hd_trace.h"
#include "resources.h"
#include "thread_block_policy.h"

#define CORES_MAX 1024u
#define CORE_SET_WORDS (CORES_MAX / 64)
#define NO_SLOT UINT32_MAX
#define REFUSAL_BYTES 256u

enum { PORT_LAUNCH, PORT_DONE, PORT_DISPATCH, PORT_EVENT, PORT_COUNT };
enum { WINDOW_CONTEXT_SLOTS, WINDOW_COUNT };
enum {
    PARAMETER_GRIDS,
    PARAMETER_ORDER,
    PARAMETER_DISPATCHES,
    PARAMETER_PER_CORE,
    PARAMETER_CONTEXT_SLOTS,
    PARAMETER_POLICY,
    PARAMETER_TRANSPORT,
    PARAMETER_BUFFERS,
    PARAMETER_BUFFER_BYTES,
    PARAMETER_OVERLAP,
    PARAMETER_COUNT
};
enum { ORDER_ARRIVAL, ORDER_STREAM };
enum { TRANSPORT_PREEMPT, TRANSPORT_SHUFFLE, TRANSPORT_IDEAL };
enum { ROUND_ROBIN_POLICY, ROUND_ROBIN_UNITS }; /* slots of units (hd_unit.h) */
enum {
    STATISTIC_GRIDS,
    STATISTIC_BLOCKS,
    STATISTIC_BUSY_CYCLES,
    STATISTIC_DISPATCH_CYCLES,
    STATISTIC_RESIDENT_BLOCK_CYCLES,
    STATISTIC_STALL_ROOM_CYCLES,
    STATISTIC_STALL_SLOT_CYCLES,
    STATISTIC_STALL_CREDIT_CYCLES,
    STATISTIC_STALL_POLICY_CYCLES,
    STATISTIC_PREEMPTIONS,
    STATISTIC_RESUMPTIONS,
    STATISTIC_SHUFFLES,
    STATISTIC_SHUFFLE_CYCLES,
    STATISTIC_OVERLAPS,
    STATISTIC_BUFFERS_FULL,
    STATISTIC_BUFFERS_MAXIMUM,
    STATISTIC_MAX_RESIDENT_BLOCKS,
    STATISTIC_MAX_GRIDS,
    STATISTIC_COUNT
};
enum {
    MESSAGE_GRID_LAUNCH,
    MESSAGE_GRID_DONE,
    MESSAGE_CAPACITY,
    MESSAGE_BLOCK_LAUNCH,
    MESSAGE_BLOCK_DONE,
    MESSAGE_SHUFFLE,
    MESSAGE_LEAVING,
    MESSAGE_RESTORED,
    MESSAGE_COUNT
};

enum { EVENT_GRID, EVENT_DISPATCH, EVENT_RESIDENT_BLOCKS, EVENT_START, EVENT_COUNT };

/* Those of policies, as far as the one that is chosen has them. */
enum { MOVE_STOP, MOVE_RESTORE, MOVE_CONTEXT, MOVE_SAVED, MOVE_REFUSED, MOVE_WATCH, MOVE_LEVEL, MOVE_COUNT };

extern const hd_trace_event round_robin_trace_events[EVENT_COUNT];
extern const hd_parameter round_robin_parameters[PARAMETER_COUNT];
extern const hd_port round_robin_ports[PORT_COUNT];
extern const hd_statistic round_robin_statistics[STATISTIC_COUNT];
extern const hd_message_use round_robin_messages[MESSAGE_COUNT];
extern const hd_window round_robin_windows[WINDOW_COUNT];
extern const hd_unit_slot round_robin_slots[ROUND_ROBIN_UNITS];

typedef struct core_state {
    uint32_t known; /* its capacity has arrived */
    uint32_t endpoint;
    uint32_t dispatch_element;
    uint64_t turn; /* first edge at which it can be given a block */
    hd_core_capacity capacity;
    resources available;
} core_state;

typedef struct grid_state {
    hd_grid grid;
    uint32_t requester; /* endpoint that launched it */
    uint32_t next_block[3];
    uint32_t exhausted;        /* every block is dispatched */
    uint32_t has_transactions; /* on the scratchpad */
    uint64_t resident;
    uint64_t seen_cores[CORE_SET_WORDS]; /* cores that have had a block of it */
    uint32_t track;                      /* its place among those that are shown */
} grid_state;

enum { BLOCK_RUNNING, BLOCK_STOPPING, BLOCK_SAVED, BLOCK_ENTERING };

/* A block that has started and has not ended, by its context slot. */
typedef struct resident_block {
    uint32_t busy;
    uint32_t stage;       /* BLOCK_* */
    uint32_t watch_waits; /* its core has yet to be told what to report */
    hd_block_watch watch;
    hd_context_size size;
    hd_packet *first, *last; /* its context, ours; the address of a packet is that of the next one */
    uint32_t core;
    uint32_t leaves;    /* core that it has not left whole yet, and 1; it may have another one already */
    uint32_t has_ended; /* before it was heard that it had left */
    uint32_t buffer;    /* of its own, and 1; 0: none */
    uint32_t reading;   /* the same, that it comes from */
    uint64_t entered;   /* edge at which it was sent to its core */
    uint64_t sent;      /* bytes of its context */
    resources leaving;  /* what it has of the core that it leaves */
    uint32_t launch;
    uint32_t block_index[3];
    resources taken;
} resident_block;

/* How blocks get from core to core. */
typedef struct transport {
    uint32_t kind; /* TRANSPORT_* */
    uint32_t stop; /* HD_STOP_*, of words to leave and to go on */
    uint32_t overlaps;
    uint32_t buffers;
    uint32_t used; /* of them */
    uint64_t bytes;
    uint8_t *is_taken; /* [buffer] */
} transport;

typedef struct round_robin {
    const hd_services *services;
    const hd_block_class *block_class; /* with its units */
    const thread_block_policy_unit *policy_unit;
    thread_block_policy *policy;
    const hd_trace *trace;       /* NULL: the run is not traced */
    const hd_programs *programs; /* NULL: nobody knows them */
    uint32_t grid_tracks;
    uint32_t messages[MESSAGE_COUNT], moves[MOVE_COUNT];
    uint32_t grid_limit;
    uint32_t order; /* ORDER_* */
    uint32_t dispatches_per_cycle;
    uint32_t core_interval; /* edges between two blocks of a core; 0: dispatches_per_cycle bounds them */
    uint32_t slot_limit;

    hd_link *launch_in;
    hd_link *done_out;
    hd_link *dispatch_out[CORES_MAX];
    hd_link *event_in[CORES_MAX];
    uint32_t core_count; /* elements of event */

    hd_cursor cursor;   /* the next edge not yet done */
    uint64_t accounted; /* edges before this one are in the statistics of cycles */
    uint32_t stall;
    uint32_t more; /* something is left for the next edge */
    uint32_t known_cores;
    uint32_t resident;
    uint32_t saved;    /* blocks */
    uint32_t watches;  /* blocks of which watch_waits */
    uint32_t entering; /* slot of the block whose context is being sent, or NO_SLOT */
    uint32_t stopped;  /* after a fault */
    transport transport;
    core_state cores[CORES_MAX];
    uint32_t grid_count;
    grid_state *grids;     /* in order of arrival */
    resident_block *slots; /* slot_limit of them */
    uint64_t counters[STATISTIC_COUNT];
    uint64_t unit_counters[]; /* [hd_unit_counters], which follow */
} round_robin;

/* ---- round_robin.c ------------------------------------------------------------------------------------------------ */

/* What happens at each edge. */
hd_time round_robin_advance(hd_block *block, hd_time now, hd_time horizon);
/* A block has ended. */
void round_robin_finish(round_robin *self, uint32_t slot, hd_time t);
/* Kernels of the program have some on the scratchpad. */
uint32_t round_robin_has_transactions(const round_robin *self, uint32_t module);

/* ---- checkpoint.c ------------------------------------------------------------------------------------------------- */

extern const hd_state round_robin_state;

/* ---- describe.c --------------------------------------------------------------------------------------------------- */

void round_robin_describe(hd_block *block, const hd_text_sink *sink);

/* ---- dispatch.c --------------------------------------------------------------------------------------------------- */

/* Does the grid fit the machine? If not, text is why, and 0 is returned. */
uint32_t dispatch_accepts(const round_robin *self, const grid_state *state, char *text, size_t bytes);
/* The grid whose blocks are dispatched next; NULL: all are. */
grid_state *dispatch_oldest(const round_robin *self);
/* The blocks of the edge at time t; sets self->stall. Returns 1 if more can follow at the next edge. */
uint32_t dispatch_blocks(round_robin *self, hd_time t);
/* The core that the policy gives to a block of the grid, one where it fits and that can be told; else NO_CORE, and self->stall
 * says why. */
uint32_t dispatch_choose_core(round_robin *self, const thread_block *block, hd_time t);
grid_state *dispatch_find_grid(round_robin *self, uint32_t launch);

/* ---- policy.c: what the policy is told and asked -------------------------------------------------------------------- */

thread_block policy_block(round_robin *self, uint32_t slot);
void policy_tell(round_robin *self, uint32_t kind, uint32_t slot);
thread_block_demand policy_demand(const round_robin *self);
/* A message of a core that only policies want. Returns 0 if it has no meaning here; else it is not ours any more. */
uint32_t policy_take(round_robin *self, uint32_t element, hd_packet *packet, hd_time t);
/* Blocks get cores, stop and go on, in the policy's order. Returns 1 if more can follow at the next edge. */
uint32_t policy_work(round_robin *self, hd_time t);
/* Edge at which the policy may decide otherwise, UINT64_MAX if there is none. */
uint64_t policy_next(const round_robin *self);

/* ---- moves.c: blocks leave their cores and enter others --------------------------------------------------------------- */

/* The block that runs or stops on the core and of which the packet speaks; NULL: there is none. */
resident_block *moves_block_of(round_robin *self, uint32_t element, const hd_packet *packet);
/* The block that was taken to have left this core when it began to. */
resident_block *moves_leaving_of(round_robin *self, uint32_t element, const hd_packet *packet);
/* As policy_take, of a block that moves. */
uint32_t moves_take(round_robin *self, uint32_t element, hd_packet *packet, hd_time t);
/* Blocks that the policy chooses go on. Returns 1 if more can follow at the next edge. */
uint32_t moves_restore(round_robin *self, hd_time t);
/* Those that it chooses are told to stop. */
void moves_stop(round_robin *self, hd_time t);
void moves_reset(round_robin *self);
/* To the core, which has a credit. */
uint32_t moves_has_credit(const round_robin *self, uint32_t core, hd_time t);
void moves_send(round_robin *self, uint32_t slot, uint32_t message, uint32_t argument, const void *body, uint32_t bytes,
                hd_time t);

/* The block has left for the policy, by the core's word on its size. */
void moves_has_left(round_robin *self, uint32_t slot, const hd_context_size *size, hd_time t);

/* ---- transport.c: buffers of the L2 --------------------------------------------------------------------------------------- */

/* Nonzero: out of memory. */
int transport_create(round_robin *self, const hd_value *values);
void transport_destroy(round_robin *self);
void transport_reset(round_robin *self);
/* Tells the block's core, which has a credit, to stop it. */
void transport_stop(round_robin *self, uint32_t slot, hd_time t);
/* The block has begun to leave. */
void transport_leaves(round_robin *self, uint32_t slot, const hd_context_size *size, hd_time t);
/* It has left, and its buffer, if it fell back to memory, is free. */
void transport_has_left(round_robin *self, uint32_t slot);
/* It is sent to its core. */
void transport_enters(round_robin *self, uint32_t slot);
/* Is a block on its way to the core whose context may yet have to come from another one? What is sent to that core before that, and waits
 * there for room, would be in its way. */
uint32_t transport_is_entering(const round_robin *self, uint32_t core);
/* All of it has left its buffer. */
void transport_restored(round_robin *self, uint32_t slot);
/* It has ended. */
void transport_ended(round_robin *self, uint32_t slot);

/* ---- levels.c: what cores report of the blocks that run ---------------------------------------------------------------- */

/* The block has got a core. */
void levels_ask(round_robin *self, uint32_t slot);
/* It has none any more. */
void levels_forget(round_robin *self, uint32_t slot);
uint32_t levels_take(round_robin *self, uint32_t element, hd_packet *packet);
/* Cores are told what to report, as far as there are credits: behind the context of a block that enters, which takes them first. */
void levels_work(round_robin *self, hd_time t);

#endif
