/* SPDX-License-Identifier: MIT */
/* What the files of the memory pipe share: its state, in parts that one file each owns (parts.h), and the calls between them. */
#ifndef SIMT_CORE_MEMORY_STATE_H
#define SIMT_CORE_MEMORY_STATE_H

#include "bits.h"
#include "parts.h"
#include "paths_of.h"

struct memory {
    memory_head head; /* first */
    memory_status status;
    const hd_services *services;
    const hd_address_map *map;
    memory_parameters parameters;
    memory_events events;
    memory_counters *counters;

    hd_cursor cursor;  /* latest edge worked */
    uint64_t unworked; /* first edge that memory_advance has not worked */

    access_slot *slots;
    warp_memory *warps;
    uint32_t paths_per_warp;
    cache caches[CACHES];

    ticket_pool tickets;
    pipe_state pipe;
    address_state addresses;
    value_rings values;
    read_only_cache constants;
    read_only_cache textures;
    outstanding_state outstanding;
    progress_state progress;
    scratchpad_state scratchpad;
    l1_state l1;
    code_fetches code;
    network_state network;
    refused_state refused;
    transactional_state transactional;
    context_requests contexts;
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
/* When values that are on their way are there: after some have come or been dropped. */
void pipe_find_due(memory *m);
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

/* traffic.c */
void traffic_count_sent(memory_counters *counters, const hd_packet *packet);
void traffic_count_received(memory_counters *counters, const hd_packet *packet);

/* refused.c: a fault, if one of these lanes has asked for a byte that the packet (HD_GLOBAL_MISTAKE) calls wrong. */
void refused_report(memory *m, const access_slot *slot, uint64_t lanes, const hd_packet *packet);
uint32_t refused_create(memory *m); /* 0: out of memory */
void refused_destroy(memory *m);
void refused_reset(memory *m);
/* A store leaves the pipe, and its ticket is free: by this number it is known when it is refused. */
#define STORE_SERIALS 0xFFFFu
uint32_t refused_note(memory *m, const access_slot *slot, uint64_t lanes);
/* A fault: the store of this number is wrong. */
void refused_report_store(memory *m, uint32_t serial, const hd_packet *packet);

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

/* read_only_cache.c */
uint32_t read_only_caches_create(memory *m); /* 0: out of memory */
void read_only_caches_destroy(memory *m);
void read_only_caches_reset(memory *m);
void read_only_caches_forget(memory *m); /* their lines, those on their way too */
uint32_t constant_start(memory *m, access_slot *slot, const line_group *group);
/* Looks up one line; the group becomes the lanes that it served. */
uint32_t texture_start(memory *m, access_slot *slot, line_group *group);

/* One line of a log. */
uint32_t l1_log(memory *m, access_slot *slot, uint64_t address, uint32_t writes);

/* transactional.c: the next step of an access at the head of the pipe */
uint32_t transactional_log(memory *m, access_slot *slot); /* while log_left */
void transactional_serve(memory *m, access_slot *slot);   /* while log.served */
uint32_t transactional_start(memory *m, access_slot *slot);
/* Values of a load that was sent have come, and are in access.data. */
void transactional_loaded(memory *m, access_slot *slot, uint64_t lanes, const hd_packet *reply);
extern const memory_calls transactional_calls;

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

/* contexts.c */
#define TAG_KIND_SHIFT 62 /* kind 0 is theirs */
static inline uint32_t contexts_have(const hd_packet *packet)
{
    return packet->tag >> TAG_KIND_SHIFT == 0 && packet->traffic_class == HD_CLASS_CONTEXT;
}
void contexts_create(memory *m);
void contexts_reset(memory *m);
uint32_t contexts_turn(memory *m); /* of two that could send: is it theirs? There must be a packet. */
hd_packet *contexts_take(memory *m);
void contexts_answer(memory *m, const hd_packet *packet, const void *bytes, uint32_t count);

/* network.c */
uint32_t network_is_free(const memory *m); /* for an access with all its packets */
static inline uint32_t network_has_packet(const memory *m)
{
    return (m->network.unsent.count | m->code.unsent.count | m->transactional.offered) != 0 ||
           m->contexts.unsent != NULL;
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
