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

static uint32_t lane_0_twice(uint32_t lane)
{
    return lane ? 1 : 2;
}

/* t2 = 0 in the first attempt of lane 0 alone, whose load is refused while the branch is on its way. */
static void branches(const uint32_t *words)
{
    const char *const slow[] = {"branch.latency=200 cycles", NULL};
    getm_rig *g = getm_rig_create(slow, words);
    g->refuse = 1;
    getm_rig_launch(g, 32);
    getm_rig_finish(g);
    tx_expect_results(g, 32, lane_0_twice);
    cr_expect_eq(getm_rig_statistic(g, "tx_aborts_load_written"), 1);
    cr_expect_eq(getm_rig_statistic(g, "divergent_branches"), 0, "those that are left go one way");
    getm_rig_destroy(g);
}

#define BRANCH PROLOGUE, begin_tx(1), lw(T1, 0, A1), csrr(T2, ATTEMPT), sub(T2, T2, T0), add(T2, T2, S0)

/* Lane 0 goes where nothing good would come of it: on, or elsewhere. */
Test(tx_core, what_lanes_have_aborted_since_does_not_decide_a_branch)
{
    const uint32_t on[] = {BRANCH,        bne(T2, ZERO, 8), bar_sync(0), csrr(T2, ATTEMPT),
                           sw(T2, 0, S1), commit_tx(),      ret(),       0};
    const uint32_t elsewhere[] = {
        BRANCH, beq(T2, ZERO, 16), csrr(T2, ATTEMPT), sw(T2, 0, S1), jal(ZERO, 8), bar_sync(0), commit_tx(), ret(), 0};
    branches(on);
    branches(elsewhere);
}

/* The same for a jump to where a register says, which is nowhere for lane 0. */
Test(tx_core, where_lanes_jump_that_have_aborted_since_does_not_matter)
{
    const char *const slow[] = {"branch.latency=200 cycles", NULL};
    const uint32_t words[] = {PROLOGUE,
                              add(A6, RA, ZERO),
                              lui(A5, CODE),
                              addi(A5, A5, 4 * 23),
                              begin_tx(1),
                              csrr(T2, ATTEMPT),
                              sub(T1, T2, T0),
                              add(T1, T1, S0),
                              i_type(0x13, 3, T1, T1, 1), /* sltiu: 1 in the first attempt of lane 0 */
                              slli(T1, T1, 20),
                              add(A5, A5, T1),
                              lw(A2, 0, A1),
                              jalr(RA, A5, 0),
                              commit_tx(),
                              add(RA, A6, ZERO),
                              ret(),
                              sw(T2, 0, S1), /* here */
                              ret(),
                              0};
    cr_assert_eq(words[23], sw(T2, 0, S1));
    getm_rig *g = getm_rig_create(slow, words);
    g->refuse = 1;
    getm_rig_launch(g, 32);
    getm_rig_finish(g);
    tx_expect_results(g, 32, lane_0_twice);
    getm_rig_destroy(g);
}

/* Every register but those that hold places, and fcsr, are changed by an attempt that odd lanes give up. */
#define IS_KEPT(x) ((x) != ZERO && (x) != RA && (x) != SP && (x) != T0 && (x) != T1 && (x) != S0 && (x) != A0)
Test(tx_core, every_register_and_flag_is_as_it_was)
{
    uint32_t words[400], n = 0;
    words[n++] = csrr(S0, 0xCCC);
    words[n++] = slli(A0, S0, 8);
    words[n++] = lui(T0, DATA);
    words[n++] = add(A0, A0, T0); /* 256 B for each lane */
    for (uint32_t x = 0; x < 32; x++) {
        words[n++] = IS_KEPT(x) ? addi(x, S0, (int32_t)(16 * x)) : addi(T1, S0, (int32_t)x);
        words[n++] = r_type(0x53, 0, 0x78, x, IS_KEPT(x) ? x : T1, 0); /* fmv.w.x */
    }
    words[n++] = addi(T1, ZERO, 2 << 5 | 4);
    words[n++] = csrrw(ZERO, 0x003, T1); /* fcsr */
    words[n++] = begin_tx(1);
    for (uint32_t x = 0; x < 32; x++) {
        if (IS_KEPT(x))
            words[n++] = addi(x, x, 1000);
        words[n++] = r_type(0x53, 0, 0x70, T1, x, 0); /* fmv.x.w */
        words[n++] = addi(T1, T1, 500);
        words[n++] = r_type(0x53, 0, 0x78, x, T1, 0);
    }
    words[n++] = csrr(T1, 0x003);
    words[n++] = addi(T1, T1, 1);
    words[n++] = csrrw(ZERO, 0x003, T1);
    words[n++] = csrr(T1, ATTEMPT);
    words[n++] = andi(T0, S0, 1);
    words[n++] = blt(T0, T1, 8);
    words[n++] = abort_tx(1);
    words[n++] = commit_tx();
    for (uint32_t x = 0; x < 32; x++) {
        if (IS_KEPT(x))
            words[n++] = sw(x, (int32_t)(4 * x), A0);
        const uint32_t o = 128 + 4 * x;
        words[n++] = o >> 5 << 25 | x << 20 | A0 << 15 | 2 << 12 | (o & 0x1F) << 7 | 0x27; /* fsw */
    }
    words[n++] = csrr(T1, 0x003);
    words[n++] = sw(T1, 0, A0);
    words[n++] = ret();
    words[n] = 0;
    getm_rig *g = getm_rig_run(NULL, words, 32);
    cr_expect_eq(getm_rig_statistic(g, "tx_aborts_program"), 16);
    for (uint32_t lane = 0; lane < 32; lane++) {
        const uint64_t at = DATA + 256 * lane;
        cr_expect_eq(rig_word(g->rig, at), 2 << 5 | 5, "fcsr of lane %u: 0x%x", lane, rig_word(g->rig, at));
        for (uint32_t x = 0; x < 32; x++) {
            const uint32_t began = IS_KEPT(x) ? lane + 16 * x : lane + x;
            if (IS_KEPT(x))
                cr_expect_eq(rig_word(g->rig, at + 4 * x), began + 1000, "x%u of lane %u", x, lane);
            cr_expect_eq(rig_word(g->rig, at + 128 + 4 * x), began + 500, "f%u of lane %u", x, lane);
        }
    }
    getm_rig_destroy(g);
}
