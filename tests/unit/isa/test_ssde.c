/* SPDX-License-Identifier: MIT */
/* Loops that hang a warp: where their lanes wait instead, and what forbids it. Random programs: tests/unit/functional_core. */
#include "allocations.h"
#include "analysis.h"
#include "assemble.h"
#include "lanes.h"
#include "loading.h"
#include "ssde.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Registers: ra = 1, sp = 2, t0 - t2 = 5 - 7, a0 - a2 = 10 - 12. */
#define LOAD(to, base) WORD(LW, .rd = (to), .rs1 = (base))
#define STORE(base) WORD(SW, .rs1 = (base), .rs2 = 0)
#define BACK_IF_ZERO(of, words) WORD(BEQ, .rs1 = (of), .rs2 = 0, .immediate = -4 * (words))
#define SKIP_IF_ZERO(of, words) WORD(BEQ, .rs1 = (of), .rs2 = 0, .immediate = 4 * (words))
#define READ_CSR(to, csr) WORD(CSRRS, .rd = (to), .rs1 = 0, .immediate = (csr))
#define SET(to, value) WORD(ADDI, .rd = (to), .immediate = (value))
#define PC(word) (TEXT + 4 * (word))

/* ---- Safe points ---------------------------------------------------------------------------------------------------- */

static char text[512];

/* The loops as "latch->head:safe ", in words, or why they are refused. */
static const char *loops_of(const uint32_t *words, uint32_t count)
{
    char error[512] = "";
    isa_ssde_loop *loops;
    uint32_t found;
    size_t used = 0;
    isa_program *program = load_words(words, count);
    if (isa_ssde_loops(program, &loops, &found, error, sizeof error))
        snprintf(text, sizeof text, "%s", error);
    else
        *text = '\0';
    for (uint32_t i = 0; i < found; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%u->%u:%u ", (loops[i].latch - TEXT) / 4,
                                 (loops[i].head - TEXT) / 4, (loops[i].safe - TEXT) / 4);
    free(loops);
    isa_program_free(program);
    return text;
}

#define EXPECT_LOOPS(expected, ...)                                                                                    \
    do {                                                                                                               \
        const uint32_t loop_words[] = {__VA_ARGS__};                                                                   \
        const char *loops_found = loops_of(loop_words, COUNT_OF(loop_words));                                          \
        cr_expect_str_eq(loops_found, expected, "%s, not %s", loops_found, expected);                                  \
    } while (0)

Test(ssde, those_who_have_a_lock_wait_behind_its_release)
{
    EXPECT_LOOPS("1->0:4 ", LOAD(6, 10), BACK_IF_ZERO(6, 1), NOP_WORD, STORE(10), NOP_WORD, RETURN_WORD);
}

Test(ssde, where_nothing_hangs_nothing_is_changed)
{
    EXPECT_LOOPS("", LOAD(6, 10), BACK_IF_ZERO(6, 1), NOP_WORD, RETURN_WORD);
    EXPECT_LOOPS("", LOAD(6, 10), STORE(10), BACK_IF_ZERO(6, 2), NOP_WORD, RETURN_WORD);
}

Test(ssde, a_release_in_each_arm_is_awaited_where_they_meet)
{
    EXPECT_LOOPS("1->0:6 ", LOAD(6, 10), BACK_IF_ZERO(6, 1), SKIP_IF_ZERO(11, 3), STORE(10), JUMP_WORD(8), STORE(10),
                 NOP_WORD, RETURN_WORD);
}

Test(ssde, a_release_before_each_return_is_awaited_at_the_return)
{
    EXPECT_LOOPS("1->0:4 ", LOAD(6, 10), BACK_IF_ZERO(6, 1), SKIP_IF_ZERO(11, 3), STORE(10), RETURN_WORD, STORE(10),
                 RETURN_WORD);
}

Test(ssde, a_loop_around_the_lock_comes_to_its_end_first)
{
    EXPECT_LOOPS("1->0:5 ", LOAD(6, 10), BACK_IF_ZERO(6, 1), STORE(10),
                 WORD(ADDI, .rd = 11, .rs1 = 11, .immediate = -1), WORD(BNE, .rs1 = 11, .rs2 = 0, .immediate = -16),
                 NOP_WORD, RETURN_WORD);
}

