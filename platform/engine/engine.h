/* SPDX-License-Identifier: MIT */
/*
 * The engine: blocks, the links between them, and time.
 *
 * Life cycle:  create -> { add_block | add_link | provide | observe }* -> elaborate -> reset -> step* -> destroy.
 *
 * Time advances in windows [T, H). T is the earliest work of any block; H is so near that nothing done in the window can
 * arrive in the window. Every block with work before H is called, nobody else; the order of the calls cannot matter.
 * Within a window a block's calls are cut at its inputs: no advance spans the arrival of a packet or of a credit, and
 * a block is woken at the first edge of its own clock at or after the arrival.
 * Blocks joined by taps (hd_tap.h) are advanced together: one that is called by a tap has done all that lies before.
 *
 * One engine is used by one thread at a time; it may have threads of its own. Two engines share nothing.
 */
#ifndef HD_ENGINE_H
#define HD_ENGINE_H

#include <stddef.h>
#include <stdint.h>

#include "hd_block.h"
#include "hd_extension.h"
#include "hd_trace.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hd_engine hd_engine;

/* Never NULL. */
hd_engine *hd_engine_create(void);
void hd_engine_destroy(hd_engine *engine);

/* ---- Building ---------------------------------------------------------------------------------------------------- */

#define HD_NO_BLOCK UINT32_MAX
#define HD_FOREIGN UINT32_MAX /* the far end of a link is not one of the blocks: engine_link.h */

/*
 * Returns the block's endpoint number: 0, 1, 2 ... in the order of the calls. `name` and `values` are copied, the texts
 * in values are borrowed until the engine is destroyed. `values` has block_class->parameter_count elements.
 */
uint32_t hd_engine_add_block(hd_engine *engine, const hd_block_class *block_class, const char *name, uint32_t index,
                             uint32_t count, hd_clock clock, const hd_value *values);

typedef struct hd_link_timing {
    hd_time latency;        /* ps, >= 1 */
    hd_time credit_latency; /* ps, >= 1 */
    uint32_t credits;       /* >= 1 */
    uint32_t is_perturbed;  /* 1: its packets are late by chance, if hd_engine_perturb says so */
} hd_link_timing;

/* One binding: SEND to RECEIVE, INITIATOR to TARGET, or TAPPED to TAP. Either block of the first two may be HD_FOREIGN,
 * not both; of the third nothing but the blocks, ports and elements is looked at. */
typedef struct hd_binding {
    uint32_t from_block; /* SEND or INITIATOR side: endpoint number */
    uint32_t from_port;  /* index in ports */
    uint32_t from_element;
    uint32_t to_block; /* RECEIVE or TARGET side */
    uint32_t to_port;
    uint32_t to_element;
    hd_link_timing request;  /* the link from -> to */
    hd_link_timing response; /* the link to -> from; memory protocol only */
    uint32_t wire;           /* 1: the outside carries packets and credits (engine_link.h); a foreign end implies it */
} hd_binding;
void hd_engine_add_link(hd_engine *engine, const hd_binding *binding);

#define HD_THREADS_MAX 64u
/*
 * How many threads advance blocks, 1 .. HD_THREADS_MAX; 1 unless said. Before elaborate. Results are the same to the bit.
 * Observers are called as before, by the thread that steps; but `sent`, one call at a time, by any.
 * Blocks that touch memory directly (hd_direct.h) share it without locks: a machine that has one is run by one thread.
 */
void hd_engine_set_threads(hd_engine *engine, uint32_t threads);
/* How many do, from elaborate on. */
uint32_t hd_engine_threads(const hd_engine *engine);
/* The errno for which the system gave fewer, or 0. */
int hd_engine_thread_shortage(const hd_engine *engine);

/*
 * Packets that a block sends on links that are perturbed arrive late: each by a random number of cycles of who receives it (of who
 * sends it, if the receiver is foreign), from 0 to what fits into `delay` (ps), but at least to 1; and by more only if it would
 * overtake the one before it. The numbers come from a stream for each link, seeded with `seed`, the name of the link and
 * how often the machine was aligned: whatever happened before an aligned launch, its kernel meets the same. Whole
 * cycles, because a time between edges is rounded differently from launch to launch. Seed 0: nothing is late. Before
 * elaborate.
 */
