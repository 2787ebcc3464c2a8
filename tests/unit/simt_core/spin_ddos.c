/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <string.h>

#include "ddos.h"
#include "history.h"
#include "spin_units.h"

enum { WARPS = 4, LANES = 32, CODE = 0x1000, CLEARED = 0, PEAK = 1, DROPS = 2 };

static hd_value values[DDOS_PARAMETERS];
static uint64_t counters[8];
static spin *s;

static void standard(void)
{
    memset(values, 0, sizeof values);
    values[DDOS_PATH_BITS].u = values[DDOS_VALUE_BITS].u = values[DDOS_LENGTH].u = 8;
    values[DDOS_THRESHOLD].u = 4;
    values[DDOS_ENTRIES].u = 16;
    values[DDOS_EPOCH].u = 1000;
}

static void start(void)
{
    memset(counters, 0, sizeof counters);
    s = spin_ddos.create(
        &(spin_parameters){.warps = WARPS, .lanes = LANES, .share = {.values = values, .counters = counters}});
    cr_assert(s);
    for (uint32_t warp = 0; warp < WARPS; warp++)
        spin_ddos.launch(s, warp, NULL, CODE);
}

static void start_standard(void)
{
    standard();
    start();
}

static void stop(void)
{
    spin_ddos.destroy(s);
}

/* All lanes but the one compare the number of a turn. */
static void compare_by(uint32_t warp, uint64_t mask, uint32_t lane, uint32_t value, uint64_t cycle)
{
    static uint32_t turn;
    uint32_t left[LANES];
    turn++;
    for (uint32_t i = 0; i < LANES; i++)
        left[i] = i == lane ? value : turn;
    spin_ddos.compared(
        s,
        &(path_event){.kind = PATH_COMPARED, .warp = warp, .pc = CODE + 8, .mask = mask, .cycle = cycle, .left = left});
}

static enum spin_verdict branch(uint32_t warp, uint64_t mask, uint64_t taken)
{
    return spin_ddos.branched(
        s, &(path_event){
               .kind = PATH_BRANCHED, .warp = warp, .pc = CODE + 16, .mask = mask, .taken = taken, .target = CODE});
}

/* How often the branch is taken until it is known; 100: not. */
static uint32_t turns_until_found(uint32_t warp, uint64_t mask, uint32_t lane)
{
    for (uint32_t turn = 1; turn < 100; turn++) {
        compare_by(warp, mask, lane, 5, 0);
        if (branch(warp, mask, mask) == SPIN_FOUND)
            return turn;
    }
    return 100;
}

Test(spin_ddos, a_loop_with_one_compare_is_found_in_one_turn_more_than_the_threshold, .init = start_standard,
     .fini = stop)
{
    cr_expect_eq(turns_until_found(0, 0xFFFFFFFF, 0), 5);
    cr_expect_eq(branch(1, 1, 1), SPIN_KNOWN, "any warp's");
    cr_expect_eq(counters[PEAK], 1);
    spin_ddos.drained(s);
    cr_expect_eq(branch(1, 1, 1), SPIN_NOT);
}

Test(spin_ddos, warps_learn_together, .init = start_standard, .fini = stop)
{
    uint32_t taken = 0;
    enum spin_verdict verdict = SPIN_NOT;
    for (uint32_t turn = 0; turn < 3 && verdict == SPIN_NOT; turn++)
        for (uint32_t warp = 0; warp < WARPS && verdict == SPIN_NOT; warp++, taken++) {
            compare_by(warp, 0xFF, 0, 5, 0);
            verdict = branch(warp, 0xFF, 1);
        }
    cr_expect_eq(taken, 8); /* each its first turn, then each once */
    cr_expect_eq(verdict, SPIN_FOUND);
}

Test(spin_ddos, the_lane_that_is_looked_at_stays_while_it_takes_part, .init = start_standard, .fini = stop)
{
    cr_expect_eq(turns_until_found(0, 0xF0, 4), 5);
    spin_ddos.drained(s);
    /* Lane 4 goes on with others below it, and is looked at still. */
    compare_by(0, 0xFF, 4, 5, 0);
    cr_expect_eq(branch(0, 0xFF, 1), SPIN_NOT);
    cr_expect_eq(counters[CLEARED], 0);
    /* Without it the lowest is, and nothing is known of that. */
    compare_by(0, 0x0C, 2, 5, 0);
    cr_expect_eq(counters[CLEARED], 1);
    for (uint32_t turn = 0; turn < 4; turn++) {
        compare_by(0, 0xFF, 2, 5, 0);
        cr_expect_eq(branch(0, 0xFF, 1), turn == 2 ? SPIN_FOUND : turn == 3 ? SPIN_KNOWN : SPIN_NOT, "%u", turn);
    }
}

