/* SPDX-License-Identifier: MIT */
/*
 * The memory pipe of a SIMT core: address windows, coalescer, scratchpad, L1 data cache with MSHRs, constant and texture
 * caches, network injection; and, beside the pipe, the instruction cache, whose misses leave by the same port.
 *
 * The pipeline submits one warp-wide access per instruction; the pipe takes it apart, one wide access (or one pass over
 * the scratchpad banks) per cycle, in order of submission, and gives the values back by lanes as they arrive. Values
 * are read and written where the hardware does it: scratchpad and L1 hits in the pipe, everything else at the L2 slice.
 * Source: Fung 2015 §2.3.3; rules of fences, atomics and stale lines: docs/isa.md.
 */
#ifndef SIMT_CORE_MEMORY_H
#define SIMT_CORE_MEMORY_H

#include "access.h"
#include "byte_stream.h"
#include "cache.h"
#include "hd_block.h"
#include "hd_debug.h"
#include "hd_extension.h"
#include "hd_state.h"
#include "registers/homes.h"
#include "window.h"

/* Answers; called from memory_advance and, for faults, from memory_submit. */
typedef struct memory_events {
    void *context;
    /* Lanes `mask` of the access that was given `ticket` have their values: raw bytes, zero-extended, in value[lane].
     * last: the access is complete and its ticket is free. Stores complete (mask 0, last 1) when they have left the
     * pipe; they are acknowledged later (memory_stores_outstanding). */
    void (*done)(void *context, uint32_t ticket, uint64_t mask, const uint32_t *value, uint32_t last, hd_time t);
    /* The lane's address is wrong: null, unmapped, misaligned, beyond the scratchpad allocation, stack overflow, atomic
     * on private memory, store to constant memory. `what` is one sentence part: "misaligned 4-byte load of 0x10000002".
     */
    void (*fault)(void *context, const memory_access *access, uint32_t lane, hd_time t, const char *what);
    /* The last outstanding store of a path in the warp's slot was acknowledged, or no access of the slot is left, or none in an address unit: fences and
     * block ends look again. */
    void (*drained)(void *context, uint32_t warp, hd_time t);
    /* The line that a fetch waited for is here, and an MSHR is free: fetches that were refused may be tried again. */
    void (*fetched)(void *context, uint32_t path, uint32_t sequence);
    /* A request for a context has left: there may be another one. */
    void (*context_sent)(void *context);
    /* It has been answered: bytes is NULL of a store, of a load what is there. */
    void (*context_answered)(void *context, uint64_t number, const void *bytes, uint32_t count);
} memory_events;

#define L1_GLOBAL_BYPASS 0u /* global accesses do not look at the L1 */
#define L1_GLOBAL_CACHE 1u  /* loads allocate; stores write through and evict */
#define L1_WRITE_EVICT 0u   /* a global store goes past the L1 and drops its line */
#define L1_WRITE_THROUGH 1u /* and updates what is there of it */

#define L1_ALLOCATE_NO 0u
#define L1_ALLOCATE_VALIDATE 1u /* a store brings in the sectors that it writes whole */

#define L1_ON_MISS 0u /* a line takes its way when its miss is sent */
#define L1_ON_FILL 1u /* when it comes */

#define L1_PRIVATE_CACHE 0u  /* write-back, write-allocate */
#define L1_PRIVATE_BYPASS 1u /* private memory is as far away as global memory */

/* What a request for atomics carries: names as in netlists. */
#define ATOMIC_REQUESTS "lines|words|sectors|lanes"
enum {
    ATOMIC_LINES,   /* all lanes of a line */
    ATOMIC_WORDS,   /* lanes of a line with different words: the second lane of a word goes with a later request */
    ATOMIC_SECTORS, /* the same, of 32 B */
    ATOMIC_LANES    /* one */
};

