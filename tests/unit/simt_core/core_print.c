/* SPDX-License-Identifier: MIT */
/* What a kernel says (printf, assert), and what is said about threads that miss a barrier because they have ended. */
#include "core_rig.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#define PRINT(arguments) (0x8005700B + ((arguments) << 20))
#define ASSERT_FAIL 0xC005700B

static core_rig *launched(const char *const *parameters, const uint32_t *words, uint32_t threads, uint32_t fails)
{
    const char *const standard[] = {NULL};
    core_rig *rig = rig_create(parameters ? parameters : standard, words);
    if (fails)
        kit_expect_fault(rig_kit(rig));
    rig_launch(rig, threads, 0);
    rig_finish(rig);
    return rig;
}

/* lui and addi for an address in the code */
#define TEXT_AT(word) lui(A0, CODE), addi(A0, A0, (word)*4)

Test(simt_core, each_active_lane_prints_a_line_in_ascending_order)
{
    const uint32_t words[] = {TEXT_AT(8), csrr(A1, 0xCC0),   andi(T1, A1, 1), beq(T1, ZERO, 8),
                              PRINT(1),   addi(T0, ZERO, 1), ret(),           0x00007525 /* "%u" */,
                              0};
    core_rig *rig = launched(NULL, words, 6, 0);
    cr_expect_str_eq(kit_log(rig_kit(rig)), "0x10000014 (kernel+0x14): block (0,0,0), thread (1,0,0): 1\n"
                                            "0x10000014 (kernel+0x14): block (0,0,0), thread (3,0,0): 3\n"
                                            "0x10000014 (kernel+0x14): block (0,0,0), thread (5,0,0): 5\n");
    rig_destroy(rig);
}

Test(simt_core, a_print_waits_for_its_arguments_and_costs_an_issue_slot)
{
    const uint32_t with[] = {TEXT_AT(6), csrr(A1, 0xCC0), divu(A1, A1, A1), PRINT(1), ret(), 0x00007525, 0};
    const uint32_t without[] = {TEXT_AT(6), csrr(A1, 0xCC0), divu(A1, A1, A1), ret(), 0x00007525, 0};
    core_rig *rig = launched(NULL, with, 1, 0);
    core_rig *other = launched(NULL, without, 1, 0);
    cr_expect_not_null(strstr(kit_log(rig_kit(rig)), "thread (0,0,0): 4294967295\n")); /* 0 / 0 */
    cr_expect_eq(kit_statistic(rig_kit(rig), "warp_instructions"),
                 kit_statistic(rig_kit(other), "warp_instructions") + 1);
    cr_expect_gt(kit_statistic(rig_kit(rig), "cycles"), kit_statistic(rig_kit(other), "cycles"));
    rig_destroy(rig);
    rig_destroy(other);
}

Test(simt_core, a_print_that_makes_no_sense_is_a_fault_of_its_lane)
{
    const uint32_t words[] = {TEXT_AT(4), PRINT(0), ret(), 0x00007525, 0};
    core_rig *rig = launched(NULL, words, 6, 1);
    cr_expect_str_eq(kit_fault_text(rig_kit(rig)), "printf: no argument for '%u': there are 0\n"
                                                   "  kernel kernel, pc 0x10000008 (kernel+0x8)\n"
                                                   "  block, block (0,0,0), warp 0, lane 0, thread (0,0,0)");
    rig_destroy(rig);
}

Test(simt_core, a_failed_assertion_names_its_text_and_its_threads)
{
    const uint32_t words[] = {TEXT_AT(7),  csrr(A1, 0xCC0), addi(T1, ZERO, 4),      blt(A1, T1, 8),
                              ASSERT_FAIL, ret(),           0x00783C69 /* "i<x" */, 0};
    core_rig *rig = launched(NULL, words, 6, 1);
    cr_expect_str_eq(kit_fault_text(rig_kit(rig)), "assertion failed: i<x\n"
                                                   "  kernel kernel, pc 0x10000014 (kernel+0x14)\n"
                                                   "  block, block (0,0,0), warp 0, lanes 4-5, first thread (4,0,0)");
    rig_destroy(rig);
}

Test(simt_core, an_assertion_without_a_constant_text_still_fails)
{
    const uint32_t words[] = {ASSERT_FAIL, ret(), 0};
    core_rig *rig = launched(NULL, words, 1, 1);
    cr_expect_eq(strncmp(kit_fault_text(rig_kit(rig)), "assertion failed: (its text is no constant)\n", 44), 0);
    rig_destroy(rig);
}

/* Threads from 40 on end; the others meet at two barriers. */
static const uint32_t early_exit[] = {0x02800313 /* addi t1, zero, 40 */,
                                      0xCC0025F3 /* csrr a1, 0xCC0 */,
                                      0x0065D863 /* bge a1, t1, 16 */,
                                      0x0000300B /* bar.sync 0 */,
                                      0x0000300B,
                                      0x00008067 /* ret */,
                                      0x00008067,
                                      0};

#define EARLY_EXIT_TEXT                                                                                                \
    "barrier 0 opens for 40 threads; 60 of the block have ended without it, the first of them warp 1, lanes 8-31\n"    \
    "  kernel kernel, pc 0x1000000c (kernel+0xc)\n"

Test(simt_core, threads_that_end_before_a_barrier_are_named_once)
{
    core_rig *rig = launched(NULL, early_exit, 100, 0);
    cr_expect_eq(strncmp(kit_log(rig_kit(rig)), EARLY_EXIT_TEXT, strlen(EARLY_EXIT_TEXT)), 0, "%s",
                 kit_log(rig_kit(rig)));
    cr_expect_null(strstr(kit_log(rig_kit(rig)) + 10, "barrier 0 opens"));
    cr_expect_eq(kit_statistic(rig_kit(rig), "threads_run"), 100);
    cr_expect_eq(kit_statistic(rig_kit(rig), "barriers_released"), 2);
    rig_destroy(rig);
}

Test(simt_core, threads_that_end_before_a_barrier_are_an_error_on_a_strict_machine)
{
    const char *const strict[] = {"barrier.early_exit=fault", NULL};
    core_rig *rig = launched(strict, early_exit, 100, 1);
    cr_expect_eq(strncmp(kit_fault_text(rig_kit(rig)), EARLY_EXIT_TEXT, strlen(EARLY_EXIT_TEXT)), 0, "%s",
                 kit_fault_text(rig_kit(rig)));
    cr_expect_eq(kit_statistic(rig_kit(rig), "barriers_released"), 0);
    rig_destroy(rig);
}

Test(simt_core, a_barrier_that_all_threads_reach_says_nothing)
{
    core_rig *rig = launched(NULL, early_exit, 40, 0);
    cr_expect_str_eq(kit_log(rig_kit(rig)), "");
    rig_destroy(rig);
}