Test(ssde, one_side_that_waits_for_the_other_waits_where_they_meet)
{
    EXPECT_LOOPS("3->2:6 ", READ_CSR(5, ISA_CSR_THREAD_X), SKIP_IF_ZERO(5, 4), LOAD(6, 10), BACK_IF_ZERO(6, 1),
                 JUMP_WORD(8), STORE(10), NOP_WORD, RETURN_WORD);
}

Test(ssde, the_outer_lock_waits_behind_what_the_inner_one_waits_for)
{
    /* Two locks, given back in the order in which they have been taken. */
    EXPECT_LOOPS("1->0:6 3->2:6 ", LOAD(6, 10), BACK_IF_ZERO(6, 1), LOAD(6, 11), BACK_IF_ZERO(6, 1), STORE(10),
                 STORE(11), NOP_WORD, RETURN_WORD);
}

/* The outer loop waits for a word of the scratchpad, the inner one for another that is written later. */
Test(ssde, a_loop_takes_the_safe_point_of_a_loop_in_it_along)
{
    EXPECT_LOOPS("3->2:8 5->2:8 ", WORD(LUI, .rd = 10, .immediate = 0x20000), WORD(LUI, .rd = 11, .immediate = 0x1000),
                 LOAD(6, 10), BACK_IF_ZERO(6, 1), LOAD(7, 11), BACK_IF_ZERO(7, 3), STORE(11), STORE(10), NOP_WORD,
                 RETURN_WORD);
}

Test(ssde, a_loop_that_waits_for_nobody_is_changed_if_somebody_then_waits_behind_it)
{
    /* The first loop waits for the last write; the second one, for what nobody writes but those that wait for it then. */
    EXPECT_LOOPS("1->0:6 4->3:6 ", LOAD(6, 10), BACK_IF_ZERO(6, 1), STORE(11), LOAD(6, 11), BACK_IF_ZERO(6, 1),
                 STORE(10), NOP_WORD, RETURN_WORD);
}

/* ---- Refusals ------------------------------------------------------------------------------------------------------- */

#define LOOP "ssde: the loop at 0x10000000 (kernel+0x0): "

Test(ssde, nothing_that_a_warp_does_together_may_come_before_the_safe_point)
{
    EXPECT_LOOPS(LOOP "a warp.sync at 0x1000000c (kernel+0xc) comes before the place where its lanes would wait",
                 LOAD(6, 10), BACK_IF_ZERO(6, 1), SKIP_IF_ZERO(11, 2), WORD(WARP_SYNC), STORE(10), NOP_WORD,
                 RETURN_WORD);
    EXPECT_LOOPS(LOOP "a barrier at 0x1000000c (kernel+0xc) comes before the place where its lanes would wait",
                 LOAD(6, 10), BACK_IF_ZERO(6, 1), SKIP_IF_ZERO(11, 2), WORD(BAR_SYNC), STORE(10), NOP_WORD,
                 RETURN_WORD);
    EXPECT_LOOPS(LOOP "a vote or shuffle at 0x10000008 (kernel+0x8) comes before the place where its lanes would wait",
                 LOAD(6, 10), BACK_IF_ZERO(6, 1), WORD(VOTE_ANY, .rd = 6, .rs1 = 6), STORE(10), NOP_WORD, RETURN_WORD);
    EXPECT_LOOPS("1->0:3 ", LOAD(6, 10), BACK_IF_ZERO(6, 1), STORE(10), WORD(BAR_SYNC), STORE(10), RETURN_WORD);
}

Test(ssde, what_is_called_before_the_safe_point_has_to_be_known)
{
    EXPECT_LOOPS(LOOP
                 "a call through a register at 0x10000008 (kernel+0x8) comes before the place where its lanes would "
                 "wait",
                 LOAD(6, 10), BACK_IF_ZERO(6, 1), WORD(JALR, .rd = 1, .rs1 = 12), STORE(10), NOP_WORD, RETURN_WORD);
    EXPECT_LOOPS(LOOP "a barrier at 0x10000018 (kernel+0x18) comes before the place where its lanes would wait",
                 LOAD(6, 10), BACK_IF_ZERO(6, 1), CALL_WORD(16), STORE(10), NOP_WORD, RETURN_WORD, WORD(BAR_SYNC),
                 RETURN_WORD);
    EXPECT_LOOPS("1->0:4 ", LOAD(6, 10), BACK_IF_ZERO(6, 1), CALL_WORD(16), STORE(10), NOP_WORD, RETURN_WORD, NOP_WORD,
                 RETURN_WORD);
}

