/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <string.h>

#include "hd_address.h"
#include "rig.h"

/* Blocks of this grid that one core of this capacity takes at a time. */
static uint64_t resident_at_once(const hd_core_capacity *capacity, const hd_grid *grid)
{
    kit_block *kit = rig_create(NULL, 1, capacity);
    rig_launch(kit, grid, 10000);
    kit_run_until(kit, 100000);
    uint64_t blocks = kit_statistic(kit, "blocks");
    cr_expect_eq(kit_statistic(kit, "max_resident_blocks"), blocks);
    cr_expect_gt(kit_statistic(kit, "stall_room_cycles"), 0);
    cr_expect_eq(kit_statistic(kit, "stall_room_cycles"), 100 - 10 - blocks);
    kit_destroy(kit);
    return blocks;
}

Test(tb_scheduler, block_slots_limit_residency)
{
    hd_grid grid = rig_grid(0, 100, 1);
    cr_expect_eq(resident_at_once(&rig_small_core, &grid), rig_small_core.blocks);
}

Test(tb_scheduler, threads_limit_residency)
{
    hd_core_capacity core = rig_small_core;
    core.threads = 100;
    hd_grid grid = rig_grid(0, 100, 33);
    cr_expect_eq(resident_at_once(&core, &grid), 100 / 33);
}

Test(tb_scheduler, warps_limit_residency_and_part_of_a_warp_counts_as_one)
{
    hd_core_capacity core = rig_small_core;
    core.warps = 5;
    hd_grid grid = rig_grid(0, 100, 33); /* 2 warps */
    cr_expect_eq(resident_at_once(&core, &grid), 5 / 2);
}

Test(tb_scheduler, registers_limit_residency_in_whole_warps)
{
    hd_core_capacity core = rig_small_core;
    core.registers = 3 * 32 * 32 + 32 * 32 - 1; /* one short of four warps */
    hd_grid grid = rig_grid(0, 100, 17);
    cr_expect_eq(resident_at_once(&core, &grid), 3);
}

Test(tb_scheduler, scratchpad_limits_residency)
{
    hd_grid grid = rig_grid(0, 100, 32);
    grid.scratchpad_bytes = rig_small_core.scratchpad_bytes / 2;
    cr_expect_eq(resident_at_once(&rig_small_core, &grid), 2);
}

/* ---- Transactions on the scratchpad ------------------------------------------------------------------------------------------- */

/* Of modules 1 and on. */
static uint32_t uses_transactions(void *context, uint32_t module)
{
    (void)context;
    return module > 0;
}

static const hd_programs programs = {.uses_scratchpad_transactions = uses_transactions};

/* 64 KiB in 32 banks, as on the machine of GPU-LocalTM. */
static hd_core_capacity core_with_shadow(void)
{
    hd_core_capacity core = rig_small_core;
    core.blocks = 40;
    core.warps = core.threads = 4096;
    core.registers = UINT32_MAX;
    core.scratchpad_bytes = 65536;
    core.scratchpad_rows = (hd_scratchpad_rows){.bytes = 128, .backups = 1, .owned = 4};
    return core;
}

static uint64_t resident_with(uint32_t module, uint32_t bytes)
{
    const hd_core_capacity core = core_with_shadow();
    hd_grid grid = rig_grid(0, 100, 32);
    grid.module = module;
    grid.scratchpad_bytes = bytes;
    rig_programs = &programs;
    const uint64_t resident = resident_at_once(&core, &grid);
    rig_programs = NULL;
    return resident;
}

/* 227 rows of data take 511 of the 512, half of the scratchpad 113 (Villegas et al., §4); others take whole rows. */
Test(tb_scheduler, shadow_memory_limits_residency)
{
    static const uint32_t cases[][3] = {{227 * 128, 1, 2}, {113 * 128, 2, 4},      {113 * 128 + 4, 1, 4},
                                        {56 * 128, 4, 9},  {56 * 128 - 127, 4, 9}, {28 * 128, 8, 18},
                                        {16384, 1, 4},     {14464, 2, 4},          {4096 + 1, 6, 15}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cr_expect_eq(resident_with(1, cases[i][0]), cases[i][1], "%u B with transactions", cases[i][0]);
        cr_expect_eq(resident_with(0, cases[i][0]), cases[i][2], "%u B without", cases[i][0]);
    }
}

