/* SPDX-License-Identifier: MIT */
/* A program's mistakes: each ends the run with one text that names what, where and for whom. */
#include "core.h"
#include "core_rig.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static void expect_fault(const char *const *parameters, const uint32_t *words, uint32_t threads, const char *expected)
{
    const char *const standard[] = {NULL};
    core_rig *rig = rig_create(parameters ? parameters : standard, words);
    kit_expect_fault(rig_kit(rig));
    rig_launch(rig, threads, 0);
    rig_finish(rig);
    const char *text = kit_fault_text(rig_kit(rig));
    cr_assert_not_null(text, "no fault; expected: %s", expected);
    cr_expect_not_null(strstr(text, expected), "got: %s\nexpected: %s", text, expected);
    rig_destroy(rig);
}

Test(simt_core, names_an_illegal_instruction_with_kernel_pc_block_warp_and_lanes)
{
    const uint32_t words[] = {addi(T0, ZERO, 1), 0xFFFFFFFF, ret(), 0};
    expect_fault(NULL, words, 20,
                 "illegal instruction 0xffffffff\n  kernel kernel, pc 0x10000004 (kernel+0x4)\n  block, block (0,0,0), "
                 "warp 0, lanes 0-19");
}

Test(simt_core, names_wrong_addresses)
{
    static const struct {
        uint32_t address;
        const char *expected;
    } loads[] = {
        {0x00000010, "null"},
        {0x10000002, "misaligned"},
        {HD_SCRATCHPAD_BASE, "scratchpad"},
        {HD_PRIVATE_BASE - 4, "stack overflow"},
        {0x00800000, "0x00800000"},
    };
    for (size_t i = 0; i < sizeof loads / sizeof *loads; i++) {
        const uint32_t words[] = {lui(A0, loads[i].address + 0x800),
                                  addi(A0, A0, (int32_t)(loads[i].address << 20) >> 20), lw(T0, 0, A0), ret(), 0};
        expect_fault(NULL, words, 3, loads[i].expected);
    }
}

/* Calls that save nothing and never return, in both forms. */
Test(simt_core, names_calls_that_nest_deeper_than_can_be_counted)
{
    const uint32_t direct[] = {addi(T0, ZERO, 1), jal(RA, 0), ret(), 0};
    const uint32_t indirect[] = {lui(T0, CODE), jalr(RA, T0, 4), ret(), 0};
    const uint32_t *const words[] = {direct, indirect};
    for (uint32_t i = 0; i < 2; i++) {
        core_rig *rig = rig_create((const char *const[]){NULL}, words[i]);
        kit_expect_fault(rig_kit(rig));
        rig_launch(rig, 1, 0);
        kit_run_until(rig_kit(rig), kit_edge(rig_kit(rig), 500));
        simt_core *core = (simt_core *)kit_instance(rig_kit(rig));
        cr_assert_gt(core->paths[0].depth, 1);
        core->paths[0].depth = CALLS_MAX - 3;
        rig_finish(rig);
        const char *text = kit_fault_text(rig_kit(rig));
        cr_expect(text && strstr(text, "calls nest deeper than 1048576\n  kernel kernel, pc 0x10000004"), "%s", text);
        rig_destroy(rig);
    }
}

Test(simt_core, names_lanes_that_are_not_at_a_barrier)
{
    const uint32_t words[] = {
        csrr(T1, 0xCCC), addi(T2, ZERO, 10), blt(T1, T2, 8), bar_sync(0), addi(T0, T0, 1), ret(), 0};
    expect_fault(NULL, words, 32, "divergent barrier: lanes 0-9 of the warp are not here");
}

Test(simt_core, a_barrier_in_one_side_is_fine_where_lanes_are_independent_and_never_ends)
{
    const char *const mimd[] = {"reconvergence=mimd", NULL};
    const uint32_t words[] = {
        csrr(T1, 0xCCC), addi(T2, ZERO, 10), blt(T1, T2, 8), bar_sync(0), addi(T0, T0, 1), ret(), 0};
    core_rig *rig = rig_create(mimd, words);
    rig_launch(rig, 32, 0);
    cr_expect_gt(rig_finish(rig), 0, "exited threads are not waited for");
    rig_destroy(rig);
}

Test(simt_core, names_a_barrier_that_does_not_exist)
{
    const uint32_t words[] = {bar_sync(16), ret(), 0};
    expect_fault(NULL, words, 1, "barrier number 16");
}

Test(simt_core, names_an_unknown_csr)
{
    const uint32_t words[] = {csrr(T0, 0x7C0), ret(), 0};
    expect_fault(NULL, words, 1, "illegal access to CSR 0x7c0");
}

