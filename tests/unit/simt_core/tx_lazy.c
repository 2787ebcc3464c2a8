/* SPDX-License-Identifier: MIT */
/* What a protocol that validates at commit sends for one warp, counted by hand (Fung 2015 §4.2, §6.2). */
#include "lazy.h"
#include "scattered.h"

#include <criterion/criterion.h>
#include <string.h>

static core_rig *run_units(void)
{
    const char *const parameters[] = {"tx=lazy", "warps=8", "tx.ownership=0 B", NULL};
    core_rig *rig = rig_create(parameters, scattered_words());
    scattered_launch(rig);
    rig_finish(rig);
    scattered_expect(rig);
    return rig;
}

static core_rig *run(uint32_t warp_level, uint32_t (*refuses)(uint32_t, uint32_t, uint32_t, uint32_t))
{
    lazy_start(warp_level);
    lazy.refuses = refuses;
    return run_units();
}

static core_rig *run_in_turn(uint32_t at_once)
{
    lazy_start(1);
    lazy.at_once = at_once;
    return run_units();
}

Test(tx_lazy, sends_what_kilo_tm_sends)
{
    core_rig *rig = run(0, NULL);
    cr_expect_eq(lazy.sent[READ_SET], 3 + 4);
    cr_expect_eq(lazy.sent[WRITE_SET], 1);
    cr_expect_eq(lazy.sent[DONE_SKIP], LAZY_PARTITIONS, "to those that nobody touches too");
    cr_expect_eq(lazy.sent[CU_REPLY], 1 + 1 + 2 + 2 + 3 + 2 + 3 + 2 + 2 + 2 + 3 + 2, "partitions of each lane");
    cr_expect_eq(lazy.sent[OUTCOME], lazy.sent[CU_REPLY]);
    cr_expect_eq(lazy.sent[CU_DONE], LANES / 2, "one per transaction and unit that it writes to");
    rig_destroy(rig);
}

Test(tx_lazy, sends_what_warp_tm_sends)
{
    core_rig *rig = run(1, NULL);
    cr_expect_eq(lazy.sent[READ_SET], 3 + 4);
    cr_expect_eq(lazy.sent[WRITE_SET], 1);
    cr_expect_eq(lazy.sent[DONE_SKIP], LAZY_PARTITIONS);
    cr_expect_eq(lazy.sent[CU_REPLY], 4, "one per warp and unit");
    cr_expect_eq(lazy.sent[OUTCOME], 4);
    cr_expect_eq(lazy.sent[CU_DONE], 1);
    rig_destroy(rig);
}

/* What fails validation starts again, alone; it is told to those that it touched, and writes nothing. */
Test(tx_lazy, tries_again_what_a_unit_has_refused)
{
    for (uint32_t warp_level = 0; warp_level < 2; warp_level++) {
        core_rig *rig = run(warp_level, scattered_refuses_lane_4_once);
        cr_expect_eq(kit_statistic(rig_kit(rig), "tx_aborts"), 1);
        cr_expect_eq(kit_statistic(rig_kit(rig), "tx_attempts"), LANES + 1);
        cr_expect_eq(lazy.sent[DONE_SKIP], 2 * LAZY_PARTITIONS);
        rig_destroy(rig);
    }
}

/* Lane 0 writes what the others read: at the end it is in their way, unless they have committed before anybody looked. */
static void expect_conflicts(uint32_t silent, uint32_t aborts)
{
    const char *const parameters[] = {"tx=lazy", "warps=8", NULL};
    const uint32_t words[] = {lui(A0, DATA),
                              csrr(S0, 0xCCC),
                              begin_tx(1),
                              lw(T1, 0, A0),
                              bne(S0, ZERO, 8),
                              sw(T1, 0, A0),
                              commit_tx(),
                              ret(),
                              0};
    lazy_start(1);
    lazy.silent = silent;
    core_rig *rig = rig_create(parameters, words);
    rig_launch(rig, LANES, 0);
    rig_finish(rig);
    cr_expect_eq(kit_statistic(rig_kit(rig), "tx_commits"), LANES);
    cr_expect_eq(kit_statistic(rig_kit(rig), "tx_aborts_intra_warp"), aborts);
    cr_expect_eq(lazy.sent[WRITE_SET], 1);
    rig_destroy(rig);
}

Test(tx_lazy, silent_commits_precede_conflicts_within_the_warp)
{
    expect_conflicts(0, LANES - 1);
    expect_conflicts(1, 0);
}

/* All lanes are silent: what is left of the attempt ends as ever. */
Test(tx_lazy, a_warp_may_commit_silently)
{
    const char *const parameters[] = {"tx=lazy", "warps=8", NULL};
    const uint32_t words[] = {lui(A0, DATA), begin_tx(1), lw(T1, 0, A0), commit_tx(), ret(), 0};
    lazy_start(0);
    lazy.silent = 1;
    core_rig *rig = rig_create(parameters, words);
    rig_launch(rig, LANES, 0);
    rig_finish(rig);
    cr_expect_eq(kit_statistic(rig_kit(rig), "tx_commits"), LANES);
    cr_expect_eq(kit_statistic(rig_kit(rig), "tx_retries"), 0);
    cr_expect_eq(lazy.sent[READ_SET] + lazy.sent[DONE_SKIP], 0);
    cr_expect_eq(kit_statistic(rig_kit(rig), "log_hits"), 1, "nobody reads the log");
    rig_destroy(rig);
}

#define SCRATCHPAD lui(A1, HD_SCRATCHPAD_BASE)

