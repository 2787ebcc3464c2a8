/* SPDX-License-Identifier: MIT */
/* Where backups and owners are, and how much fits (Villegas et al. §3, §4). */
#include "shadow.h"
#include "hd_message.h"

#include <criterion/criterion.h>
#include <string.h>

Test(local_shadow, addresses_of_the_example)
{
    const shadow_layout layout = {.banks = 32, .rows = 16};
    cr_expect_eq(shadow_bank_of(&layout, 100), 4);
    cr_expect_eq(shadow_backup(&layout, 100), 612);
    cr_expect_eq(shadow_owner(&layout, 100), 1028 * 4 + 3);
    cr_expect_eq(shadow_bank_of(&layout, 612), 4, "of the same bank");
    cr_expect_eq(shadow_bank_of(&layout, 1028), 4);
}

/* No two words share a place, whatever the number of rows; each stays in its bank, unless the layout is flat. */
static void expect_distinct(const shadow_layout *layout)
{
    static uint8_t taken[4 * 64 * 64];
    const uint32_t bytes = (uint32_t)shadow_rows_taken(layout->rows) * layout->banks * 4;
    memset(taken, 0, sizeof taken);
    cr_assert_leq(bytes, sizeof taken);
    for (uint32_t word = 0; word < shadow_words(layout); word++) {
        const uint32_t backup = shadow_backup(layout, word), owner = shadow_owner(layout, word);
        cr_assert(4 * backup + 3 < bytes && owner < bytes, "%u rows, word %u", layout->rows, word);
        for (uint32_t i = 0; i < 4; i++)
            cr_assert(!taken[4 * word + i]++ && !taken[4 * backup + i]++);
        cr_assert(!taken[owner]++, "%u rows, word %u", layout->rows, word);
        cr_assert(layout->is_flat || shadow_bank_of(layout, owner / 4) == shadow_bank_of(layout, word));
    }
}

Test(local_shadow, words_have_places_of_their_own)
{
    for (uint32_t rows = 1; rows <= 25; rows++)
        for (uint32_t banks = 1; banks <= 64; banks *= 2)
            for (uint32_t is_flat = 0; is_flat < 2; is_flat++)
                expect_distinct(&(shadow_layout){.banks = banks, .rows = rows, .is_flat = is_flat});
}

Test(local_shadow, the_flat_layout_has_owners_behind_each_other)
{
    const shadow_layout layout = {.banks = 32, .rows = 16, .is_flat = 1};
    cr_expect_eq(shadow_owner(&layout, 100), 2 * 512 * 4 + 100);
    cr_expect_neq(shadow_bank_of(&layout, shadow_owner(&layout, 100) / 4), shadow_bank_of(&layout, 100));
}

/* 64 KiB, 32 KiB and 16 KiB of 32 banks. */
Test(local_shadow, as_many_rows_fit_as_published)
{
    static const uint32_t cases[][3] = {{512, 227, 511}, {256, 113, 255}, {128, 56, 126}};
    for (uint32_t i = 0; i < 3; i++) {
        cr_expect_eq(shadow_rows_in(cases[i][0]), cases[i][1]);
        cr_expect_eq(shadow_rows_taken(cases[i][1]), cases[i][2]);
        const hd_scratchpad_rows announced = {.bytes = 128, .backups = 1, .owned = SHADOW_OWNERS_PER_WORD};
        cr_expect_eq(hd_scratchpad_taken(&announced, cases[i][1] * 128, 1), cases[i][2] * 128);
        cr_expect_gt(shadow_rows_taken(cases[i][1] + 1), cases[i][0]);
    }
    for (uint32_t rows = 0; rows < 1000; rows++) {
        cr_expect_leq(shadow_rows_taken(shadow_rows_in(rows)), rows);
        cr_expect_gt(shadow_rows_taken(shadow_rows_in(rows) + 1), rows);
    }
}

Test(local_shadow, a_row_that_is_begun_counts)
{
    cr_expect_eq(shadow_rows_of(32, 0), 0);
    cr_expect_eq(shadow_rows_of(32, 1), 1);
    cr_expect_eq(shadow_rows_of(32, 128), 1);
    cr_expect_eq(shadow_rows_of(32, 132), 2);
}
