/* SPDX-License-Identifier: MIT */
#include "array_table_bench.h"

#include <stdlib.h>

/* Two arrays of 256 words, 128 words that were computed, and the rest of 1024 words untouched. */
static void example(bench *b)
{
    begin(b, CAPACITY);
    copy_words(b, 0x10000, 0, 256);
    copy_words(b, 0x20000, 256, 256);
    for (uint32_t word = 512; word < 640; word += LANES)
        compute(b, word);
}

Test(array_table, the_worked_example)
{
    bench b;
    example(&b);
    cr_expect_eq(entries(&b, 0), 3);
    const array_entry *first = entry_at(&b, 0), *second = entry_at(&b, 256), *plain = entry_at(&b, 512);
    cr_expect(first->is_array && first->words == 256 && first->address == 0x10000 && first->offset == 0x10000);
    cr_expect(second->is_array && second->words == 256 && second->address == 0x20000 && second->offset == 0x1FC00);
    cr_expect(!plain->is_array && plain->words == 128);
    expect_bytes(&b, 560, 2608);
    array_table_store_global(&b.table, 0x20010, 4);
    expect_bytes(&b, 1584, 2608);
    array_table_order(&b.table, 0);
    expect_bytes(&b, 2608, 2608);
    array_table_destroy(&b.table);
}

/* A warp goes on where the one before has ended. */
Test(array_table, warps_append_to_an_array)
{
    bench b;
    begin(&b, CAPACITY);
    copy(&b, 0x1000, 100);
    cr_expect_eq(entry_at(&b, 100)->offset, 0xE70);
    copy(&b, 0x1080, 132);
    cr_expect_eq(entries(&b, 0), 1);
    cr_expect_eq(entry_at(&b, 100)->words, 64);
    cr_expect_eq(entry_at(&b, 100)->offset, 0xE70);
    copy(&b, 0x0F80, 68); /* and in front of it */
    cr_expect_eq(entry_at(&b, 68)->words, 96);
    cr_expect_eq(entry_at(&b, 68)->address, 0xF80);
    array_table_destroy(&b.table);
}

/* In whatever order the warps come: entries that touch each other at last are one. */
Test(array_table, parts_that_meet_become_one)
{
    bench b;
    begin(&b, CAPACITY);
    copy(&b, 0x1100, 64);
    copy(&b, 0x1000, 0);
    cr_expect_eq(entries(&b, 0), 2);
    copy(&b, 0x1080, 32);
    cr_expect_eq(entries(&b, 0), 1);
    cr_expect_eq(entry_at(&b, 0)->words, 96);
    compute(&b, 512);
    compute(&b, 544);
    cr_expect_eq(entry_at(&b, 512)->words, 64);
    copy(&b, 0x3000, 576); /* next to it, but no more than that */
    cr_expect_eq(entries(&b, 0), 3);
    array_table_destroy(&b.table);
}

/* Other strides than 4 B, and what is no stride. */
Test(array_table, strides_are_powers_of_two)
{
    static const struct {
        uint64_t step;
        uint32_t is_array;
    } steps[] = {{4, 1}, {8, 1}, {64, 1}, {4096, 1}, {0, 0}, {1, 0}, {2, 0}, {12, 0}, {UINT64_MAX - 3, 0}};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        bench b;
        begin(&b, CAPACITY);
        load(&b, 0x100000, steps[i].step);
        store(&b, 5);
        cr_expect_eq(entry_at(&b, 5)->is_array, steps[i].is_array, "step %lu", steps[i].step);
        array_table_destroy(&b.table);
    }
}

/* A load counts for the lanes, and the register, that it has loaded, until that is written again. */
Test(array_table, a_store_of_something_else_is_no_array)
{
    bench b;
    begin(&b, CAPACITY);
    array_access access = access_of(&b, 0, 0x1000, 4, ALL);
    array_table_load(&b.table, &access);
    array_table_change(&b.table, 0, UINT64_C(1) << (REGISTER + 1));
    access = access_of(&b, 0, 0, 1, ALL >> 1);
    array_table_store(&b.table, &access);
    cr_expect_not(entry_at(&b, 0)->is_array, "other lanes");
    access = access_of(&b, 0, 64, 1, ALL);
    access.number = REGISTER + 1;
    array_table_store(&b.table, &access);
    cr_expect_not(entry_at(&b, 64)->is_array, "another register");
    access = access_of(&b, 1, 128, 1, ALL);
    array_table_store(&b.table, &access);
    cr_expect_not(entry_at(&b, 128)->is_array, "another warp");
    store(&b, 192);
    cr_expect(entry_at(&b, 192)->is_array);
    array_table_change(&b.table, 0, UINT64_C(1) << REGISTER);
    store(&b, 256);
    cr_expect_not(entry_at(&b, 256)->is_array, "written again");
    array_table_destroy(&b.table);
}

