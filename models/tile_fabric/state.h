/* SPDX-License-Identifier: MIT */
/*
 * Tiles of PEs with two levels of banks (Beaumont 2019 §4.2). A PE's access goes over the crossbar of its tile to a first-level bank;
 * what that lacks, over the crossbar between the levels to a second-level bank; what that lacks, to memory.
 *
 * First-level caches write back and are not coherent. The second level is one for all tiles and holds nothing that memory has not:
 * what is written passes it. Atomics go to memory, and what caches on their way have of the words goes there first.
 */
#ifndef TILE_FABRIC_STATE_H
#define TILE_FABRIC_STATE_H

#include "cache_mshrs.h"
#include "cache_tags.h"
#include "hd_debug.h"
#include "hd_extension.h"
#include "hd_state.h"
#include "hd_trace.h"
#include "hd_work.h"
#include "parameters.h"
#include "tile_fabric.h"

#define FABRIC_REPLIES 256u /* of a PE that can be under way */
#define NO_EDGE UINT64_MAX
#define NO_PLACE CACHE_NO_PLACE

/* A line of a first-level cache, by its bytes. */
typedef struct fabric_line {
    uint64_t valid, dirty;
    uint64_t stale;      /* another tile, or another bank of this one, has stored these since */
    uint32_t stale_by;   /* the latest PE that did, of all tiles */
    uint32_t next_place; /* directory: of those with the same hash */
    uint8_t is_awaited;  /* by an MSHR; it keeps its place */
} fabric_line;

typedef struct fabric_bank {
    cache_tags tags;
    fabric_line *lines;
    uint8_t *data;      /* the same bytes, of a cache or of a scratchpad */
    uint64_t used_edge; /* of its port */
    uint64_t read_line; /* that it read then, for whoever wants it too */
} fabric_bank;

/* What a program sets, and commits. */
typedef struct fabric_settings {
    uint32_t mode[HD_TILE_BANKS_MAX];
    uint32_t scope[HD_TILE_BANKS_MAX];
    uint32_t map[HD_TILE_PES_MAX];
    uint32_t enable;
    uint32_t second_level;
} fabric_settings;

/* What follows for a PE. */
typedef struct fabric_reach {
    uint8_t caches[HD_TILE_BANKS_MAX], scratchpads[HD_TILE_BANKS_MAX];
    uint32_t cache_count, scratchpad_count;
    uint32_t group; /* of PEs with the same banks: the first of them */
    uint32_t mshrs; /* that the group may use */
} fabric_reach;

/* An access that waits for a line. */
typedef struct fabric_target {
    hd_packet *request;
    uint32_t pe; /* of the machine */
} fabric_target;

/* A miss of a first-level cache: a register's own. */
typedef struct fabric_miss {
    uint32_t bank, place, group;
} fabric_miss;

enum fabric_flight_kind { FLIGHT_FREE, FLIGHT_FILL, FLIGHT_LOAD, FLIGHT_STORE, FLIGHT_ATOMIC, FLIGHT_WRITE_BACK };

/* What a tile has asked the second level for. */
typedef struct fabric_flight {
    uint32_t kind;
    uint32_t tile;
    uint32_t pe;        /* of the machine; LOAD, STORE, ATOMIC */
    uint32_t mshr;      /* FILL */
    hd_packet *request; /* LOAD: of the PE */
    uint64_t tag;       /* STORE, ATOMIC: of the PE's request */
    uint16_t source;
} fabric_flight;

/* On the way to the second level. packet NULL: the line is read, else it is written or operated on. */
typedef struct fabric_request {
    uint64_t address;
    uint64_t ready;
    hd_packet *packet;
    uint32_t flight;
    uint32_t is_atomic;
} fabric_request;

/* On the way back. */
typedef struct fabric_answer {
    uint64_t ready;
    hd_packet *packet; /* of memory; NULL: data */
    uint32_t flight;
    uint8_t data[FABRIC_LINE];
} fabric_answer;

typedef struct fabric_reply {
    hd_packet *packet;
    uint64_t ready;
} fabric_reply;

enum fabric_wait {
    WAIT_NONE,
    WAIT_ITEM,
    WAIT_MACHINE_ITEM,
    WAIT_BARRIER,
    WAIT_MACHINE_BARRIER,
    WAIT_SWITCH,
    WAIT_TASK
};

