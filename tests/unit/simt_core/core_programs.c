/* SPDX-License-Identifier: MIT */
/* What programs compute: indices, divergence, calls, memory, atomics and fences, on both reconvergence units. */
#include "core_rig.h"

#include <criterion/criterion.h>

static const char *const stack[] = {"reconvergence=stack", NULL};
static const char *const mimd[] = {"reconvergence=mimd", NULL};
static const char *const wide[] = {"lanes=64", "warps=8", NULL};

/* a3 = address of the thread's word: DATA + 4 * thread x. Uses t0. */
#define OWN_WORD                                                                                                       \
    0xCC0022F3 /* csrr t0, thread x */, 0x00229293 /* slli t0, t0, 2 */, 0x100106B7 /* lui a3, DATA */,                \
        0x005686B3 /* add a3, a3, t0 */

static void each_unit(const uint32_t *words, uint32_t threads, void (*check)(core_rig *rig, uint32_t threads))
{
    const char *const *const all[] = {stack, mimd, wide};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        core_rig *rig = rig_create(all[i], words);
        rig_launch(rig, threads, 0);
        rig_finish(rig);
        check(rig, threads);
        rig_destroy(rig);
    }
}

static void check_own_index(core_rig *rig, uint32_t threads)
{
    for (uint32_t i = 0; i < threads; i++)
        cr_expect_eq(rig_word(rig, DATA + 4 * i), i + 100);
    cr_expect_eq(rig_word(rig, DATA + 4 * threads), 0, "no thread beyond the block");
}

Test(simt_core, each_thread_stores_its_index)
{
    const uint32_t words[] = {OWN_WORD, csrr(T1, 0xCC0), addi(T1, T1, 100), sw(T1, 0, A3), ret(), 0};
    each_unit(words, 77, check_own_index);
}

static void check_divergence(core_rig *rig, uint32_t threads)
{
    for (uint32_t i = 0; i < threads; i++)
        cr_expect_eq(rig_word(rig, DATA + 4 * i), (i < 10 ? 1u : 2u) + 1000u, "thread %u", i);
}

Test(simt_core, lanes_part_and_meet_again)
{
    const uint32_t words[] = {OWN_WORD,
                              csrr(T1, 0xCC0),
                              addi(T2, ZERO, 10),
                              blt(T1, T2, 12),
                              addi(A1, ZERO, 2),
                              jal(ZERO, 8),
                              addi(A1, ZERO, 1),
                              addi(A1, A1, 1000),
                              sw(A1, 0, A3),
                              ret(),
                              0};
    each_unit(words, 64, check_divergence);
    core_rig *rig = rig_create(stack, words);
    rig_launch(rig, 32, 0);
    rig_finish(rig);
    cr_expect_eq(kit_statistic(rig_kit(rig), "divergent_branches"), 1);
    cr_expect_eq(kit_statistic(rig_kit(rig), "lanes_29_32"), 7 + 3, "after the meeting point all lanes go together");
    cr_expect_eq(kit_statistic(rig_kit(rig), "lanes_9_12"), 1);
    cr_expect_eq(kit_statistic(rig_kit(rig), "lanes_21_24"), 2);
    cr_expect_eq(kit_statistic(rig_kit(rig), "maximum_stack_depth"), 3);
    rig_destroy(rig);
}

static void check_loop(core_rig *rig, uint32_t threads)
{
    for (uint32_t i = 0; i < threads; i++)
        cr_expect_eq(rig_word(rig, DATA + 4 * i), i * (i + 1) / 2, "thread %u", i);
}

Test(simt_core, lanes_leave_a_loop_one_by_one)
{
    /* sum of 0 .. thread */
    const uint32_t words[] = {OWN_WORD,
                              csrr(T1, 0xCC0),
                              addi(A1, ZERO, 0),
                              add(A1, A1, T1),
                              addi(T1, T1, -1),
                              blt(ZERO, T1, -8),
                              sw(A1, 0, A3),
                              ret(),
                              0};
    each_unit(words, 50, check_loop);
}

static void check_calls(core_rig *rig, uint32_t threads)
{
    for (uint32_t i = 0; i < threads; i++)
        cr_expect_eq(rig_word(rig, DATA + 4 * i), i % 2 ? 7u : 5u, "thread %u", i);
}

Test(simt_core, a_divergent_call_returns_to_each_caller)
{
    /* odd threads call f from one place, even ones from another; f adds 4; the return address is kept in s0 */
    const uint32_t words[] = {OWN_WORD,
                              add(S0, RA, ZERO),
                              csrr(T1, 0xCC0),
                              0x0013F393 /* andi t2, t2, 1 */,
                              0x00137393 /* andi t2, t1, 1 */,
                              beq(T2, ZERO, 16),
                              addi(A1, ZERO, 3),
                              jal(RA, 28),
                              jal(ZERO, 12),
                              addi(A1, ZERO, 1),
                              jal(RA, 16),
                              sw(A1, 0, A3),
                              add(RA, S0, ZERO),
                              ret(),
                              addi(A1, A1, 4),
                              ret(),
                              0};
    each_unit(words, 40, check_calls);
}

static void check_stack_frame(core_rig *rig, uint32_t threads)
{
    for (uint32_t i = 0; i < threads; i++)
        cr_expect_eq(rig_word(rig, DATA + 4 * i), i * 3, "thread %u", i);
}

