/* SPDX-License-Identifier: MIT */
/* Attempts that do not end: their next instruction is a mistake, which doomed lanes may make, and others may not. */
#include "lazy.h"
#include "tx/tx.h"

#include <criterion/criterion.h>
#include <string.h>

#define ATTEMPT 0xCD0
#define LANES 12u
#define OWN_WORD lui(A0, DATA), csrr(S0, 0xCCC), slli(A1, S0, 2), add(A1, A1, A0), addi(A2, ZERO, 2)

/* Their first attempt never ends. */
#define ENDLESS OWN_WORD, begin_tx(1), csrr(T2, ATTEMPT), blt(T2, A2, 0), sw(T2, 0, A1), commit_tx(), ret(), 0

static uint64_t doomed_of(uint32_t trouble, uint32_t wanted, uint64_t lanes)
{
    return trouble == wanted ? lanes : 0;
}

static uint64_t who_makes_a_mistake(uint32_t warp, uint64_t lanes, uint32_t trouble)
{
    (void)warp;
    return doomed_of(trouble, TX_MISTAKE, lanes);
}

static uint64_t who_runs_too_long(uint32_t warp, uint64_t lanes, uint32_t trouble)
{
    (void)warp;
    return doomed_of(trouble, TX_RUNS_TOO_LONG, lanes);
}

static core_rig *start(const char *watchdog, const uint32_t *words, uint64_t (*dooms)(uint32_t, uint64_t, uint32_t))
{
    const char *const parameters[] = {"tx=lazy", "warps=8", "tx.back_off.base=0 cycles", "tx.patience=200",
                                      watchdog,  NULL};
    lazy_start(1);
    lazy.dooms = dooms;
    core_rig *rig = rig_create(parameters, words);
    rig_launch(rig, LANES, 0);
    return rig;
}

#define BEFORE 6u /* instructions of OWN_WORD, and tx.begin */

/* The run ends with so many instructions in transactions. */
static void expect_end(core_rig *rig, uint64_t instructions)
{
    kit_expect_fault(rig_kit(rig));
    uint64_t cycle = 0;
    while (!kit_fault_text(rig_kit(rig)) && cycle < 20000)
        kit_run_until(rig_kit(rig), kit_edge(rig_kit(rig), cycle += 10));
    const char *fault = kit_fault_text(rig_kit(rig));
    cr_assert_not_null(fault);
    cr_expect(strstr(fault, "the transaction does not end") && strstr(fault, "lanes 0-11"), "%s", fault);
    cr_expect_eq(kit_statistic(rig_kit(rig), "warp_instructions"), BEFORE + instructions);
}

Test(tx_patience, who_is_not_doomed_ends_the_run)
{
    const uint32_t words[] = {ENDLESS};
    core_rig *rig = start(NULL, words, NULL);
    expect_end(rig, 200 + 1);
    rig_destroy(rig);
}

Test(tx_patience, doomed_lanes_abort)
{
    const uint32_t words[] = {ENDLESS};
    core_rig *rig = start(NULL, words, who_makes_a_mistake);
    rig_finish(rig);
    cr_expect_eq(kit_statistic(rig_kit(rig), "tx_aborts_refused"), LANES);
    for (uint32_t lane = 0; lane < LANES; lane++)
        cr_expect_eq(rig_word(rig, DATA + 4 * lane), 2);
    rig_destroy(rig);
}

/* Two attempts, each of which ends within its time. */
Test(tx_patience, each_attempt_has_all_of_it)
{
    const uint32_t words[] = {OWN_WORD,
                              begin_tx(1),
                              addi(T0, ZERO, 90),
                              addi(T0, T0, -1),
                              bne(T0, ZERO, -4),
                              sw(A2, 0, A1),
                              csrr(T2, ATTEMPT),
                              beq(T2, A2, 8),
                              abort_tx(1),
                              commit_tx(),
                              ret(),
                              0};
    core_rig *rig = start(NULL, words, NULL);
    rig_finish(rig);
    cr_expect_eq(kit_statistic(rig_kit(rig), "tx_retries"), 1);
    cr_expect_gt(kit_statistic(rig_kit(rig), "tx_execute_cycles"), 2000);
    rig_destroy(rig);
}

/* What the watchdog has ended counts. */
Test(tx_patience, attempts_that_the_watchdog_ends_are_like_one)
{
    const uint32_t words[] = {OWN_WORD, begin_tx(1), beq(ZERO, ZERO, 0), commit_tx(), ret(), 0};
    core_rig *rig = start("tx.watchdog=500 cycles", words, who_runs_too_long);
    expect_end(rig, 200 + 1);
    cr_expect_eq(kit_statistic(rig_kit(rig), "tx_aborts_refused"), 2 * LANES);
    rig_destroy(rig);
}

/* Lanes that are odd with this offset loop in vain. The others have waited for them in a branch, and go on when these have aborted. */
static void expect_time_for_others(uint32_t offset)
{
    const uint32_t words[] = {OWN_WORD,
                              begin_tx(1),
                              csrr(T2, ATTEMPT),
                              addi(T1, S0, (int32_t)offset),
                              andi(T1, T1, 1),
                              beq(T1, ZERO, 12),
                              blt(T2, A2, 0),
                              jal(ZERO, 16),
                              addi(T0, ZERO, 20),
                              addi(T0, T0, -1),
                              bne(T0, ZERO, -4),
                              sw(T2, 0, A1),
                              commit_tx(),
                              ret(),
                              0};
    core_rig *rig = start(NULL, words, who_makes_a_mistake);
    rig_finish(rig);
    cr_expect_eq(kit_statistic(rig_kit(rig), "tx_aborts_refused"), LANES / 2);
    for (uint32_t lane = 0; lane < LANES; lane++)
        cr_expect_eq(rig_word(rig, DATA + 4 * lane), 1 + (lane + offset) % 2, "lane %u", lane);
    rig_destroy(rig);
}

Test(tx_patience, lanes_that_have_waited_for_others_have_time)
{
    expect_time_for_others(0);
    expect_time_for_others(1);
}

Test(tx_patience, is_without_end_at_0)
{
    const char *const parameters[] = {"tx=lazy", "warps=8", "tx.patience=0", NULL};
    const uint32_t words[] = {ENDLESS};
    lazy_start(1);
    core_rig *rig = rig_create(parameters, words);
    rig_launch(rig, LANES, 0);
    kit_run_until(rig_kit(rig), kit_edge(rig_kit(rig), 10000));
    cr_expect_null(kit_fault_text(rig_kit(rig)));
    rig_destroy(rig);
}
