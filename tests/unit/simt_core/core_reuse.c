/* SPDX-License-Identifier: MIT */
/* A block leaves nothing behind, does not end before everything it did is over, and starts like the first one. */
#include "core_rig.h"

#include <criterion/criterion.h>

static const char *const standard[] = {NULL};

static void launch(core_rig *rig, uint32_t index, uint32_t threads, uint32_t scratchpad, uint32_t number)
{
    hd_grid grid = {.launch = number,
                    .grid_size = {16, 1, 1},
                    .block_size = {threads, 1, 1},
                    .scratchpad_bytes = scratchpad,
                    .private_bytes = 128};
    rig_launch_grid(rig, &grid, (uint32_t[]){index, 0, 0}, kit_now(rig_kit(rig)));
}

Test(simt_core, threads_start_with_registers_flags_and_scratchpad_cleared)
{
    const uint32_t words[] = {lui(A3, DATA),
                              csrr(T0, 0xCC3),
                              slli(T0, T0, 6),
                              add(A3, A3, T0),
                              lui(A4, HD_SCRATCHPAD_BASE),
                              lw(A1, 60, A4),
                              csrr(A2, 0x003),
                              sw(A1, 0, A3),
                              sw(A2, 4, A3),
                              sw(A5, 8, A3),
                              0x0086A627 /* fsw fs0, 12(a3) */,
                              sw(RA, 16, A3),
                              sw(SP, 20, A3),
                              sw(A0, 24, A3),
                              addi(A5, ZERO, 77),
                              sw(A5, 60, A4),
                              csrrw(ZERO, 0x003, A5),
                              r_type(0x53, 0, 0x78, 8, A5, 0) /* fmv.w.x fs0, a5 */,
                              ret(),
                              0};
    core_rig *rig = rig_create(standard, words);
    for (uint32_t block = 0; block < 2; block++) {
        launch(rig, block, 1, 64, 0);
        rig_finish(rig);
        for (uint32_t i = 0; i < 5; i++)
            cr_expect_eq(rig_word(rig, DATA + 64 * block + 4 * i), 0, "block %u, word %u: 0x%x", block, i,
                         rig_word(rig, DATA + 64 * block + 4 * i));
        cr_expect_eq(rig_word(rig, DATA + 64 * block + 20), HD_PRIVATE_BASE + 128);
        cr_expect_eq(rig_word(rig, DATA + 64 * block + 24), HD_CONSTANT_BASE);
    }
    rig_destroy(rig);
}

static uint64_t end_of(const uint32_t *words)
{
    core_rig *rig = rig_create(standard, words);
    rig_memory_delay(rig, 500);
    rig_launch(rig, 32, 0);
    uint64_t cycles = rig_finish(rig);
    rig_destroy(rig);
    return cycles;
}

Test(simt_core, a_block_ends_after_its_last_load_store_and_result)
{
    const uint32_t load[] = {lui(A3, DATA), lw(T0, 0, A3), ret(), 0};
    const uint32_t prefetch[] = {lui(A3, DATA), lw(ZERO, 0, A3), ret(), 0};
    const uint32_t store[] = {lui(A3, DATA), sw(T0, 0, A3), ret(), 0};
    const uint32_t divide[] = {divu(T0, T1, T2), ret(), 0};
    const uint32_t unwanted[] = {divu(ZERO, T1, T2), ret(), 0};
    cr_expect_gt(end_of(load), 500);
    cr_expect_gt(end_of(prefetch), 500);
    cr_expect_gt(end_of(store), 500);
    cr_expect_gt(end_of(divide), 145);
    cr_expect_gt(end_of(unwanted), 145);
}

Test(simt_core, global_lines_of_an_earlier_grid_are_stale)
{
    const char *const cache[] = {"l1.global=cache", NULL};
    const uint32_t words[] = {lui(A3, DATA),   csrr(T0, 0xCC3), slli(T0, T0, 2), lw(T1, 0, A3), lw(T2, 0, A0),
                              add(T1, T1, T2), add(A3, A3, T0), sw(T1, 256, A3), ret(),         0};
    core_rig *rig = rig_create(cache, words);
    hd_grid grid = {.grid_size = {3, 1, 1},
                    .block_size = {1, 1, 1},
                    .private_bytes = 128,
                    .argument_address = DATA + 128,
                    .argument_bytes = 4};
    for (uint32_t block = 0; block < 3; block++) {
        rig_set_word(rig, DATA, 100 + block);
        rig_set_word(rig, DATA + 128, 1000 * block);
        grid.launch = block / 2;
        rig_launch_grid(rig, &grid, (uint32_t[]){block, 0, 0}, kit_now(rig_kit(rig)));
        rig_finish(rig);
    }
    cr_expect_eq(rig_word(rig, DATA + 256), 100);
    cr_expect_eq(rig_word(rig, DATA + 260), 100, "the same grid may still read its old lines");
    cr_expect_eq(rig_word(rig, DATA + 264), 102 + 2000);
    rig_destroy(rig);
}

