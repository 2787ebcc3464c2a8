/* SPDX-License-Identifier: MIT */
/* The parts of the memory pipe's state. Each names the file that owns it. */
#ifndef SIMT_CORE_MEMORY_PARTS_H
#define SIMT_CORE_MEMORY_PARTS_H

#include "cache.h"
#include "extent.h"
#include "hd_address.h"
#include "hd_message.h"
#include "hd_ring.h"
#include "memory.h"
#include "seen_words.h"

#define LANES_MAX 64u
#define NO_EDGE MEMORY_NO_EDGE
#define NO_LINE UINT64_MAX

/* One warp access from submit until its last value; its index is the ticket. access.data[lane] is overwritten by the lane's value. */
typedef struct access_slot {
    memory_access access;
    _Alignas(64) uint32_t place
        [LANES_MAX]; /* byte offset of the lane's bytes from base[window], or in the warp's private memory; the block's, if
                           * is_regrouped */
    uint64_t remaining[WINDOWS]; /* lanes the pipe has not started */
    uint64_t base[WINDOWS];      /* physical, a multiple of the line; 0 for the scratchpad and private memory */
    uint64_t group_lanes[LANES_MAX];
    uint64_t group_edge[LANES_MAX]; /* of injection, NO_EDGE: it is put off */
    uint8_t group_window[LANES_MAX];
    hd_time since;
    uint64_t ready; /* first edge in the pipe */
    uint32_t kind;
    uint32_t bytes; /* per lane */
    uint32_t operation;
    uint32_t acquire;
    uint32_t past_l1;
    uint32_t is_texture;  /* loads through the texture cache */
    uint32_t span;        /* words from the first to the last, if all are in one window; else UINT32_MAX */
    uint32_t consecutive; /* words, lane i at the place of lane 0 + 4 i */
    uint32_t checked;     /* store conditional: reservations have been compared; transaction: it has entered */
    uint32_t serial;      /* of transactional accesses, in the tags of their packets; else 0 */
    uint32_t is_store;    /* counts among the path's stores */
    uint32_t log_left;    /* lines of log.run not yet looked up */
    memory_log_use log;
    uint32_t groups;
    uint32_t parts;   /* events, replies and fills it waits for */
    uint64_t entered; /* edge at which its lanes have all entered the pipe; NO_EDGE: none has */
    uint32_t in_pipe;
    uint32_t in_use;
} access_slot;

/* Lanes that one wide access serves. */
typedef struct line_group {
    uint64_t lanes;
    uint32_t place; /* of the line, from the window's base */
    uint32_t low;   /* first and one past the last byte touched, in the line: by coalescer_span */
    uint32_t high;
} line_group;

typedef struct warp_memory {
    memory_view view;
    uint32_t accesses; /* see memory_accesses_outstanding */
    uint32_t load_reserved_in_flight;
} warp_memory;

typedef struct reservation {
    uint64_t address; /* physical, or place in the scratchpad */
    uint64_t version;
    uint32_t valid;
    uint32_t awaited; /* ticket of the thread's latest load reserved, while it is on its way */
} reservation;
#define NO_TICKET_AWAITED UINT32_MAX

/* Values that come a fixed latency after the access. */
typedef struct completion {
    uint64_t edge;
    uint64_t lanes;
    uint32_t ticket;
} completion;
typedef struct completion_ring {
    completion *entries;
    hd_ring ring;
} completion_ring;

/* Of a scheduler; address_units.c. */
typedef struct address_unit {
    uint32_t *tickets;
    hd_ring waiting;
    uint64_t free; /* edge at which it can begin with one more */
} address_unit;

/* A thread's accesses in address units; all are in one, of which nothing is said if there are none. */
typedef struct queued_accesses {
    uint32_t count;
    uint32_t unit;
} queued_accesses;

/* Caches with MSHRs; a reply names one of them. */
enum { CACHE_L1, CACHE_CONSTANT, CACHE_TEXTURE, CACHE_CODE, CACHES };

#define OUT_CAPACITY 3u /* a write-back and the fetch that caused it, or two of sectors */

/* Statistics of one class of accesses that look up the L1. */
typedef struct l1_counters {
    uint64_t *hits;
    uint64_t *misses;
    uint64_t *merges;
} l1_counters;

/* Private lines of blocks that stop, on their way out of the L1; l1.c. */
typedef struct l1_flushing {
    uint64_t blocks; /* block slots, a bit each */
    uint32_t place;  /* next one to look at */
} l1_flushing;

/* Of l1.c and, where it is sectored, sectors.c: beside caches[CACHE_L1]. */
typedef struct l1_state {
    uint64_t random_seed; /* of its replacement */
    uint32_t sectored;    /* sectors.c has its lines */
    uint32_t sector_shift;
    l1_counters counters[HD_CLASS_COUNT];
    uint32_t class_lines[HD_CLASS_COUNT]; /* valid or pending */
    l1_flushing flush;
} l1_state;