typedef struct fabric_pe {
    hd_link *request, *reply;
    hd_ring unsent;
    fabric_reply *replies;
    hd_packet *waiting; /* a load of a register that has not been answered; the PE's other accesses wait behind it */
    uint32_t waits_for;
    uint32_t has_slept;   /* since it arrived at a switch */
    uint32_t outstanding; /* requests taken whose replies have not left */
    uint32_t shown;       /* that it waits, in a trace */
    fabric_reach reach;
} fabric_pe;

enum fabric_phase { PHASE_NONE, PHASE_DRAIN, PHASE_SCAN, PHASE_ACKNOWLEDGE, PHASE_SETTLE };

/* A flush or a commit: the tile does nothing else meanwhile. */
typedef struct fabric_task {
    enum fabric_phase phase;
    uint32_t what; /* number of the register */
    uint32_t pe;   /* of the tile, who asked */
    uint32_t banks;
    uint32_t place; /* next to look at, of all these banks */
    uint64_t until;
} fabric_task;

typedef struct fabric_items {
    uint32_t first, next, end;
} fabric_items;

/* First ones of its own, its MSHRs and its PEs. */
typedef struct fabric_tracks {
    uint32_t tile, mshrs, pes;
} fabric_tracks;

typedef struct fabric_tile {
    fabric_bank *banks;
    cache_mshrs mshrs; /* by line and bank */
    fabric_miss *misses;
    fabric_target *targets;
    uint32_t group_misses[HD_TILE_PES_MAX];
    hd_ring to_second;
    fabric_request *requests;
    hd_ring from_second;
    fabric_answer *answers;
    uint32_t write_backs; /* not acknowledged */
    uint32_t turn;        /* PE whose access is looked at first */
    fabric_settings now, wanted;
    fabric_items items;
    fabric_task task;
    fabric_tracks tracks;
} fabric_tile;

typedef struct fabric_l1 {
    cache_tags tags;
    uint8_t *data;
    cache_mshrs mshrs;
    uint32_t *targets; /* flights */
    hd_ring unsent;
    hd_packet **out;
    hd_link *memory;
    uint64_t used_edge;
    uint32_t used; /* accesses in that edge */
} fabric_l1;

typedef struct fabric_messages {
    uint32_t load, load_reply, store, store_ack, atomic, atomic_reply, mistake;
} fabric_messages;

typedef struct tile_fabric {
    const hd_services *services;
    const hd_address_map *map;
    const hd_trace *trace;
    hd_value values[PARAMETER_COUNT];
    fabric_messages message;
    uint32_t tiles, pes, banks, l1_banks; /* pes: of a tile */
    uint32_t bank_bytes, bank_lines;
    fabric_pe *pe; /* of all tiles */
    fabric_tile *tile;
    fabric_l1 l1[FABRIC_L1_MAX];
    hd_link *fill[FABRIC_L1_MAX];
    uint32_t fill_count;
    uint32_t linked; /* PEs with a link */
    fabric_flight *flights;
    uint32_t *free_flights;
    uint32_t flight_count, free_count;
    uint32_t *chains; /* directory: first place, by a hash of the line */
    uint32_t chain_mask;
    fabric_items items;
    hd_cursor cursor;
    uint64_t next_edge; /* with work that is known */
    uint64_t accounted;
    uint32_t second_turn;        /* tile whose request is looked at first */
    uint32_t gated, at_barriers; /* PEs */
    uint32_t is_changed;         /* arrivals at barriers, or who is enabled */
    uint32_t faulted;
    fabric_counters counters;
} tile_fabric;

static inline uint64_t fabric_value(const tile_fabric *self, uint32_t parameter)
{
    return self->values[parameter].u;
}

static inline uint64_t fabric_edge(const tile_fabric *self)
{
    return self->cursor.n;
}

static inline void fabric_wake(tile_fabric *self, uint64_t edge)
{
    self->next_edge = edge < self->next_edge ? edge : self->next_edge;
}

static inline fabric_pe *fabric_pe_of(tile_fabric *self, uint32_t tile, uint32_t pe)
{
    return &self->pe[tile * self->pes + pe];
}

/* The bytes that a store writes, into the place of its first one. */
static inline void fabric_write_bytes(uint8_t *to, const hd_packet *request)
{
    const hd_store *store = hd_body_const(request);
    for (uint32_t i = 0; i < request->argument; i++)
        if (store->byte_mask[i / 32] >> i % 32 & 1)
            to[i] = hd_store_data_const(store)[i];
}

static inline uint64_t fabric_bytes_mask(uint32_t offset, uint32_t bytes)
{
    return (bytes >= 64 ? UINT64_MAX : (UINT64_C(1) << bytes) - 1) << offset;
}

