/* SPDX-License-Identifier: MIT */
/* A table of words of a scratchpad, and what is done with it. */
#ifndef TEST_ARRAY_TABLE_BENCH_H
#define TEST_ARRAY_TABLE_BENCH_H

#include "shuffle/array_table.h"

#include <criterion/criterion.h>
#include <string.h>

#define CAPACITY 128u
#define ROWS 4u
#define LANES 32u
#define ALL UINT64_C(0xFFFFFFFF)
#define REGISTER 10u
#define BYTES 4096u /* of scratchpad, of a block */

typedef struct bench {
    array_table table;
    uint64_t places[ARRAY_MAX_LANES];
} bench;

static inline void begin(bench *b, uint32_t capacity)
{
    memset(b, 0, sizeof *b);
    cr_assert_eq(array_table_create(&b->table, capacity, ROWS), 0);
}

static inline array_access access_of(bench *b, uint32_t block, uint64_t first, uint64_t step, uint64_t lanes)
{
    for (uint32_t lane = 0; lane < LANES; lane++)
        b->places[lane] = first + step * lane;
    return (array_access){.row = block, .block = block, .number = REGISTER, .lanes = lanes, .places = b->places};
}

static inline void load(bench *b, uint64_t address, uint64_t step)
{
    const array_access access = access_of(b, 0, address, step, ALL);
    array_table_load(&b->table, &access);
}

static inline void store(bench *b, uint32_t word)
{
    const array_access access = access_of(b, 0, word, 1, ALL);
    array_table_store(&b->table, &access);
}

static inline void copy(bench *b, uint64_t address, uint32_t word)
{
    load(b, address, 4);
    store(b, word);
}

static inline void compute(bench *b, uint32_t word)
{
    array_table_change(&b->table, 0, UINT64_C(1) << REGISTER);
    store(b, word);
}

static inline void copy_words(bench *b, uint64_t address, uint32_t word, uint32_t count)
{
    for (uint32_t i = 0; i < count; i += LANES)
        copy(b, address + 4 * i, word + i);
}

static inline uint32_t entries(const bench *b, uint32_t arrays_only)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < b->table.capacity; i++)
        found += b->table.entries[i].valid && (!arrays_only || b->table.entries[i].is_array);
    return found;
}

/* The only one that begins there. */
static inline const array_entry *entry_at(const bench *b, uint32_t first)
{
    for (uint32_t i = 0; i < b->table.capacity; i++)
        if (b->table.entries[i].valid && b->table.entries[i].first == first)
            return &b->table.entries[i];
    cr_assert_fail("no entry begins at word %u", first);
    return NULL;
}

static inline void expect_bytes(const bench *b, uint64_t leaving, uint64_t coming)
{
    const array_bytes bytes = array_table_bytes(&b->table, 0, BYTES);
    cr_expect_eq(bytes.leaving, leaving, "%lu B leave, not %lu", bytes.leaving, leaving);
    cr_expect_eq(bytes.coming, coming, "%lu B come, not %lu", bytes.coming, coming);
}

#endif