Test(simt_core, private_memory_is_each_threads_own)
{
    const uint32_t words[] = {
        OWN_WORD,       csrr(T1, 0xCC0), addi(SP, SP, -16), sw(T1, 12, SP), add(T1, T1, T1), sw(T1, 8, SP),
        lw(A1, 12, SP), lw(A2, 8, SP),   add(A1, A1, A2),   sw(A1, 0, A3),  ret(),           0};
    each_unit(words, 70, check_stack_frame);
}

static void check_atomics(core_rig *rig, uint32_t threads)
{
    cr_expect_eq(rig_word(rig, DATA), threads * (threads - 1) / 2);
}

Test(simt_core, atomics_to_one_word_all_count)
{
    const uint32_t words[] = {csrr(T1, 0xCC0), lui(A3, DATA), amoadd(ZERO, T1, A3), ret(), 0};
    each_unit(words, 200, check_atomics);
}

static void check_scratchpad(core_rig *rig, uint32_t threads)
{
    for (uint32_t i = 0; i < threads; i++)
        cr_expect_eq(rig_word(rig, DATA + 4 * i), threads - 1 - i, "thread %u", i);
}

Test(simt_core, scratchpad_and_barrier_turn_a_block_around)
{
    const uint32_t words[] = {OWN_WORD,
                              csrr(T1, 0xCC0),
                              lui(A4, HD_SCRATCHPAD_BASE),
                              add(A5, A4, T0),
                              sw(T1, 0, A5),
                              bar_sync(3),
                              csrr(T2, 0xCC6),
                              addi(T2, T2, -1),
                              0x406383B3 /* sub t2, t2, t1 */,
                              slli(T2, T2, 2),
                              add(A5, A4, T2),
                              lw(A1, 0, A5),
                              sw(A1, 0, A3),
                              ret(),
                              0};
    const char *const *const all[] = {stack, mimd, wide};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        core_rig *rig = rig_create(all[i], words);
        hd_grid grid = {
            .grid_size = {1, 1, 1}, .block_size = {150, 1, 1}, .scratchpad_bytes = 600, .private_bytes = 128};
        rig_launch_grid(rig, &grid, (uint32_t[]){0, 0, 0}, 0);
        rig_finish(rig);
        check_scratchpad(rig, 150);
        cr_expect_eq(kit_statistic(rig_kit(rig), "barriers_released"), 1);
        rig_destroy(rig);
    }
}

Test(simt_core, a_fence_waits_until_stores_are_acknowledged)
{
    const uint32_t without[] = {OWN_WORD, sw(T0, 0, A3), addi(T1, T1, 1), ret(), 0};
    const uint32_t with[] = {OWN_WORD, sw(T0, 0, A3), fence(), addi(T1, T1, 1), ret(), 0};
    core_rig *rig = rig_create(stack, with);
    rig_memory_delay(rig, 500);
    rig_launch(rig, 32, 0);
    rig_finish(rig);
    cr_expect_gt(kit_statistic(rig_kit(rig), "slots_memory_data"), 480);
    rig_destroy(rig);
    rig = rig_create(stack, without);
    rig_memory_delay(rig, 500);
    rig_launch(rig, 32, 0);
    rig_finish(rig);
    cr_expect_lt(kit_statistic(rig_kit(rig), "slots_memory_data"), 10);
    rig_destroy(rig);
}

Test(simt_core, acquire_holds_later_loads_and_release_waits_for_earlier_stores)
{
    const uint32_t plain[] = {lui(A3, DATA), sw(T0, 8, A3), amoadd(ZERO, T1, A3), lw(A1, 4, A3), ret(), 0};
    const uint32_t ordered[] = {lui(A3, DATA), sw(T0, 8, A3), amoswap_release(ZERO, T1, A3), ret(), 0};
    const uint32_t acquire[] = {lui(A3, DATA), amoswap_acquire(ZERO, T1, A3), lw(A1, 4, A3), ret(), 0};
    uint64_t fast = rig_cycles(stack, plain, 1);
    cr_expect_gt(rig_cycles(stack, ordered, 1), fast + 10, "store and atomic do not overlap");
    cr_expect_gt(rig_cycles(stack, acquire, 1), fast + 10, "atomic and load do not overlap");
}

Test(simt_core, threads_know_where_they_are)
{
    static const struct {
        uint32_t csr;
        uint32_t expected;
    } reads[] = {
        {0xCC0, 2}, {0xCC1, 1}, {0xCC2, 3},  {0xCC3, 5},  {0xCC4, 6}, {0xCC5, 7}, {0xCC6, 3}, {0xCC7, 2}, {0xCC8, 4},
        {0xCC9, 9}, {0xCCA, 8}, {0xCCB, 10}, {0xCCC, 23}, {0xCCD, 0}, {0xCCE, 0}, {0xCD0, 0}, {0xCD1, 0},
    };
    hd_grid grid = {.grid_size = {9, 8, 10}, .block_size = {3, 2, 4}, .private_bytes = 128};
    for (size_t i = 0; i < sizeof reads / sizeof *reads; i++) {
        const uint32_t words[] = {lui(A3, DATA), csrr(T1, reads[i].csr), sw(T1, 0, A3), ret(), 0};
        core_rig *rig = rig_create(stack, words);
        rig_launch_grid(rig, &grid, (uint32_t[]){5, 6, 7}, 0);
        rig_finish(rig);
        cr_expect_eq(rig_word(rig, DATA), reads[i].expected, "CSR 0x%x of the last thread: %u", reads[i].csr,
                     rig_word(rig, DATA));
        rig_destroy(rig);
    }
}
