/* SPDX-License-Identifier: MIT */
/* A protocol that commits at once. */
#include "tx_port_rig.h"

#include <criterion/criterion.h>

/* ---- The protocol ---------------------------------------------------------------------------------------------------- */

static tx *create(transactions *t, const hd_unit_share *share)
{
    (void)share;
    return (tx *)t;
}

static void of_unit(tx *unit)
{
    (void)unit;
}

static void begin(tx *unit, uint32_t warp, uint64_t lanes)
{
    (void)unit, (void)warp, (void)lanes;
}

static void aborted(tx *unit, uint32_t warp, uint64_t lanes, uint32_t reason)
{
    (void)unit, (void)warp, (void)lanes, (void)reason;
}

static void commit(tx *unit, uint32_t warp, uint64_t lanes)
{
    tx_decide((transactions *)unit, warp, lanes, 0, TX_NO_REASON);
}

static uint32_t nothing(const tx *unit, uint32_t warp)
{
    (void)unit, (void)warp;
    return 0;
}

static const tx_unit at_once = {.domains = TX_GLOBAL,
                                .create = create,
                                .destroy = of_unit,
                                .reset = of_unit,
                                .begin = begin,
                                .aborted = aborted,
                                .commit = commit,
                                .in_flight = nothing,
                                .work = of_unit};

static transactions *start(uint64_t checkpoint)
{
    return tx_port_start_with(&(tx_chosen){.unit = &at_once}, 1, checkpoint);
}

Test(tx_port, a_path_waits_while_it_begins_and_commits)
{
    transactions *t = start(0);
    tx_port_execute(t, 0, TX_BEGIN_1);
    tx_port_expect_events("w0s0r0");
    cr_expect(tx_is_inside(t, 0));
    cr_expect_not(tx_is_inside(t, 1));
    tx_port_reach_commit(0);
    tx_port_execute(t, 0, TX_COMMIT_WORD);
    tx_port_expect_events("w0c0");
    cr_expect_not(tx_is_inside(t, 0));
    cr_expect_eq(fake.port.paths[0].pc, COMMIT + 4);
    cr_expect_eq(fake.counters.tx_commits, LANES);
    tx_port_stop(t);
}

Test(tx_port, the_checkpoint_takes_its_time)
{
    transactions *t = start(7);
    tx_port_execute(t, 1, TX_BEGIN_1);
    tx_port_expect_events("w1s1");
    cr_expect_eq(fake.wake, 107);
    fake.now.n = 107;
    cr_expect_eq(tx_work(t), UINT64_MAX);
    tx_port_expect_events("r1");
    tx_port_stop(t);
}

/* All lanes abort; the attempt starts again when nothing of it is in flight. */
Test(tx_port, lanes_that_abort_get_their_registers_back)
{
    transactions *t = start(0);
    tx_port_execute(t, 0, TX_BEGIN_1);
    tx_port_expect_events("w0s0r0");
    fake.in_flight = 1;
    tx_port_execute(t, 0, TX_ABORT_WORD);
    tx_port_expect_events("a0w0");
    for (; fake.now.n < 110; fake.now.n++)
        tx_work(t);
    tx_port_expect_events("");
    fake.in_flight = 0;
    tx_access_done(t, &(ticket_state){.instruction = &t->walk, .path = 1, .warp = 0}, 0, NULL, 1);
    cr_expect_eq(t->warps[0].state, TX_DRAIN, "that was another path's");
    tx_access_done(t, &(ticket_state){.instruction = &t->walk, .path = 0, .warp = 0}, 0, NULL, 1);
    cr_expect_eq(t->warps[0].state, TX_RETRY);
    for (; fake.now.n < 120; fake.now.n++)
        tx_work(t);
    tx_port_expect_events("l0c0");
    cr_expect_eq(fake.lanes, ALL);
    cr_expect_eq(fake.port.paths[0].pc, BEGIN + 4);
    cr_expect_eq(fake.counters.tx_retries, 1);
    tx_port_stop(t);
}

/* One token: the second warp begins when the first has ended. */
Test(tx_port, warps_wait_for_a_token)
{
    transactions *t = start(0);
    tx_port_execute(t, 0, TX_BEGIN_1);
    tx_port_execute(t, 1, TX_BEGIN_1);
    tx_port_expect_events("w0s0r0w1");
    cr_expect_str_eq(tx_describe(t, 1), "waits to begin a transaction: as many warps as may are in one");
    tx_port_reach_commit(0);
    tx_port_execute(t, 0, TX_COMMIT_WORD);
    tx_port_expect_events("w0s1r1c0");
    tx_port_stop(t);
}

Test(tx_port, a_fault_is_said_by_the_core)
{
    transactions *t = start(0);
    tx_port_execute(t, 0, TX_COMMIT_WORD);
    cr_expect_str_eq(fake.fault, "tx.commit or tx.abort, but no transaction runs");
    tx_port_stop(t);
}
