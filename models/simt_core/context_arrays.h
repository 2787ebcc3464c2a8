/* SPDX-License-Identifier: MIT */
/*
 * Arrays of a block that comes: words of its scratchpad that did not move, as they are in global memory (Beaumont 2019 §4.4.2, step 8).
 * When the stream is here, and with it the table's entries, their lines are asked for as those of a context are, by requests that look up
 * the L2.
 *
 * Another core may have stored there meanwhile, of which this one's table has not heard. So the words as they were go beside the stream,
 * without cost: what comes from memory is compared with them, and if it is not the same, the run ends with a fault that names the block
 * and the word (context.foreign_store_check; 'strict' also keeps the table from believing anything but loads of what nobody writes).
 */
#ifndef SIMT_CORE_CONTEXT_ARRAYS_H
#define SIMT_CORE_CONTEXT_ARRAYS_H

#include "byte_stream.h"
#include "memory/memory.h"
#include "shuffle/array_table.h"

struct simt_core;

#define ARRAY_MAX_ENTRIES 4096u                           /* the largest core.context.scratchpad_entries */
#define ARRAY_REQUEST (UINT64_C(1) << MEMORY_ARRAY_SHIFT) /* in the number of a request to memory: it is one of these */

/* Words in one line. */
typedef struct array_request {
    uint64_t address;
    uint32_t bytes;
    uint32_t skip;                 /* bytes from there to the first word */
    uint32_t first, words, stride; /* words: as array_reads.words counts them */
    uint32_t reserved;
} array_request;

enum { READS_NONE, READS_BEGUN, READS_DONE };

typedef struct array_reads {
    array_entry *entries; /* [ARRAY_MAX_ENTRIES] of the block that comes, NULL: nobody asks */
    uint8_t *changed;     /* [ARRAY_MAX_ENTRIES] this core has stored there since */
    uint32_t entry_count;
    uint32_t comes_whole; /* the block, without entries */
    uint32_t state;
    array_request *requests;
    uint32_t request_count, request_capacity;
    uint32_t asked, unanswered; /* requests */
    uint32_t word_count, word_capacity;
    uint32_t *words;     /* of all arrays, one after the other */
    uint64_t bytes;      /* asked for */
    uint32_t compared;   /* words */
    uint32_t others;     /* of these, those that were something else */
    uint64_t other_at;   /* the first of them, and */
    uint32_t other, own; /* what is there, and was here */
} array_reads;

/* Nonzero: out of memory. arrays_destroy in either case; `reads` is zeroed. */
int arrays_create(array_reads *reads);
void arrays_destroy(array_reads *reads);
void arrays_reset(struct simt_core *core);
void arrays_transfer(array_reads *reads, const hd_state_stream *stream);
/* A block comes: nothing of its arrays has been asked for. */
void arrays_begin(struct simt_core *core);
/* Its whole stream is here. Asks for what is due; 1: all arrays are here too, or none is asked for as it moves in no time. */
uint32_t arrays_are_here(struct simt_core *core);
void arrays_answered(struct simt_core *core, uint64_t number, const void *bytes);
/* Of the array that comes next, in the order of entries: the words as they were are in the scratchpad, at `offset` of it. */
void arrays_compare(struct simt_core *core, const array_entry *entry, uint32_t offset);
/* A store of this core to global memory: of arrays of the block that comes, and of those that wait for room. */
void arrays_note_store(struct simt_core *core, uint64_t address, uint64_t bytes);
/* The block is here. Nonzero: some of its words are not what they were, and the run ends. */
uint32_t arrays_end(struct simt_core *core, uint64_t tag);

#endif
