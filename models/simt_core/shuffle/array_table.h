/* SPDX-License-Identifier: MIT */
/*
 * Which words of a core's scratchpad a block that moves needs, and which of them are in memory anyway (Beaumont 2019 §4.4.1, SM array table).
 *
 * An entry is a range of words of one block that have been written. It is an array if word first + i is what memory has at address +
 * (i << stride), as a warp has loaded it there and stored it here without change. Stores of this core to that range of memory, and
 * atomics of the block, make it an entry like others. Stores of other cores do not: whoever relies on arrays has to look for these.
 *
 * A store that writes something else to part of an array makes all of it an entry like others; with `retiles` only that part, and what is
 * left of the array is an entry by itself, or two.
 *
 * A block whose stores have found no free entry needs its whole scratchpad. Words are of 4 B, and counted from the block's first.
 */
#ifndef SIMT_CORE_ARRAY_TABLE_H
#define SIMT_CORE_ARRAY_TABLE_H

#include <stdint.h>

#include "hd_state.h"

#define ARRAY_ENTRY_BYTES 16u /* of an entry, where it moves */
#define ARRAY_MAX_LANES 64u

typedef struct array_entry {
    uint32_t valid;
    uint32_t block; /* slot */
    uint32_t first, words;
    uint32_t is_array;
    uint32_t stride; /* binary logarithm of bytes; the rest is of arrays too */
    uint64_t address;
    int64_t offset; /* address - (first << stride): the same for all parts of an array */
} array_entry;

/* What a warp has loaded last, if it may be part of an array. */
typedef struct array_candidate {
    uint32_t valid;
    uint32_t block;
    uint32_t number; /* of the register */
    uint32_t stride;
    uint32_t elements;
    uint32_t reserved;
    uint64_t lanes;
    uint64_t address; /* of the first of these */
} array_candidate;

typedef struct array_table {
    array_entry *entries; /* [capacity] */
    uint32_t capacity;
    uint32_t rows;
    uint32_t retiles;
    uint32_t knows_arrays;       /* whoever tells it of stores and loads tells of global memory too */
    array_candidate *candidates; /* [row] */
    uint64_t overflows;          /* slots whose stores have found no room, a bit each */
} array_table;

/* Lanes of a warp that access a word each. */
typedef struct array_access {
    uint32_t row, block;
    uint32_t number; /* the register that is loaded or stored */
    uint64_t lanes;
    const uint64_t *places; /* [lane]: address in memory, or word of the block's scratchpad */
} array_access;

typedef struct array_bytes {
    uint64_t leaving; /* entries, and what is no array */
    uint64_t coming;  /* the same, and arrays from where they are */
} array_bytes;

/* 0 on success; array_table_destroy in either case. `table` is zeroed but for retiles and knows_arrays. */
int array_table_create(array_table *table, uint32_t capacity, uint32_t rows);
void array_table_destroy(array_table *table);
void array_table_reset(array_table *table);
void array_table_transfer(array_table *table, const hd_state_stream *stream);

/* Words of global memory to a register. */
void array_table_load(array_table *table, const array_access *access);
/* Registers of the row have been written by something else. */
void array_table_change(array_table *table, uint32_t row, uint64_t registers);
/* Words of a register to the scratchpad. */
void array_table_store(array_table *table, const array_access *access);
/* Whatever else writes words there: part of one, atomics, transactions. */
void array_table_write(array_table *table, uint32_t block, uint32_t first, uint32_t words);
/* A store of any block of the core to global memory. */
void array_table_store_global(array_table *table, uint64_t address, uint64_t bytes);
/* An atomic of the block on global memory, or a transaction of it that commits. */
void array_table_order(array_table *table, uint32_t block);
/* The block is gone. */
void array_table_end(array_table *table, uint32_t block);

/* An entry of a block that comes, as it was where it left: its offset follows from the rest. */
void array_table_put(array_table *table, const array_entry *entry);
/* Is something of the array there, which has `bytes` of memory at `address`? */
uint32_t array_entry_meets(const array_entry *entry, uint64_t address, uint64_t bytes);

/* scratchpad_bytes: of the block. */
array_bytes array_table_bytes(const array_table *table, uint32_t block, uint64_t scratchpad_bytes);

#endif
