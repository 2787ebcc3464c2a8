/* SPDX-License-Identifier: MIT */
/* Fences, acquire and release, compare-and-swap. */
#include "core_rig.h"

#include <criterion/criterion.h>

static const char *const standard[] = {NULL};
static const char *const cache[] = {"l1.global=cache", NULL};

#define FENCE_RW_RW 0x0330000F
#define FENCE_W_W 0x0110000F
#define FENCE_R_W 0x0210000F
#define FENCE_W_R 0x0120000F

static uint64_t slow_cycles(const uint32_t *words)
{
    core_rig *rig = rig_create(standard, words);
    rig_memory_delay(rig, 500);
    rig_launch(rig, 1, 0);
    rig_finish(rig);
    uint64_t cycles = rig_word(rig, DATA + 64);
    rig_destroy(rig);
    return cycles;
}

Test(simt_core, a_fence_waits_for_loads_too)
{
    const uint32_t none[] = {lui(A3, DATA), lw(ZERO, 0, A3), csrr(T0, 0xC00), sw(T0, 64, A3), ret(), 0};
    const uint32_t full[] = {lui(A3, DATA), lw(ZERO, 0, A3), fence(), csrr(T0, 0xC00), sw(T0, 64, A3), ret(), 0};
    const uint32_t atomic[] = {lui(A3, DATA), amoadd(ZERO, T1, A3), fence(), csrr(T0, 0xC00), sw(T0, 64, A3), ret(), 0};
    cr_expect_lt(slow_cycles(none), 100);
    cr_expect_gt(slow_cycles(full), 500);
    cr_expect_gt(slow_cycles(atomic), 500);
}

static uint64_t drops(uint32_t word)
{
    const uint32_t words[] = {lui(A3, DATA), lw(T0, 0, A3), add(T0, T0, T0), word, lw(T1, 0, A3), ret(), 0};
    core_rig *rig = rig_create(cache, words);
    rig_launch(rig, 1, 0);
    rig_finish(rig);
    uint64_t count = kit_statistic(rig_kit(rig), "l1_drops");
    cr_expect_eq(kit_statistic(rig_kit(rig), "l1_hits"), 1 - count);
    rig_destroy(rig);
    return count;
}

Test(simt_core, a_fence_drops_global_lines_if_later_loads_are_among_what_it_orders)
{
    cr_expect_eq(drops(addi(ZERO, ZERO, 0)), 0);
    cr_expect_eq(drops(FENCE_RW_RW), 1);
    cr_expect_eq(drops(FENCE_W_R), 1);
    cr_expect_eq(drops(FENCE_W_W), 0);
    cr_expect_eq(drops(FENCE_R_W), 0);
}

Test(simt_core, compare_and_swap_writes_where_the_word_is_as_expected)
{
    /* lane l expects l; words are 3 everywhere; all write 100 + l */
    const uint32_t words[] = {csrr(T0, 0xCCC),
                              slli(T1, T0, 2),
                              lui(A3, DATA),
                              add(A3, A3, T1),
                              addi(T2, T0, 100),
                              amocas(T0, T2, A3),
                              sw(T0, 256, A3),
                              ret(),
                              0};
    core_rig *rig = rig_create(standard, words);
    for (uint32_t lane = 0; lane < 32; lane++)
        rig_set_word(rig, DATA + 4 * lane, 3);
    rig_launch(rig, 32, 0);
    rig_finish(rig);
    for (uint32_t lane = 0; lane < 32; lane++) {
        cr_expect_eq(rig_word(rig, DATA + 4 * lane), lane == 3 ? 103 : 3, "lane %u", lane);
        cr_expect_eq(rig_word(rig, DATA + 256 + 4 * lane), 3, "lane %u", lane);
    }
    rig_destroy(rig);
}

Test(simt_core, a_release_waits_for_loads_and_an_acquire_holds_all_later_accesses)
{
    const uint32_t release[] = {
        lui(A3, DATA), lw(T0, 0, A3), amoswap_release(ZERO, T1, A3), csrr(T0, 0xC00), sw(T0, 64, A3), ret(), 0};
    const uint32_t acquire[] = {
        lui(A3, DATA), amoswap_acquire(ZERO, T1, A3), sw(T1, 4, A3), csrr(T0, 0xC00), sw(T0, 64, A3), ret(), 0};
    const uint32_t after[] = {lui(A3, DATA), amoswap_acquire(ZERO, T1, A3), csrr(T0, 0xC00), sw(T0, 64, A3), ret(), 0};
    cr_expect_gt(slow_cycles(release), 500);
    cr_expect_gt(slow_cycles(acquire), 500);
    cr_expect_lt(slow_cycles(after), 100, "what is no access goes on");
}

Test(simt_core, threads_read_the_number_of_their_core)
{
    const uint32_t words[] = {lui(A3, DATA), csrr(T0, 0xCCE), sw(T0, 0, A3), ret(), 0};
    core_rig *rig = rig_create_as(standard, words, 11, 15);
    rig_launch(rig, 1, 0);
    rig_finish(rig);
    cr_expect_eq(rig_word(rig, DATA), 11);
    rig_destroy(rig);
}

/* Stores of the second warp wait in the address unit of its scheduler, behind others of its own, when the first is at the barrier. */
Test(simt_core, a_barrier_orders_the_scratchpad_across_address_units)
{
    static const char *const parameters[] = {"memory.address.interval=64 cycles", "schedulers=2", NULL};
    const uint32_t words[] = {csrr(T0, 0xCC0),
                              lui(A3, HD_SCRATCHPAD_BASE),
                              slli(T1, T0, 2),
                              add(A4, A3, T1),
                              andi(T2, T0, 32),
                              beq(T2, ZERO, 16),
                              sw(ZERO, 0, A4),
                              sw(ZERO, 0, A4),
                              sw(ZERO, 0, A4),
                              addi(T2, T0, 1),
                              sw(T2, 0, A4),
                              bar_sync(0),
                              addi(T2, T0, 32),
                              andi(T2, T2, 63),
                              slli(T2, T2, 2),
                              add(A4, A3, T2),
                              lw(A0, 0, A4),
                              lui(A5, DATA),
                              add(A5, A5, T1),
                              sw(A0, 0, A5),
                              ret(),
                              0};
    const hd_grid grid = {.grid_size = {1, 1, 1}, .block_size = {64, 1, 1}, .scratchpad_bytes = 64 * 4};
    core_rig *rig = rig_create(parameters, words);
    rig_launch_grid(rig, &grid, (uint32_t[]){0, 0, 0}, 0);
    rig_finish(rig);
    for (uint32_t thread = 0; thread < 64; thread++)
        cr_expect_eq(rig_word(rig, DATA + 4 * thread), (thread + 32) % 64 + 1, "thread %u", thread);
    rig_destroy(rig);
}
