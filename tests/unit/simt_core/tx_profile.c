/* SPDX-License-Identifier: MIT */
/* Transactions by place in the program: where attempts begin, where they are given up, and for what. */
#include "core_profiled.h"
#include "getm_rig.h"

#include <criterion/criterion.h>

/* a0 = DATA, a1 = lane, a2 = DATA + 4 * lane, t0 = 1 */
#define PROLOGUE lui(A0, DATA), csrr(A1, 0xCCC), slli(A2, A1, 2), add(A2, A0, A2), addi(T0, ZERO, 1)
#define FIRST 5u /* word behind it */

Test(tx_profile, an_abort_is_counted_where_the_access_was_refused)
{
    const uint32_t words[] = {PROLOGUE, begin_tx(1), lw(T1, 0, A0), sw(T1, 0, A2), commit_tx(), ret(), 0};
    getm_rig *g = getm_rig_create(NULL, words);
    core_profiled profiled = profiled_begin(g->rig, words);
    g->refuse = 2;
    g->winner_pc = CODE + 4 * (FIRST + 2);
    getm_rig_launch(g, 4);
    getm_rig_finish(g);
    profiled_expect_identities(&profiled, "refused");
    const uint64_t lanes = getm_rig_statistic(g, "tx_aborts_load_written");
    cr_expect_eq(lanes, 8, "%lu: two attempts of four lanes", lanes);
    cr_expect_eq(profiled_at(&profiled, FIRST + 1, "tx_aborts"), lanes);
    cr_expect_eq(profiled_at(&profiled, FIRST + 1, "tx_aborts_load_written"), lanes);
    cr_expect_eq(profiled_at(&profiled, FIRST, "tx_attempts"), getm_rig_statistic(g, "tx_attempts"));
    cr_expect_eq(profiled_at(&profiled, FIRST, "tx_commits"), 4);
    cr_expect_eq(profiled.conflict->row, FIRST + 1);
    cr_expect_eq(profiled.conflict->winner, FIRST + 2);
    cr_expect_eq(profiled.conflict->lanes, lanes);
    getm_rig_destroy(g);
    profiled_end(&profiled);
}

Test(tx_profile, who_is_in_the_way_need_not_be_known)
{
    const uint32_t words[] = {PROLOGUE, begin_tx(1), lw(T1, 0, A0), commit_tx(), ret(), 0};
    getm_rig *g = getm_rig_create(NULL, words);
    core_profiled profiled = profiled_begin(g->rig, words);
    g->refuse = 1;
    getm_rig_launch(g, 1);
    getm_rig_finish(g);
    cr_expect_eq(g->last.pc, CODE + 4 * (FIRST + 1), "what the partition is told");
    cr_expect_eq(profiled.conflict->row, FIRST + 1);
    cr_expect_eq(profiled.conflict->winner, profiled.words);
    cr_expect_eq(profiled.conflict->lanes, 1);
    getm_rig_destroy(g);
    profiled_end(&profiled);
}

/* Lanes that write one word: those that lose do so at tx.commit, or at the store; tx.abort is where it stands. */
Test(tx_profile, what_no_partition_refuses_is_counted_where_the_warp_stands)
{
    static const struct {
        const char *scheme;
        uint32_t word;
    } schemes[] = {{"tx.intra_warp=2pcr", FIRST + 2}, {"tx.intra_warp=eager", FIRST + 1}};
    const uint32_t words[] = {PROLOGUE, begin_tx(1), sw(T0, 0, A0), commit_tx(), ret(), 0};
    for (uint32_t i = 0; i < 2; i++) {
        const char *const parameters[] = {schemes[i].scheme, NULL};
        getm_rig *g = getm_rig_create(parameters, words);
        core_profiled profiled = profiled_begin(g->rig, words);
        getm_rig_launch(g, 4);
        getm_rig_finish(g);
        profiled_expect_identities(&profiled, schemes[i].scheme);
        cr_expect_gt(getm_rig_statistic(g, "tx_aborts_intra_warp"), 0);
        cr_expect_eq(profiled_at(&profiled, schemes[i].word, "tx_aborts_intra_warp"),
                     getm_rig_statistic(g, "tx_aborts_intra_warp"), "%s", schemes[i].scheme);
        cr_expect_eq(profiled.conflict->lanes,
                     getm_rig_statistic(g, "tx_aborts") - getm_rig_statistic(g, "tx_aborts_intra_warp"),
                     "what was refused because of the attempt before");
        getm_rig_destroy(g);
        profiled_end(&profiled);
    }
}

Test(tx_profile, an_abort_of_the_program_is_counted_at_its_instruction)
{
    const uint32_t words[] = {PROLOGUE,    begin_tx(1), csrr(T2, 0xCD0), bne(T2, T0, 8),
                              abort_tx(1), commit_tx(), ret(),           0};
    getm_rig *g = getm_rig_create(NULL, words);
    core_profiled profiled = profiled_begin(g->rig, words);
    getm_rig_launch(g, 3);
    getm_rig_finish(g);
    profiled_expect_identities(&profiled, "program");
    cr_expect_eq(profiled_at(&profiled, FIRST + 3, "tx_aborts_program"), 3);
    cr_expect_eq(profiled_at(&profiled, FIRST + 3, "tx_aborts"), 3);
    getm_rig_destroy(g);
    profiled_end(&profiled);
}

/* Warps wait for the one token at tx.begin: slots that are lost there are a transaction's. */
Test(tx_profile, slots_of_warps_that_wait_for_a_token_are_lost_at_their_tx_begin)
{
    const char *const parameters[] = {"tx.concurrency=1", NULL};
    const uint32_t words[] = {PROLOGUE,      begin_tx(1), lw(T1, 0, A2), addi(T1, T1, 1),
                              sw(T1, 0, A2), commit_tx(), ret(),         0};
    getm_rig *g = getm_rig_create(parameters, words);
    core_profiled profiled = profiled_begin(g->rig, words);
    getm_rig_launch(g, 128);
    getm_rig_finish(g);
    profiled_expect_identities(&profiled, "token");
    const uint64_t lost = getm_rig_statistic(g, "slots_transaction");
    cr_expect_gt(getm_rig_statistic(g, "tx_token_cycles"), 100);
    cr_expect_gt(2 * profiled_at(&profiled, FIRST, "slots_transaction"), lost, "of %lu", lost);
    getm_rig_destroy(g);
    profiled_end(&profiled);
}
