/* SPDX-License-Identifier: MIT */
/* What the files of the memory pipe share. One file per stage; each owns the fields named after it. */
#ifndef SIMT_CORE_MEMORY_STATE_H
#define SIMT_CORE_MEMORY_STATE_H

#include "bits.h"
#include "cache.h"
#include "extent.h"
#include "hd_address.h"
#include "hd_message.h"
#include "hd_ring.h"
#include "memory.h"
#include "paths_of.h"
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

/* Caches with MSHRs; a reply names one of them. */
enum { CACHE_L1, CACHE_CONSTANT, CACHE_CODE, CACHES };

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

/* Of instruction_cache.c. */
typedef struct code_fetches {
    uint64_t latest;    /* address of the line that the latest fetch hit, NO_LINE if the latest missed */
    uint32_t *requests; /* MSHRs of the instruction cache whose packets have not left */
    hd_ring unsent;     /* of requests */
} code_fetches;

struct memory {
    memory_status status;
    const hd_services *services;
    const hd_address_map *map;
    memory_parameters parameters;
    memory_events events;
    memory_counters *counters;

    hd_cursor cursor;  /* latest edge worked */
    uint64_t unworked; /* first edge that memory_advance has not worked */

    access_slot *slots;
    uint32_t *free_slots;
    uint32_t free_count;
    uint32_t *queue;             /* tickets, in order of submission */
    hd_ring waiting;             /* in queue */
    address_unit *address_units; /* NULL: accesses wait in the queue */
    uint32_t *path_queued;       /* with address units: see memory_awaits_pipe */
    uint32_t address_turn;
    uint64_t pipe_free;     /* first edge at which the pipe can start something */
    uint32_t lane_cycles;   /* an access takes to enter the pipe */
    uint32_t pass_cycles;   /* lanes that are served together take for a pass over the scratchpad banks */
    uint32_t moved;         /* bytes of the L1's data, by the step that is being started */
    uint32_t is_narrowable; /* lanes or data may hold the pipe, or there are address units */
    uint32_t is_narrow;     /* what holds the pipe does so for longer than in a wide one */
    uint32_t stall;         /* STARTED, or WAIT_*: the head waits for a reply */
    uint64_t stalled_since; /* edge */
    warp_memory *warps;
    uint32_t *path_stores;   /* see memory_stores_outstanding */
    uint32_t *thread_stores; /* [warp][lane]: see memory_thread_stores_outstanding; NULL: nobody asks */
    hd_time *path_reads;     /* see memory_last_read */
    seen_words seen;
    uint32_t notes_change; /* the next store that changes the scratchpad is progress */
    uint32_t paths_per_warp;
    completion_ring hits;
    completion_ring passes;
    completion_ring constants;
    completion_ring responses;  /* of accesses whose line has come, where they take turns */
    uint64_t response_edge;     /* of the latest of them */
    uint32_t responses_at_edge; /* how many have that edge */
    uint64_t values_due;        /* first edge at which one of these rings has values */

    uint8_t *scratchpad;
    uint64_t *scratchpad_versions; /* per word, counted from the first reservation on */
    uint32_t scratchpad_watched;
    reservation *reservations; /* [warp][lane]: of threads */

    cache caches[CACHES];
    uint64_t random_seed; /* of the L1's replacement */
    uint32_t sectored;    /* sectors.c has the L1's lines */
    uint32_t sector_shift;
    l1_counters l1_class[HD_CLASS_COUNT];
    uint32_t class_lines[HD_CLASS_COUNT]; /* of the L1, valid or pending */
    l1_flushing flush;

    code_fetches code;

    hd_link *request;
    hd_link *reply;
    hd_time reply_arrival;  /* of the first reply that has not been taken, by memory_note_arrivals */
    hd_time credit_arrival; /* of the credit that a packet waits for; 0: none does */
    hd_packet **out;
    hd_ring unsent;                  /* packets in out */
    uint32_t head_waits_for_network; /* the head of the queue found no room for its packets */
    uint64_t blocked_since;          /* edge, NO_EDGE if the network took the last packet at once */
    const memory_transactions *transactions;
    uint32_t offered;    /* packets of theirs */
    uint32_t their_turn; /* the next packet is one of theirs, if there is one */
    uint32_t serial;     /* of the latest transactional access */
    uint32_t unacknowledged;
    uint32_t message_load, message_load_reply;
    uint32_t message_store, message_store_ack;
    uint32_t message_atomic, message_atomic_reply;
};

/* What came of an attempt to start the next wide access or pass. */
enum { STARTED, WAIT_NETWORK, WAIT_MSHR, WAIT_MERGE, WAIT_WAY, WAIT_RESERVATION };

