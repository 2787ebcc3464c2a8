/* SPDX-License-Identifier: MIT */
/* What the checker of races keeps of the past. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "clock.h"
#include "marks.h"

Test(race_checker_bounds, clocks_forget_nobody_but_count_the_oldest_as_known)
{
    race_clock *clock = NULL, *other = NULL;
    for (uint64_t who = 0; who < 4 * CLOCK_ENTRIES; who++)
        clock_learn(&clock, who, 10 + who);
    cr_expect_leq(clock->count, CLOCK_ENTRIES);
    for (uint64_t who = 0; who < 4 * CLOCK_ENTRIES; who++)
        cr_expect_geq(clock_until(clock, who), 10 + who, "%llu", (unsigned long long)who);
    clock_learn(&other, 7, 5000);
    clock_join(&clock, other);
    cr_expect_eq(clock_until(clock, 7), 5000);
    clock_drop(&clock);
    clock_drop(&other);
}

Test(race_checker_bounds, marks_of_a_word_are_bounded)
{
    marked_word word = {0};
    for (uint32_t i = 0; i < 100; i++)
        marks_add(&word, &(mark){.number = i, .thread = i, .bytes = 15}, 0, 50);
    cr_expect_eq(word.count, MARKS_MAX);
    for (uint32_t i = 0; i < 5; i++)
        marks_add(&word, &(mark){.number = 1000, .thread = 200 + i, .bytes = 15}, 0, 50);
    uint32_t newest = 0;
    for (uint32_t i = 0; i < word.count; i++)
        newest += word.marks[i].number == 1000;
    cr_expect_eq(newest, MARKS_OF_INSTRUCTION);
    free(word.marks);
}

/* The oldest of the accessing block first: what other blocks did is what races are found with. */
Test(race_checker_bounds, marks_of_other_blocks_stay_longest)
{
    marked_word word = {0};
    marks_add(&word, &(mark){.number = 1, .thread = 200, .bytes = 15}, 0, 50);
    for (uint32_t i = 2; i < 40; i++)
        marks_add(&word, &(mark){.number = i, .thread = i, .bytes = 15}, 0, 50);
    uint32_t others = 0, newest = 0;
    for (uint32_t i = 0; i < word.count; i++) {
        others += word.marks[i].thread == 200;
        newest += word.marks[i].number > 39 - (MARKS_MAX - 1);
    }
    cr_expect_eq(others, 1);
    cr_expect_eq(newest, MARKS_MAX - 1);
    free(word.marks);
}

/* Of one thread more than there is room for, the newest half is known one by one; for all others the newest of them counts. */
Test(race_checker_bounds, clocks_count_no_more_as_known_than_they_drop)
{
    race_clock *clock = NULL;
    for (uint64_t who = 0; who <= CLOCK_ENTRIES; who++)
        clock_learn(&clock, who, 10 + who);
    cr_expect_eq(clock->count, CLOCK_ENTRIES / 2);
    cr_expect_eq(clock_until(clock, 5000), 10 + CLOCK_ENTRIES / 2);
    cr_expect_eq(clock_until(clock, CLOCK_ENTRIES), 10 + CLOCK_ENTRIES);
    clock_drop(&clock);
}