Test(ssde, a_jump_by_a_register_is_refused_wherever_it_is_in_the_function)
{
    EXPECT_LOOPS("ssde: the loop at 0x10000008 (kernel+0x8): a jump by a register at 0x10000004 (kernel+0x4) may lead "
                 "anywhere",
                 SKIP_IF_ZERO(11, 2), WORD(JALR, .rs1 = 12), LOAD(6, 10), BACK_IF_ZERO(6, 1), STORE(10), NOP_WORD,
                 RETURN_WORD);
}

Test(ssde, nobody_waits_in_a_transaction)
{
    EXPECT_LOOPS("ssde: the loop at 0x10000004 (kernel+0x4): it is in a transaction", WORD(TX_BEGIN, .immediate = 0),
                 LOAD(6, 10), BACK_IF_ZERO(6, 1), STORE(10), WORD(TX_COMMIT), NOP_WORD, RETURN_WORD);
    EXPECT_LOOPS("ssde: the loop at 0x10000000 (kernel+0x0): the place where its lanes would wait, at 0x10000010 "
                 "(kernel+0x10) is in a transaction",
                 LOAD(6, 10), BACK_IF_ZERO(6, 1), WORD(TX_BEGIN, .immediate = 0), STORE(10), NOP_WORD, WORD(TX_COMMIT),
                 NOP_WORD, RETURN_WORD);
    EXPECT_LOOPS("1->0:6 ", LOAD(6, 10), BACK_IF_ZERO(6, 1), WORD(TX_BEGIN, .immediate = 0), NOP_WORD, WORD(TX_COMMIT),
                 STORE(10), NOP_WORD, RETURN_WORD);
}

Test(ssde, a_loop_with_two_entries_is_refused)
{
    EXPECT_LOOPS(
        "ssde: the loop at 0x10000004 (kernel+0x4): it can be entered at several places, so there is no edge to "
        "change",
        SKIP_IF_ZERO(11, 2), NOP_WORD, LOAD(6, 10), BACK_IF_ZERO(6, 2), STORE(10), NOP_WORD, RETURN_WORD);
}

Test(ssde, a_function_that_never_returns_may_have_no_place_to_wait_at)
{
    EXPECT_LOOPS(LOOP "its lanes could only wait at the return, and there is none", LOAD(6, 10), BACK_IF_ZERO(6, 1),
                 SKIP_IF_ZERO(11, 3), STORE(10), JUMP_WORD(0), STORE(10), JUMP_WORD(0));
    EXPECT_LOOPS("1->0:3 ", LOAD(6, 10), BACK_IF_ZERO(6, 1), STORE(10), JUMP_WORD(0));
}

/* ---- Code ----------------------------------------------------------------------------------------------------------- */

static void expect_code(const isa_program *program, uint32_t pc, const char *expected)
{
    char found[96] = "no code";
    if (isa_program_at(program, pc))
        isa_disassemble(isa_program_at(program, pc), pc, found, sizeof found);
    cr_expect_str_eq(found, expected, "0x%08x: %s, not %s", pc, found, expected);
}

static isa_program *rewritten(const uint32_t *words, uint32_t count)
{
    char error[512] = "";
    isa_program *program = load_words(words, count);
    cr_assert_not(isa_program_transform(program, &isa_ssde_rewrite, error, sizeof error), "%s", error);
    return program;
}

#define NEW (TEXT + 128)

Test(ssde, an_edge_back_leads_to_a_switch_in_code)
{
    const uint32_t words[] = {LOAD(6, 10), BACK_IF_ZERO(6, 1), STORE(10), NOP_WORD, RETURN_WORD};
    isa_program *program = rewritten(words, COUNT_OF(words));
    expect_code(program, PC(0), "lw t1, 0(a0)");
    expect_code(program, PC(1), "jal zero, 0x10000080");
    expect_code(program, PC(3), "jal zero, 0x10000090");
    expect_code(program, NEW, "beq t1, zero, 0x10000088");
    expect_code(program, NEW + 4, "jal zero, 0x10000008");
    expect_code(program, NEW + 8, "addi t6, zero, 1");
    expect_code(program, NEW + 12, "jal zero, 0x10000094");
    expect_code(program, NEW + 16, "addi t6, zero, 0");
    expect_code(program, NEW + 20, "bne t6, zero, 0x100000a0");
    expect_code(program, NEW + 24, "addi zero, zero, 0");
    expect_code(program, NEW + 28, "jal zero, 0x10000010");
    expect_code(program, NEW + 32, "jal zero, 0x10000000");
    const uint32_t *meetings = isa_program_table(program, "reconvergence");
    cr_expect_eq(isa_table_value(program, meetings, NEW), NEW + 20);
    cr_expect_eq(isa_table_value(program, meetings, NEW + 20), NEW + 24);
    isa_program_free(program);
}

