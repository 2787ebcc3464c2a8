/* SPDX-License-Identifier: MIT */
/* ElTantawy 2018 §6.3.1, Fig. 6.6, and what follows from the rules. */
#include <criterion/criterion.h>

#include "history.h"

enum { LENGTH = 8, REACH = 7, NEVER = 0 };

static history h;

static void clear(void)
{
    history_clear(&h);
}

static void insert_of(uint32_t hash, uint32_t bits, uint32_t place, uint32_t left, uint32_t right)
{
    const history_entry entry = {
        .path = (uint16_t)spin_hash_of(hash, place, bits),
        .value = {(uint16_t)spin_hash_of(hash, left, bits), (uint16_t)spin_hash_of(hash, right, bits)}};
    history_insert(&h, entry, LENGTH, REACH);
}

Test(spin_history, hashes_fold_all_bits_or_take_the_lowest)
{
    cr_expect_eq(spin_hash_of(SPIN_XOR, 0x138, 8), 0x39);
    cr_expect_eq(spin_hash_of(SPIN_XOR, 0x12345678, 8), 0x08);
    cr_expect_eq(spin_hash_of(SPIN_XOR, 0xDEADBEEF, 8), 0x22);
    cr_expect_eq(spin_hash_of(SPIN_XOR, 0x80000000, 8), 0x80);
    cr_expect_eq(spin_hash_of(SPIN_XOR, 0xFFFFFFFF, 8), 0x00);
    cr_expect_eq(spin_hash_of(SPIN_XOR, 0x138, 4), 0xA);
    cr_expect_eq(spin_hash_of(SPIN_XOR, 0x12345678, 4), 0x8);
    cr_expect_eq(spin_hash_of(SPIN_XOR, 0xDEADBEEF, 4), 0x0);
    cr_expect_eq(spin_hash_of(SPIN_XOR, 0xFFFFFFFF, 11), 0x3FF); /* the last piece has 10 bits */
    cr_expect_eq(spin_hash_of(SPIN_MODULO, 0xDEADBEEF, 4), 0xF);
    cr_expect_eq(spin_hash_of(SPIN_MODULO, 0xDEADBEEF, 11), 0x6EF);
    cr_expect_eq(spin_hash_of(SPIN_MODULO, 0xDEADBEEF, 2), 0x3);
}

static void expect(uint32_t distance, uint32_t remaining, enum history_state state, int line)
{
    cr_expect(h.distance == distance && h.state == state, "line %d: distance %u, state %u", line, h.distance, h.state);
    if (state == HISTORY_CONFIRM)
        cr_expect_eq(h.remaining, remaining, "line %d: %u remain", line, h.remaining);
}

/* Instructions of 8 bytes, with 4 bits of MODULO: compares at 0x38 and 0x90. */
Test(spin_history, follows_the_published_trace_step_by_step, .init = clear)
{
    insert_of(SPIN_MODULO, 4, 0x38 / 8, 1, 0);
    cr_expect_eq(h.entries[0].path, 7);
    expect(0, 0, HISTORY_SEARCH, __LINE__);
    insert_of(SPIN_MODULO, 4, 0x90 / 8, 0, 0);
    cr_expect_eq(h.entries[0].path, 2);
    expect(1, 0, HISTORY_SEARCH, __LINE__);
    insert_of(SPIN_MODULO, 4, 0x38 / 8, 1, 0);
    expect(2, 1, HISTORY_CONFIRM, __LINE__);
    insert_of(SPIN_MODULO, 4, 0x90 / 8, 0, 0);
    expect(2, 0, HISTORY_SPIN, __LINE__);
    insert_of(SPIN_MODULO, 4, 0x38 / 8, 0, 0); /* the lock is free */
    expect(0, 0, HISTORY_SEARCH, __LINE__);
    static const uint16_t paths[] = {7, 2, 7, 2, 7};
    for (uint32_t i = 0; i < 5; i++)
        cr_expect_eq(h.entries[i].path, paths[i]);
}

Test(spin_history, a_counted_loop_never_repeats_itself, .init = clear)
{
    for (uint32_t i = 0; i < 200; i++) {
        insert_of(SPIN_XOR, 8, 11, i, 200);
        expect(i % LENGTH, 0, HISTORY_SEARCH, __LINE__);
    }
}

/* The compare at which a loop of so many in each iteration is said to spin; NEVER. */
static uint32_t spins_at(uint32_t compares, uint32_t length, uint32_t reach)
{
    for (uint32_t i = 0; i < 20 * compares; i++) {
        history_insert(&h, (history_entry){.path = (uint16_t)(1 + i % compares)}, length, reach);
        if (h.state == HISTORY_SPIN)
            return i + 1;
    }
    return NEVER;
}