Test(tb_scheduler, what_a_block_takes_of_a_scratchpad)
{
    const hd_scratchpad_rows none = {0}, local = {.bytes = 128, .backups = 1, .owned = 4};
    cr_expect_eq(hd_scratchpad_taken(&none, 1001, 1), 1001);
    cr_expect_eq(hd_scratchpad_taken(&local, 0, 1), 0);
    cr_expect_eq(hd_scratchpad_taken(&local, 1, 0), 128);
    cr_expect_eq(hd_scratchpad_taken(&local, 1, 1), 3 * 128, "a row of data, of backups, of owners");
    cr_expect_eq(hd_scratchpad_taken(&local, 4 * 128, 1), 9 * 128);
    cr_expect_eq(hd_scratchpad_taken(&local, 4 * 128 + 1, 1), 12 * 128);
    cr_expect_eq(hd_scratchpad_taken(&local, 227 * 128, 1), 511 * 128);
    cr_expect_eq(hd_scratchpad_taken(&local, 228 * 128, 1), 513 * 128);
    cr_expect_eq(hd_scratchpad_taken(&local, UINT32_MAX, 1), UINT64_C(9) << 30);
}

Test(tb_scheduler, blocks_whose_shadow_memory_does_not_fit_are_refused)
{
    const hd_core_capacity core = core_with_shadow();
    hd_grid grid = rig_grid(0, 1, 32);
    grid.module = 1;
    grid.scratchpad_bytes = 228 * 128;
    rig_programs = &programs;
    kit_block *kit = rig_create(NULL, 1, &core);
    kit_expect_fault(kit);
    rig_launch(kit, &grid, 10000);
    kit_run_until(kit, 100000);
    cr_expect_str_eq(kit_fault_text(kit),
                     "launch 0 (entry 0x10000100): a block of 32 x 1 x 1 threads needs 65664 bytes of scratchpad with "
                     "what its transactions keep of them, a core has 65536");
    kit_destroy(kit);
    rig_programs = NULL;
}

Test(tb_scheduler, finished_blocks_give_everything_back)
{
    kit_block *kit = rig_create(NULL, 2, &rig_small_core);
    const uint64_t cycles = 3;
    rig_answer(kit, &cycles);
    hd_grid grid = rig_grid(0, 50, 256); /* a whole core each */
    grid.scratchpad_bytes = rig_small_core.scratchpad_bytes;
    rig_launch(kit, &grid, 10000);
    kit_drain(kit, 10000000);
    cr_expect_eq(kit_statistic(kit, "blocks"), 50);
    cr_expect_eq(kit_statistic(kit, "max_resident_blocks"), 2);
    cr_expect_eq(kit_statistic(kit, "grids"), 1);
    kit_destroy(kit);
}

/* Launches the grid on two small cores and expects the fault to contain the text. */
static void expect_refusal(const hd_grid *grid, const char *text)
{
    kit_block *kit = rig_create(NULL, 2, &rig_small_core);
    kit_expect_fault(kit);
    rig_launch(kit, grid, 10000);
    kit_run_until(kit, 100000);
    const char *fault = kit_fault_text(kit);
    cr_assert_not_null(fault, "expected: %s", text);
    cr_expect_not_null(strstr(fault, text), "expected: %s\n     got: %s", text, fault);
    cr_expect_eq(kit_statistic(kit, "blocks"), 0);
    kit_destroy(kit);
}

/* Asked before it is launched, it is no fault. */
Test(tb_scheduler, says_what_it_would_refuse)
{
    char text[256] = "";
    kit_block *kit = rig_create(NULL, 2, NULL);
    hd_block *block = kit_instance(kit);
    const hd_launches *launches = hd_tb_scheduler_round_robin.extension(block, HD_EXTENSION_LAUNCHES);
    const hd_grid fits = rig_grid(0, 1, 256), too_wide = rig_grid(0, 1, 257);
    cr_assert_not_null(launches);
    cr_expect(launches->accepts(block, &too_wide, text, sizeof text), "it does not know the cores yet");
    cr_expect_null(launches->capacity(block, 0));
    rig_report_capacity(kit, 0, &rig_small_core);
    rig_report_capacity(kit, 1, &rig_small_core);
    kit_run_until(kit, 100000);
    cr_expect(launches->accepts(block, &fits, text, sizeof text));
    cr_expect_not(launches->accepts(block, &too_wide, text, sizeof text));
    cr_expect_str_eq(text, "a block of 257 x 1 x 1 threads needs 257 threads, a core has 256");
    cr_expect_eq(launches->capacity(block, 1)->threads, 256);
    cr_expect_null(launches->capacity(block, 2));
    kit_destroy(kit);
}