typedef struct memory_parameters {
    uint32_t lanes;
    uint32_t warps;
    kept_homes *homes;         /* by number, of lanes in flight; NULL: of every access all lanes are of its warp */
    uint32_t paths;            /* a multiple of warps; which belong to which: paths_of.h */
    uint32_t queue;            /* warp accesses waiting in front of the pipe, or of each address unit */
    uint32_t schedulers;       /* warp w belongs to w % schedulers; with address units alone */
    uint32_t address_interval; /* cycles between two accesses of an address unit; 0: there are none */
    uint32_t address_latency;  /* cycles from there to the pipe */
    uint32_t width;            /* lanes of an access that enter the pipe in a cycle; 0: all */
    uint32_t tickets;          /* warp accesses in flight at most */
    uint32_t scratchpad_bytes;
    uint32_t scratchpad_banks;   /* a power of two, <= 64 */
    uint32_t scratchpad_group;   /* lanes that are served together, whose words conflict; 0: all */
    uint32_t scratchpad_latency; /* cycles from a pass to its values */
    uint32_t l1_bytes;
    uint32_t l1_ways;
    uint32_t l1_line;     /* bytes: 32, 64 or 128 */
    uint32_t l1_sector;   /* bytes of a line that come together: 0 or l1_line = all; a power of two, 32 at least */
    uint32_t l1_allocate; /* L1_ON_* */
    uint32_t l1_write;    /* L1_WRITE_* */
    uint32_t l1_write_allocate; /* L1_ALLOCATE_*, with L1_WRITE_THROUGH */
    uint32_t l1_lookups;        /* lines of one wide access that are looked up in a cycle, >= 1 */
    const replacement_unit *l1_replacement;
    hd_unit_share l1_share;    /* of the replacement policy */
    uint32_t l1_set_hash;      /* CACHE_MULTIPLICATIVE, ... */
    uint32_t l1_port_bytes;    /* of a line's data that move in a cycle; 0: all */
    uint32_t l1_latency;       /* cycles from a wide access to its values on a hit */
    uint32_t l1_mshrs;         /* lines that can miss at one time */
    uint32_t l1_mshr_merges;   /* accesses that can wait for one line */
    uint32_t l1_global;        /* L1_GLOBAL_* */
    uint32_t l1_private;       /* L1_PRIVATE_* */
    uint32_t atomic_request;   /* ATOMIC_* */
    uint32_t responses;        /* accesses that waited for lines and are served in a cycle; 0 = all */
    uint32_t sector_bytes;     /* granularity of loads that bypass the L1: 32, 64 or 128 */
    uint32_t spare;            /* accesses for which there is room beyond the one */
    uint32_t constant_latency; /* cycles from a constant to its values on a hit */
    uint32_t texture_latency;  /* cycles from a look-up of the texture cache to its values on a hit */
    uint32_t context_cached;   /* MEMORY_CONTEXT_* */
    cache_parameters constant; /* bytes 0: constants go through the L1 */
    cache_parameters texture;  /* bytes 0: read-only loads are as others */
    cache_parameters code;     /* bytes 0: nobody calls memory_fetch */
} memory_parameters;

/* Traffic that a core has with memory, and one statistic for each kind of it, in this order.
 * X(identifier, unit, kind, doc) */