Test(simt_core, private_lines_die_with_their_block)
{
    const char *const small[] = {"l1.bytes=768 B", NULL};
    const uint32_t words[] = {sw(T0, -4, SP), sw(T0, -8, SP), sw(T0, -12, SP), sw(T0, -16, SP), ret(), 0};
    core_rig *rig = rig_create(small, words);
    for (uint32_t block = 0; block < 3; block++) {
        launch(rig, block, 32, 0, 0);
        rig_finish(rig);
    }
    cr_expect_eq(kit_statistic(rig_kit(rig), "l1_misses"), 12);
    cr_expect_eq(kit_statistic(rig_kit(rig), "l1_evictions"), 0);
    cr_expect_eq(kit_statistic(rig_kit(rig), "l1_write_backs"), 0);
    rig_destroy(rig);
}

Test(simt_core, scratchpads_of_resident_blocks_never_overlap)
{
    /* Three places for blocks. A, B, C fill 0-300; D comes to 300-500 in A's place, E to 0-150 in B's, and F, of 200
     * bytes, in C's finds 150-300 only. */
    const char *const small[] = {"scratchpad.bytes=500 B", "blocks=3", NULL};
    static const uint32_t bytes[] = {100, 100, 100, 200, 148, 200};
    static const uint32_t rounds[] = {1, 5, 9, 60, 40, 1};
    const uint32_t words[] = {csrr(T0, 0xCC3),
                              slli(T0, T0, 2),
                              lui(A3, DATA),
                              add(A3, A3, T0),
                              lw(T0, 0, A3),
                              addi(T1, ZERO, 40),
                              mul(T0, T0, T1),
                              addi(T0, T0, -1),
                              blt(ZERO, T0, -4),
                              ret(),
                              0};
    core_rig *rig = rig_create(small, words);
    for (uint32_t i = 0; i < 6; i++)
        rig_set_word(rig, DATA + 4 * i, rounds[i]);
    for (uint32_t i = 0; i < 6; i++)
        launch(rig, i, 32, bytes[i], 0);
    rig_finish(rig);
    cr_expect_gt(rig_order(rig, 5), rig_order(rig, 4), "F ran only when E had made room");
    cr_expect_lt(rig_order(rig, 5), rig_order(rig, 3), "and beside D");
    rig_destroy(rig);
}

static void expect_end(const uint32_t *words)
{
    const char *const mimd[] = {"reconvergence=mimd", NULL};
    core_rig *rig = rig_create(mimd, words);
    rig_launch(rig, 32, 0);
    cr_expect_gt(rig_finish(rig), 145);
    cr_expect_eq(kit_statistic(rig_kit(rig), "barriers_released"), 1);
    rig_destroy(rig);
}

Test(simt_core, the_last_thread_to_leave_releases_those_that_wait)
{
    /* lanes below 10 divide, and leave long after the others have come to wait */
    const uint32_t barrier[] = {csrr(T1, 0xCCC),
                                addi(T2, ZERO, 10),
                                blt(T1, T2, 12),
                                bar_sync(0),
                                ret(),
                                divu(T0, T1, T2),
                                add(T0, T0, T0),
                                ret(),
                                0};
    const uint32_t sync[] = {csrr(T1, 0xCCC),
                             addi(T2, ZERO, 10),
                             blt(T1, T2, 12),
                             warp_sync(),
                             ret(),
                             divu(T0, T1, T2),
                             add(T0, T0, T0),
                             ret(),
                             0};
    expect_end(barrier);
    expect_end(sync);
}

Test(simt_core, barriers_of_blocks_and_numbers_do_not_mix)
{
    /* warp 1 divides before each barrier; block 1 meets none */
    const uint32_t words[] = {csrr(T0, 0xCC3),
                              csrr(T1, 0xCCD),
                              bne(T0, ZERO, 28),
                              beq(T1, ZERO, 12),
                              divu(T2, T2, T0),
                              add(T2, T2, T2),
                              bar_sync(2),
                              bar_sync(5),
                              ret(),
                              addi(T2, ZERO, 300),
                              addi(T2, T2, -1),
                              bne(T2, ZERO, -4),
                              ret(),
                              0};
    core_rig *rig = rig_create(standard, words);
    launch(rig, 0, 64, 0, 0);
    launch(rig, 1, 64, 0, 0);
    rig_finish(rig);
    cr_expect_eq(kit_statistic(rig_kit(rig), "barriers_released"), 2);
    cr_expect_lt(rig_order(rig, 0), rig_order(rig, 1));
    rig_destroy(rig);
}

Test(simt_core, a_barrier_release_is_progress)
{
    const uint32_t words[] = {bar_sync(0), jal(ZERO, 0), ret(), 0};
    core_rig *rig = rig_create(standard, words);
    rig_launch(rig, 64, 0);
    kit_run_until(rig_kit(rig), kit_edge(rig_kit(rig), 3000));
    cr_expect_gt(kit_progress(rig_kit(rig)), 0);
    cr_expect_lt(kit_progress(rig_kit(rig)), kit_edge(rig_kit(rig), 100));
    rig_destroy(rig);
}