Test(ssde, heads_part_behind_the_switch)
{
    const uint32_t words[] = {LOAD(6, 10), BACK_IF_ZERO(6, 1), LOAD(6, 11), BACK_IF_ZERO(6, 1),
                              STORE(10),   STORE(11),          NOP_WORD,    RETURN_WORD};
    isa_program *program = rewritten(words, COUNT_OF(words));
    const uint32_t at = NEW + 32; /* behind the two latches */
    expect_code(program, NEW + 8, "addi t6, zero, 1");
    expect_code(program, NEW + 24, "addi t6, zero, 2");
    expect_code(program, at + 4, "bne t6, zero, 0x100000b0");
    expect_code(program, at + 16, "addi t6, t6, -1");
    expect_code(program, at + 20, "bne t6, zero, 0x100000bc");
    expect_code(program, at + 24, "jal zero, 0x10000000");
    expect_code(program, at + 28, "jal zero, 0x10000008");
    const uint32_t *meetings = isa_program_table(program, "reconvergence");
    cr_expect_eq(isa_table_value(program, meetings, at + 20), at + 4);
    isa_program_free(program);
}

Test(ssde, all_returns_lead_to_one_switch)
{
    const uint32_t words[] = {LOAD(6, 10), BACK_IF_ZERO(6, 1), SKIP_IF_ZERO(11, 3), STORE(10),
                              RETURN_WORD, STORE(10),          RETURN_WORD};
    isa_program *program = rewritten(words, COUNT_OF(words));
    expect_code(program, PC(4), "jal zero, 0x10000090");
    expect_code(program, PC(6), "jal zero, 0x10000090");
    expect_code(program, NEW + 24, "jalr zero, 0(ra)");
    isa_program_free(program);
}

/* A loop that all caller-saved registers are needed in, and all others behind it. */
Test(ssde, the_register_of_a_switch_is_one_that_nobody_needs)
{
    uint32_t words[40], count = 0;
    words[count++] = LOAD(6, 10);
    words[count++] = BACK_IF_ZERO(6, 1);
    words[count++] = STORE(10);
    words[count++] = NOP_WORD;
    static const uint32_t needed[] = {5, 7, 11, 12, 13, 14, 15, 16, 17, 28, 29, 30, 31};
    for (uint32_t i = 0; i < COUNT_OF(needed); i++)
        words[count++] = WORD(ADD, .rd = 10, .rs1 = 10, .rs2 = needed[i]);
    words[count] = RETURN_WORD;
    isa_program *program = rewritten(words, count + 1);
    expect_code(program, NEW + 8, "addi t1, zero, 1");
    isa_program_free(program);
    words[count++] = WORD(ADD, .rd = 10, .rs1 = 10, .rs2 = 6); /* what the loop has read: of each lane its own */
    words[count] = RETURN_WORD;
    program = rewritten(words, count + 1);
    expect_code(program, NEW + 8, "addi tp, zero, 1");
    isa_program_free(program);
    words[count++] = WORD(ADD, .rd = 10, .rs1 = 10, .rs2 = 4);
    words[count] = RETURN_WORD;
    program = rewritten(words, count + 1);
    expect_code(program, NEW + 8, "addi gp, zero, 1");
    isa_program_free(program);
    words[count++] = WORD(ADD, .rd = 10, .rs1 = 10, .rs2 = 3);
    words[count] = RETURN_WORD;
    char error[512] = "";
    program = load_words(words, count + 1);
    cr_expect_eq(isa_program_transform(program, &isa_ssde_rewrite, error, sizeof error), -1);
    cr_expect_str_eq(error, "ssde: no register is free at 0x1000000c (kernel+0xc), where lanes would wait: "
                            "core.ssde=virtual needs none");
    isa_program_free(program);
}

/* ---- Tables --------------------------------------------------------------------------------------------------------- */

