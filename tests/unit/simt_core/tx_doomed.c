/* SPDX-License-Identifier: MIT */
/* A protocol that validates at commit says what becomes of lanes that may be in trouble only because they are doomed. */
#include "lazy.h"
#include "tx/tx.h"

#include <criterion/criterion.h>
#include <string.h>

#define ATTEMPT 0xCD0

#define LANES 12u

static uint32_t asked[TX_MISTAKE + 1]; /* by trouble */

static uint64_t all(uint32_t warp, uint64_t lanes, uint32_t trouble)
{
    (void)warp;
    asked[trouble]++;
    return lanes;
}

/* Lanes with odd numbers at the first question, the others at the third. */
static uint64_t half_and_later_half(uint32_t warp, uint64_t lanes, uint32_t trouble)
{
    (void)warp;
    const uint32_t question = ++asked[trouble];
    return question == 1 ? lanes & 0xAAAAAAAA : question == 3 ? lanes : 0;
}

static uint64_t all_but_lane_5(uint32_t warp, uint64_t lanes, uint32_t trouble)
{
    return all(warp, lanes, trouble) & ~(UINT64_C(1) << 5);
}

static core_rig *start(const char *const *parameters, const uint32_t *words,
                       uint64_t (*dooms)(uint32_t, uint64_t, uint32_t))
{
    memset(asked, 0, sizeof asked);
    lazy_start(1);
    lazy.dooms = dooms;
    core_rig *rig = rig_create(parameters, words);
    rig_launch(rig, LANES, 0);
    return rig;
}

static uint32_t access_of(uint32_t trouble, uint32_t word)
{
    const int32_t offset = 4 * (int32_t)word;
    return trouble == TX_READ_LOG_FULL ? lw(T1, offset, A1) : sw(T2, offset, A1);
}

/* Each lane has words of its own, 256 bytes apart. Its first attempt loads or stores one more than its log has room for. */
static core_rig *start_with_one_too_many(uint32_t trouble, uint64_t (*dooms)(uint32_t, uint64_t, uint32_t))
{
    const char *const small_logs[] = {"tx=lazy", "warps=8", "tx.log_bytes=64 B", NULL};
    const uint32_t words[] = {lui(A0, DATA),
                              csrr(S0, 0xCCC),
                              slli(A1, S0, 8),
                              add(A1, A1, A0),
                              begin_tx(1),
                              csrr(T2, ATTEMPT),
                              addi(A2, ZERO, 2),
                              beq(T2, A2, 24),
                              access_of(trouble, 1),
                              access_of(trouble, 2),
                              access_of(trouble, 3),
                              access_of(trouble, 4),
                              access_of(trouble, 5),
                              sw(T2, 0, A1),
                              commit_tx(),
                              ret(),
                              0};
    return start(small_logs, words, dooms);
}

static void expect_a_second_attempt(uint32_t trouble)
{
    core_rig *rig = start_with_one_too_many(trouble, all);
    rig_finish(rig);
    cr_expect_eq(asked[trouble], 1, "%u times", asked[trouble]);
    cr_expect_eq(kit_statistic(rig_kit(rig), "tx_aborts_refused"), LANES);
    cr_expect_eq(kit_statistic(rig_kit(rig), "tx_aborts"), LANES);
    cr_expect_eq(kit_statistic(rig_kit(rig), "tx_commits"), LANES);
    for (uint32_t lane = 0; lane < LANES; lane++) {
        cr_expect_eq(rig_word(rig, DATA + 256 * lane), 2);
        cr_expect_eq(rig_word(rig, DATA + 256 * lane + 4), 0, "of the first attempt");
    }
    rig_destroy(rig);
}

Test(tx_doomed, doomed_lanes_whose_log_is_full_abort)
{
    expect_a_second_attempt(TX_READ_LOG_FULL);
    expect_a_second_attempt(TX_WRITE_LOG_FULL);
}

static void expect_fault(uint32_t trouble, const char *text)
{
    core_rig *rig = start_with_one_too_many(trouble, all_but_lane_5);
    kit_expect_fault(rig_kit(rig));
    kit_run_until(rig_kit(rig), kit_edge(rig_kit(rig), 5000));
    const char *fault = kit_fault_text(rig_kit(rig));
    cr_assert_not_null(fault, "%s", text);
    cr_expect(strstr(fault, text) && strstr(fault, "lane 5"), "%s: %s", text, fault);
    cr_expect_eq(kit_statistic(rig_kit(rig), "tx_aborts_refused"), LANES - 1);
    rig_destroy(rig);
}

Test(tx_doomed, others_whose_log_is_full_end_the_run)
{
    expect_fault(TX_READ_LOG_FULL, "the read log of a transaction is full with 4 words");
    expect_fault(TX_WRITE_LOG_FULL, "the write log of a transaction is full with 4 words");
}

/* First attempts never end by themselves. */
Test(tx_doomed, doomed_lanes_that_run_for_too_long_abort_and_others_run_on)
{
    const char *const parameters[] = {"tx=lazy", "warps=8", "tx.watchdog=500 cycles", "tx.back_off.base=0 cycles",
                                      NULL};
    const uint32_t words[] = {
        lui(A0, DATA),     csrr(S0, 0xCCC), slli(A1, S0, 2), add(A1, A1, A0), begin_tx(1), addi(A2, ZERO, 2),
        csrr(T2, ATTEMPT), blt(T2, A2, 0),  sw(T2, 0, A1),   commit_tx(),     ret(),       0};
    core_rig *rig = start(parameters, words, half_and_later_half);
    rig_finish(rig);
    cr_expect_eq(asked[TX_RUNS_TOO_LONG], 3);
    cr_expect_eq(kit_statistic(rig_kit(rig), "tx_aborts_refused"), LANES);
    cr_expect_eq(kit_statistic(rig_kit(rig), "tx_aborts_watchdog"), 0);
    cr_expect_eq(kit_statistic(rig_kit(rig), "tx_retries"), 1, "those that have aborted wait for the others");
    const uint64_t cycles = kit_statistic(rig_kit(rig), "tx_execute_cycles");
    cr_expect(cycles >= 3 * 500 && cycles < 4 * 500, "%lu", cycles);
    for (uint32_t lane = 0; lane < LANES; lane++)
        cr_expect_eq(rig_word(rig, DATA + 4 * lane), 2);
    rig_destroy(rig);
}
