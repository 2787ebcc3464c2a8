/* SPDX-License-Identifier: MIT */
/* Launches that wait, launches that can never run, and where blocks lie in the scratchpad. */
#include "core_rig.h"

#include <criterion/criterion.h>
#include <string.h>

static const char *const standard[] = {NULL};

static void launch(core_rig *rig, uint32_t index, uint32_t threads, uint32_t scratchpad)
{
    hd_grid grid = {
        .grid_size = {8, 1, 1}, .block_size = {threads, 1, 1}, .scratchpad_bytes = scratchpad, .private_bytes = 128};
    rig_launch_grid(rig, &grid, (uint32_t[]){index, 0, 0}, 0);
}

Test(simt_core, a_launch_that_has_to_wait_is_counted_once)
{
    /* block i goes round 100 i times; the third needs what both others have */
    const char *const four[] = {"warps=4", NULL};
    const uint32_t words[] = {
        csrr(T0, 0xCC3), addi(T1, ZERO, 100), mul(T0, T0, T1), addi(T0, T0, -1), blt(ZERO, T0, -4), ret(), 0};
    core_rig *rig = rig_create(four, words);
    launch(rig, 0, 32, 0);
    launch(rig, 1, 32, 0);
    launch(rig, 2, 128, 0);
    launch(rig, 3, 32, 0);
    rig_finish(rig);
    cr_expect_eq(kit_statistic(rig_kit(rig), "launches_held"), 2);
    cr_expect_eq(kit_statistic(rig_kit(rig), "maximum_blocks"), 2, "the fourth does not overtake the third");
    rig_destroy(rig);
}

Test(simt_core, blocks_begin_at_whole_words_of_the_scratchpad)
{
    /* lane 0 reads byte 3, lane 1 byte 132: words of different banks */
    const uint32_t words[] = {csrr(T0, 0xCCC), addi(T1, ZERO, 129), mul(T0, T0, T1), lui(A3, HD_SCRATCHPAD_BASE),
                              add(A3, A3, T0), lbu(T2, 3, A3),      ret(),           0};
    core_rig *rig = rig_create(standard, words);
    launch(rig, 0, 2, 137);
    launch(rig, 1, 2, 137);
    rig_finish(rig);
    cr_expect_eq(kit_statistic(rig_kit(rig), "scratchpad_passes"), 2);
    cr_expect_eq(kit_statistic(rig_kit(rig), "scratchpad_conflict_cycles"), 0);
    rig_destroy(rig);
}

Test(simt_core, a_block_lies_between_two_others_once_one_has_left)
{
    /* blocks of 100, 200, 300 bytes; the middle one ends, and one of 200 takes its place beside the longer ones */
    const char *const small[] = {"scratchpad.bytes=600 B", NULL};
    const uint32_t words[] = {csrr(T0, 0xCC3),  addi(T1, ZERO, 1), beq(T0, T1, 16), addi(T1, ZERO, 500),
                              addi(T1, T1, -1), bne(T1, ZERO, -4), ret(),           0};
    core_rig *rig = rig_create(small, words);
    for (uint32_t i = 0; i < 3; i++)
        launch(rig, i, 32, 100 * (i + 1));
    launch(rig, 1, 32, 200);
    launch(rig, 1, 32, 4);
    rig_finish(rig);
    cr_expect_eq(kit_statistic(rig_kit(rig), "launches_held"), 2);
    cr_expect_eq(kit_statistic(rig_kit(rig), "maximum_blocks"), 3);
    cr_expect_lt(rig_order(rig, 3), rig_order(rig, 0), "the fourth ran beside the first");
    cr_expect_lt(rig_order(rig, 4), rig_order(rig, 0));
    rig_destroy(rig);
}

static void expect_never_fits(const hd_grid *grid, const char *expected)
{
    const uint32_t words[] = {ret(), 0};
    core_rig *rig = rig_create(standard, words);
    kit_expect_fault(rig_kit(rig));
    rig_launch_grid(rig, grid, (uint32_t[]){0, 0, 0}, 0);
    rig_finish(rig);
    cr_assert_not_null(kit_fault_text(rig_kit(rig)), "%s", expected);
    cr_expect_not_null(strstr(kit_fault_text(rig_kit(rig)), expected), "%s", kit_fault_text(rig_kit(rig)));
    rig_destroy(rig);
}

Test(simt_core, says_that_a_block_can_never_fit)
{
    hd_grid grid = {.grid_size = {1, 1, 1}, .block_size = {1537, 1, 1}, .private_bytes = 128};
    expect_never_fits(&grid, "a block of 1537 threads and 0 B of scratchpad can never fit");
    grid = (hd_grid){.grid_size = {1, 1, 1}, .block_size = {65536, 65536, 1}, .private_bytes = 128};
    expect_never_fits(&grid, "a block of 4294967296 threads");
    grid = (hd_grid){.grid_size = {1, 1, 1}, .block_size = {1u << 31, 1u << 31, 4}, .private_bytes = 128};
    expect_never_fits(&grid, "a block of 4611686018427387904 threads");
    grid = (hd_grid){.grid_size = {1, 1, 1}, .block_size = {4, 0, 1}, .private_bytes = 128};
    expect_never_fits(&grid, "a block of 0 threads");
    grid = (hd_grid){.grid_size = {1, 1, 1}, .block_size = {4, 1, 1}, .scratchpad_bytes = 16385, .private_bytes = 128};
    expect_never_fits(&grid, "16385 B of scratchpad can never fit");
}

Test(simt_core, a_block_may_take_the_whole_core)
{
    const uint32_t words[] = {ret(), 0};
    core_rig *rig = rig_create(standard, words);
    launch(rig, 0, 1536, 16384);
    launch(rig, 0, 1536, 16384);
    rig_finish(rig);
    cr_expect_eq(kit_statistic(rig_kit(rig), "threads_run"), 2 * 1536);
    rig_destroy(rig);
}

Test(simt_core, refuses_sizes_that_do_not_fit_in_its_counters)
{
    static const char *const wrong[] = {"l1.bytes=4294967424 B", "registers=4294967296"};
    char error[256];
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const char *const parameters[] = {wrong[i], NULL};
        cr_expect(kit_refuses(&hd_simt_core_timed, parameters, error, sizeof error), "%s", wrong[i]);
    }
}
