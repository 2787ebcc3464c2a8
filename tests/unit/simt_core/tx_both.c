/* SPDX-License-Identifier: MIT */
/* Transactions on both domains in a core: one protocol validates at commit, the other is GPU-LocalTM. */
#include "lazy.h"

#include <criterion/criterion.h>
#include <string.h>

#define SCRATCHPAD lui(A1, HD_SCRATCHPAD_BASE)
#define THREADS 32u

static core_rig *create(const uint32_t *words)
{
    static const char *const parameters[] = {"tx=lazy", "tx.scratchpad=local", "tx.local.checkpoint=ideal",
                                             "warps=8", "tx.concurrency=0",    NULL};
    lazy_start(1);
    return rig_create(parameters, words);
}

static uint64_t statistic(core_rig *rig, const char *name)
{
    return kit_statistic(rig_kit(rig), name);
}

/* All lanes count in a word of the scratchpad, and then each in one of global memory, by what it has seen there. */
Test(tx_both, take_turns_in_a_thread)
{
    const uint32_t words[] = {
        SCRATCHPAD,      lui(A0, DATA),   csrr(A2, 0xCCC), slli(A2, A2, 2),   add(A2, A0, A2), begin_tx(2),
        lw(T1, 8, A1),   addi(T1, T1, 1), sw(T1, 8, A1),   commit_tx(),       begin_tx(1),     lw(T2, 0, A2),
        add(T2, T2, T1), sw(T2, 0, A2),   commit_tx(),     begin_tx(2),       lw(T1, 12, A1),  addi(T1, T1, 2),
        sw(T1, 12, A1),  commit_tx(),     lw(T1, 12, A1),  sw(T1, 0x100, A0), ret(),           0};
    core_rig *rig = create(words);
    rig_launch_grid(rig, &(hd_grid){.grid_size = {1, 1, 1}, .block_size = {THREADS, 1, 1}, .scratchpad_bytes = 64},
                    (uint32_t[]){0, 0, 0}, 0);
    rig_finish(rig);
    uint32_t sum = 0;
    for (uint32_t lane = 0; lane < THREADS; lane++)
        sum += rig_word(rig, DATA + 4 * lane);
    cr_expect_eq(sum, THREADS * (THREADS + 1) / 2, "each has had a number of its own");
    cr_expect_eq(rig_word(rig, DATA + 0x100), 2 * THREADS);
    cr_expect_eq(statistic(rig, "tx_commits"), 3 * THREADS);
    cr_expect_eq(statistic(rig, "tx_scratchpad_commits"), 2 * THREADS);
    cr_expect_eq(statistic(rig, "tx_begins"), 3);
    cr_expect_eq(statistic(rig, "tx_scratchpad_begins"), 2);
    cr_expect_gt(statistic(rig, "tx_scratchpad_aborts"), 0);
    cr_expect_eq(statistic(rig, "tx_scratchpad_aborts"), statistic(rig, "tx_aborts"));
    cr_expect_eq(statistic(rig, "tx_scratchpad_attempts"),
                 statistic(rig, "tx_scratchpad_commits") + statistic(rig, "tx_scratchpad_aborts"));
    cr_expect_eq(statistic(rig, "tx_read_words"), 3 * THREADS);
    cr_expect_eq(statistic(rig, "tx_write_words"), 3 * THREADS);
    cr_expect_gt(statistic(rig, "tx_scratchpad_accesses"), 4 * THREADS);
    rig_destroy(rig);
}

static void expect_fault(const uint32_t *words, const char *text)
{
    core_rig *rig = create(words);
    kit_expect_fault(rig_kit(rig));
    rig_launch_grid(rig, &(hd_grid){.grid_size = {1, 1, 1}, .block_size = {THREADS, 1, 1}, .scratchpad_bytes = 64},
                    (uint32_t[]){0, 0, 0}, 0);
    rig_finish(rig);
    const char *fault = kit_fault_text(rig_kit(rig));
    cr_expect(fault && strstr(fault, text), "%s: %s", text, fault);
    rig_destroy(rig);
}

/* By a call that nobody sees before it is made. */
Test(tx_both, one_inside_the_other_is_refused_when_it_is_met)
{
    static const char text[] = "tx.begin of another domain than that of the transaction it is in";
    const uint32_t on_memory[] = {
        lui(T2, CODE), begin_tx(1), jalr(1, T2, 20), commit_tx(), ret(), begin_tx(2), commit_tx(), ret(), 0};
    const uint32_t on_scratchpad[] = {
        lui(T2, CODE), begin_tx(2), jalr(1, T2, 20), commit_tx(), ret(), begin_tx(1), commit_tx(), ret(), 0};
    expect_fault(on_memory, text);
    expect_fault(on_scratchpad, text);
}

Test(tx_both, each_may_not_store_where_the_other_does)
{
    const uint32_t global_store[] = {lui(A0, DATA), begin_tx(2), sw(ZERO, 0, A0), commit_tx(), ret(), 0};
    const uint32_t scratchpad_store[] = {SCRATCHPAD, begin_tx(1), sw(ZERO, 0, A1), commit_tx(), ret(), 0};
    expect_fault(global_store, "a store to global memory in a transaction on the scratchpad");
    expect_fault(scratchpad_store, "a store to the scratchpad in a transaction on global memory");
}