/* Each run of words by itself, and never as an array. */
Test(array_table, words_apart_are_runs)
{
    bench b;
    begin(&b, CAPACITY);
    load(&b, 0x1000, 4);
    array_access access = access_of(&b, 0, 0, 1, ALL);
    for (uint32_t lane = 10; lane < LANES; lane++)
        b.places[lane] += lane < 20 ? 100 : 300;
    array_table_store(&b.table, &access);
    cr_expect_eq(entries(&b, 0), 3);
    cr_expect_eq(entries(&b, 1), 0);
    cr_expect(entry_at(&b, 0)->words == 10 && entry_at(&b, 110)->words == 10 && entry_at(&b, 320)->words == 12);
    access = access_of(&b, 0, 800, UINT64_MAX, ALL); /* backwards */
    array_table_store(&b.table, &access);
    cr_expect_eq(entry_at(&b, 769)->words, 32);
    array_table_destroy(&b.table);
}

/* What is written over a part of an array makes all of it plain; next to it, it does not. */
Test(array_table, a_store_over_a_part_ends_the_array)
{
    bench b;
    begin(&b, CAPACITY);
    copy_words(&b, 0x1000, 0, 64);
    copy_words(&b, 0x9000, 64, 64); /* another array: the first stays one */
    cr_expect_eq(entries(&b, 1), 2);
    array_table_write(&b.table, 0, 63, 1);
    cr_expect_not(entry_at(&b, 0)->is_array);
    cr_expect(entry_at(&b, 64)->is_array);
    copy(&b, 0x5000, 96); /* other data in a part of the second */
    cr_expect_eq(entries(&b, 1), 0);
    expect_bytes(&b, 128 * 4 + ARRAY_ENTRY_BYTES, 128 * 4 + ARRAY_ENTRY_BYTES);
    array_table_destroy(&b.table);
}

/* The same words again from the same place: still an array. */
Test(array_table, a_copy_again_stays_an_array)
{
    bench b;
    begin(&b, CAPACITY);
    copy_words(&b, 0x1000, 0, 64);
    copy(&b, 0x1000, 0);
    cr_expect_eq(entries(&b, 1), 1);
    expect_bytes(&b, 16, 16 + 256);
    array_table_destroy(&b.table);
}

Test(array_table, stores_to_memory_end_arrays_that_they_hit)
{
    static const struct {
        uint64_t address;
        uint32_t bytes, is_array;
    } stores[] = {{0xFFF, 1, 1}, {0xFFD, 4, 0}, {0x1000, 1, 0}, {0x107F, 1, 0}, {0x1080, 4, 1}, {0xF00, 4096, 0}};
    for (size_t i = 0; i < sizeof stores / sizeof *stores; i++) {
        bench b;
        begin(&b, CAPACITY);
        copy(&b, 0x1000, 0);
        load(&b, 0x1000, 4);
        array_table_store_global(&b.table, stores[i].address, stores[i].bytes);
        store(&b, 64); /* loaded before the store, stored after it */
        cr_expect_eq(entry_at(&b, 0)->is_array, stores[i].is_array, "store %zu", i);
        cr_expect_eq(entry_at(&b, 64)->is_array, stores[i].is_array, "store %zu", i);
        array_table_destroy(&b.table);
    }
}

/* Of the block alone. */
Test(array_table, atomics_end_the_arrays_of_their_block)
{
    bench b;
    begin(&b, CAPACITY);
    for (uint32_t block = 0; block < 2; block++) {
        for (uint32_t again = 0; again < 2; again++) {
            array_access access = access_of(&b, block, 0x1000 * (block + 1), 4, ALL);
            array_table_load(&b.table, &access);
            access = access_of(&b, block, 100 * (again + 1) + block, 1, ALL);
            if (!again)
                array_table_store(&b.table, &access);
        }
    }
    array_table_order(&b.table, 1);
    cr_expect(entry_at(&b, 100)->is_array);
    cr_expect_not(entry_at(&b, 101)->is_array);
    array_access access = access_of(&b, 1, 300, 1, ALL);
    array_table_store(&b.table, &access);
    cr_expect_not(entry_at(&b, 300)->is_array, "loaded before the atomic");
    access = access_of(&b, 0, 400, 1, ALL);
    array_table_store(&b.table, &access);
    cr_expect(entry_at(&b, 400)->is_array);
    array_table_destroy(&b.table);
}