void hd_engine_perturb(hd_engine *engine, uint64_t seed, hd_time delay);

/* What services->extension(id) answers to every block, from create on. Borrowed. */
void hd_engine_provide(hd_engine *engine, const char *id, const void *extension);

/* Bytes for direct blocks (hd_direct.h) that none of the blocks holds. Before elaborate; asked after the blocks. */
struct hd_holder;
void hd_engine_add_holder(hd_engine *engine, hd_block *context, const struct hd_holder *holder);

/* Listens to an ordering point, at this element of its port of direction TAPPED (hd_tap.h), from outside of the blocks:
 * called with `context`, by the thread that advances the block. Before elaborate. */
struct hd_tap;
void hd_engine_add_tap(hd_engine *engine, uint32_t block, uint32_t port, uint32_t element, const struct hd_tap *tap,
                       hd_block *context);

/* services->route(port, endpoint) of this block answers `element`, whatever the links say. Before elaborate. */
void hd_engine_set_route(hd_engine *engine, uint32_t block, uint32_t port, uint32_t endpoint, uint32_t element);

/* One trace event (hd_trace.h) as it comes out. */
#define HD_TRACED_BEGIN 0u
#define HD_TRACED_END 1u
#define HD_TRACED_INSTANT 2u
#define HD_TRACED_COUNTER 3u
#define HD_TRACED_FLOW 4u /* of the begin or instant before it */
typedef struct hd_traced {
    hd_time t;
    uint64_t values[HD_TRACE_VALUES_MAX]; /* counter: the value; flow: number, direction */
    uint64_t sequence;                    /* of the block */
    uint32_t block;
    uint32_t track; /* of the block */
    uint16_t event; /* of its class */
    uint16_t form;  /* HD_TRACED_* */
} hd_traced;

/* Who is told of trace events. `record` is called between windows, in the order of (t, block, sequence); what it is told has
 * been handed out: nothing earlier follows. The others are called while the blocks are created; NULL: everything. */
typedef struct hd_tracer {
    void *context;
    void (*record)(void *context, const hd_traced *traced);
    /* Events that are wanted, a bit each; those that only show detail are for who asks for them by name. */
    uint64_t (*events)(void *context, hd_engine *engine, uint32_t block);
    /* Is the track wanted? path: "core[3]/warp[5]". */
    uint32_t (*track)(void *context, hd_engine *engine, uint32_t block, uint32_t track, const char *path);
} hd_tracer;

/* Who is told. Any function may be NULL. Called between windows, in order of (time, block, sequence) of what is told, so
 * that the order does not depend on the windows; except `sent`, which is called within. */
typedef struct hd_observer {
    void *context;
    void (*log)(void *context, uint32_t block, uint32_t severity, hd_time t, const char *text);
    /* A rendezvous was kept at t: `what` and `argument` as requested; alignment is already done. */
    void (*rendezvous)(void *context, hd_time t, uint32_t what, uint64_t argument);
    /* `block` sends `packet` at t. In the order of the calls of the blocks: sort by (t, block) if order matters. */
    void (*sent)(void *context, uint32_t block, uint32_t port, uint32_t element, const hd_packet *packet, hd_time t);
    /* A block that aligns writes data back. NULL: they go to who holds that address below it (hd_engine_debug_access). */
    void (*write_back)(void *context, uint32_t block, uint64_t address, const void *data, uint32_t bytes);
    const hd_tracer *tracer; /* NULL: not traced. Set before elaborate, and borrowed */
} hd_observer;
void hd_engine_observe(hd_engine *engine, const hd_observer *observer);

/*
 * Checks the bindings against the declarations, creates and connects the blocks and computes the routes. Returns the
 * number of errors; each is one line to `errors` (may be NULL). After an error only destroy is allowed; else only reset.
 */
uint32_t hd_engine_build(hd_engine *engine, const hd_text_sink *errors);
/* And resets it, with seed 0. */
uint32_t hd_engine_elaborate(hd_engine *engine, const hd_text_sink *errors);

