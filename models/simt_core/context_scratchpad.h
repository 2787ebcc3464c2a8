/* SPDX-License-Identifier: MIT */
/*
 * Words of a block's scratchpad that move with it. context.scratchpad 'whole': all. 'written': those that the block has written, as the
 * core's table knows (shuffle/array_table.h). 'arrays': of these, but for those that are in global memory anyway, which are read from
 * there where the block goes on (context_arrays.h). A block for whose entries there was no room, or to which they would add more than they
 * spare, moves whole.
 *
 * context.unwritten: what words that did not move are where the block goes on: 0, as when it starts, or garbage.
 */
#ifndef SIMT_CORE_CONTEXT_SCRATCHPAD_H
#define SIMT_CORE_CONTEXT_SCRATCHPAD_H

#include "byte_stream.h"
#include "instruction.h"
#include "lane_homes.h"
#include "shuffle/array_table.h"

struct simt_core;

/* context.scratchpad */
enum { SCRATCHPAD_WHOLE, SCRATCHPAD_WRITTEN, SCRATCHPAD_ARRAYS };

/* context_scratchpad.c */
/* Nonzero: out of memory. */
int words_create(struct simt_core *core);
void words_destroy(struct simt_core *core);
void words_reset(struct simt_core *core);
/* The block in the slot is gone. */
void words_end(struct simt_core *core, uint32_t slot);
/* What of its scratchpad moves, on the modelled machine. */
uint64_t words_bytes(const struct simt_core *core, uint32_t slot);
/* It leaves: for the statistics. */
void words_count_spared(struct simt_core *core, uint32_t slot);
/* The table's entries of the block, to the stream; or from there, of a block with so much scratchpad, for words_stream. */
void words_write_entries(struct simt_core *core, uint32_t slot, byte_stream *stream);
void words_read_entries(struct simt_core *core, uint32_t scratchpad_bytes, byte_stream *stream);
/* The words of these entries. */
void words_stream(struct simt_core *core, uint32_t slot, byte_stream *stream);

/* context_notes.c: what the table is told */
/* The path's instruction is about to issue. Only where arrays are asked for. */
void words_announce(struct simt_core *core, uint32_t path);
/* An access of the path issues for these lanes; addresses as the program gave them. */
void words_note(struct simt_core *core, uint32_t path, const isa_instruction *instruction, const uint32_t *address);
/* A transaction of the warp commits. */
void words_commit(struct simt_core *core, uint32_t warp);
/* Somebody from outside writes this register of the row. */
void words_register_written(struct simt_core *core, uint32_t row, uint32_t number);

#endif