/* The 129th entry has no room: the block needs all of its scratchpad, until it is gone. */
Test(array_table, without_room_the_block_moves_whole)
{
    bench b;
    begin(&b, CAPACITY);
    for (uint32_t i = 0; i < CAPACITY; i++)
        array_table_write(&b.table, i % 2, 3 * i, 1);
    cr_expect_eq(array_table_bytes(&b.table, 0, BYTES).leaving, CAPACITY / 2 * 20);
    array_table_write(&b.table, 0, 1000, 1);
    expect_bytes(&b, BYTES, BYTES);
    cr_expect_eq(array_table_bytes(&b.table, 1, BYTES).leaving, CAPACITY / 2 * 20, "the other block fits");
    array_table_end(&b.table, 0);
    cr_expect_eq(entries(&b, 0), CAPACITY / 2);
    expect_bytes(&b, 0, 0);
    array_table_write(&b.table, 0, 0, 2);
    expect_bytes(&b, 24, 24);
    array_table_destroy(&b.table);
}

/* ---- Against memory and scratchpad ----------------------------------------------------------------------------------- */

#define WORDS 200u
#define MEMORY 400u
#define STEPS 400u

typedef struct world {
    uint32_t memory[MEMORY], pad[WORDS], written[WORDS];
    uint32_t registers[2][LANES];
} world;

static uint32_t below(uint32_t limit)
{
    return (uint32_t)rand() % limit;
}

static void act(bench *b, world *w)
{
    const uint32_t row = below(2), what = below(12);
    const uint32_t lanes = below(3) ? 8 : 1 + below(8), word = 8 * below(WORDS / 8 - 1) + (below(4) ? 0 : below(8));
    const uint64_t mask = (UINT64_C(1) << lanes) - 1;
    uint32_t *values = w->registers[row];
    if (what < 4) {
        const uint32_t step = below(3) ? 1 : 2, from = 8 * below(MEMORY / 8 - 3);
        array_access access = access_of(b, 0, 4 * from, 4 * step, mask);
        access.row = row;
        for (uint32_t lane = 0; lane < lanes; lane++)
            values[lane] = w->memory[from + step * lane];
        array_table_load(&b->table, &access);
    } else if (what < 9) {
        array_access access = access_of(b, 0, word, 1, mask);
        access.row = row;
        for (uint32_t lane = 0; lane < lanes; lane++) {
            w->pad[word + lane] = values[lane];
            w->written[word + lane] = 1;
        }
        array_table_store(&b->table, &access);
    } else if (what == 9) {
        const uint32_t at = below(MEMORY);
        w->memory[at] = (uint32_t)rand();
        array_table_store_global(&b->table, 4 * at, 4);
    } else if (what == 10) {
        values[below(lanes)] = (uint32_t)rand();
        array_table_change(&b->table, row, UINT64_C(1) << REGISTER);
    } else if (!below(20)) {
        array_table_order(&b->table, 0);
    }
}

/* Each word that was written is in an entry, and what is only in arrays is in memory. Words that are in more than one come last from
 * those that are no arrays. */
static void expect_world(const bench *b, const world *w, uint32_t seed)
{
    uint8_t plain[WORDS] = {0}, array[WORDS] = {0};
    for (uint32_t i = 0; i < b->table.capacity; i++) {
        const array_entry *e = &b->table.entries[i];
        for (uint32_t k = 0; e->valid && k < e->words; k++) {
            const uint32_t word = e->first + k;
            const uint64_t address = e->address + ((uint64_t)k << e->stride);
            *(e->is_array ? &array[word] : &plain[word]) = 1;
            if (e->is_array)
                cr_assert(w->memory[address / 4] == w->pad[word], "seed %u, word %u", seed, word);
        }
    }
    for (uint32_t word = 0; word < WORDS; word++)
        cr_assert(!w->written[word] || plain[word] || array[word], "seed %u: word %u is in no entry", seed, word);
}

Test(array_table, says_what_is_in_memory)
{
    uint32_t arrays = 0;
    for (uint32_t seed = 1; seed <= 300; seed++) {
        bench b;
        world w = {.written = {0}};
        srand(seed);
        begin(&b, CAPACITY);
        b.table.retiles = seed % 2;
        for (uint32_t i = 0; i < MEMORY; i++)
            w.memory[i] = (uint32_t)rand();
        for (uint32_t step = 0; step < STEPS; step++) {
            act(&b, &w);
            expect_world(&b, &w, seed);
            arrays += entries(&b, 1);
            cr_assert_eq(b.table.overflows, 0);
        }
        array_table_destroy(&b.table);
    }
    cr_expect_gt(arrays, 300 * STEPS / 10);
}