/* ---- Running ----------------------------------------------------------------------------------------------------- */

/* Everything to the state after power-on, time 0. Packets on the way are freed, statistics and faults cleared. */
void hd_engine_reset(hd_engine *engine, uint64_t seed);

/*
 * Runs one window: everything of it that lies before `limit`. Returns the earliest time of work left (>= limit: it has
 * nothing more to do before the limit); HD_NEVER when no block has work, or after a fault. A packet or credit that waits
 * for the outside (engine_link.h) counts as work of its arrival time and the engine never goes beyond it: a return
 * value equal to hd_engine_wire_next means that the outside has to move first.
 */
hd_time hd_engine_step(hd_engine *engine, hd_time limit);

/* Steps until `limit` or the end of work or a fault, then settles at limit. For engines without wires. */
hd_time hd_engine_run(hd_engine *engine, hd_time limit);
/* By an observer of a rendezvous: hd_engine_run returns once that has been kept, all blocks standing at its time. */
void hd_engine_pause(hd_engine *engine);

/* Windows are no longer than this, in ps, 1 at least: with 1 all blocks have done what lies before a block's work while it does it. Results are
 * the same. 0: as long as they may be, or in their place leaps (leap.c), which take longer. Between windows.
 * watch: who is called before each window while they are limited, copied; NULL: nobody is. */
typedef struct hd_window_watch {
    void *context;
    void (*before)(void *context);
} hd_window_watch;
void hd_engine_limit_windows(hd_engine *engine, hd_time longest, const hd_window_watch *watch);

/* Lets every block stand at t (statistics that idle blocks count lazily are then complete). t >= hd_engine_now. */
void hd_engine_settle(hd_engine *engine, hd_time t);

/* Something outside of its links has changed the block at hd_engine_now (hd_context.h): it is called there. Only when all
 * blocks stand at one time, see hd_engine_settle. */
void hd_engine_wake(hd_engine *engine, uint32_t block);
/* Everything before this time is done. */
hd_time hd_engine_now(const hd_engine *engine);
/* Earliest time of work, wires included. */
hd_time hd_engine_next(const hd_engine *engine);

/* Text of the first fault (time, then block order) with its time and block, or NULL. */
const char *hd_engine_fault(const hd_engine *engine, hd_time *t, uint32_t *block);
/* How many rendezvous of this kind (HD_RENDEZVOUS_*) have been asked for and are not kept yet. */
uint32_t hd_engine_rendezvous_asked(const hd_engine *engine, uint32_t what);
/* A fault found by the outside, e.g. at a foreign end. block may be HD_NO_BLOCK. */
void hd_engine_report_fault(hd_engine *engine, uint32_t block, hd_time t, const char *text);

/* Latest time at which any block reported progress; 0 = none yet. */
hd_time hd_engine_progress(const hd_engine *engine);

#define HD_RUN_GOING 0u    /* there is work, or the outside may bring some */
#define HD_RUN_DONE 1u     /* no block has anything to do, none has work left */
#define HD_RUN_FAULT 2u    /* hd_engine_fault says which */
#define HD_RUN_DEADLOCK 3u /* no block has anything to do, but some have work left */
#define HD_RUN_LIVELOCK 4u /* no progress for `patience` while blocks have work left */
/* The no-silent-hang rule. patience in ps, 0 = for ever. Costs little: ask between windows. A block that has computed
 * (HD_EXTENSION_COMPUTES) for a quarter of the patience has made progress. */
uint32_t hd_engine_status(hd_engine *engine, hd_time patience);
/* From when on status counts: the latest progress, computation, or end of idleness. */
hd_time hd_engine_patient_since(const hd_engine *engine);
/* If nothing reports progress until then, status cannot say LIVELOCK before this. */
hd_time hd_engine_patient_until(const hd_engine *engine, hd_time patience);
/* What every block with work left waits for (HD_EXTENSION_PENDING), each line led by the block's name. */
void hd_engine_describe_pending(hd_engine *engine, const hd_text_sink *sink);

/* ---- Queries ----------------------------------------------------------------------------------------------------- */

