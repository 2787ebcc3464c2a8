/* SPDX-License-Identifier: MIT */
#ifndef HD_ENGINE_INTERNAL_H
#define HD_ENGINE_INTERNAL_H

#include <pthread.h>

#include "engine.h"
#include "engine_link.h"
#include "hd_direct.h"
#include "hd_extension.h"
#include "hd_tap.h"
#include "links.h"
#include "trace.h"

#define HD_WINDOW_MAX UINT64_C(50000) /* ps; a rendezvous lies further ahead than any window reaches */
#define HD_FAULT_TEXT_MAX 1024u

/* ---- Blocks -------------------------------------------------------------------------------------------------------- */

typedef struct node_port {
    hd_link **out;
    hd_link **in;
    uint32_t count;
    uint32_t *route; /* by endpoint; NULL: not a send port */
} node_port;

struct node {
    /* What the block may do at present: use its links at now <= t < now + span. */
    hd_time now;
    hd_time span;
    hd_time own_next; /* its last answer */
    /* Time of the first packet or credit on each link that it was not yet called for; packets first, then credits. */
    hd_time *inputs;
    uint8_t *starved;     /* by index in inputs; credits only; of a block that looks ahead links know it */
    uint32_t looks_ahead; /* HD_BLOCK_LOOKS_AHEAD: inputs and woken are not kept */
    uint32_t is_plain;    /* looks ahead, is in no group and not traced */
    hd_link *filled;      /* looking ahead: links with packets that had none before, and that it was not told of */
    hd_time woken;        /* least of inputs, without the credits of links that are not starved */
    uint32_t packet_input_count;
    uint32_t input_count;
    hd_cursor edge; /* the first at or after now; of a block that looks ahead one that is not far, for wakes alone */
    uint64_t edge_inverse; /* 2^64 / the clock's frequency; 0: that is 2^32 Hz or more */
    hd_link **input_links;

    hd_engine *engine;
    outbox *outbox; /* of the thread that calls the block */
    uint32_t index;
    const hd_block_class *block_class;
    hd_block *block;
    hd_services services;
    char *name;
    hd_value *values;
    node_port *ports;
    uint64_t random[4];
    hd_rendezvous rendezvous;
    hd_direct direct;
    hd_units units;
    hd_receivers receivers;
    hd_time turn;            /* the one it has asked for, HD_NEVER = none */
    hd_time progress;        /* the latest it has reported */
    struct tap_group *group; /* the blocks that it is advanced with, or NULL */
    uint32_t tap_depth;      /* in a group: how many ordering points stand before it */
    uint64_t calls;
    uint32_t sequence;        /* of its logs */
    struct trace_node *trace; /* NULL: not traced */
};

typedef struct route_override {
    uint32_t block, port, endpoint, element;
} route_override;

typedef struct provided {
    char *id;
    const void *extension;
} provided;

typedef struct log_line {
    hd_time t;
    uint32_t block, sequence, severity;
    char *text;
} log_line;

typedef struct bytes_holder {
    hd_block *block;
    const hd_holder *holder;
} bytes_holder;

typedef struct meeting { /* one request for a rendezvous */
    hd_time at;
    hd_time asked;
    uint32_t block, what;
    uint64_t argument;
} meeting;

/* One listener at one ordering point, as the ordering point sees it. */
typedef struct tap_joint {
    uint32_t tapped, tapped_port, tapped_element;
    uint32_t listener; /* block, or HD_FOREIGN */
    uint32_t port, element;
    const hd_tap *tap;
    hd_block *context;
    node *wakes; /* NULL: foreign */
} tap_joint;

/* Blocks joined by taps, ordering points first. */
typedef struct tap_group {
    node **members;
    uint32_t count;
    uint32_t window;      /* the last for which it was listed */
    uint32_t takes_turns; /* instant by instant: one listens to several others */
} tap_group;

#define LEAP_SIDES 2u
#define LEAP_ALL LEAP_SIDES