Test(simt_core, names_a_csr_that_cannot_be_written)
{
    const uint32_t unknown[] = {csrrw(ZERO, 0x7C0, T0), ret(), 0};
    const uint32_t read_only[] = {csrrw(ZERO, 0xCC0, T0), ret(), 0};
    expect_fault(NULL, unknown, 1, "illegal access to CSR 0x7c0");
    expect_fault(NULL, read_only, 1, "illegal access to CSR 0xcc0");
}

Test(simt_core, one_fault_ends_everything)
{
    /* warp 0 returns to a wrong address at the edge at which warp 1 ends */
    const char *const parameters[] = {"fetch.width=8", NULL};
    const uint32_t words[] = {
        csrr(T0, 0xCCD), addi(T1, ZERO, 1), sub(T1, T1, T0), slli(T1, T1, 6), add(RA, RA, T1), ret(), 0};
    core_rig *rig = rig_create(parameters, words);
    kit_expect_fault(rig_kit(rig));
    rig_launch(rig, 64, 0);
    rig_finish(rig);
    cr_expect_not_null(kit_fault_text(rig_kit(rig)));
    cr_expect_eq(kit_statistic(rig_kit(rig), "control_instructions"), 2);
    cr_expect_eq(kit_statistic(rig_kit(rig), "threads_run"), 0);
    rig_destroy(rig);
}

Test(simt_core, no_other_port_issues_after_a_fault)
{
    const char *const parameters[] = {"fetch.width=8", NULL};
    const uint32_t words[] = {0xFFFFFFFF, ret(), 0};
    core_rig *rig = rig_create(parameters, words);
    kit_expect_fault(rig_kit(rig));
    rig_launch(rig, 64, 0);
    rig_finish(rig);
    cr_expect_eq(kit_statistic(rig_kit(rig), "warp_instructions"), 1);
    rig_destroy(rig);
}

Test(simt_core, names_an_overwritten_return_address)
{
    const uint32_t words[] = {addi(RA, ZERO, 0x44), ret(), 0};
    expect_fault(NULL, words, 1, "returned from the kernel to 0x00000044");
}

Test(simt_core, names_a_jump_outside_the_code)
{
    const uint32_t words[] = {addi(T1, ZERO, 0x44), jalr(ZERO, T1, 0), ret(), 0};
    expect_fault(NULL, words, 1,
                 "jumped outside the code of its kernel, to 0x00000044\n"
                 "  kernel kernel, pc 0x10000004 (kernel+0x4)");
}

Test(simt_core, traps_what_the_machine_does_not_have)
{
    const uint32_t transaction[] = {0x0000100B | 0 << 12, 0x0000100B, ret(), 0};
    const uint32_t system[] = {0x00100073 /* ebreak */, ret(), 0};
    (void)transaction;
    expect_fault(NULL, system, 1, "'ebreak' has no meaning on this machine");
}

Test(simt_core, refuses_a_program_that_is_not_there)
{
    const uint32_t words[] = {ret(), 0};
    const char *const standard[] = {NULL};
    core_rig *rig = rig_create(standard, words);
    hd_grid grid = {.module = 7, .grid_size = {1, 1, 1}, .block_size = {1, 1, 1}, .private_bytes = 128};
    kit_expect_fault(rig_kit(rig));
    rig_launch_grid(rig, &grid, (uint32_t[]){0, 0, 0}, 0);
    rig_finish(rig);
    cr_expect_not_null(strstr(kit_fault_text(rig_kit(rig)), "module 7, which is not loaded"));
    rig_destroy(rig);
}

Test(simt_core, says_which_lanes_spin_and_which_wait_for_them)
{
    /* lane 0 leaves; the others spin on a word that lane 0 would set after the meeting point */
    const uint32_t words[] = {
        lui(A3, DATA), csrr(T1, 0xCCC), beq(T1, ZERO, 12), lw(T0, 0, A3), beq(T0, ZERO, -4), sw(T1, 4, A3), ret(), 0};
    const char *const standard[] = {NULL};
    core_rig *rig = rig_create(standard, words);
    rig_launch(rig, 32, 0);
    kit_run_until(rig_kit(rig), kit_edge(rig_kit(rig), 5000));
    const hd_pending *pending = hd_simt_core_timed.extension(kit_instance(rig_kit(rig)), HD_EXTENSION_PENDING);
    cr_expect_eq(pending->has_work(kit_instance(rig_kit(rig))), 1);
    const char *text = kit_described(rig_kit(rig));
    cr_expect_not_null(strstr(text, "warp 0: its running lanes spin, and others of it wait for them\n"), "%s", text);
    cr_expect_not_null(strstr(text, HD_PENDING_GOES_ON "1 warp"), "nobody has asked what repeats: %s", text);
    cr_expect_not_null(strstr(text, "lanes 1-31: at pc 0x100000"), "%s", text);
    cr_expect_not_null(strstr(text, "0x10000014"), "the meeting point: %s", text);
    rig_destroy(rig);
}