uint32_t hd_engine_block_count(const hd_engine *engine);
const char *hd_engine_block_name(const hd_engine *engine, uint32_t block);
uint32_t hd_engine_find_block(const hd_engine *engine, const char *name); /* HD_NO_BLOCK: none of that name */
const hd_block_class *hd_engine_block_class(const hd_engine *engine, uint32_t block);
hd_clock hd_engine_block_clock(const hd_engine *engine, uint32_t block);
hd_block *hd_engine_block(const hd_engine *engine, uint32_t block); /* NULL before elaborate */
/* What the block was given; lives as long as the engine. */
const hd_services *hd_engine_services(const hd_engine *engine, uint32_t block);
/* statistic_count values, as of hd_engine_now for blocks with work, see hd_engine_settle. */
const uint64_t *hd_engine_counters(const hd_engine *engine, uint32_t block);
/* How often the block was called since reset. */
uint64_t hd_engine_calls(const hd_engine *engine, uint32_t block);
/*
 * Untimed access to data as a request that reaches the block at this port (UINT32_MAX: whatever the port) would find them:
 * in the block, or below it by memory ports, through blocks that hold none of them, the windows of ports and the address
 * map; foreign models included. When all blocks stand at one time. Returns how many bytes, from address on.
 *
 * The newest there are (docs/abi.md): writes under way are seen, and are given what is written.
 */
uint32_t hd_engine_debug_access(const hd_engine *engine, uint32_t block, uint32_t port, uint64_t address, void *data,
                                uint32_t bytes, uint32_t is_write);
/* As if nothing were under way: what has arrived. */
uint32_t hd_engine_debug_read_arrived(const hd_engine *engine, uint32_t block, uint64_t address, void *data,
                                      uint32_t bytes);
/* Tells states of the block's random stream apart. */
uint64_t hd_engine_random_state(const hd_engine *engine, uint32_t block);
/* Restarts high-water marks of all blocks (HD_EXTENSION_MARK). */
void hd_engine_mark(hd_engine *engine);

/* Greatest common divisor of all clocks in use, in hertz: rendezvous are edges of it. */
hd_clock hd_engine_common_clock(const hd_engine *engine);

/* Tracks of a traced block, 0 if it is not traced. Track 0 is its own, "core[3]"; the names of others are "warp[5]". */
uint32_t hd_engine_track_count(const hd_engine *engine, uint32_t block);
const char *hd_engine_track_name(const hd_engine *engine, uint32_t block, uint32_t track);
uint32_t hd_engine_track_parent(const hd_engine *engine, uint32_t block, uint32_t track);
/* From now on nothing is recorded. Between windows; until the next reset. */
void hd_engine_stop_tracing(hd_engine *engine);

uint32_t hd_engine_message(hd_engine *engine, const char *name);
const char *hd_engine_message_name(const hd_engine *engine, uint32_t message); /* "?" if never interned */

/* Packets of this engine, for the outside. body_bytes <= HD_PACKET_STREAM_MAX. */
hd_packet *hd_engine_alloc(hd_engine *engine, uint32_t body_bytes);
void hd_engine_free(hd_engine *engine, hd_packet *packet);

typedef struct hd_conservation {
    uint64_t allocated; /* packets, since reset */
    uint64_t freed;
    uint64_t in_links; /* on the way or arrived and not popped */
    uint64_t held;     /* in blocks or outside: allocated - freed - in_links */
} hd_conservation;
hd_conservation hd_engine_packets(const hd_engine *engine);
/* Links whose credits do not add up; each is one line to sink (may be NULL). 0 = all do. */
uint32_t hd_engine_check_credits(const hd_engine *engine, const hd_text_sink *sink);

/*
 * For tests: calls blocks in random order, cuts windows at random, makes calls too many, and fills bodies of new packets
 * with noise. With several threads, cuts windows, fills bodies, and uses all threads however little there is to do. Results
 * must not change. 0 = off. Takes effect at the next step.
 */
void hd_engine_disturb(hd_engine *engine, uint64_t seed);

#ifdef __cplusplus
}
#endif

#endif