/* Two sides of the machine, one of which is called at a time (leap.c). */
typedef struct leap {
    uint8_t *side;                     /* by block */
    uint64_t *members[LEAP_SIDES + 1]; /* a bit per block: of that side, or of all */
    hd_time *reach[LEAP_SIDES];        /* by block: least time until anything it does reaches a block of that side */
    hd_time *acts;                     /* by block: no sooner than this it acts, as it has promised */
    hd_time *ask_from;                 /* by block: it is asked for more if it is to be called then or later */
    hd_time *pauses, *paused;          /* by block: for how long it was last left alone, and until when */
    hd_time reached[LEAP_SIDES];       /* in a window: both at its end */
    uint32_t calls;                    /* the side whose blocks are called; LEAP_ALL: they are not told apart */
} leap;

/* Something comes to the block at t, in spite of which it has promised to do nothing before `acts`. */
static inline void leap_forget(leap *leap, uint32_t block, hd_time t)
{
    if (t >= leap->acts[block])
        return;
    leap->acts[block] = t;
    leap->ask_from[block] = leap->paused[block];
}

struct hd_engine {
    hd_time *next;                /* by block: when it has to be called */
    uint64_t *awake;              /* a bit per block: next is not HD_NEVER, or may not be */
    hd_time *out_latency;         /* by block: least time until anything it does reaches another */
    hd_time earliest[LEAP_SIDES]; /* least of next, of the blocks of a side of leaps */
    node **nodes;
    uint32_t node_count;
    hd_time now;     /* all blocks have done everything before */
    hd_time settled; /* all blocks have stood there at once, the last time that they did; HD_NEVER: not since reset */
    hd_time window_max; /* HD_WINDOW_MAX, or less: then */
    hd_window_watch window_watch;
    hd_time window_end; /* in leaps, of the side that is ahead */
    leap leap;
    hd_time wire_next;
    hd_time *wire_times;
    hd_link **wires;
    uint32_t wire_count;

    outbox *outboxes; /* the first is that of the thread that steps */
    uint32_t outbox_count;
    pool_depot depot;
    uint32_t threads;      /* as wished */
    int thread_shortage;   /* errno: why there are fewer */
    struct team *team;     /* NULL: one thread */
    pthread_mutex_t mutex; /* of what blocks may do in a window, but seldom do: logs, meetings, faults, `sent` */
    hd_link **links;
    uint32_t link_count;
    hd_binding *bindings;
    uint32_t binding_count;
    route_override *overrides;
    uint32_t override_count;
    provided *provided;
    uint32_t provided_count;
    char **messages;
    uint32_t message_count;
    hd_observer observer;
    hd_outside outside;
    hd_time outside_next;
    log_line *logs;
    uint32_t log_count;
    meeting *meetings; /* in the order in which they are kept */
    uint32_t meeting_count;
    hd_clock common;

    tap_joint **taps;
    uint32_t tap_count;
    tap_group **groups;
    uint32_t group_count;

    traced_list traced; /* what is handed out together */
    hd_time trace_time; /* everything before has been handed out */

    uint32_t is_paused;  /* hd_engine_run ends with this step */
    uint32_t has_direct; /* a block touches memory directly */
    hd_time next_turn;   /* least over all blocks */
    bytes_holder *holders;
    uint32_t holder_count;
    uint32_t watched;
    uint64_t *versions;

    hd_time progress_base;  /* patience counts from here at least */
    hd_time computes_asked; /* when blocks were asked last whether they compute */
    uint32_t has_fault;
    hd_time fault_time;
    uint32_t fault_block;
    char fault_text[HD_FAULT_TEXT_MAX];

    uint64_t perturb_seed; /* 0 = off */
    hd_time perturb_delay;
    uint64_t alignments; /* since reset */

    uint64_t disturbance;    /* state of the generator; 0 = off */
    uint32_t *order;         /* in which blocks are called */
    uint32_t endpoint_count; /* blocks, and endpoints that only routes know */
};

void node_set_clock(node *node, hd_clock clock);

