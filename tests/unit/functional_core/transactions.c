/* SPDX-License-Identifier: MIT */
/* Transactions without time: one step each. */
#include <criterion/criterion.h>
#include <string.h>

#include "core_rig.h"
#include "functional_core.h"

#define ATTEMPT 0xCD0

static core_rig *run(const char *const *parameters, const uint32_t *words, uint32_t threads)
{
    core_rig *rig = rig_create_of(&hd_simt_core_functional, parameters, words);
    rig_launch(rig, threads, 0);
    rig_finish(rig);
    return rig;
}

static const char *const machines[][5] = {{NULL},
                                          {"reconvergence=mimd", NULL},
                                          {"quantum=1", "run_ahead=1 cycle", NULL},
                                          {"lanes=1", "warps=128", NULL},
                                          {"lanes=64", "warps=8", "instructions_per_cycle=4", NULL}};
#define MACHINES (sizeof machines / sizeof *machines)

/* All threads count in one word, with a parting in between and a count on the stack; two of three give an attempt up, after they
 * have stored. */
Test(functional_transactions, are_one_after_the_other_and_leave_nothing_when_they_give_up)
{
    const uint32_t words[] = {lui(A0, DATA),
                              csrr(S0, 0xCC0),
                              addi(T0, ZERO, 3),
                              r_type(0x33, 7, 1, A2, S0, T0) /* remu */,
                              sw(ZERO, -4, SP),
                              begin_tx(1),
                              lw(T1, 0, A0),
                              addi(T1, T1, 1),
                              begin_tx(1),
                              sw(T1, 0, A0),
                              lw(T2, -4, SP),
                              addi(T2, T2, 1),
                              sw(T2, -4, SP),
                              commit_tx(),
                              csrr(T2, ATTEMPT),
                              beq(A2, ZERO, 16),
                              addi(A3, ZERO, 1),
                              bne(T2, A3, 8),
                              abort_tx(1),
                              addi(A4, A4, 1),
                              commit_tx(),
                              csrr(A5, ATTEMPT),
                              lw(T2, -4, SP),
                              slli(S0, S0, 2),
                              add(S0, S0, A0),
                              add(T2, T2, A5),
                              sw(T2, 1024, S0),
                              ret(),
                              0};
    for (size_t i = 0; i < MACHINES; i++) {
        core_rig *rig = run(machines[i], words, 100);
        cr_expect_eq(rig_word(rig, DATA), 100, "machine %zu: %u", i, rig_word(rig, DATA));
        for (uint32_t thread = 0; thread < 100; thread++)
            cr_expect_eq(rig_word(rig, DATA + 1024 + 4 * thread), 1, "machine %zu: the stack was counted once", i);
        cr_expect_eq(kit_statistic(rig_kit(rig), "tx_commits"), 100);
        cr_expect_eq(kit_statistic(rig_kit(rig), "tx_aborts"), 66);
        rig_destroy(rig);
    }
}

/* The first thread waits for what another one stores: it lets the others run when it gives up. */
Test(functional_transactions, let_others_run_between_attempts)
{
    const uint32_t words[] = {lui(A0, DATA),
                              csrr(S0, 0xCC0),
                              begin_tx(1),
                              bne(S0, ZERO, 20),
                              lw(T1, 0, A0),
                              bne(T1, ZERO, 20),
                              abort_tx(2),
                              jal(ZERO, 12),
                              addi(T1, ZERO, 7),
                              sw(T1, 0, A0),
                              commit_tx(),
                              ret(),
                              0};
    for (size_t i = 0; i < MACHINES; i++) {
        core_rig *rig = run(machines[i], words, 70);
        cr_expect_eq(rig_word(rig, DATA), 7, "machine %zu", i);
        rig_destroy(rig);
    }
}

Test(functional_transactions, refuse_what_may_not_be_in_them)
{
    static const struct {
        uint32_t word;
        const char *text;
    } rows[] = {{0x00C5202F /* amoadd.w zero, a2, (a0) */, "an atomic operation in a transaction"},
                {0x0000300B /* bar.sync 0 */, "a barrier in a transaction"},
                {0x0000500B /* warp.sync */, "warp.sync in a transaction"},
                {0x0007A023 /* sw zero, 0(a5) */, "a store to the scratchpad"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const uint32_t words[] = {
            lui(A0, DATA), lui(A5, HD_SCRATCHPAD_BASE), begin_tx(1), rows[i].word, commit_tx(), ret(), 0};
        const char *const none[] = {NULL};
        core_rig *rig = rig_create_of(&hd_simt_core_functional, none, words);
        const hd_grid grid = {
            .grid_size = {1, 1, 1}, .block_size = {32, 1, 1}, .scratchpad_bytes = 64, .private_bytes = 128};
        kit_expect_fault(rig_kit(rig));
        rig_launch_grid(rig, &grid, (uint32_t[]){0, 0, 0}, 0);
        rig_finish(rig);
        cr_expect_not_null(kit_fault_text(rig_kit(rig)), "%s", rows[i].text);
        cr_expect_not_null(strstr(kit_fault_text(rig_kit(rig)), rows[i].text), "%s", kit_fault_text(rig_kit(rig)));
        rig_destroy(rig);
    }
}

/* Stores to one word, more often than there is room for stores; the attempt gives up, and the word is as it was. */
Test(functional_transactions, may_store_to_a_word_any_number_of_times)
{
    const uint32_t words[] = {lui(A0, DATA),
                              addi(T0, ZERO, 1),
                              lui(A3, 0x19000),
                              begin_tx(1),
                              csrr(T2, ATTEMPT),
                              bne(T2, T0, 20),
                              sw(A3, 0, A0),
                              addi(A3, A3, -1),
                              bne(A3, ZERO, -8),
                              abort_tx(1),
                              lw(T1, 0, A0),
                              sw(T1, 128, A0),
                              commit_tx(),
                              ret(),
                              0};
    core_rig *rig = rig_create_of(&hd_simt_core_functional, machines[0], words);
    rig_set_word(rig, DATA, 7);
    rig_launch(rig, 1, 0);
    rig_finish(rig);
    cr_expect_eq(rig_word(rig, DATA), 7);
    cr_expect_eq(rig_word(rig, DATA + 128), 7);
    rig_destroy(rig);
}

/* To more words than there is room for: refused, in so many words. */
Test(functional_transactions, may_not_store_to_any_number_of_words)
{
    const uint32_t words[] = {lui(A0, DATA),    lui(A3, 0x19000),   begin_tx(1), sw(A3, 0, A0), addi(A0, A0, 4),
                              addi(A3, A3, -1), bne(A3, ZERO, -12), commit_tx(), ret(),         0};
    core_rig *rig = rig_create_of(&hd_simt_core_functional, machines[0], words);
    kit_expect_fault(rig_kit(rig));
    rig_launch(rig, 1, 0);
    rig_finish(rig);
    const char *text = kit_fault_text(rig_kit(rig));
    cr_expect(text && strstr(text, "the transaction stores more than 65536 bytes"), "%s", text);
    rig_destroy(rig);
}