/* ---- reach.c ---- */
void fabric_settings_reset(const tile_fabric *self, fabric_settings *settings);
void fabric_find_reach(tile_fabric *self, uint32_t tile);
/* Why these settings make no sense; 0: they do. */
uint32_t fabric_settings_wrong(const tile_fabric *self, const fabric_settings *settings, char *text, size_t bytes);

/* ---- banks.c ---- */
typedef struct fabric_access {
    uint32_t tile, pe;    /* pe: of the machine */
    uint32_t bank, first; /* where its line may be: bank, first place of the set */
    uint64_t line;        /* its number */
    uint64_t bytes;       /* of the line */
} fabric_access;

/* Of the line, those that a load asks for or a store writes. */
uint64_t fabric_bytes_of(const tile_fabric *self, const hd_packet *request);
/* Where an access of the PE goes; 0: it reaches no cache. */
uint32_t fabric_find_bank(tile_fabric *self, uint32_t pe, uint64_t address, fabric_access *access);
/* Place for the access's line, which is not there: another may leave. NO_PLACE: none, or no way for the one that would leave. */
uint32_t fabric_put_line(tile_fabric *self, const fabric_access *access);
void fabric_drop_line(tile_fabric *self, uint32_t tile, uint32_t bank, uint32_t place);
/* Dirty bytes go to memory; there is a way (fabric_has_way). */
void fabric_write_back(tile_fabric *self, uint32_t tile, uint32_t bank, uint32_t place);
void fabric_load_line(tile_fabric *self, const fabric_access *access, uint32_t place, hd_packet *request,
                      uint64_t ready);
void fabric_store_line(tile_fabric *self, const fabric_access *access, uint32_t place, hd_packet *request,
                       uint64_t ready);
/* What is here of the line, if it is, has the store's bytes too, which go to memory. */
void fabric_update_line(tile_fabric *self, const fabric_access *access, uint32_t place, const hd_packet *request);
void fabric_fill_line(tile_fabric *self, uint32_t tile, uint32_t mshr, const uint8_t *data);

/* ---- directory.c: who else has the line ---- */
#define FABRIC_PLACES_OF(self) ((self)->tiles * (self)->banks * (self)->bank_lines)
void fabric_directory_put(tile_fabric *self, uint32_t tile, uint32_t bank, uint32_t place);
void fabric_directory_remove(tile_fabric *self, uint32_t tile, uint32_t bank, uint32_t place);
/* A PE has stored bytes of the line: what others have of them is stale. `own`: the line that has them now; NULL: memory. */
void fabric_mark_stale(tile_fabric *self, uint64_t line, uint64_t bytes, const fabric_line *own, uint32_t pe);
/* Which of the bytes others have stored and not written back; *tile: one of them. */
uint64_t fabric_dirty_elsewhere(const tile_fabric *self, uint64_t line, uint64_t bytes, const fabric_line *own,
                                uint32_t *tile);

/* What each has of it. */
void fabric_directory_each(tile_fabric *self, uint64_t line,
                           void (*meet)(void *context, fabric_line *line, uint8_t *data), void *context);

/* ---- accept.c ---- */
uint32_t fabric_is_scratchpad(uint64_t address);
/* Of the banks that the PE reaches; NULL: it reaches no such byte. */
uint8_t *fabric_scratchpad_bytes(tile_fabric *self, uint32_t pe, uint32_t offset);
void fabric_accept(tile_fabric *self, uint32_t tile, hd_time t);

/* ---- manager.c ---- */
uint32_t fabric_is_register(uint64_t address);
void fabric_register(tile_fabric *self, uint32_t pe, hd_packet *request);
void fabric_manage(tile_fabric *self);
/* The PE's load of a register no longer waits: it is to be answered. */
hd_packet *fabric_end_wait(tile_fabric *self, uint32_t pe);
void fabric_answer_register(tile_fabric *self, uint32_t pe, uint32_t value);
/* Settings hold: who waits for that and is enabled goes on. */
void fabric_end_switch(tile_fabric *self, uint32_t tile);

/* ---- task.c ---- */
uint32_t fabric_task_commits(const fabric_task *task);
void fabric_begin_task(tile_fabric *self, uint32_t tile, uint32_t pe, uint32_t what);
void fabric_work_task(tile_fabric *self, uint32_t tile);