Test(spin_ddos, compares_of_others_may_be_ignored_while_the_lane_runs, .fini = stop)
{
    standard();
    values[DDOS_FOREIGN].u = DDOS_FOREIGN_SKIPPED;
    start();
    for (uint32_t turn = 0; turn < 4; turn++) {
        compare_by(0, 0xF, 0, 5, 0);
        compare_by(0, 0xE, 1, turn, 0); /* another compare of those that part from it */
        cr_expect_eq(branch(0, 0xF, 1), SPIN_NOT);
    }
    compare_by(0, 0xF, 0, 5, 0);
    cr_expect_eq(branch(0, 0xF, 1), SPIN_FOUND);
    cr_expect_eq(counters[CLEARED], 0);
    spin_ddos.exited(s, 0, 1);
    compare_by(0, 0xE, 1, 5, 0);
    cr_expect_eq(counters[CLEARED], 1);
}

Test(spin_ddos, who_goes_back_counts_or_the_lowest_lane_alone, .fini = stop)
{
    standard();
    values[DDOS_TAKEN].u = DDOS_TAKEN_LOWEST;
    start();
    for (uint32_t turn = 0; turn < 20; turn++) {
        compare_by(0, 0xF0, 4, 5, 0);
        cr_expect_eq(branch(0, 0xF0, 0xE0), SPIN_NOT);
    }
    cr_expect_eq(turns_until_found(0, 0xF0, 4), 4); /* its history is that of a loop already */
}

/* One history for all: who has it is looked at, the others are not. */
Test(spin_ddos, warps_take_turns_at_a_history, .fini = stop)
{
    standard();
    values[DDOS_HISTORIES].u = 1;
    start();
    for (uint64_t cycle = 0; cycle < 50; cycle++) {
        compare_by(0, 1, 0, (uint32_t)cycle, cycle);
        compare_by(1, 1, 0, 5, cycle);
        cr_expect_eq(branch(1, 1, 1), SPIN_NOT);
    }
    compare_by(1, 1, 0, 5, 1000); /* not more than the epoch */
    compare_by(1, 1, 0, 5, 1000);
    cr_expect_eq(branch(1, 1, 1), SPIN_NOT);
    compare_by(1, 1, 0, 5, 1001); /* its own from now on, and begun anew */
    cr_expect_eq(branch(1, 1, 1), SPIN_NOT);
    compare_by(0, 1, 0, 5, 1002);
    compare_by(0, 1, 0, 5, 1003);
    cr_expect_eq(branch(0, 1, 1), SPIN_NOT);
    for (uint64_t cycle = 1004; cycle < 1007; cycle++) {
        compare_by(1, 1, 0, 5, cycle);
        cr_expect_eq(branch(1, 1, 1), SPIN_NOT);
    }
    compare_by(1, 1, 0, 5, 1007);
    cr_expect_eq(branch(1, 1, 1), SPIN_FOUND);
    /* A warp that ends gives it back. */
    spin_ddos.launch(s, 1, NULL, CODE);
    spin_ddos.drained(s);
    for (uint32_t turn = 0; turn < 4; turn++) {
        compare_by(2, 1, 0, 5, 1008);
        cr_expect_eq(branch(2, 1, 1), SPIN_NOT);
        compare_by(1, 1, 0, 100 + turn, 1008); /* and looks into it no more */
    }
    compare_by(2, 1, 0, 5, 1008);
    cr_expect_eq(branch(2, 1, 1), SPIN_FOUND);
}

Test(spin_ddos, places_count_from_the_start_of_the_kernel, .init = start_standard, .fini = stop)
{
    const uint32_t left[LANES] = {5};
    path_event event = {.kind = PATH_COMPARED, .warp = 0, .mask = 1, .left = left};
    for (uint32_t turn = 0; turn < 20; turn++) {
        event.pc = CODE + 4 * turn; /* never twice */
        spin_ddos.compared(s, &event);
        cr_expect_eq(branch(0, 1, 1), SPIN_NOT);
    }
    for (uint32_t turn = 0; turn < 20; turn++) {
        event.pc = CODE + 4 * 257 * turn; /* 257 folds to 0 */
        spin_ddos.compared(s, &event);
        if (turn > 8)
            branch(0, 1, 1);
    }
    cr_expect_eq(branch(0, 1, 1), SPIN_KNOWN);
    spin_ddos.drained(s);
    spin_ddos.launch(s, 1, NULL, 4 * 0xFF); /* where steps of 257 do not fold to the same */
    event.warp = 1;
    for (uint32_t turn = 0; turn < 5; turn++) {
        event.pc = 4 * 0xFF + 4 * 257 * turn;
        spin_ddos.compared(s, &event);
        cr_expect_eq(branch(1, 1, 1), turn == 4 ? SPIN_FOUND : SPIN_NOT, "%u", turn);
    }
}