/* As node_edge, far from node->edge or before it. */
hd_time node_edge_far(node *node, hd_time t);

/* Smallest edge of the block's clock at or after t. Where that is node->edge or follows it soon, an inverse saves both divisions. */
static inline hd_time node_edge(node *node, hd_time t)
{
    const hd_cursor *near = &node->edge;
    if (t <= near->t && near->t - t < near->step)
        return near->t;
    if (__builtin_expect(t - near->t >= HD_CURSOR_NEAR || !node->edge_inverse, 0))
        return node_edge_far(node, t);
    const uint64_t edges = ((t - near->t) * near->clock.hz - near->remainder + HD_PS_PER_SECOND - 1) / HD_PS_PER_SECOND;
    const uint64_t rest = near->remainder + edges * near->step_remainder;
    uint64_t beyond = (uint64_t)(((hd_u128)rest * node->edge_inverse) >> 64); /* rest / hz, or one less */
    beyond += rest - beyond * near->clock.hz >= near->clock.hz;
    return near->t + edges * near->step + beyond;
}

/* The block has to be called at t. */
static inline void engine_call_at(hd_engine *engine, uint32_t block, hd_time t)
{
    engine->next[block] = t;
    engine->awake[block / 64] |= UINT64_C(1) << block % 64;
    hd_time *earliest = &engine->earliest[engine->leap.side[block]];
    *earliest = hd_earlier(*earliest, t);
}

/* Between windows. */
static inline void node_wake(node *node, hd_time t)
{
    hd_engine *engine = node->engine;
    leap_forget(&engine->leap, node->index, t);
    if (t >= engine->next[node->index])
        return;
    const hd_time edge = node_edge(node, t);
    if (edge < engine->next[node->index])
        engine_call_at(engine, node->index, edge);
}

/* A block that does not look ahead. */
static inline void node_wake_for_input(node *node, hd_time t)
{
    if (t < node->woken)
        node->woken = t;
    node_wake(node, t);
}

/* Calls the block, and those that it is joined to by taps, for all that lies before the end of the window. On any thread,
 * whose outbox it is. */
void window_run(hd_engine *engine, uint32_t block, hd_time end, outbox *outbox);
/* Calls the block once at `now`, for no longer than to *until, which becomes the time that it has been called for. Returns when it
 * has to be called next. */
hd_time window_call(node *node, hd_time now, hd_time *until);
/* When one of a group has to be called next. */
hd_time window_group_next(const hd_engine *engine, const tap_group *group);
/* One block alone, which has its outbox. */
void window_run_block(hd_engine *engine, node *node, hd_time end);
/* The block by which a group is called in a window, or the block itself; HD_NO_BLOCK if its group was listed before. */
static inline uint32_t window_unit(const node *node, uint32_t window)
{
    tap_group *group = node->group;
    if (__builtin_expect(group == NULL, 1))
        return node->index;
    if (group->window == window)
        return HD_NO_BLOCK;
    group->window = window;
    return group->members[0]->index;
}

/* In a group a block may also act on what it is told. */
static inline uint32_t window_can_promise(const node *node)
{
    return node->block_class->promise && !node->group;
}

/* No sooner than this the block does something that others notice, if it is looked at from `start` on. */
hd_time window_acts_at(const hd_engine *engine, uint32_t block, hd_time start);
/* Calls all blocks with work before the end, of the side that is called; on the thread that steps. Returns the least `next` of
 * these afterwards. */
hd_time window_run_in_order(hd_engine *engine, hd_time end);
/* A call of a tap may have given work to a block that was asleep. */
void window_awaken_groups(hd_engine *engine);
/* Finds the earliest calls, and forgets blocks that sleep until they are woken. */
void window_find_earliest(hd_engine *engine);

/* disturb.c, of an engine that is disturbed: a number below the bound; and a window. */
uint64_t disturb_draw(hd_engine *engine, uint64_t bound);
void disturb_run(hd_engine *engine, hd_time start, hd_time end);