/* ---- level2.c ---- */
uint32_t fabric_has_way(const tile_fabric *self, const fabric_tile *tile, uint32_t requests);
uint32_t fabric_take_flight(tile_fabric *self, fabric_flight flight);
void fabric_to_second(tile_fabric *self, uint32_t tile, fabric_request request);
void fabric_second_level(tile_fabric *self);
/* Without time: what is there of the line has these bytes, and what comes is not kept. */
void fabric_second_update(tile_fabric *self, uint64_t address, const void *data, uint32_t bytes);

/* ---- memory.c ---- */
void fabric_receive(tile_fabric *self, hd_time t);
void fabric_send_to_memory(tile_fabric *self, hd_time t);
hd_packet *fabric_memory_request(tile_fabric *self, uint32_t message, uint64_t address, uint32_t body_bytes);
void fabric_fetch(tile_fabric *self, uint32_t bank, uint32_t mshr, uint64_t address);
void fabric_queue_out(tile_fabric *self, uint32_t bank, hd_packet *packet);

/* ---- answers.c ---- */
void fabric_push_answer(tile_fabric *self, uint32_t flight, hd_packet *packet, const uint8_t *data, uint64_t ready);
void fabric_take_answer(tile_fabric *self, uint32_t tile);
/* To whoever has sent the request; its body is not written yet. */
hd_packet *fabric_reply_of(tile_fabric *self, const hd_packet *request, uint32_t message, uint32_t body_bytes);
void fabric_reply_to(tile_fabric *self, uint32_t pe, hd_packet *reply, uint64_t ready);
void fabric_acknowledge(tile_fabric *self, uint32_t pe, hd_packet *request, uint64_t ready);
/* Of a load, with the bytes; those of `stale` (of the line at the request) are stored by others. */
void fabric_answer_load(tile_fabric *self, uint32_t pe, hd_packet *request, const uint8_t *bytes, uint64_t ready);
void fabric_send_replies(tile_fabric *self, hd_time t);

/* ---- mistakes.c ---- */
/* The program's: the core ends the run, and says where. data: what a load is answered; NULL: zeros. wrong: which of the bytes, UINT64_MAX:
 * all. Takes the request. */
void fabric_mistake(tile_fabric *self, uint32_t pe, hd_packet *request, const uint8_t *data, uint64_t wrong,
                    const char *format, ...) __attribute__((format(printf, 6, 7)));
/* other: the tile that has newer ones; is_elsewhere: in a cache of its own. */
void fabric_stale_load(tile_fabric *self, uint32_t pe, hd_packet *request, const uint8_t *data, uint64_t stale,
                       uint32_t other, uint32_t is_elsewhere);
/* It is no request that there is: here the run ends. Takes the request. */
void fabric_refuse(tile_fabric *self, uint32_t pe, hd_packet *request, hd_time t, const char *what);

/* ---- trace.c: at the edge that is worked ---- */
#define FABRIC_TRACE_EVENTS 11u
extern const hd_trace_event fabric_trace_events[FABRIC_TRACE_EVENTS];
void fabric_trace_create(tile_fabric *self);
void fabric_trace_reset(tile_fabric *self);
void fabric_trace_miss(const tile_fabric *self, uint32_t tile, uint32_t mshr, uint64_t line);
void fabric_trace_fill(const tile_fabric *self, uint32_t tile, uint32_t mshr);
/* Before it does. */
void fabric_trace_write_back(const tile_fabric *self, uint32_t tile, uint32_t bank, uint32_t place);
void fabric_trace_task(const tile_fabric *self, uint32_t tile);
void fabric_trace_task_end(const tile_fabric *self, uint32_t tile);
/* What it waits for, if that has changed. */
void fabric_trace_pe(tile_fabric *self, uint32_t pe, uint32_t is_enabled);
/* Before it has it. */
void fabric_trace_item(const tile_fabric *self, uint32_t pe, uint32_t item);
void fabric_trace_stale(const tile_fabric *self, uint32_t pe, uint64_t address, uint32_t other);

/* ---- debug.c ---- */
extern const hd_under_way fabric_under_way;
extern const hd_debug_ports fabric_debug_ports;
uint32_t fabric_debug_access(hd_block *block, uint64_t address, void *data, uint32_t bytes, uint32_t is_write);

/* ---- checkpoint.c, extension.c, create.c, work.c ---- */
extern const hd_state fabric_state;
const void *fabric_extension(hd_block *block, const char *id);
hd_block *fabric_create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes);
void fabric_connect(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in);
void fabric_reset(hd_block *block);
/* Lines, settings and turns as after reset; nothing is under way. */
void fabric_forget(tile_fabric *self);
void fabric_destroy(hd_block *block);
hd_time fabric_advance(hd_block *block, hd_time now, hd_time horizon);

#endif
