/* SPDX-License-Identifier: MIT */
/* Thread blocks stop, and go on here or elsewhere (hd_context.h). */
#ifndef SIMT_CORE_CONTEXT_H
#define SIMT_CORE_CONTEXT_H

#include "byte_stream.h"
#include "context_patterns.h"
#include "hd_context.h"

typedef struct simt_core simt_core;

typedef struct context_stops {
    uint32_t stopping;  /* blocks that are STAGE_DRAINING or STAGE_FLUSHING */
    uint64_t next;      /* edge at which one of them gives its transactions up, UINT64_MAX if none does */
    uint64_t since[64]; /* [slot]: edge at which it began to stop */
} context_stops;

/* context.c */
extern const hd_context core_context;
/* Slot of the block with this tag, or NO_SLOT. */
uint32_t context_find(const simt_core *core, uint64_t tag);
/* The block is gone without having ended; nothing of it is in flight. */
void context_leave(simt_core *core, uint32_t slot);
/* Whoever stops may have got one step further at this edge. */
void context_work(simt_core *core);
/* The next edge to work on is not before t, and what was before is in the statistics as it was. */
void context_stand_at(simt_core *core, hd_time t);
/* The block in the slot runs, and begins to stop at this edge. */
void context_begin_stop(simt_core *core, uint32_t slot);
/* The block in the slot is stopped, and goes on. */
void context_go_on(simt_core *core, uint32_t slot);
void context_measure(simt_core *core, uint32_t slot, hd_context_size *size);

/* context_registers.c: which registers of a block move */
typedef struct context_registers {
    uint64_t bytes;                   /* of those that do, on the modelled machine */
    uint64_t mark_bytes;              /* that say which they are */
    uint64_t whole_bytes;             /* of all that it has */
    uint64_t dead;                    /* registers of warps that stay behind */
    uint64_t patterns[PATTERN_COUNT]; /* that move, by what they are */
} context_registers;

context_registers context_registers_of(const simt_core *core, uint32_t slot);
/* The block leaves: for the statistics. */
void context_count_spared(simt_core *core, uint32_t slot);
/* Those of a warp, to the stream or from it; what stays behind is nobody's value. */
void context_stream_registers(simt_core *core, uint32_t warp, byte_stream *stream);

/* context_stream.c: a block at rest, to bytes and back */
void context_write(simt_core *core, uint32_t slot, byte_stream *stream);
/* Bytes of it that are pcs, masks and reconvergence state. */
uint64_t context_control_bytes(simt_core *core, uint32_t slot);
/* Of a stream, which words of the scratchpad are in it (words_read_entries). */
void context_find_entries(simt_core *core, byte_stream *stream);
/* The block's slot, or NO_SLOT and one line in error. */
uint32_t context_read(simt_core *core, byte_stream *stream, char *error, size_t error_bytes);

#endif