static inline uint32_t lowest_lane(uint64_t lanes)
{
    return (uint32_t)__builtin_ctzll(lanes);
}
static inline uint32_t lane_count(uint64_t lanes)
{
    return bits_count(lanes);
}
/* Are lanes of several warps among those of the access? */
static inline uint32_t is_regrouped(const memory *m, const access_slot *slot)
{
    return slot->access.homes >= m->parameters.warps;
}
static inline lane_homes homes_of(const memory *m, const access_slot *slot)
{
    return is_regrouped(m, slot) ? homes_at(m->parameters.homes, slot->access.homes) : homes_of_row(slot->access.homes);
}
/* Physical address of a place. */
static inline uint64_t place_address(const memory *m, const access_slot *slot, uint32_t window, uint32_t place)
{
    if (window != WINDOW_PRIVATE)
        return slot->base[window] + place;
    const memory_view *view = &m->warps[slot->access.warp].view;
    const uint32_t line = place / HD_LINE_BYTES;
    const uint64_t address = is_regrouped(m, slot) ? hd_context_line(view->context_slot, view->context_slots, line)
                                                   : window_private_line(view, line);
    return address + place % HD_LINE_BYTES;
}
/* Place of the line that these lanes touch. */
static inline uint32_t place_of_line(const access_slot *slot, uint64_t lanes, uint32_t line_bytes)
{
    return slot->place[lowest_lane(lanes)] & ~(line_bytes - 1);
}
/* Edge of the first values, NO_EDGE if there are none. */
static inline uint64_t completion_edge(const completion_ring *completions)
{
    return completions->ring.count != 0 ? completions->entries[completions->ring.first].edge : NO_EDGE;
}
static inline uint32_t ticket_of(const memory *m, const access_slot *slot)
{
    return (uint32_t)(slot - m->slots);
}

/* status.c */
/* Brings the status up to date: at the end of every function that is called from outside and changes what it says. */
void pipe_update_status(memory *m);
/* Lines were dropped outside of an edge's work: the head, if it is without room for its packets, may need to send less. */
void pipe_wake_head(memory *m);

/* pipe.c */
/* Index of the edge after t. */
uint64_t pipe_edge_after(const memory *m, hd_time t);
/* One part of the access has its values in value[lane]; done, and the ticket freed with the last. */
void pipe_give(memory *m, access_slot *slot, uint64_t lanes, const uint32_t *value);
/* The same `cycles` from now. */
void pipe_give_later(memory *m, completion_ring *ring, access_slot *slot, uint64_t lanes, uint32_t cycles);
/* One part of an access that waited for a line has its values: now, or when it is its turn. */
void pipe_respond(memory *m, access_slot *slot, uint64_t lanes);
/* A reply has come: the head of the queue, if it is stalled, may go on. */
void pipe_end_stall(memory *m);
/* The access's threads are counted, as they will be when it is done: only with thread_stores. */
void pipe_begin_threads(memory *m, const access_slot *slot);
/* What a store's acknowledgement brings back: its path, or, where threads are asked about, paths + an entry of those kept. */
uint32_t pipe_expect_acknowledgement(memory *m, const access_slot *slot);
/* A store or write-back was acknowledged. */
void pipe_acknowledge(memory *m, uint32_t number);

/* address_units.c: where they are, the queue has the one access that the pipe works on. 0: out of memory. */
uint32_t address_units_create(memory *m);
void address_units_destroy(memory *m);
void address_units_reset(memory *m);
void address_units_enqueue(memory *m, access_slot *slot);
/* First edge at which one of their accesses can go on. */
uint64_t address_units_edge(const memory *m);
/* One of them goes on, if there is none in the pipe. */
void address_units_advance(memory *m);
/* As memory_status.room. */
uint32_t address_units_room(const memory *m);

/* windows.c: NULL, or why the lane's access is refused, written to text. */
uint32_t windows_classify(memory *m, access_slot *slot, char *text, size_t text_bytes, uint32_t *lane);

/* coalescer.c */
/* Keeps of the group what its lowest lane's chunk of so many bytes, a power of two, holds. */
void coalescer_narrow(const memory *m, const access_slot *slot, line_group *group, uint32_t bytes);
line_group coalescer_next(const memory *m, const access_slot *slot, uint32_t window);
void coalescer_span(const access_slot *slot, line_group *group);
/* Values of the lanes from bytes, which start at place origin. */
void coalescer_gather(access_slot *slot, uint64_t lanes, const uint8_t *bytes, uint32_t origin);
/* Store data of the lanes to bytes, which start at place origin; a later lane prevails. */
void coalescer_scatter(const access_slot *slot, uint64_t lanes, uint8_t *bytes, uint32_t origin);

/* scratchpad.c: works all passes of the access; returns how many cycles they take. */
uint32_t scratchpad_start(memory *m, access_slot *slot);

