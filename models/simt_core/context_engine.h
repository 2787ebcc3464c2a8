/* SPDX-License-Identifier: MIT */
/*
 * Moves thread blocks out of the core and into it, one at a time, at a rate of architectural bytes per cycle. The bytes themselves
 * go by the links to the scheduler. Idealised: they use no network, no memory and no port of registers or scratchpad, and
 * whoever holds them has room for them.
 */
#ifndef SIMT_CORE_CONTEXT_ENGINE_H
#define SIMT_CORE_CONTEXT_ENGINE_H

#include "hd_block.h"
#include "hd_extension.h"

typedef struct simt_core simt_core;

/* LEAVING: a block that has been saved. RETURNING: the bytes of one that could not be restored. */
enum { ENGINE_IDLE, ENGINE_LEAVING, ENGINE_RETURNING, ENGINE_ARRIVING };

typedef struct context_engine {
    uint32_t busy;   /* there may be something to do at an edge */
    uint64_t chosen; /* blocks that leave when they have stopped, a bit each, by slot */
    uint32_t state;
    uint32_t slot; /* ENGINE_LEAVING */
    uint64_t tag;
    hd_context_size size;
    uint64_t begun;  /* edge */
    uint64_t passed; /* bytes of the stream that are behind us */
    uint8_t *bytes;  /* the stream; it grows, as nobody knows the largest one */
    uint64_t capacity;
    uint64_t next;          /* edge at which it goes on by itself, UINT64_MAX if there is none */
    uint32_t holds;         /* the message at the head of dispatch waits for it */
    uint32_t awaits_credit; /* of event */
    uint64_t rate;
    uint32_t message_stop, message_context, message_saved, message_restore, message_refused;
} context_engine;

void engine_create(simt_core *core);
void engine_reset(simt_core *core);
/* What has come on dispatch that is no launch. It may stay there: engine.holds. */
void engine_accept(simt_core *core, const hd_packet *packet);
/* What it has to do at this edge, after everything else. */
void engine_work(simt_core *core);
void engine_describe(const simt_core *core, const hd_text_sink *sink);
/* Beside resident blocks. */
uint32_t engine_has_work(const simt_core *core);

#endif