/* Of read_only_cache.c: beside one of the caches. */
typedef struct read_only_cache {
    cache *lines;
    uint32_t traffic_class;
    uint32_t latency; /* cycles from a look-up to its values on a hit */
    completion_ring values;
    uint64_t *hits, *misses, *merges, *evictions; /* counters */
} read_only_cache;

/* Of instruction_cache.c. */
typedef struct code_fetches {
    uint32_t *requests; /* MSHRs of the instruction cache whose packets have not left */
    hd_ring unsent;     /* of requests */
} code_fetches;

/* Of pipe.c: the queue, and the access at its head. */
typedef struct pipe_state {
    uint32_t *queue;                 /* tickets, in order of submission */
    hd_ring waiting;                 /* in queue */
    uint64_t free;                   /* first edge at which the pipe can start something */
    uint32_t lane_cycles;            /* an access takes to enter the pipe */
    uint32_t pass_cycles;            /* lanes that are served together take for a pass over the scratchpad banks */
    uint32_t moved;                  /* bytes of the L1's data, by the step that is being started */
    uint32_t is_narrowable;          /* lanes or data may hold the pipe, or there are address units */
    uint32_t is_narrow;              /* what holds the pipe does so for longer than in a wide one */
    uint32_t stall;                  /* STARTED, or WAIT_*: the head waits for a reply */
    uint64_t stalled_since;          /* edge */
    uint32_t head_waits_for_network; /* the head of the queue found no room for its packets */
} pipe_state;

/* Of submit.c. */
typedef struct ticket_pool {
    uint32_t *free;
    uint32_t count; /* of them */
    uint32_t used;  /* tickets from here on have never been taken */
} ticket_pool;

/* Of address_units.c. */
typedef struct address_state {
    address_unit *units; /* NULL: accesses wait in the queue */
    uint32_t turn;
} address_state;

/* Of pipe.c: values on their way. */
typedef struct value_rings {
    completion_ring hits;
    completion_ring passes;
    completion_ring responses;  /* of accesses whose line has come, where they take turns */
    uint64_t response_edge;     /* of the latest of them */
    uint32_t responses_at_edge; /* how many have that edge */
    uint64_t due;               /* first edge at which one of these rings, or one of a read-only cache, has values */
} value_rings;

/* What paths and threads have in flight. */
typedef struct outstanding_state {
    uint32_t *path_stores;          /* see memory_stores_outstanding */
    uint32_t *thread_stores;        /* [warp][lane]: see memory_thread_stores_outstanding; NULL: nobody asks */
    hd_time *path_reads;            /* see memory_last_read */
    uint32_t *path_queued;          /* with address units: see memory_awaits_pipe */
    queued_accesses *thread_queued; /* [warp][lane], with address units: see memory_would_overtake; NULL: nobody asks */
} outstanding_state;

/* Of memory_reads_afresh. */
typedef struct progress_state {
    seen_words seen;
    uint32_t notes_change; /* the next store that changes the scratchpad is progress */
} progress_state;

/* Of scratchpad.c and atomics.c. */
typedef struct scratchpad_state {
    uint8_t *bytes;
    uint64_t *versions; /* per word, counted from the first reservation on */
    uint32_t watched;
    uint32_t is_used;          /* a block has had some of it: not all bytes are zero */
    uint32_t is_reserved;      /* likewise reservations */
    reservation *reservations; /* [warp][lane]: of threads */
} scratchpad_state;

/* Of network.c. */
typedef struct network_state {
    hd_link *request;
    hd_link *reply;
    hd_time reply_arrival;  /* of the first reply that has not been taken, by memory_note_arrivals */
    hd_time credit_arrival; /* of the credit that a packet waits for; 0: none does */
    hd_packet **out;
    hd_ring unsent;          /* packets in out */
    uint64_t blocked_since;  /* edge, NO_EDGE if the network took the last packet at once */
    uint32_t unacknowledged; /* stores and write-backs */
    uint32_t message_load, message_load_reply;
    uint32_t message_store, message_store_ack;
    uint32_t message_atomic, message_atomic_reply;
    uint32_t message_mistake;
} network_state;

/* Of refused.c. */
typedef struct store_origin {
    uint32_t pc, path, homes;
    uint32_t lane, address; /* the lowest lane that stores, and where */
    uint32_t serial;
} store_origin;
#define STORE_ORIGINS 512u
typedef struct refused_state {
    store_origin *origins; /* of the latest stores that have left the pipe, by their serials */
    uint32_t serial;       /* of the latest */
} refused_state;

/* Of contexts.c. */
typedef struct context_requests {
    hd_packet *unsent;    /* NULL: there is room for one */
    uint32_t their_turn;  /* before the packets of others */
    uint32_t outstanding; /* requests that are not answered */
    uint32_t message_load, message_store, message_array;
    uint32_t message_buffer_load, message_buffer_store;
} context_requests;

/* Of transactional.c. */
typedef struct transactional_state {
    const memory_transactions *port;
    uint32_t offered;    /* packets of theirs */
    uint32_t their_turn; /* the next packet is one of theirs, if there is one */
    uint32_t serial;     /* of the latest transactional access */
} transactional_state;

#endif