/* Nothing of it goes by the logs of transactions on global memory. */
Test(tx_lazy, a_protocol_may_have_transactions_on_the_scratchpad)
{
    const char *const parameters[] = {"tx=lazy", "warps=8", NULL};
    const uint32_t words[] = {lui(A0, DATA),
                              SCRATCHPAD,
                              begin_tx(2),
                              lw(T1, 0, A0),
                              addi(T1, T1, 1),
                              begin_tx(2),
                              sw(T1, 0, A1),
                              commit_tx(),
                              commit_tx(),
                              lw(T2, 0, A1),
                              sw(T2, 4, A0),
                              ret(),
                              0};
    lazy_start(1);
    core_rig *rig = rig_create(parameters, words);
    rig_set_word(rig, DATA, 41);
    rig_launch_grid(rig, &(hd_grid){.grid_size = {1, 1, 1}, .block_size = {LANES, 1, 1}, .scratchpad_bytes = 64},
                    (uint32_t[]){0, 0, 0}, 0);
    rig_finish(rig);
    cr_expect_eq(rig_word(rig, DATA + 4), 42);
    cr_expect_eq(kit_statistic(rig_kit(rig), "tx_commits"), LANES);
    cr_expect_eq(kit_statistic(rig_kit(rig), "tx_read_words") + kit_statistic(rig_kit(rig), "tx_write_words"), 0);
    cr_expect_eq(lazy.sent[READ_SET] + lazy.sent[WRITE_SET], 0);
    rig_destroy(rig);
}

static void expect_fault(const uint32_t *words, const char *text)
{
    const char *const parameters[] = {"tx=lazy", "warps=8", NULL};
    lazy_start(1);
    core_rig *rig = rig_create(parameters, words);
    kit_expect_fault(rig_kit(rig));
    rig_launch(rig, LANES, 0);
    rig_finish(rig);
    const char *fault = kit_fault_text(rig_kit(rig));
    cr_expect(fault && strstr(fault, text), "%s: %s", text, fault);
    rig_destroy(rig);
}

Test(tx_lazy, a_transaction_is_on_one_memory)
{
    const uint32_t global_store[] = {lui(A0, DATA), begin_tx(2), sw(ZERO, 0, A0), commit_tx(), ret(), 0};
    const uint32_t scratchpad_store[] = {SCRATCHPAD, begin_tx(1), sw(ZERO, 0, A1), commit_tx(), ret(), 0};
    const uint32_t both[] = {begin_tx(3), commit_tx(), ret(), 0};
    expect_fault(global_store, "a store to global memory in a transaction on the scratchpad");
    expect_fault(scratchpad_store, "a store to the scratchpad in a transaction on global memory");
    expect_fault(both, "names no domain, or more than one");
}

/* A protocol may let lanes begin in turn: that is no abort, and costs no back-off. */
Test(tx_lazy, lanes_begin_as_the_protocol_lets_them)
{
    for (uint32_t at_once = 1; at_once <= LANES; at_once += 4) {
        const uint32_t attempts = (LANES + at_once - 1) / at_once;
        core_rig *rig = run_in_turn(at_once);
        cr_expect_eq(kit_statistic(rig_kit(rig), "tx_begins"), 1);
        cr_expect_eq(kit_statistic(rig_kit(rig), "tx_aborts"), 0);
        cr_expect_eq(kit_statistic(rig_kit(rig), "tx_attempts"), LANES);
        cr_expect_eq(kit_statistic(rig_kit(rig), "tx_retries"), attempts - 1);
        cr_expect_eq(kit_statistic(rig_kit(rig), "tx_retry_cycles"), attempts - 1);
        cr_expect_eq(kit_statistic(rig_kit(rig), "tx_maximum_fruitless_cycles"), 0);
        cr_expect_eq(lazy.sent[DONE_SKIP], attempts * LAZY_PARTITIONS);
        rig_destroy(rig);
    }
}

/* Lines of logs that take their turns in the L1: entries as they are made, addresses to resolve conflicts, then all that is sent. */
static void expect_lines(const uint32_t *words, uint32_t entered, uint32_t resolved, uint32_t sent)
{
    const char *const parameters[] = {"tx=lazy", "warps=8", NULL};
    lazy_start(1);
    core_rig *rig = rig_create(parameters, words);
    rig_launch(rig, LANES, 0);
    rig_finish(rig);
    const uint64_t lines = kit_statistic(rig_kit(rig), "log_hits") + kit_statistic(rig_kit(rig), "log_misses");
    cr_expect_eq(kit_statistic(rig_kit(rig), "tx_commits"), LANES);
    cr_expect_eq(lines, entered + resolved + sent, "%lu", lines);
    rig_destroy(rig);
}

#define OWN_WORD lui(A0, DATA), csrr(S0, 0xCCC), slli(S0, S0, 2), add(A0, A0, S0)

Test(tx_lazy, logs_are_read_before_they_are_sent)
{
    const uint32_t both[] = {OWN_WORD, begin_tx(1), lw(T1, 0, A0), lw(T1, 0, A0), sw(T1, 0, A0), commit_tx(), ret(), 0};
    const uint32_t reads[] = {OWN_WORD,      begin_tx(1), lw(T1, 0, A0), lw(T1, 0, A0),
                              lw(T1, 0, A0), commit_tx(), ret(),         0};
    expect_lines(both, 2 * 1 + 2, 1 + 1 + 2, 2 * 2 + 2);
    expect_lines(reads, 3 * 1, 0, 3 * 2);
}
