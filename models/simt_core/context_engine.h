/* SPDX-License-Identifier: MIT */
/*
 * Moves thread blocks out of the core and into it, one at a time, at a rate of architectural bytes per cycle.
 *
 * With context.storage 'scheduler' the stream goes by the links to the scheduler. Idealised: it uses no network, no memory and no port of
 * registers or scratchpad, and whoever holds it has room for it.
 *
 * With 'memory', or a buffer of the L2, as many bytes as the modelled machine moves go to memory in requests of a line, and come from there: the first of the
 * stream, which is longer. What is left of it, registers that such a machine does not have, goes by the links at once, beside the
 * requests.
 */
#ifndef SIMT_CORE_CONTEXT_ENGINE_H
#define SIMT_CORE_CONTEXT_ENGINE_H

#include "context_arrays.h"
#include "hd_block.h"
#include "hd_extension.h"
#include "hd_message.h"
#include "hd_state.h"

typedef struct simt_core simt_core;

/* LEAVING: a block that has been saved. RETURNING: the bytes of one that could not be restored. */
enum { ENGINE_IDLE, ENGINE_LEAVING, ENGINE_RETURNING, ENGINE_ARRIVING };

/* context.storage */
enum { CONTEXT_WITH_SCHEDULER, CONTEXT_IN_MEMORY, CONTEXT_IN_BUFFERS };

/* That a block leaves, and how. */
typedef struct stop_order {
    uint64_t edge; /* at which it came */
    uint32_t is_ideal;
    uint32_t buffer;       /* its number and 1; 0: none */
    uint64_t buffer_bytes; /* of each */
} stop_order;

/* What a block was told while it waited for room. */
typedef struct told_block {
    uint32_t stop;
    stop_order order;     /* of that */
    hd_block_watch watch; /* period 0: none */
} told_block;

/* A block that is here and waits for room (context_waiting.c). */
typedef struct aside_block {
    uint64_t tag;
    hd_context_size size;
    uint64_t begun, asked_at; /* as those of the engine */
    uint8_t *bytes;
    uint64_t capacity;
    array_reads arrays; /* those that have come */
    told_block told;
} aside_block;

typedef struct context_engine {
    uint32_t busy;     /* there may be something to do at an edge */
    uint64_t chosen;   /* blocks that leave when they have stopped, a bit each, by slot */
    uint64_t deferred; /* of these, those that have yet to stop */
    uint64_t locked;   /* of these, those that have waited for a lock */
    uint64_t unissued; /* blocks that have issued nothing since they came */
    uint32_t state;
    uint32_t slot; /* ENGINE_LEAVING */
    uint64_t tag;
    hd_context_size size;
    uint64_t begun;  /* edge */
    uint64_t passed; /* bytes of the stream that are behind us */
    uint8_t *bytes;  /* the stream; it grows, as nobody knows the largest one */
    uint64_t capacity;
    uint32_t storage;     /* CONTEXT_*: where blocks go if nothing else is said */
    uint32_t uses_memory; /* what moves now does, or uses a buffer */
    uint32_t is_ideal;    /* the bytes of what moves now take no time */
    uint32_t announces;   /* the scheduler has yet to hear of its buffer */
    uint32_t unanswered;  /* requests */
    uint64_t asked;       /* bytes of the image in memory for which there was a request */
    uint64_t asked_at;    /* edge of the last one */
    uint64_t retry;       /* edge before which those that wait for room are not tried again */
    aside_block *aside;   /* in the order in which they came; the bytes of the others are kept for the next ones */
    uint32_t aside_count, aside_limit;
    told_block told;        /* the block that is let in */
    stop_order *stops;      /* [slot] */
    uint64_t next;          /* edge at which it goes on by itself, UINT64_MAX if there is none */
    uint32_t holds;         /* the message at the head of dispatch waits for it */
    uint32_t awaits_credit; /* of event */
    uint64_t rate;          /* of what moves now; 0: no limit */
    uint64_t stored_rate, buffer_rate;
    uint32_t message_stop, message_context, message_saved, message_restore, message_refused;
    uint32_t message_shuffle, message_leaving, message_restored;
} context_engine;

/* context_create.c. Nonzero: out of memory. */
int engine_create(simt_core *core);
void engine_destroy(simt_core *core);
void engine_reset(simt_core *core);
void engine_transfer(simt_core *core, const hd_state_stream *stream);
/* The block in the slot has ended, or left. */
void engine_forget(simt_core *core, uint32_t slot);

