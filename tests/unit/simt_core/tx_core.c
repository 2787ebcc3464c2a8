/* SPDX-License-Identifier: MIT */
/* What the core does for transactions whatever the protocol, seen through GETM: attempts of lanes. */
#include "tx_program.h"

#include <criterion/criterion.h>

static uint32_t by_parity(uint32_t lane)
{
    return lane & 1 ? 5 : 9;
}

Test(tx_core, lanes_part_and_meet_within_a_transaction)
{
    const uint32_t words[] = {PROLOGUE,
                              andi(T1, S0, 1),
                              begin_tx(1),
                              beq(T1, ZERO, 12),
                              addi(A2, ZERO, 5),
                              jal(ZERO, 8),
                              addi(A2, ZERO, 9),
                              sw(A2, 0, S1),
                              commit_tx(),
                              ret(),
                              0};
    getm_rig *g = getm_rig_run(NULL, words, 32);
    tx_expect_results(g, 32, by_parity);
    cr_expect_eq(getm_rig_statistic(g, "divergent_branches"), 1);
    cr_expect_eq(getm_rig_statistic(g, "tx_begins"), 1);
    getm_rig_destroy(g);
}

Test(tx_core, nested_transactions_are_part_of_the_outermost)
{
    const uint32_t words[] = {PROLOGUE,    begin_tx(1),     lw(T1, 0, A1), begin_tx(1), addi(T1, T1, 1), sw(T1, 0, A1),
                              commit_tx(), addi(T1, T1, 1), sw(T1, 0, A1), commit_tx(), ret(),           0};
    getm_rig *g = getm_rig_run(NULL, words, 32);
    for (uint32_t lane = 0; lane < 32; lane++)
        cr_expect_eq(rig_word(g->rig, DATA + 32 * lane), 2);
    cr_expect_eq(getm_rig_statistic(g, "tx_commits"), 32);
    cr_expect_eq(getm_rig_statistic(g, "tx_begins"), 1);
    getm_rig_destroy(g);
}

static uint32_t attempts_by_parity(uint32_t lane)
{
    return lane & 1 ? 0x1002 : 0x1001;
}

/* Odd lanes give their first attempt up. Registers are as at tx.begin: a3 is counted once; the attempt is not a register. */
Test(tx_core, some_lanes_try_again_with_the_registers_that_they_had)
{
    const uint32_t words[] = {PROLOGUE,
                              lui(A3, 0x1000),
                              begin_tx(1),
                              lw(T1, 0, A1),
                              add(A3, A3, T0),
                              sw(A3, 0, A1),
                              csrr(T2, ATTEMPT),
                              andi(A2, S0, 1),
                              beq(A2, ZERO, 12),
                              bne(T2, T0, 8),
                              abort_tx(3),
                              add(A4, T2, ZERO),
                              commit_tx(),
                              lui(A5, 0x1000),
                              sub(A3, A3, A5),
                              sub(A3, A3, T0),
                              bne(A3, ZERO, 12),
                              add(A5, A5, A4),
                              sw(A5, 0, S1),
                              ret(),
                              0};
    getm_rig *g = getm_rig_run(NULL, words, 32);
    tx_expect_results(g, 32, attempts_by_parity);
    cr_expect_eq(getm_rig_statistic(g, "tx_aborts_program"), 16);
    cr_expect_eq(getm_rig_statistic(g, "tx_attempts"), 48);
    cr_expect_eq(getm_rig_statistic(g, "tx_retries"), 1);
    cr_expect_eq(getm_rig_statistic(g, "tx_begins"), 1);
    cr_expect_eq(g->seen.cleanups, 16, "each granule has one lane");
    getm_rig_destroy(g);
}

static uint32_t three(uint32_t lane)
{
    (void)lane;
    return 3;
}

/* All lanes give two attempts up, in two places. */
Test(tx_core, all_lanes_abort_and_start_again_at_once)
{
    const char *const at_once[] = {"tx.back_off.base=0 cycles", NULL};
    const uint32_t words[] = {PROLOGUE,
                              begin_tx(1),
                              csrr(T2, ATTEMPT),
                              addi(T1, ZERO, 3),
                              beq(T2, T1, 24),
                              andi(A2, S0, 3),
                              beq(A2, ZERO, 12),
                              abort_tx(1),
                              jal(ZERO, 8),
                              abort_tx(2),
                              sw(T2, 0, S1),
                              commit_tx(),
                              ret(),
                              0};
    getm_rig *g = getm_rig_run(at_once, words, 32);
    tx_expect_results(g, 32, three);
    cr_expect_eq(getm_rig_statistic(g, "tx_attempts"), 96);
    cr_expect_eq(getm_rig_statistic(g, "tx_aborts"), 64);
    cr_expect_eq(getm_rig_statistic(g, "tx_retries"), 2);
    cr_expect_eq(g->seen.logs, 2, "four granules of one partition");
    getm_rig_destroy(g);
}
