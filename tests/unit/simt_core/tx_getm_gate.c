/* SPDX-License-Identifier: MIT */
/* GETM: attempts that fail for too long run one at a time, behind a granule that all cores agree on. */
#include "getm_rig.h"

#include <criterion/criterion.h>
#include <string.h>

/* a0 = DATA, a1 = lane, a2 = DATA + 4 * lane, t0 = 1 */
#define PROLOGUE lui(A0, DATA), csrr(A1, 0xCCC), slli(A2, A1, 2), add(A2, A0, A2), addi(T0, ZERO, 1)

#define ONE_LOAD PROLOGUE, begin_tx(1), lw(T1, 0, A0), commit_tx(), ret(), 0

/* One lane, of which the first accesses are refused. */
static getm_rig *refused(const char *escalation, uint32_t refusals, uint32_t rollover_at)
{
    const uint32_t words[] = {ONE_LOAD};
    getm_rig *g = getm_rig_create((const char *[]){escalation, "tx.back_off.base=0 cycles", NULL}, words);
    g->refuse = refusals;
    g->rollover_at = rollover_at;
    getm_rig_launch(g, 1);
    getm_rig_finish(g);
    cr_expect_eq(getm_rig_statistic(g, "tx_commits"), 1);
    return g;
}

/* After four attempts, if they have taken long enough, each begins with the gate, and gives it back. */
Test(tx_getm_gate, attempts_that_have_failed_for_too_long_pass_the_gate)
{
    getm_rig *g = refused("tx.getm.escalation=1 cycles", 6, 0);
    cr_expect_eq(getm_rig_statistic(g, "tx_attempts"), 7);
    cr_expect_eq(g->seen.loads, 4 + 1, "those whose gate is refused do not get so far");
    cr_expect_eq(g->seen.stores, 3);
    cr_expect_eq(getm_rig_statistic(g, "tx_escalations"), 3);
    cr_expect_eq(getm_rig_statistic(g, "tx_requests"), 5 + 3);
    cr_expect_eq(g->seen.cleanups, 1);
    cr_expect_eq(g->region[0].address, HD_GETM_GATE);
    cr_expect_eq(g->region[0].count, 1);
    cr_expect_eq(g->region[0].byte_mask, 0);
    cr_expect_gt(getm_rig_statistic(g, "tx_maximum_fruitless_cycles"), 100);
    getm_rig_destroy(g);
}

Test(tx_getm_gate, attempts_pass_the_gate_only_where_progress_is_endangered)
{
    static const struct {
        const char *escalation;
        uint32_t refusals;
    } rows[] = {{"tx.getm.escalation=0 cycles", 9},
                {"tx.getm.escalation=100000 cycles", 9},
                {"tx.getm.escalation=1 cycles", 3}};
    for (uint32_t i = 0; i < 3; i++) {
        getm_rig *g = refused(rows[i].escalation, rows[i].refusals, 0);
        cr_expect_eq(getm_rig_statistic(g, "tx_escalations"), 0, "%s", rows[i].escalation);
        cr_expect_eq(g->seen.stores, 0, "%s", rows[i].escalation);
        getm_rig_destroy(g);
    }
}

/* The era ends while the gate is asked for, and when it is held: neither is waited for or given back. */
Test(tx_getm_gate, the_gate_is_forgotten_with_its_era)
{
    for (uint32_t request = 5; request <= 6; request++) {
        getm_rig *g = refused("tx.getm.escalation=1 cycles", 4, request);
        cr_expect_eq(g->seen.rolled_over, 1, "request %u", request);
        cr_expect_eq(getm_rig_statistic(g, "tx_escalations"), 2, "request %u", request);
        cr_expect_eq(g->seen.cleanups, 1, "request %u", request);
        getm_rig_destroy(g);
    }
}

/* Of eight warps that all fail, one runs at a time: the others wait for the gate, or are refused there. */
Test(tx_getm_gate, one_warp_at_a_time_is_behind_the_gate)
{
    const char *const parameters[] = {"tx.getm.escalation=1 cycles", "tx.back_off.base=0 cycles", "tx.concurrency=0",
                                      NULL};
    const uint32_t words[] = {PROLOGUE,      begin_tx(1), lw(T1, 0, A0), addi(T1, T1, 1),
                              sw(T1, 0, A0), commit_tx(), ret(),         0};
    getm_rig *g = getm_rig_create(parameters, words);
    g->refuse = 8 * 4 * 32;
    g->stall_room = 4;
    getm_rig_launch(g, 256);
    getm_rig_finish(g);
    cr_expect_eq(rig_word(g->rig, DATA), 256);
    cr_expect_geq(getm_rig_statistic(g, "tx_escalations"), 8 * 31, "to the end of the transaction");
    getm_rig_destroy(g);
}

/* Its lanes commit one by one: each time the warp has made progress, and yet it stays behind the gate. */
Test(tx_getm_gate, a_warp_stays_behind_the_gate_until_its_transaction_has_ended)
{
    const char *const parameters[] = {"tx.getm.escalation=1 cycles", "tx.back_off.base=0 cycles", NULL};
    const uint32_t words[] = {PROLOGUE,      begin_tx(1), lw(T1, 0, A0), addi(T1, T1, 1),
                              sw(T1, 0, A0), commit_tx(), ret(),         0};
    getm_rig *g = getm_rig_create(parameters, words);
    g->refuse = 4;
    getm_rig_launch(g, 32);
    getm_rig_finish(g);
    cr_expect_eq(rig_word(g->rig, DATA), 32);
    cr_expect_eq(getm_rig_statistic(g, "tx_escalations"), 32);
    getm_rig_destroy(g);
}