/* context_engine.c */
/* What has come on dispatch that is no launch. It may stay there: engine.holds. */
void engine_accept(simt_core *core, const hd_packet *packet);
/* What it has to do at this edge, after everything else. */
void engine_work(simt_core *core);
/* Beside resident blocks. context_describe.c */
uint32_t engine_has_work(const simt_core *core);
void engine_describe(const simt_core *core, const hd_text_sink *sink);

/* Of the stream, what goes by the links. */
static inline uint64_t context_link_bytes(const context_engine *engine)
{
    return engine->size.stream_bytes - engine->size.memory_bytes;
}

/* ---- Within the engine ----------------------------------------------------------------------------------------------------- */

/* What is to move has been chosen, and moves from now on. */
void engine_begin(simt_core *core, uint32_t state);
/* It has moved: another one may. */
void engine_become_idle(simt_core *core);
void engine_count(simt_core *core, uint64_t *blocks);
/* Of the stream. Nonzero: out of memory. */
int engine_make_room(context_engine *engine, uint64_t bytes);
void engine_out_of_memory(simt_core *core, const char *what);
/* Of event; without one, it will wake us. */
uint32_t engine_has_credit(simt_core *core);
void engine_refuse(simt_core *core, uint64_t tag, uint32_t reason);
/* What the scheduler hears of a buffer: that the block has begun to leave for it, or has left it. Returns 0 without a credit. */
uint32_t engine_announce(simt_core *core);
/* Bytes of the next packet of the stream. */
uint64_t engine_next_part(const context_engine *engine);
/* Edge at which so many bytes of the stream have passed. */
uint64_t engine_edge_of(const context_engine *engine, uint64_t passed);

/* ---- context_leaving.c: blocks that leave ---------------------------------------------------------------------------------- */

/* If one has stopped that is to leave, it begins. */
void context_leave_if_stopped(simt_core *core);
/* What leaves or goes back, as far as it is due. */
void context_send_parts(simt_core *core);

/* ---- context_deferred.c: blocks that have yet to stop ------------------------------------------------------------------ */

/* The block in the slot is told to leave: it begins to stop at once; or when it has issued an instruction here, and has no lock any
 * more (context.lock_patience). */
void context_stop_or_wait(simt_core *core, uint32_t slot);
/* Those that have waited. */
void context_stop_waiting(simt_core *core);

/* ---- context_waiting.c: blocks that are here and find no room ---------------------------------------------------------- */

/* Room for as many as there can be. Nonzero: out of memory. */
int context_waiting_create(simt_core *core);
void context_waiting_destroy(simt_core *core);
/* The block that has come steps aside, and is tried again later. */
void context_wait_for_room(simt_core *core);
/* Nothing else is to do for the engine, and there may be room now: those that wait are let in, the first that has come first. */
void context_try_waiting(simt_core *core);
/* What a block that waits has been told; NULL: it does not wait. */
told_block *context_waits_for_room(const context_engine *engine, uint64_t tag);
/* The block that has come whole gets its slot, or has to wait or to go back (context_engine.c). */
void context_let_in(simt_core *core);
/* It has got its slot. */
void context_do_as_told(simt_core *core, uint32_t slot);

/* ---- context_memory.c: what goes by the network ----------------------------------------------------------------------- */

/* A block leaves or comes: nothing has been asked of memory yet. */
void context_memory_begin(simt_core *core);
/* Requests as far as they are due, and leave. */
void context_memory_ask(simt_core *core);
/* All that has to be in memory, or to come from there, is. */
uint32_t context_memory_is_done(const context_engine *engine);
/* The block in the slot, whose size is known, leaves as it was told. */
void context_choose_way(simt_core *core, uint32_t slot);
/* That of what moves now. */
void context_choose_rate(context_engine *engine);
/* Is there room in the block's context slot beside private memory? If not, the run ends. */
uint32_t context_memory_accepts(simt_core *core, uint32_t slot);
/* Edge at which so many architectural bytes have passed. */
uint64_t context_edge_of(const context_engine *engine, double bytes);
/* Of the stream, in whole lines. */
uint64_t context_buffer_bytes(const hd_context_size *size);
/* Of a request to memory (memory_events). */
void engine_sent(simt_core *core);
void engine_answered(simt_core *core, uint64_t number, const void *bytes, uint32_t count);

#endif