/* ---- Leaps (leap.c) -------------------------------------------------------------------------------------------------- */

/* Once links and taps are there. */
void leap_prepare(hd_engine *engine);
void leap_reset(hd_engine *engine);
void leap_destroy(hd_engine *engine);
uint32_t leap_is_possible(const hd_engine *engine);
/* In place of some windows from start on, as if there had been those. */
void leap_run(hd_engine *engine, hd_time start, hd_time limit);

/* A bit for each of the 64 blocks from `first` on. */
static inline uint64_t leap_calls(const leap *leap, uint32_t first)
{
    return leap->members[leap->calls][first / 64];
}

/* All blocks are called up to there. */
static inline void window_set_end(hd_engine *engine, hd_time end)
{
    engine->window_end = engine->leap.reached[0] = engine->leap.reached[1] = end;
}

/* ---- Threads (team.c) ------------------------------------------------------------------------------------------------ */

/* Starts threads - 1 threads, or as many as can be: *shortage is 0, or why there are fewer (errno). Homes and lists are made
 * for the blocks that the engine has. */
struct team *team_create(hd_engine *engine, uint32_t threads, int *shortage);
uint32_t team_size(const struct team *team); /* with the thread that steps */
void team_destroy(struct team *team);        /* NULL is allowed */
/* Calls all blocks with work before the end of the window. */
void team_run(struct team *team, hd_time end);

/* A block in place of one that has been built, as after a reset; what the platform keeps for it stays. For tests (engine_state.h). */
void elaborate_again(node *node);

void services_init(node *node);
void services_flush_logs(hd_engine *engine);
void services_fault(node *node, hd_time t, const char *format, ...) __attribute__((format(printf, 3, 4)));

void random_seed(uint64_t state[4], uint64_t seed, const char *name);
uint64_t random_next(uint64_t state[4]);
uint64_t splitmix_next(uint64_t *state);

void route_compute(hd_engine *engine);
void rendezvous_init(node *node);
void units_init(node *node);
static inline hd_time rendezvous_next(const hd_engine *engine)
{
    return engine->meeting_count ? engine->meetings[0].at : HD_NEVER;
}
/* Keeps all rendezvous of the earliest time; all inputs until then are delivered. */
void rendezvous_keep(hd_engine *engine);

/* Writes that are on their way to the block, or (only) over the link, are laid over what was read there, or are given what is
 * written (debug_under_way.c). */
void under_way_lay(const hd_engine *engine, const node *to, const hd_link *only, uint64_t address, void *data,
                   uint32_t bytes, uint32_t is_write);

/* What a block that is aligned writes back; a fault if somebody below does not take all of it (debug_access.c). */
void debug_write_below(node *from, uint64_t address, const void *data, uint32_t bytes);

void direct_init(node *node);
/* Finds the holders; the number of errors, each a line to sink (may be NULL). */
uint32_t direct_find_holders(hd_engine *engine, const hd_text_sink *errors);
/* Another block is in the place of one that holds bytes. */
void direct_hold_again(hd_engine *engine, const hd_block *before, hd_block *block);
void direct_reset(hd_engine *engine);
/* Calls the blocks whose turn it is at next_turn; everything before is done. */
void direct_take_turns(hd_engine *engine);

/* Memory that shares no cache line with any other, zeroed. */
void *aligned_zero(size_t bytes);

/* taps.c */
/* Is this binding one of a tap, and not of a link? */
uint32_t taps_are_joined(const hd_engine *engine, const hd_binding *binding);
void taps_add(hd_engine *engine, const hd_binding *binding);
/* Attaches the listeners and forms the groups; the number of errors, each a line to sink (may be NULL). */
uint32_t taps_attach(hd_engine *engine, const hd_text_sink *errors);
/* There is a new block in this place. */
void taps_attach_again(node *node);
void taps_destroy(hd_engine *engine);

/* Room for one element more than count. */
void *grow(void *array, uint32_t count, size_t element_bytes);

#endif