Test(tb_scheduler, refuses_a_block_with_more_threads_than_a_core_has)
{
    hd_grid grid = rig_grid(3, 1, 257);
    expect_refusal(&grid,
                   "launch 3 (entry 0x10000400): a block of 257 x 1 x 1 threads needs 257 threads, a core has 256");
}

/* Of cores that differ, the first says what is lacking. */
Test(tb_scheduler, the_first_core_says_what_a_block_lacks)
{
    hd_core_capacity narrow = rig_small_core;
    narrow.threads = 128;
    kit_block *kit = rig_create(NULL, 2, NULL);
    kit_expect_fault(kit);
    rig_report_capacity(kit, 0, &rig_small_core);
    rig_report_capacity(kit, 1, &narrow);
    const hd_grid grid = rig_grid(3, 1, 257);
    rig_launch(kit, &grid, 10000);
    kit_run_until(kit, 100000);
    cr_expect(strstr(kit_fault_text(kit), "needs 257 threads, a core has 256"), "%s", kit_fault_text(kit));
    kit_destroy(kit);
}

Test(tb_scheduler, refuses_a_block_with_more_scratchpad_than_a_core_has)
{
    hd_grid grid = rig_grid(0, 1, 32);
    grid.scratchpad_bytes = 16385;
    expect_refusal(&grid, "needs 16385 bytes of scratchpad, a core has 16384");
}

Test(tb_scheduler, refuses_a_block_with_more_registers_than_a_core_has)
{
    hd_core_capacity core = rig_small_core;
    core.registers = 4096;
    kit_block *kit = rig_create(NULL, 1, &core);
    kit_expect_fault(kit);
    hd_grid grid = rig_grid(0, 1, 129);
    rig_launch(kit, &grid, 10000);
    kit_run_until(kit, 100000);
    cr_assert_not_null(kit_fault_text(kit));
    cr_expect_not_null(strstr(kit_fault_text(kit), "needs 5120 registers, a core has 4096"));
    kit_destroy(kit);
}

Test(tb_scheduler, refuses_a_block_with_more_warps_than_a_core_has)
{
    hd_core_capacity core = rig_small_core;
    core.warps = 2;
    kit_block *kit = rig_create(NULL, 1, &core);
    kit_expect_fault(kit);
    hd_grid grid = rig_grid(0, 1, 65);
    rig_launch(kit, &grid, 10000);
    kit_run_until(kit, 100000);
    cr_assert_not_null(kit_fault_text(kit));
    cr_expect_not_null(strstr(kit_fault_text(kit), "needs 3 warps, a core has 2"));
    kit_destroy(kit);
}

Test(tb_scheduler, refuses_a_block_whose_private_memory_exceeds_a_context_slot)
{
    hd_grid grid = rig_grid(0, 1, 256);
    grid.private_bytes = (uint32_t)(HD_CONTEXT_BYTES / 256) + 128;
    expect_refusal(&grid, "bytes of private memory");
    grid.private_bytes -= 128;
    kit_block *kit = rig_create(NULL, 1, &rig_small_core);
    rig_launch(kit, &grid, 10000);
    kit_run_until(kit, 100000);
    cr_expect_eq(kit_statistic(kit, "blocks"), 1);
    kit_destroy(kit);
}

Test(tb_scheduler, refuses_sizes_whose_product_does_not_fit_64_bits)
{
    hd_grid grid = rig_grid(0, 1, UINT32_MAX);
    grid.block_size[1] = UINT32_MAX;
    grid.block_size[2] = UINT32_MAX;
    expect_refusal(&grid, "needs 18446744073709551615 threads");
}

Test(tb_scheduler, refuses_an_empty_grid)
{
    hd_grid grid = rig_grid(0, 0, 32);
    expect_refusal(&grid, "a grid or block size is zero");
    grid = rig_grid(0, 1, 32);
    grid.block_size[2] = 0;
    expect_refusal(&grid, "a grid or block size is zero");
}
