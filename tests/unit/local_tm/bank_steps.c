/* SPDX-License-Identifier: MIT */
/* Steps of the banks: who is served when, who aborts whom, and how long it takes. 4 banks, warps of 8. */
#include "area.h"

#include <criterion/criterion.h>

static const bank_timing plain = {.access = 1, .state = 1, .is_strict = 1};

static bank_outcome run(area *a, const bank_timing *timing, uint64_t lanes, const uint32_t *word, uint32_t first,
                        uint32_t stores)
{
    bank_outcome outcome;
    bank_steps_run(
        &a->ownership, timing,
        &(bank_request){.lanes = lanes, .running = a->running, .word = word, .first_thread = first, .stores = stores},
        &outcome);
    for (uint64_t left = stores ? lanes & ~outcome.lost : 0; left; left &= left - 1)
        a->memory[word[__builtin_ctzll(left)]] = 1000 + (uint32_t)__builtin_ctzll(left);
    return outcome;
}

static area *small(uint32_t algorithm)
{
    return area_create(algorithm, OWNERSHIP_WARP_MAP, 8, 4, 4);
}

/* Lanes 0 and 1 hold words of banks 0 and 1. Each of them asks for the other's. */
static bank_outcome meet(const bank_timing *timing, uint32_t word_of_0, uint32_t word_of_1, uint32_t *left_0)
{
    area *a = small(OWNERSHIP_DCD);
    run(a, &plain, 3, (uint32_t[]){word_of_0, word_of_1}, 0, 1);
    const bank_outcome outcome = run(a, timing, 3, (uint32_t[]){word_of_1, word_of_0}, 0, 1);
    *left_0 = a->memory[word_of_0];
    area_destroy(a);
    return outcome;
}

Test(local_steps, lanes_that_meet_in_one_step_both_lose)
{
    uint32_t value;
    bank_outcome outcome = meet(&plain, 0, 1, &value);
    cr_expect_eq(outcome.lost, 3);
    cr_expect_eq(outcome.conflict[0], CONFLICT_WRITE_AFTER_WRITE);
    cr_expect_eq(outcome.winner[0], 1);
    cr_expect_eq(outcome.winner[1], 0);
    cr_expect_eq(value, 100, "restored");
    outcome = meet(&plain, 0, 4, &value);
    cr_expect_eq(outcome.lost, 1, "in one bank the first loses, and its word is free for the second");
    cr_expect_eq(value, 1001);
    outcome = meet(&(bank_timing){.access = 1, .state = 1}, 0, 1, &value);
    cr_expect_eq(outcome.lost, 2, "bank 0 is before bank 1");
}

/* Each of two lanes in a bank waits its turn; lanes of different banks do not. */
Test(local_steps, a_bank_serves_a_lane_at_a_time)
{
    area *a = small(OWNERSHIP_SMDCD);
    bank_outcome outcome = run(a, &plain, 0xF, (uint32_t[]){0, 1, 2, 3}, 0, 0);
    cr_expect_eq(outcome.cycles, 2 + 1);
    cr_expect_eq(outcome.data_cycles, 1);
    outcome = run(a, &plain, 0xF0, (uint32_t[]){0, 0, 0, 0, 4, 8, 12, 5}, 0, 0);
    cr_expect_eq(outcome.cycles, 3 * (2 + 1));
    cr_expect_eq(outcome.data_cycles, 3);
    outcome = run(a, &plain, 0xF0, (uint32_t[]){0, 0, 0, 0, 0, 0, 0, 0}, 0, 0);
    cr_expect_eq(outcome.cycles, (3 + 1) + 3 * (2 + 1), "the first to share writes the map");
    cr_expect_eq(outcome.lost, 0);
    area_destroy(a);
}

