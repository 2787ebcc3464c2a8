/* SPDX-License-Identifier: MIT */
/*
 * Words of a block's scratchpad that move with it. context.scratchpad 'whole': all. 'written': those that the block has written, as the
 * core's table knows (shuffle/array_table.h); the others are 0 when a block starts, and are 0 again where it goes on. A block for whose
 * entries there was no room, or to which they would add more than they spare, moves whole.
 */
#ifndef SIMT_CORE_CONTEXT_SCRATCHPAD_H
#define SIMT_CORE_CONTEXT_SCRATCHPAD_H

#include "byte_stream.h"
#include "instruction.h"
#include "lane_homes.h"
#include "shuffle/array_table.h"

struct simt_core;

/* Nonzero: out of memory. */
int words_create(struct simt_core *core);
void words_destroy(struct simt_core *core);
void words_reset(struct simt_core *core);
/* A store or an atomic of the path issues for these lanes; addresses as the program gave them. */
void words_note(struct simt_core *core, uint32_t path, const isa_instruction *instruction, const uint32_t *address);
/* The block in the slot is gone. */
void words_end(struct simt_core *core, uint32_t slot);
/* What of its scratchpad moves, on the modelled machine. */
uint64_t words_bytes(const struct simt_core *core, uint32_t slot);
/* The same words, to the stream or from it. */
void words_stream(struct simt_core *core, uint32_t slot, byte_stream *stream);

#endif
