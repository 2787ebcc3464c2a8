/* SPDX-License-Identifier: MIT */
/* Who computes, and who reads what was not read before: what the core answers while nothing reports progress. */
#include <criterion/criterion.h>

#include "computing.h"
#include "hd_address.h"
#include "seen_words.h"

static hd_time look(computing *before, uint64_t retired, hd_time read, uint32_t waits, hd_time t, uint32_t anew)
{
    return computing_check(
        before, &(computing_path){.retired = retired, .read = read, .waits = waits, .exists = retired != 0}, t, anew);
}

Test(computing, a_path_computes_from_the_first_look_on)
{
    computing path = {.since = 1, .retired = 7};
    cr_expect_eq(look(&path, 5, 0, 0, 100, 1), 100, "nobody has looked before");
    cr_expect_eq(look(&path, 6, 0, 0, 200, 0), 100);
    cr_expect_eq(look(&path, 9, 0, 0, 300, 0), 100);
}

Test(computing, a_read_of_what_others_may_write_is_a_new_beginning)
{
    computing path = {0};
    look(&path, 5, 0, 0, 100, 1);
    cr_expect_eq(look(&path, 6, 150, 0, 200, 0), 150);
    cr_expect_eq(look(&path, 7, 150, 0, 300, 0), 150);
}

Test(computing, time_without_instructions_does_not_count)
{
    computing path = {0};
    look(&path, 5, 0, 0, 100, 1);
    cr_expect_eq(look(&path, 5, 0, 0, 250, 0), HD_NEVER);
    cr_expect_eq(look(&path, 6, 0, 0, 300, 0), 250);
}

Test(computing, waiting_for_others_is_a_new_beginning)
{
    computing path = {0};
    look(&path, 5, 0, 0, 100, 1);
    cr_expect_eq(look(&path, 6, 0, 1, 200, 0), 200);
    cr_expect_eq(look(&path, 7, 0, 0, 300, 0), 200);
    cr_expect_eq(look(&path, 0, 0, 0, 400, 0), HD_NEVER, "it has ended");
    cr_expect_eq(look(&path, 1, 0, 0, 500, 0), 400);
}

Test(computing, instructions_of_a_path_are_those_of_its_lanes)
{
    const uint64_t retired[] = {10, 200, 3000, 40000};
    cr_expect_eq(path_retired(&(path_count){.lanes = 0xA, .active = 2, .instructions = 7}, retired), 40214);
}

#define WORD(number) (HD_GLOBAL_BASE + 4u * (number))

static void read_words(seen_words *seen, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; i++) {
        const uint32_t address[] = {0, WORD(i)};
        if (seen_words_notes(seen))
            seen_words_note(seen, address, 2);
    }
}

Test(seen_words, nothing_is_noted_before_somebody_looks)
{
    seen_words seen = {0};
    cr_expect_not(seen_words_notes(&seen));
    cr_expect_eq(seen_words_check(&seen, 100, 1), 100);
    cr_expect(seen_words_notes(&seen));
    seen_words_reset(&seen);
    cr_expect_not(seen_words_notes(&seen));
}

Test(seen_words, words_that_were_read_before_are_nothing_fresh)
{
    seen_words seen = {0};
    seen_words_check(&seen, 100, 1);
    read_words(&seen, 0, 50);
    cr_expect_eq(seen_words_check(&seen, 200, 0), 100);
    read_words(&seen, 0, 50);
    cr_expect_eq(seen_words_check(&seen, 300, 0), 300);
    read_words(&seen, 0, 51);
    cr_expect_eq(seen_words_check(&seen, 400, 0), 300);
    cr_expect_eq(seen_words_check(&seen, 500, 0), 500, "nothing was read");
    read_words(&seen, 0, 50);
    cr_expect_eq(seen_words_check(&seen, 600, 1), 600);
    read_words(&seen, 0, 50);
    cr_expect_eq(seen_words_check(&seen, 700, 0), 600, "all was forgotten");
    seen_words_reset(&seen);
}

Test(seen_words, what_nobody_shares_is_nothing_fresh)
{
    const uint32_t address[] = {HD_PRIVATE_BASE, HD_CONSTANT_BASE, HD_SCRATCHPAD_BASE};
    seen_words seen = {0};
    seen_words_check(&seen, 100, 1);
    seen_words_note(&seen, address, 3);
    cr_expect_eq(seen_words_check(&seen, 200, 0), 200);
    seen_words_note(&seen, address, 4);
    cr_expect_eq(seen_words_check(&seen, 300, 0), 200, "the scratchpad is shared");
    seen_words_reset(&seen);
}

/* It holds 65,536 words; what it has no room for counts as fresh. */
Test(seen_words, who_reads_more_than_there_is_room_for_reads_on)
{
    seen_words seen = {0};
    seen_words_check(&seen, 100, 1);
    read_words(&seen, 0, 70000);
    cr_expect_eq(seen_words_check(&seen, 200, 0), 100);
    read_words(&seen, 0, 65536);
    cr_expect_eq(seen_words_check(&seen, 300, 0), 300);
    read_words(&seen, 65536, 65537);
    cr_expect_eq(seen_words_check(&seen, 400, 0), 300);
    seen_words_reset(&seen);
}

Test(seen_words, noting_ends_after_262144_lanes_until_the_next_look)
{
    seen_words seen = {0};
    seen_words_check(&seen, 100, 1);
    for (uint32_t i = 0; i < 262144; i++)
        read_words(&seen, 0, 1);
    cr_expect_not(seen_words_notes(&seen));
    seen_words_check(&seen, 200, 0);
    cr_expect(seen_words_notes(&seen));
    seen_words_reset(&seen);
}