/* A loop whose compare stands, or has an operand, so many further each time; 100: it is not found. */
static uint32_t turns_with_steps(uint64_t path_bits, uint64_t value_bits, uint32_t place, uint32_t left, uint32_t right)
{
    uint32_t turn = 0;
    standard();
    values[DDOS_HASH].u = SPIN_MODULO;
    values[DDOS_PATH_BITS].u = path_bits;
    values[DDOS_VALUE_BITS].u = value_bits;
    start();
    enum spin_verdict verdict = SPIN_NOT;
    while (verdict != SPIN_FOUND && turn++ < 99) {
        const uint32_t lefts[LANES] = {left * turn}, rights[LANES] = {right * turn};
        spin_ddos.compared(
            s, &(path_event){
                   .kind = PATH_COMPARED, .pc = CODE + 4 * place * turn, .mask = 1, .left = lefts, .right = rights});
        verdict = branch(0, 1, 1);
    }
    stop();
    return turn;
}

Test(spin_ddos, places_and_operands_have_hashes_of_their_own_width)
{
    cr_expect_eq(turns_with_steps(2, 8, 4, 0, 0), 5);
    cr_expect_eq(turns_with_steps(8, 2, 4, 0, 0), 100);
    cr_expect_eq(turns_with_steps(8, 2, 0, 4, 0), 5);
    cr_expect_eq(turns_with_steps(2, 8, 0, 4, 0), 100);
    cr_expect_eq(turns_with_steps(8, 2, 0, 0, 4), 5);
    cr_expect_eq(turns_with_steps(2, 8, 0, 0, 4), 100, "the right one alone");
}

/* A history of two reaches back by one, or by none. */
Test(spin_ddos, reaches_to_its_last_compare_or_the_one_before)
{
    for (uint32_t length = 1; length <= 3; length++)
        for (uint32_t before = 0; before < 2; before++) {
            standard();
            values[DDOS_LENGTH].u = length;
            values[DDOS_REACH].u = before ? DDOS_REACH_BEFORE_LAST : 0;
            start();
            cr_expect_eq(turns_until_found(0, 1, 0), length - 1 > before ? 5 : 100, "%u, %u", length, before);
            stop();
        }
}

Test(spin_ddos, counts_the_most_entries_of_its_table, .init = start_standard, .fini = stop)
{
    compare_by(0, 1, 0, 5, 0);
    compare_by(0, 1, 0, 5, 0);
    for (uint32_t turn = 0; turn < 2; turn++) {
        for (uint32_t i = 0; i < 3 - 2 * turn; i++)
            spin_ddos.branched(s, &(path_event){.kind = PATH_BRANCHED, .pc = CODE + 64 + 4 * i, .mask = 1, .taken = 1});
        cr_expect_eq(counters[PEAK], 3);
        spin_ddos.drained(s);
    }
}

Test(spin_ddos, a_table_full_of_known_branches_drops_others, .fini = stop)
{
    standard();
    values[DDOS_ENTRIES].u = 1;
    start();
    cr_expect_eq(turns_until_found(0, 1, 0), 5);
    compare_by(0, 1, 0, 5, 0);
    const path_event other = {.kind = PATH_BRANCHED, .warp = 0, .pc = CODE + 64, .mask = 1, .taken = 1};
    cr_expect_eq(spin_ddos.branched(s, &other), SPIN_NOT);
    cr_expect_eq(counters[DROPS], 1);
}

Test(spin_ddos, costs_what_is_published)
{
    standard();
    cr_expect_eq(ddos_table_bits(values), 16 * 35);
    cr_expect_eq(ddos_history_bits(values, 48), 48 * 192);
    cr_expect_eq(ddos_history_bits(values, 64), 12288);
    values[DDOS_HISTORIES].u = 1;
    cr_expect_eq(ddos_history_bits(values, 48), 192);
    values[DDOS_PATH_BITS].u = values[DDOS_VALUE_BITS].u = 4;
    cr_expect_eq(ddos_history_bits(values, 48), 96);
    values[DDOS_THRESHOLD].u = 12; /* confidence 0 to 11 */
    cr_expect_eq(ddos_table_bits(values), 16 * 37);
    for (uint32_t i = 0; i < hd_spin_ddos.structure_count; i++) {
        standard();
        const hd_structure_use use = {.values = values, .parameter = 48, .count = 15};
        cr_expect_eq((uint64_t)hd_spin_ddos.structures[i].bytes(&use), 15 * (i ? 560u : 9216u) / 8);
    }
}

Test(spin_ddos, after_reset_it_is_as_new, .init = start_standard, .fini = stop)
{
    cr_expect_eq(turns_until_found(0, 1, 0), 5);
    spin_ddos.reset(s);
    spin_ddos.launch(s, 0, NULL, CODE);
    cr_expect_eq(turns_until_found(0, 1, 0), 5);
}