enum {
    TRAFFIC_GLOBAL,
    TRAFFIC_PRIVATE,
    TRAFFIC_CONSTANT,
    TRAFFIC_ATOMIC,
    TRAFFIC_CODE,
    TRAFFIC_TRANSACTION,
    TRAFFIC_TEXTURE,
    TRAFFIC_CONTEXT,
    TRAFFICS
};
#define MEMORY_TRAFFIC(X, prefix, unit, what)                                                                          \
    X(prefix##_global, unit, COUNT, what " of global loads and stores")                                                \
    X(prefix##_private, unit, COUNT, what " of private fills, write-backs and accesses past the L1")                   \
    X(prefix##_constant, unit, COUNT, what " of constant fills")                                                       \
    X(prefix##_atomic, unit, COUNT, what " of atomics")                                                                \
    X(prefix##_code, unit, COUNT, what " of instruction fetches")                                                      \
    X(prefix##_transaction, unit, COUNT, what " of transactions")                                                      \
    X(prefix##_texture, unit, COUNT, what " of texture fills")                                                         \
    X(prefix##_context, unit, COUNT, what " of contexts of thread blocks that move")

/* Statistics of the pipe, in this order at the end of the core's table. TRAFFIC: what becomes of those by kind of traffic. */
#define MEMORY_STATISTICS(X) MEMORY_STATISTICS_AND(X, MEMORY_TRAFFIC)
#define MEMORY_STATISTICS_AND(X, TRAFFIC)                                                                              \
    X(loads, "instructions", COUNT, "warp loads that entered the memory pipe")                                         \
    X(stores, "instructions", COUNT, "warp stores that entered the memory pipe")                                       \
    X(atomics, "instructions", COUNT, "warp atomics that entered the memory pipe")                                     \
    X(wide_accesses, "accesses", COUNT, "line accesses after coalescing")                                              \
    X(lane_accesses, "accesses", COUNT, "lane accesses before coalescing")                                             \
    X(pipe_cycles, "cycles", COUNT, "cycles for which lines, passes and other steps of accesses held the memory pipe") \
    X(address_wait_cycles, "cycles", COUNT, "cycles accesses waited for the address unit of their scheduler")          \
    X(pipe_lane_cycles, "cycles", COUNT, "of pipe_cycles, those that lanes took to enter, beyond the step itself")     \
    X(l1_port_cycles, "cycles", COUNT, "of pipe_cycles, those that data of the L1 took to move, beyond the look-up")   \
    X(scratchpad_passes, "passes", COUNT, "passes over the scratchpad banks")                                          \
    X(scratchpad_conflict_cycles, "cycles", COUNT,                                                                     \
      "cycles of passes after the first of an access, or of each scratchpad.group of it: bank conflicts")              \
    X(l1_hits, "accesses", COUNT, "wide accesses that hit in the L1")                                                  \
    X(l1_misses, "accesses", COUNT, "wide accesses that looked up the L1 and missed, merges included")                 \
    X(l1_mshr_merges, "accesses", COUNT, "misses that joined an MSHR in flight")                                       \
    X(l1_sector_misses, "accesses", COUNT, "of l1_misses, those whose line was there, but not all of its sectors")     \
    X(l1_global_hits, "accesses", COUNT, "of l1_hits, those to global memory")                                         \
    X(l1_global_misses, "accesses", COUNT, "of l1_misses, those to global memory")                                     \
    X(l1_global_merges, "accesses", COUNT, "of l1_mshr_merges, those to global memory")                                \
    X(l1_private_hits, "accesses", COUNT, "of l1_hits, those to private memory")                                       \
    X(l1_private_misses, "accesses", COUNT, "of l1_misses, those to private memory")                                   \
    X(l1_private_merges, "accesses", COUNT, "of l1_mshr_merges, those to private memory")                              \
    X(l1_constant_hits, "accesses", COUNT, "of l1_hits, those to constants")                                           \
    X(l1_constant_misses, "accesses", COUNT, "of l1_misses, those to constants")                                       \
    X(l1_constant_merges, "accesses", COUNT, "of l1_mshr_merges, those to constants")                                  \
    X(l1_context_hits, "lines", COUNT, "lines of contexts that the L1 still had when their block came back")           \
    X(l1_context_lines, "lines", COUNT, "lines of contexts that the L1 kept")                                          \
    X(l1_bypasses, "accesses", COUNT, "wide loads and stores, and atomics, that bypassed the L1")                      \
    X(l1_write_hits, "accesses", COUNT, "global stores that updated a line of the L1")                                 \
    X(l1_write_allocations, "lines", COUNT, "lines that global stores brought in, writing sectors whole")              \
    X(l1_unacknowledged_drops, "lines", COUNT, "of l1_drops, lines that a load found before their store had arrived")  \
    X(l1_evictions, "lines", COUNT, "lines replaced")                                                                  \
    X(l1_write_backs, "lines", COUNT, "dirty private lines written back")                                              \
    X(l1_no_installs, "lines", COUNT, "fills not installed because their line was dropped meanwhile")                  \
    X(l1_drops, "lines", COUNT, "lines dropped by stores, fences and kernel starts")                                   \
    X(constant_hits, "accesses", COUNT, "constant words that hit in the constant cache")                               \
    X(constant_misses, "accesses", COUNT, "constant words that missed in the constant cache, merges included")         \
    X(constant_mshr_merges, "accesses", COUNT, "misses of the constant cache that joined an MSHR in flight")           \
    X(constant_evictions, "lines", COUNT, "lines replaced in the constant cache")                                      \
    X(constant_serial_cycles, "cycles", COUNT,                                                                         \
      "cycles after the first of a constant access: lanes that ask for different words")                               \
    X(texture_hits, "accesses", COUNT, "wide read-only loads that hit in the texture cache")                           \
    X(texture_misses, "accesses", COUNT, "wide read-only loads that missed in the texture cache, merges included")     \
    X(texture_mshr_merges, "accesses", COUNT, "misses of the texture cache that joined an MSHR in flight")             \
    X(texture_evictions, "lines", COUNT, "lines replaced in the texture cache")                                        \
    X(fetch_hits, "fetches", COUNT, "instruction fetches that hit in the instruction cache")                           \
    X(fetch_misses, "fetches", COUNT, "instruction fetches that missed in the instruction cache, merges included")     \
    X(fetch_mshr_merges, "fetches", COUNT, "missed fetches that joined an MSHR in flight")                             \
    X(fetch_refusals, "fetches", COUNT, "fetches that missed and found no free MSHR, or no room in it")                \
    X(fetch_evictions, "lines", COUNT, "lines replaced in the instruction cache")                                      \
    X(packets_sent, "packets", COUNT, "packets injected into the network")                                             \
    X(bytes_sent, "bytes", COUNT, "bytes on the wire to the network")                                                  \
    X(packets_received, "packets", COUNT, "packets received from the network")                                         \
    X(bytes_received, "bytes", COUNT, "bytes on the wire from the network")                                            \
    TRAFFIC(X, packets_sent, "packets", "packets to the network")                                                      \
    TRAFFIC(X, bytes_sent, "bytes", "bytes on the wire to the network")                                                \
    TRAFFIC(X, packets_received, "packets", "packets from the network")                                                \
    TRAFFIC(X, bytes_received, "bytes", "bytes on the wire from the network")                                          \
    X(global_bytes, "bytes", COUNT, "data bytes of global loads and stores on the network")                            \
    X(private_bytes, "bytes", COUNT, "data bytes of private fills and write-backs on the network")                     \
    X(constant_bytes, "bytes", COUNT, "data bytes of constant fills on the network")                                   \
    X(texture_bytes, "bytes", COUNT, "data bytes of texture fills on the network")                                     \
    X(code_bytes, "bytes", COUNT, "data bytes of instruction fetches on the network")                                  \
    X(atomic_bytes, "bytes", COUNT, "operand and result bytes of atomics on the network")                              \
    X(stall_mshr, "cycles", COUNT, "cycles the pipe waited for an MSHR, a merge slot or a way")                        \
    X(stall_mshr_full, "cycles", COUNT, "of stall_mshr, those in which all MSHRs were in use")                         \
    X(stall_merge_full, "cycles", COUNT, "of stall_mshr, those in which the line's MSHR had no room for an access")    \
    X(stall_set_full, "cycles", COUNT, "of stall_mshr, those in which every way of the set waited for a fill")         \
    X(response_wait_cycles, "cycles", COUNT, "cycles accesses waited for their turn after their line had arrived")     \
    X(stall_reservation, "cycles", COUNT, "cycles a store-conditional waited for its load-reserved")                   \
    X(stall_network, "cycles", COUNT, "cycles the pipe waited for a credit of the network")                            \
    X(maximum_mshrs, "lines", MAXIMUM, "most MSHRs in use at once")                                                    \
    X(load_latency_cycles, "cycles", COUNT, "sum over global wide loads of cycles from injection to reply")            \
    X(load_replies, "replies", COUNT, "global wide loads answered")

/* And of transactions. */
#define MEMORY_TRANSACTION_STATISTICS(X)                                                                               \
    X(transaction_bytes, "bytes", COUNT, "data bytes of transactional loads and of logs on the network")               \
    X(log_hits, "lines", COUNT, "lines of transactions' logs that hit in the L1 or were written completely")           \
    X(log_misses, "lines", COUNT, "lines of transactions' logs that were read and missed in the L1")                   \
    X(given_up_requests, "packets", COUNT,                                                                             \
      "requests of transactions dropped without a reply: a rollover, or all lanes doomed")                             \
    X(withheld_requests, "packets", COUNT, "loads of transactions that were delayed and dropped before they left")     \
    X(late_replies, "replies", COUNT, "replies to accesses of attempts that had already aborted")

typedef struct memory_counters {
#define MEMORY_COUNTER(name, unit, kind, doc) uint64_t name;
#define MEMORY_COUNTERS(X, prefix, unit, what) uint64_t prefix##_by[TRAFFICS];
    MEMORY_STATISTICS_AND(MEMORY_COUNTER, MEMORY_COUNTERS) MEMORY_TRANSACTION_STATISTICS(MEMORY_COUNTER)
#undef MEMORY_COUNTERS
#undef MEMORY_COUNTER
} memory_counters;

/* Allocates everything. parameters: as core_check has passed them. counters is the place in the core's statistics. NULL
 * and one line in error if refused. */
memory *memory_create(const hd_services *services, const memory_parameters *parameters, const memory_events *events,
                      memory_counters *counters, char *error, size_t error_bytes);
void memory_destroy(memory *m);
void memory_reset(memory *m);
/* The core's network ports: request is the way out, reply the way in. */
void memory_connect(memory *m, hd_link *request, uint32_t request_port, hd_link *reply);

void memory_set_view(memory *m, uint32_t warp, const memory_view *view);
const memory_view *memory_view_of(const memory *m, uint32_t warp);
/* For accesses without time (fast_forward.h): what caches have of memory that others than the pipe have written
 * to is dropped. */
void memory_drop_shared(memory *m);
/* A block of `bytes` starts at this offset of the scratchpad: its words are 0. */
void memory_clear_scratchpad(memory *m, uint32_t offset, uint32_t bytes);
/* First block of a grid on this core: drops global, constant and texture lines and those of code (private dirty lines stay). */
void memory_begin_grid(memory *m);

/*
 * One fetch of an instruction looks up the instruction cache, at an edge that memory_advance has worked. After a miss comes
 * the event `fetched`, with path and sequence as given here; after a refusal nothing comes, and it can be tried again when
 * another fetch has its line. Only with an instruction cache.
 */
enum memory_fetched { MEMORY_FETCH_HIT, MEMORY_FETCH_MISS, MEMORY_FETCH_REFUSED };
enum memory_fetched memory_fetch(memory *m, uint64_t address, uint32_t path, uint32_t sequence);

/*
 * When the core has to work the pipe (memory_advance): at next_edge, and at the first edge from next_arrival on, whichever is first.
 * Whatever is called may change both; what comes by the links does so at the next memory_note_arrivals, with which the core
 * begins each of its own calls. To work other edges as well changes nothing.
 *
 * The first access of the queue waits in one of two ways, which next_edge knows. Stalled, it waits for a reply, which ends the
 * stall whatever it brings (pipe_end_stall). Without room for its packets, it waits until one leaves, or until lines are
 * dropped that it would have to write back (pipe_wake_head).
 *
 * Lives as long as m and is always up to date.
 */
typedef struct memory_status {
    uint64_t next_edge;   /* first one not yet worked with work of the pipe's own; MEMORY_NO_EDGE: none */
    hd_time next_arrival; /* of a reply, or of the credit for which a packet waits; HD_NEVER: no link brings anything */
    uint32_t room;        /* for one more access: schedulers, a bit each, and the bits beyond them if all have some */
    uint32_t awaits_credit; /* a packet waits for a credit of the network */
    uint32_t is_narrow;     /* the pipe is held for longer than a wider one were */
    uint64_t code_line;     /* address of the line that the latest fetch hit; UINT64_MAX: none, or it may have gone */
    uint64_t code_mask;     /* of the bits of an address that name its line */
} memory_status;
#define MEMORY_NO_EDGE UINT64_MAX
const memory_status *memory_status_of(const memory *m);
/* memory_fetch without a call: 1 is a hit, in the line that the latest fetch hit; after 0 it has to be called. */
static inline uint32_t memory_fetch_again(const memory_status *status, memory_counters *counters, uint64_t address)
{
    const uint32_t again = (address & status->code_mask) == status->code_line;
    counters->fetch_hits += again;
    return again;
}

/* Room for one more access, whosever? */
static inline uint32_t memory_can_submit(const memory *m)
{
    return memory_status_of(m)->room == UINT32_MAX;
}
/* Where the next access may be filled in, so that submit need not copy it: pass this pointer to memory_submit. Valid
 * until then; undefined contents. Precondition: memory_can_submit. */
memory_access *memory_slot(memory *m);
#define MEMORY_NO_TICKET UINT32_MAX
/* Takes the access; it enters the pipe at the edge after t, behind those submitted before. t may lie ahead of what has
 * been worked (register read), and is an edge, or less than a cycle short of the edge it means. Returns its ticket, below
 * parameters.tickets. Precondition: memory_can_submit. After a fault nothing of the access takes place:
 * MEMORY_NO_TICKET. */
uint32_t memory_submit(memory *m, const memory_access *access, hd_time t);
/* An instruction of which nothing takes place, and the run goes on: it counts. */
void memory_count_refused(memory *m, const isa_instruction *instruction);

/* Transactional accesses are allowed from now on. */
void memory_set_transactions(memory *m, const memory_transactions *transactions);
/* As memory_submit, an access of nobody's that goes through the log; `last` follows by `done`. The instruction is what it is
 * described as. */
uint32_t memory_submit_walk(memory *m, const isa_instruction *instruction, uint32_t path, uint32_t warp,
                            const memory_log_run *runs, uint32_t count, hd_time t);

/* When what is on the links arrives. Until the next call it is believed that nothing else comes. */
void memory_note_arrivals(memory *m);
/* Works the edge at which the cursor stands: takes replies that have arrived, gives values back, starts at most one wide
 * access or scratchpad pass, injects at most one packet. A second call at the same edge changes nothing. */
void memory_advance(memory *m, const hd_cursor *edge);
/* First edge not yet worked at which it could send without further input or submissions; MEMORY_NO_EDGE if it holds nothing to send. */
uint64_t memory_promise(const memory *m);

/*
 * Contexts of thread blocks go to memory and come from there beside the pipe, whose packets they take turns with. A request is of
 * HD_UNCACHED_BYTES or more of a line; its number comes back with the answer.
 */
enum memory_context_cached { MEMORY_CONTEXT_UNCACHED, MEMORY_CONTEXT_IN_L2, MEMORY_CONTEXT_IN_L1 };
uint32_t memory_can_move_context(const memory *m);
/* Of a warp's block. Precondition of both: memory_can_move_context. */
void memory_store_context(memory *m, uint32_t warp, uint64_t address, const void *bytes, uint32_t count,
                          uint64_t number);
/* is_own: this core has stored it last. Returns 1 if the L1 had it, and then there is no answer: `to` has the bytes. */
uint32_t memory_load_context(memory *m, uint64_t address, void *to, uint32_t count, uint64_t number, uint32_t is_own);
/* Of global memory, so far as the L2 knows it: neither is kept in the L1 nor looked up there. The number has bits from
 * MEMORY_ARRAY_SHIFT on, those of others have none. */
#define MEMORY_ARRAY_SHIFT 61
void memory_load_array(memory *m, uint64_t address, uint32_t count, uint64_t number);
/* Not answered yet. */
uint32_t memory_contexts_outstanding(const memory *m);

/* A line of a context in a buffer of an L2 slice (HD_BLOCK_SHUFFLE says where that is). Precondition of both: as above. */
typedef struct memory_buffer_line {
    uint32_t buffer;
    uint32_t bytes; /* of it */
    uint64_t buffer_bytes;
    uint64_t offset; /* in the buffer */
    uint64_t number; /* for context_answered */
} memory_buffer_line;
void memory_store_buffer(memory *m, const memory_buffer_line *line, const void *bytes);
void memory_load_buffer(memory *m, const memory_buffer_line *line);

/* Stores and atomics of the path (not of its warp: under mimd another lane may never stop storing) that are queued, in
 * the pipe, or not yet acknowledged. With the first path of a warp also write-backs of the warp's private lines. */
uint32_t memory_stores_outstanding(const memory *m, uint32_t path);
/* Accesses of the path in an address unit: those of other warps may overtake them. */
uint32_t memory_awaits_pipe(const memory *m, uint32_t path);
/* Would an access of these threads by a path in this slot overtake one of theirs that waits in another address unit, in which they came by
 * a path in another slot? Then it must not be submitted. Only with parameters.homes. */
uint32_t memory_would_overtake(const memory *m, lane_homes homes, uint64_t lanes, uint32_t slot);
/* Stores and atomics of threads, whichever paths they were in: whether there are any. Only with parameters.homes. */
uint32_t memory_thread_stores_outstanding(const memory *m, lane_homes homes, uint64_t lanes);
/* When the path last asked for a word that others may write, or for a word of its transaction. */
hd_time memory_last_read(const memory *m, uint32_t path);
/* seen_words_check of what the warps read. Also, the next store that changes a word of the scratchpad reports progress. */
hd_time memory_reads_afresh(memory *m, hd_time t, uint32_t anew);
/* Lines that the L1 awaits. */
uint32_t memory_l1_misses(const memory *m);
/* Accesses of the warp that are queued or in flight, loads included. */
uint32_t memory_accesses_outstanding(const memory *m, uint32_t warp);
/* Acquire: drops the core's global lines, and marks misses in flight "return, do not install". */
void memory_acquire(memory *m);
/* Block end: nothing of the block's private lines is needed any more; dirty ones are dropped without write-back. */
void memory_end_block(memory *m, uint32_t block);
/* Where the byte is that the lane of the warp means by this address, and those behind it that lie side by side; 0: it has none there. */
uint32_t memory_debug_place(const memory *m, uint32_t warp, uint32_t lane, uint32_t address, hd_debug_place *place);
/* The block is at rest (no access of its warps is queued or in flight) and stays so: its private lines leave the L1, dirty
 * ones for memory, where they are when memory_is_flushing is 0 and its warps have no stores outstanding. block < 64. */
void memory_flush_block(memory *m, uint32_t block);
uint32_t memory_is_flushing(const memory *m, uint32_t block);
/* Contents of a block's scratchpad, to the stream or from it. */
void memory_stream_scratchpad(memory *m, uint32_t offset, uint32_t bytes, byte_stream *stream);
uint32_t memory_is_idle(const memory *m);
/* heddle.align/1: everything but statistics to the state after reset; called when idle. */
void memory_align(memory *m, const hd_write_back_sink *sink);
/* heddle.state/1: all but the counters, to the stream or from it; what looks for words that are read again begins anew. */
struct instruction_places;
void memory_transfer(memory *m, const struct instruction_places *places, const hd_state_stream *stream);
/* One line per access of the warp in flight: instruction, pc, lowest lane's address, since when; and one for its stores
 * that are not acknowledged. */
/* Requests that have left the pipe, and wait to be sent. */
void memory_each_unsent(const memory *m, const hd_under_way_sink *sink);
void memory_describe(const memory *m, uint32_t warp, const hd_text_sink *sink);

#endif