Test(ssde, switches_of_the_core_stand_beside_the_code)
{
    const uint32_t words[] = {LOAD(6, 10), BACK_IF_ZERO(6, 1), LOAD(6, 11), BACK_IF_ZERO(6, 1),
                              STORE(10),   STORE(11),          NOP_WORD,    RETURN_WORD};
    char error[512] = "";
    isa_program *program = load_words(words, COUNT_OF(words));
    cr_assert_not(isa_program_transform(program, &isa_ssde_virtual, error, sizeof error), "%s", error);
    cr_assert_not(isa_program_require(program, &isa_ssde_switches, error, sizeof error), "%s", error);
    cr_assert_not(isa_program_require(program, &isa_ssde_meetings, error, sizeof error), "%s", error);
    cr_expect_eq(program->text_bytes, sizeof words);
    const uint32_t at = isa_ssde_switch(PC(6)), dispatch = isa_ssde_dispatch(at);
    cr_assert(isa_program_at(program, at) && isa_program_at(program, dispatch));
    const uint32_t *values = isa_program_table(program, "switches"), *lists = isa_program_lists(program, "switches");
    const uint32_t *record = lists + isa_table_value(program, values, PC(3));
    const uint32_t of_latch[] = {0, 1, PC(2), at, 2};
    cr_expect_arr_eq(record, of_latch, sizeof of_latch);
    record = lists + isa_table_value(program, values, PC(6));
    const uint32_t of_safe[] = {at, 0};
    cr_expect_arr_eq(record, of_safe, sizeof of_safe);
    record = lists + isa_table_value(program, values, at);
    const uint32_t of_switch[] = {PC(6), 2, PC(0), PC(2)};
    cr_expect_arr_eq(record, of_switch, sizeof of_switch);
    cr_expect_eq(isa_table_value(program, values, PC(0)), 0);
    const uint32_t *meetings = isa_program_table(program, "switched_reconvergence");
    cr_expect_eq(isa_table_value(program, meetings, PC(1)), at);
    cr_expect_eq(isa_table_value(program, meetings, at), PC(6));
    cr_expect_eq(isa_table_value(program, meetings, dispatch), at);
    isa_program_free(program);
}

Test(ssde, lanes_do_not_wait_for_the_core_right_behind_a_transaction)
{
    const uint32_t words[] = {LOAD(6, 10), BACK_IF_ZERO(6, 1), WORD(TX_BEGIN, .immediate = 0),
                              STORE(10),   WORD(TX_COMMIT),    NOP_WORD,
                              RETURN_WORD};
    char error[512] = "";
    isa_program *program = load_words(words, COUNT_OF(words));
    cr_expect_eq(isa_program_transform(program, &isa_ssde_virtual, error, sizeof error), -1);
    cr_expect(strstr(error, "in a transaction") || strstr(error, "right behind a transaction"), "%s", error);
    isa_program_free(program);
}

/* ---- Memory --------------------------------------------------------------------------------------------------------- */

/* As loads do that ask for it. 0: done. */
static int transform_all(isa_program *program, const isa_transform *transform, char *error, size_t error_bytes)
{
    return isa_program_transform(program, transform, error, error_bytes) ||
           isa_program_require(program, &isa_ssde_switches, error, error_bytes) ||
           isa_program_require(program, &isa_ssde_meetings, error, error_bytes);
}

Test(ssde, runs_out_of_memory_anywhere)
{
    const uint32_t words[] = {LOAD(6, 10), BACK_IF_ZERO(6, 1), SKIP_IF_ZERO(11, 3), STORE(10),
                              RETURN_WORD, STORE(10),          RETURN_WORD};
    const isa_transform *const transforms[] = {&isa_ssde_rewrite, &isa_ssde_virtual};
    for (uint32_t i = 0; i < COUNT_OF(transforms); i++)
        for (uint32_t left = 0;; left++) {
            char error[512] = "";
            isa_program *program = load_words(words, COUNT_OF(words));
            allocations_refuse(left);
            const int failed = transform_all(program, transforms[i], error, sizeof error);
            const int refused = (int)allocations_allow();
            cr_expect_eq(failed, refused, "without allocation %u: %s", left, error);
            cr_expect(!failed || !strcmp(error, "out of memory"), "without allocation %u: %s", left, error);
            isa_program_free(program);
            if (!refused) {
                cr_expect_gt(left, 50);
                break;
            }
        }
}
