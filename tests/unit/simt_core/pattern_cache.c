/* SPDX-License-Identifier: MIT */
#include "shuffle/pattern_cache.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#define ROWS 8u
#define BYTES 34u /* four entries of 67 bits */

static const compressed_register none = {.pattern = PATTERN_NONE};

static compressed_register constant(uint32_t value)
{
    return (compressed_register){.pattern = PATTERN_CONSTANT, .base = {value, 0}};
}

static void write_constant(pattern_cache *cache, uint32_t row, uint32_t number, uint32_t value)
{
    const compressed_register written = constant(value);
    pattern_cache_write(cache, row, number, &written);
}

static void expect_value(const pattern_cache *cache, uint32_t row, uint32_t number, uint32_t value)
{
    const compressed_register *found = pattern_cache_find(cache, row, number);
    cr_assert_not_null(found, "row %u, register %u", row, number);
    cr_expect_eq(found->base[0], value, "row %u, register %u", row, number);
}

static void begin(pattern_cache *cache)
{
    *cache = (pattern_cache){.capacity = 0};
    cr_assert_eq(pattern_cache_create(cache, BYTES, ROWS), 0);
}

/* 2 KB of 67 bits. */
Test(pattern_cache, has_the_entries_that_are_published)
{
    cr_expect_eq(pattern_cache_capacity(2048), 244);
    cr_expect_eq(pattern_cache_capacity(BYTES), 4);
    cr_expect_eq(pattern_cache_capacity(8), 0);
}

Test(pattern_cache, the_one_that_was_written_longest_ago_makes_room)
{
    pattern_cache cache;
    begin(&cache);
    for (uint32_t number = 1; number <= 4; number++)
        write_constant(&cache, 0, number, number);
    write_constant(&cache, 0, 1, 10); /* again: now it is the newest */
    write_constant(&cache, 7, 63, 5);
    cr_expect_null(pattern_cache_find(&cache, 0, 2));
    cr_expect_eq(cache.evictions, 1);
    expect_value(&cache, 0, 1, 10);
    expect_value(&cache, 0, 3, 3);
    expect_value(&cache, 7, 63, 5);
    write_constant(&cache, 1, 1, 6);
    cr_expect_null(pattern_cache_find(&cache, 0, 3));
    expect_value(&cache, 0, 4, 4);
    pattern_cache_destroy(&cache);
}

/* A register that has no pattern any more has no entry, which is free before any other goes. */
Test(pattern_cache, values_without_a_pattern_leave_it)
{
    pattern_cache cache;
    begin(&cache);
    for (uint32_t number = 1; number <= 4; number++)
        write_constant(&cache, 2, number, number);
    pattern_cache_write(&cache, 2, 3, &none);
    pattern_cache_write(&cache, 2, 9, &none);
    cr_expect_null(pattern_cache_find(&cache, 2, 3));
    write_constant(&cache, 3, 3, 33);
    cr_expect_eq(cache.evictions, 0);
    expect_value(&cache, 2, 1, 1);
    expect_value(&cache, 3, 3, 33);
    pattern_cache_reset(&cache);
    cr_expect_null(pattern_cache_find(&cache, 3, 3));
    cr_expect_null(pattern_cache_find(&cache, 2, 1));
    pattern_cache_destroy(&cache);
}

Test(pattern_cache, without_room_has_nothing)
{
    pattern_cache cache = {.capacity = 0};
    cr_assert_eq(pattern_cache_create(&cache, 8, ROWS), 0);
    write_constant(&cache, 0, 1, 1);
    pattern_cache_write(&cache, 0, 1, &none);
    cr_expect_null(pattern_cache_find(&cache, 0, 1));
    pattern_cache_destroy(&cache);
}

/* Against a list that is kept in order. */
Test(pattern_cache, does_what_a_list_does)
{
    pattern_cache cache;
    uint32_t list[4], values[ROWS * 64] = {0}, count = 0;
    begin(&cache);
    srand(25);
    for (uint32_t step = 0; step < 20000; step++) {
        const uint32_t of = (uint32_t)rand() % 12, has = rand() % 4 != 0;
        uint32_t at = 0;
        while (at < count && list[at] != of)
            at++;
        if (at == count && has && count == 4)
            at = 0;
        if (at < count)
            for (count--; at < count; at++)
                list[at] = list[at + 1];
        if (has)
            list[count++] = of;
        values[of] = step;
        has ? write_constant(&cache, of / 3, of % 3, step) : pattern_cache_write(&cache, of / 3, of % 3, &none);
        uint32_t found = 0;
        for (uint32_t i = 0; i < 12; i++)
            found += pattern_cache_find(&cache, i / 3, i % 3) != NULL;
        cr_assert_eq(found, count, "step %u", step);
        for (uint32_t i = 0; i < count; i++)
            expect_value(&cache, list[i] / 3, list[i] % 3, values[list[i]]);
    }
    pattern_cache_destroy(&cache);
}
