/* SPDX-License-Identifier: MIT */
/* A core that runs transactions by GETM. */
#include "getm_rig.h"

#include <criterion/criterion.h>

/* a0 = DATA; a1 = DATA + 4 * lane; t0 = 1 */
#define PROLOGUE lui(A0, DATA), csrr(A1, 0xCCC), slli(A2, A1, 2), add(A1, A0, A2), addi(T0, ZERO, 1)

Test(tx_getm, adds_one_for_every_thread_of_one_warp_to_words_of_their_own)
{
    const uint32_t words[] = {PROLOGUE,      begin_tx(1), lw(T1, 0, A1), addi(T1, T1, 1),
                              sw(T1, 0, A1), commit_tx(), ret(),         0};
    getm_rig *g = getm_rig_create(NULL, words);
    for (uint32_t i = 0; i < 32; i++)
        getm_rig_set(g, DATA + 4 * i, 100 + i);
    getm_rig_launch(g, 32);
    getm_rig_finish(g);
    for (uint32_t i = 0; i < 32; i++)
        cr_expect_eq(rig_word(g->rig, DATA + 4 * i), 101 + i);
    cr_expect_eq(getm_rig_statistic(g, "tx_commits"), 32);
    cr_expect_eq(getm_rig_statistic(g, "tx_aborts"), 0);
    cr_expect_eq(g->seen.loads, 4, "a granule is 32 bytes");
    cr_expect_eq(g->seen.stores, 4);
    cr_expect_eq(g->seen.regions, 4);
    cr_expect_eq(g->seen.logs, 2, "52 bytes with the header, two in a packet");
    getm_rig_destroy(g);
}

Test(tx_getm, counts_all_threads_of_many_warps_in_one_word)
{
    const uint32_t words[] = {PROLOGUE,      begin_tx(1), lw(T1, 0, A0), addi(T1, T1, 1),
                              sw(T1, 0, A0), commit_tx(), ret(),         0};
    getm_rig *g = getm_rig_create(NULL, words);
    getm_rig_set(g, DATA, 7);
    getm_rig_launch(g, 256);
    getm_rig_finish(g);
    cr_expect_eq(rig_word(g->rig, DATA), 7 + 256);
    cr_expect_eq(getm_rig_statistic(g, "tx_commits"), 256);
    cr_expect_gt(getm_rig_statistic(g, "tx_aborts_intra_warp"), 0);
    getm_rig_destroy(g);
}