Test(simt_core, says_what_a_block_waits_for_after_its_threads_have_ended)
{
    const uint32_t load[] = {lui(A3, DATA), lw(T0, 0, A3), ret(), 0};
    const uint32_t store[] = {lui(A3, DATA), sw(T0, 0, A3), ret(), 0};
    static const char *const expected[] = {"lw at pc 0x10000004", "1 stores not acknowledged"};
    for (uint32_t i = 0; i < 2; i++) {
        const char *const standard[] = {NULL};
        core_rig *rig = rig_create(standard, i ? store : load);
        rig_memory_delay(rig, 100000);
        rig_launch(rig, 32, 0);
        kit_run_until(rig_kit(rig), kit_edge(rig_kit(rig), 1000));
        const hd_pending *pending = hd_simt_core_timed.extension(kit_instance(rig_kit(rig)), HD_EXTENSION_PENDING);
        cr_expect_eq(pending->has_work(kit_instance(rig_kit(rig))), 1);
        const char *text = kit_described(rig_kit(rig));
        cr_expect_not_null(strstr(text, expected[i]), "got: %s", text);
        cr_expect_not_null(strstr(text, "block (0,0,0), warp 0"), "got: %s", text);
        rig_finish(rig);
        cr_expect_str_eq(kit_described(rig_kit(rig)), "");
        rig_destroy(rig);
    }
}

Test(simt_core, refuses_parameters_that_make_no_sense_together)
{
    static const struct {
        const char *parameter, *text;
    } wrong[] = {
        {"memory.sector=48 B", "memory.sector must be 32 B, 64 B or 128 B"},
        {"scratchpad.banks=24", "scratchpad.banks must be a power of two"},
        {"scratchpad.bytes=1022 B", "scratchpad.bytes must be a multiple of 4 B"},
        {"l1.bytes=1000 B", "l1.bytes must be a multiple of l1.ways lines of 128 B, which is 768 B"},
        {"l1.line=48 B", "l1.line must be 32 B, 64 B or 128 B"},
        {"l1.replacement=plru", "l1.replacement 'plru' needs a number of ways that is a power of two"},
        {"warps=1", "schedulers (2) exceed warps (1)"},
    };
    char error[256];
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const char *const parameters[] = {wrong[i].parameter, NULL};
        cr_expect(kit_refuses(&hd_simt_core_timed, parameters, error, sizeof error), "%s", wrong[i].parameter);
        cr_expect_not_null(strstr(error, wrong[i].text), "%s", error);
    }
}

Test(simt_core, refuses_shapes_of_the_l1_that_its_parameters_do_not_define)
{
    static const struct {
        const char *parameters[5], *text;
    } wrong[] = {
        {{"l1.set_hash=xor", "l1.bytes=36 KiB"},
         "l1.set_hash: 'xor' and 'ipoly' need a number of sets that is a power of two, not 48 of 128 B"},
        {{"l1.set_hash=fermi", "l1.bytes=12 KiB"},
         "l1.set_hash: 'fermi' is defined for 32 or 64 sets of lines of 128 B, not 16 of 128 B"},
        {{"l1.set_hash=fermi", "l1.bytes=24 KiB", "l1.line=64 B"}, "not 64 of 64 B"},
        {{"l1.write_allocate=validate"},
         "l1.write_allocate 'validate' needs stores that update lines: l1.write must be through"},
        {{"context.storage=memory"},
         "context.storage is of thread blocks that leave: context.engine must be 'stream'"},
        {{"context.engine=stream", "context.cacheable=l2"},
         "context.cacheable is of requests to memory: context.storage must be 'memory'"},
        {{"context.engine=stream", "context.storage=memory", "context.cacheable=l1l2", "l1.sector=32 B"},
         "context.cacheable 'l1l2' is defined for an L1 of whole lines of 128 B: l1.sector 0 B, l1.allocate 'on_miss', "
         "l1.write 'evict'"},
        {{"l1.write=through", "l1.line=64 B"}, "l1.write 'through' is defined for lines of 128 B"},
        {{"l1.sector=48 B"}, "l1.sector must be 0 B, 32 B, 64 B or 128 B"},
        {{"l1.sector=128 B", "l1.line=64 B"}, "l1.sector must not exceed l1.line"},
    };
    char error[256];
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        cr_expect(kit_refuses(&hd_simt_core_timed, wrong[i].parameters, error, sizeof error), "%s", wrong[i].text);
        cr_expect_not_null(strstr(error, wrong[i].text), "%s", error);
    }
}
