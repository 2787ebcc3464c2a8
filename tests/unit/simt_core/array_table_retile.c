/* SPDX-License-Identifier: MIT */
/* Tables that keep what is left of an array of which a part was written; entries that come. */
#include "array_table_bench.h"

static void begin_retiling(bench *b, uint32_t capacity)
{
    begin(b, capacity);
    b->table.retiles = 1;
}

Test(array_table, a_store_over_a_part_leaves_the_rest_an_array)
{
    bench b;
    begin_retiling(&b, CAPACITY);
    copy_words(&b, 0x1000, 0, 96);
    array_table_write(&b.table, 0, 40, 2);
    cr_expect_eq(entries(&b, 1), 2);
    cr_expect_eq(entry_at(&b, 0)->words, 40);
    cr_expect_not(entry_at(&b, 40)->is_array);
    const array_entry *rest = entry_at(&b, 42);
    cr_expect(rest->is_array && rest->words == 54 && rest->address == 0x1000 + 42 * 4);
    expect_bytes(&b, 3 * 16 + 8, 3 * 16 + 96 * 4);
    array_table_write(&b.table, 0, 0, 4); /* at its begin, and at the end of the rest */
    array_table_write(&b.table, 0, 90, 8);
    cr_expect(entry_at(&b, 4)->address == 0x1000 + 4 * 4 && entry_at(&b, 4)->words == 36);
    cr_expect_eq(entry_at(&b, 42)->words, 48);
    array_table_write(&b.table, 0, 0, 200);
    cr_expect_eq(entries(&b, 0), 1);
    array_table_destroy(&b.table);
}

Test(array_table, the_next_tile_takes_the_place_of_the_one_before)
{
    bench b;
    begin_retiling(&b, CAPACITY);
    copy_words(&b, 0x1000, 0, 128);
    compute(&b, 128);
    copy_words(&b, 0x8000, 0, 160);
    cr_expect_eq(entries(&b, 0), 1);
    cr_expect(entry_at(&b, 0)->is_array && entry_at(&b, 0)->address == 0x8000 && entry_at(&b, 0)->words == 160);
    array_table_destroy(&b.table);
}

/* Where an entry more would be needed, all of it is plain. */
Test(array_table, without_room_for_the_rest_the_array_ends)
{
    bench b;
    begin_retiling(&b, 1);
    copy_words(&b, 0x1000, 0, 96);
    array_table_write(&b.table, 0, 40, 2);
    cr_expect_eq(entries(&b, 0), 1);
    cr_expect_not(entry_at(&b, 0)->is_array);
    expect_bytes(&b, 16 + 96 * 4, 16 + 96 * 4);
    array_table_destroy(&b.table);
}

/* An entry that comes is as it was where it left, whatever lies over it. */
Test(array_table, entries_that_come_stay_as_they_are)
{
    bench b;
    begin(&b, 2);
    array_table_put(&b.table,
                    &(array_entry){.valid = 1, .first = 8, .words = 32, .is_array = 1, .stride = 3, .address = 0x4000});
    array_table_put(&b.table, &(array_entry){.valid = 1, .first = 0, .words = 9});
    cr_expect(entry_at(&b, 8)->is_array && entry_at(&b, 8)->offset == 0x4000 - 64);
    cr_expect_eq(array_entry_meets(entry_at(&b, 8), 0x40FB, 4), 1);
    cr_expect_eq(array_entry_meets(entry_at(&b, 8), 0x40FC, 4), 0);
    cr_expect_eq(array_entry_meets(entry_at(&b, 0), 0, 4), 0);
    array_table_put(&b.table, &(array_entry){.valid = 1, .first = 100, .words = 1});
    expect_bytes(&b, BYTES, BYTES);
    array_table_destroy(&b.table);
}