Test(local_steps, what_takes_how_long)
{
    area *a = small(OWNERSHIP_SMDCD);
    const bank_timing slow = {.access = 3, .state = 2, .is_strict = 1};
    bank_outcome outcome = run(a, &slow, 1, (uint32_t[]){0}, 0, 0);
    cr_expect_eq(outcome.cycles, 2 * 3 + 2);
    outcome = run(a, &slow, 1, (uint32_t[]){0}, 0, 1);
    cr_expect_eq(outcome.cycles, 4 * 3 + 2);
    cr_expect_eq(outcome.data_cycles, 3);
    outcome = run(a, &slow, 1, (uint32_t[]){0}, 8, 1);
    cr_expect_eq(outcome.cycles, 1 * 3 + 2);
    cr_expect_eq(outcome.restore_cycles, 0);
    cr_expect_eq(outcome.winner[0], 0);
    run(a, &slow, 1, (uint32_t[]){4}, 0, 1);
    run(a, &slow, 1, (uint32_t[]){1}, 0, 1);
    run(a, &slow, 1, (uint32_t[]){2}, 8, 1);
    outcome = run(a, &slow, 1, (uint32_t[]){2}, 0, 1);
    cr_expect_eq(outcome.restore_cycles, 2 * 2 * 3, "two words of bank 0");
    cr_expect_eq(outcome.cycles, 1 * 3 + 2 + 2 * 2 * 3);
    cr_expect_eq(a->memory[0], 100);
    area_destroy(a);
}

/* A store to what others have read is refused by the state of the word alone. */
Test(local_steps, a_state_may_be_enough)
{
    area *a = small(OWNERSHIP_SMDCD);
    run(a, &plain, 3, (uint32_t[]){0, 0}, 0, 0);
    const bank_outcome outcome = run(a, &plain, 1, (uint32_t[]){0}, 8, 1);
    cr_expect_eq(outcome.cycles, 1);
    cr_expect_eq(outcome.winner[0], OWNERSHIP_THREADS);
    area_destroy(a);
}

/* All have read a word and write it: the last one of the bank may, where lanes are known. */
Test(local_steps, the_last_to_write_a_shared_word_wins_if_lanes_are_known)
{
    static const uint64_t lost[][2] = {{OWNERSHIP_WARP_MAP, 0xF}, {OWNERSHIP_LANE_MAP, 0x7}, {OWNERSHIP_PRECISE, 0x7}};
    for (uint32_t i = 0; i < 3; i++) {
        area *a = area_create(OWNERSHIP_SMDCD, (uint32_t)lost[i][0], 8, 4, 4);
        a->running = 0xF;
        run(a, &plain, 0xF, (uint32_t[]){0, 0, 0, 0}, 0, 0);
        const bank_outcome outcome = run(a, &plain, 0xF, (uint32_t[]){0, 0, 0, 0}, 0, 1);
        cr_expect_eq(outcome.lost, lost[i][1], "release %lu", lost[i][0]);
        cr_expect_eq(a->memory[0], outcome.lost == 0xF ? 100 : 1003);
        area_destroy(a);
    }
}

/* Four owners of four banks are in one word of a bank. */
Test(local_steps, owners_behind_each_other_are_in_each_others_way)
{
    area *a = small(OWNERSHIP_SMDCD);
    a->ownership.layout.is_flat = 1;
    bank_outcome outcome = run(a, &plain, 0xF, (uint32_t[]){0, 1, 2, 3}, 0, 0);
    cr_expect_eq(outcome.cycles, 5 + 1, "bank 0: its data, and owners of all");
    outcome = run(a, &plain, 0xF, (uint32_t[]){0, 1, 2, 3}, 0, 1);
    cr_expect_eq(outcome.cycles, 7 + 1);
    area_destroy(a);
}

Test(local_steps, to_find_words_may_cost)
{
    static const uint32_t cycles[] = {[BANK_RESTORE_OWNED] = 2, [BANK_RESTORE_SCAN] = 2 + 1, [BANK_RESTORE_IDEAL] = 0};
    for (uint32_t restore = 0; restore < 3; restore++) {
        area *a = small(OWNERSHIP_DCD);
        const bank_timing timing = {.access = 1, .state = 1, .restore = restore, .is_strict = 1};
        run(a, &timing, 3, (uint32_t[]){0, 1}, 0, 1);
        const bank_outcome outcome = run(a, &timing, 1, (uint32_t[]){1}, 0, 1);
        cr_expect_eq(outcome.restore_cycles, cycles[restore]);
        cr_expect_eq(outcome.cycles, 1 + 1 + cycles[restore]);
        cr_expect_eq(a->memory[0], 100);
        area_destroy(a);
    }
    area *a = area_create(OWNERSHIP_DCD, OWNERSHIP_WARP_MAP, 8, 4, 5);
    cr_expect_eq(bank_restore_cycles(&a->ownership, &(bank_timing){.access = 1, .restore = BANK_RESTORE_SCAN},
                                     (uint32_t[BANK_STEPS_BANKS]){1}),
                 2 + 2, "owners of five rows are in two");
    area_destroy(a);
}