/* l1.c */
/* Looks up as many lines of the group as fit in a cycle; the group shrinks to what was started. */
uint32_t l1_start(memory *m, access_slot *slot, uint32_t window, line_group *group);
/* One more is in use: are they the most so far? */
void l1_count_mshrs(memory *m);
/* The line goes, to memory if it must, and is another's. */
void l1_reserve(memory *m, cache_line *line, uint64_t address, uint32_t traffic_class, uint32_t warp, uint32_t block);
void l1_drop_line(memory *m, uint64_t address);
/* The global lines of the group, because words of them are written. */
void l1_drop_lines(memory *m, const access_slot *slot, const line_group *group);
void l1_drop_class(memory *m, uint32_t traffic_class);
/* One edge's part of memory_flush_block. */
void l1_flush(memory *m);

/* sectors.c: in the place of the same in l1.c and mshr.c */
uint32_t sectors_start(memory *m, access_slot *slot, uint64_t address, uint32_t traffic_class, const line_group *group);
uint32_t sectors_log(memory *m, access_slot *slot, uint64_t address, uint32_t writes);
/* A global store, on its way past the L1: what it updates there. 1 + the index of the line, or 0. */
uint32_t sectors_write(memory *m, access_slot *slot, const line_group *group);
void sectors_fill(memory *m, uint32_t index, const hd_packet *packet);
/* What is on its way will not be installed: of one line; of all lines of a class, of one block or of MEMORY_ANY_BLOCK. */
void sectors_drop_miss(memory *m, uint64_t address, uint32_t traffic_class);
void sectors_drop_misses(memory *m, uint32_t traffic_class, uint32_t block);
#define MEMORY_ANY_BLOCK UINT32_MAX

/* constant_cache.c */
uint32_t constant_start(memory *m, access_slot *slot, const line_group *group);

/* One line of a log. */
uint32_t l1_log(memory *m, access_slot *slot, uint64_t address, uint32_t writes);

/* transactional.c: the next step of an access at the head of the pipe */
uint32_t transactional_log(memory *m, access_slot *slot); /* while log_left */
void transactional_serve(memory *m, access_slot *slot);   /* while log.served */
uint32_t transactional_start(memory *m, access_slot *slot);
/* Values of a load that was sent have come, and are in access.data. */
void transactional_loaded(memory *m, access_slot *slot, uint64_t lanes, const hd_packet *reply);

/* instruction_cache.c */
void code_drop(memory *m);
void code_fill(memory *m, uint32_t index);
uint32_t code_next_request(memory *m); /* MSHR; there must be one */

/* mshr.c */
uint32_t mshr_merge(memory *m, cache *c, access_slot *slot, const cache_line *line, uint64_t lanes);
void mshr_open(memory *m, cache *c, access_slot *slot, cache_line *line, uint64_t lanes);
void mshr_fill(memory *m, cache *c, uint32_t index, const uint8_t *bytes);

/* atomics.c */
uint32_t atomics_check_reservations(memory *m, access_slot *slot);
void atomics_reply(memory *m, access_slot *slot, uint64_t lanes, const hd_packet *packet);
reservation *atomics_reservation(memory *m, const access_slot *slot, uint32_t lane);
/* The warp's threads have no reservation. */
void atomics_forget(memory *m, uint32_t warp);
/* Keeps of the group what one request carries. */
void atomics_narrow(const memory *m, const access_slot *slot, line_group *group);
void atomics_start(memory *m, access_slot *slot, const line_group *group);

/* network.c */
uint32_t network_is_free(const memory *m); /* for an access with all its packets */
static inline uint32_t network_has_packet(const memory *m)
{
    return (m->unsent.count | m->code.unsent.count | m->offered) != 0;
}
/* A reply's tag, taken apart. NULL: the access has been given up. */
access_slot *network_find_slot(memory *m, uint64_t tag, uint32_t *group);
access_slot *network_find(const memory *m, uint64_t tag, uint32_t *group); /* the same, and it does not count */
void network_load(memory *m, access_slot *slot, uint32_t window, line_group *group);
void network_fetch(memory *m, const cache *c, uint32_t index); /* the line of an MSHR */
void network_fetch_part(memory *m, const cache *c, uint32_t index, uint32_t offset, uint32_t bytes);
/* updates: what sectors_write has returned; the acknowledgement brings it back. */
void network_store(memory *m, access_slot *slot, uint32_t window, line_group *group, uint32_t updates);
void network_write_back(memory *m, const cache_line *line);
hd_packet *network_packet(memory *m, uint32_t message, uint32_t traffic_class, uint64_t address, uint32_t body_bytes);
void network_queue(memory *m, hd_packet *packet);
void network_count_data(memory *m, uint32_t traffic_class, uint32_t bytes);
/* What network_group_tag will return next. */
uint64_t network_next_tag(const memory *m, const access_slot *slot);
/* New group of the access that a reply will name. */
uint64_t network_group_tag(memory *m, access_slot *slot, uint32_t window, uint64_t lanes);
void network_inject(memory *m); /* there must be a packet */
void network_receive(memory *m);

#endif