static uint32_t anew(uint32_t compares, uint32_t length, uint32_t reach)
{
    history_clear(&h);
    return spins_at(compares, length, reach);
}

Test(spin_history, two_iterations_are_enough_of_any_loop_within_reach)
{
    for (uint32_t compares = 1; compares <= 7; compares++)
        cr_expect_eq(anew(compares, 8, 7), 2 * compares, "%u compares", compares);
    cr_expect_eq(anew(8, 8, 7), NEVER);
    cr_expect_eq(anew(4, 5, 4), 8);
    cr_expect_eq(anew(4, 4, 3), NEVER);
    cr_expect_eq(anew(1, 2, 1), 2);
    cr_expect_eq(anew(1, 1, 0), NEVER);
    /* reach: before_last */
    cr_expect_eq(anew(4, 5, 3), NEVER);
    cr_expect_eq(anew(4, 4, 2), NEVER);
    cr_expect_eq(anew(1, 2, 0), NEVER);
    cr_expect_eq(anew(7, 8, 6), NEVER);
    cr_expect_eq(anew(6, 8, 6), 12);
}

Test(spin_history, what_came_before_the_loop_is_outlived)
{
    for (uint32_t before = 1; before <= 8; before++) {
        history_clear(&h);
        for (uint32_t i = 0; i < before; i++)
            history_insert(&h, (history_entry){.path = (uint16_t)(100 + i)}, 8, 7);
        cr_expect_eq(spins_at(2, 8, 7), 12 - before, "%u before", before);
    }
}

/* The compare at which a loop is said to spin that adds so much each time. */
static uint32_t stride_spins_at(uint32_t hash, uint32_t stride)
{
    history_clear(&h);
    for (uint32_t i = 0; i < 4096; i++) {
        insert_of(hash, 8, 3, i * stride, 0x7FFFFFFF);
        if (h.state == HISTORY_SPIN)
            return i + 1;
    }
    return NEVER;
}

Test(spin_history, strides_that_fool_a_hash)
{
    cr_expect_eq(stride_spins_at(SPIN_MODULO, 256), 2);
    cr_expect_eq(stride_spins_at(SPIN_MODULO, 64), 8);
    cr_expect_eq(stride_spins_at(SPIN_MODULO, 255), NEVER);
    cr_expect_eq(stride_spins_at(SPIN_XOR, 256), NEVER);
    cr_expect_eq(stride_spins_at(SPIN_XOR, 65536), NEVER);
    cr_expect_eq(stride_spins_at(SPIN_XOR, 257), 2);
}

/* The compare at which a loop is said to spin that compares quotients of its counter, or residues. */
static uint32_t derived_spins_at(uint32_t quotient_by, uint32_t residue_by)
{
    history_clear(&h);
    for (uint32_t i = 0; i < 4096; i++) {
        insert_of(SPIN_XOR, 8, 3, i / quotient_by % residue_by, 0);
        if (h.state == HISTORY_SPIN)
            return i + 1;
    }
    return NEVER;
}

Test(spin_history, conditions_that_take_the_same_values_again)
{
    cr_expect_eq(derived_spins_at(10, 4096), 2);
    for (uint32_t period = 2; period <= 7; period++)
        cr_expect_eq(derived_spins_at(1, period), 2 * period, "i %% %u", period);
    cr_expect_eq(derived_spins_at(1, 8), NEVER);
    cr_expect_eq(derived_spins_at(1, 10), NEVER);
}

Test(spin_history, both_operands_and_the_place_must_repeat, .init = clear)
{
    for (uint32_t i = 0; i < 32; i++) {
        insert_of(SPIN_XOR, 8, 5, 7, i);
        cr_expect_neq(h.state, HISTORY_SPIN);
    }
    history_clear(&h);
    for (uint32_t i = 0; i < 32; i++) {
        insert_of(SPIN_XOR, 8, 5, i, 7);
        cr_expect_neq(h.state, HISTORY_SPIN);
    }
    history_clear(&h);
    for (uint32_t i = 0; i < 32; i++) {
        insert_of(SPIN_XOR, 8, i, 7, 7);
        cr_expect_neq(h.state, HISTORY_SPIN);
    }
}

/* An iteration that differs from the two before begins the search anew, with itself. */
Test(spin_history, one_that_differs_ends_it, .init = clear)
{
    cr_assert_eq(spins_at(3, 8, 7), 6);
    history_insert(&h, (history_entry){.path = 1}, 8, 7);
    cr_expect_eq(h.state, HISTORY_SPIN);
    history_insert(&h, (history_entry){.path = 9}, 8, 7);
    expect(0, 0, HISTORY_SEARCH, __LINE__);
    history_insert(&h, (history_entry){.path = 9}, 8, 7);
    expect(1, 0, HISTORY_SPIN, __LINE__);
}
