/* SPDX-License-Identifier: MIT */
/* Fetch, decode, and the check of an instruction against the scoreboard. */
#ifndef SIMT_CORE_FRONT_END_H
#define SIMT_CORE_FRONT_END_H

#include "entities.h"
#include "hd_state.h"

typedef struct simt_core simt_core;

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

typedef struct front_end {
    uint32_t waits_apart;       /* lanes are regrouped, or the scoreboard is always asked */
    uint32_t instruction_cache; /* 0: every fetch hits */
    fetch_queue to_fetch, decoding;
    uint64_t decodes_at; /* edge at which the first of decoding is decoded, UINT64_MAX if none is on its way */
    fetch_queue fetched; /* their lines have come after a miss */
    fetch_queue refused; /* until another fetch has its line */
} front_end;

/* fetch_queues.c. Nonzero: out of memory. */
int front_end_create(front_end *fetches, uint32_t paths);
void front_end_destroy(front_end *fetches);
void front_end_reset(front_end *fetches);

void front_end_start(simt_core *core, uint32_t path);
void front_end_decode(simt_core *core);
void front_end_fetch(simt_core *core);
/* The path has just gone on by one instruction and fetches the next one. Has that come by the same fetch, and could issue? */
uint32_t front_end_has_another(simt_core *core, uint32_t path);
/* Then it is in the buffer, and the fetch that has begun is void. */
void front_end_take_another(simt_core *core, uint32_t path);
static inline uint64_t fetch_queue_first(const fetch_queue *queue)
{
    return queue->head == queue->tail ? UINT64_MAX : queue->entry[queue->head & queue->mask].cycle;
}
static inline uint32_t front_end_has_fetches(const front_end *fetches)
{
    return fetches->to_fetch.head != fetches->to_fetch.tail || fetches->fetched.head != fetches->fetched.tail;
}
void front_end_fetched(simt_core *core, uint32_t path, uint32_t sequence);
/* The path waits although no register that it needs is in flight for its lanes. */
uint32_t front_end_is_held_by_scoreboard(const simt_core *core, uint32_t path);
/* Registers or accesses of the warp's lanes are there: whoever waits for them goes on. */
void front_end_recheck_warp(simt_core *core, uint32_t warp);
/* Of the paths that run in the warp's slot alone. */
void front_end_recheck_waiting(simt_core *core, uint32_t warp);
/* The same of one path. */
void front_end_recheck_path(simt_core *core, uint32_t path);
/* The path has other lanes at the same pc. */
void front_end_regrouped(simt_core *core, uint32_t path);
/* For one more path in the queues: paths may come and go without being fetched. */
void front_end_make_room(simt_core *core);
void front_end_transfer(front_end *fetches, const hd_state_stream *stream);
/* Of those that are ready, whether they have to wait now. */
void front_end_recheck_ready(simt_core *core, uint32_t warp);
/* The same of those that run in the slot of this path, which issues. */
void front_end_recheck_others(simt_core *core, uint32_t path);
void path_set_status(simt_core *core, uint32_t path, enum path_status status);

#endif
