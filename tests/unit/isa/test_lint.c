/* SPDX-License-Identifier: MIT */
/* What is found in words; firmware/tests/waiting.c has what compilers make. */
#include "allocations.h"
#include "assemble.h"
#include "lanes.h"
#include "lint.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* Registers: a0 = 10 the argument block, t0 = 5, t1 = 6, t2 = 7. */
#define LOAD_POINTER WORD(LW, .rd = 5, .rs1 = 10)
#define LOAD WORD(LW, .rd = 6, .rs1 = 5)
#define SWAP WORD(AMOSWAP_W, .rd = 6, .rs1 = 5, .rs2 = 7)
#define RELEASE_LOCK WORD(AMOSWAP_W, .rd = 0, .rs1 = 5, .rs2 = 0)
#define BACK_IF_ZERO(bytes) WORD(BEQ, .rs1 = 6, .rs2 = 0, .immediate = (bytes))
#define BACK_UNLESS_ZERO(bytes) WORD(BNE, .rs1 = 6, .rs2 = 0, .immediate = (bytes))
#define FENCE(successors) WORD(FENCE, .immediate = 0x30 | (successors))

static const isa_deadlock_options of_stack = {.divergence = ISA_DIVERGENCE_STACK};

/* The kinds of what is found in these words, as a set; *first is the first of them. */
static uint32_t found_in(const uint32_t *words, uint32_t count, isa_finding *first)
{
    uint32_t kinds = 0, found;
    isa_finding *findings;
    isa_program *program = load_words(words, count);
    cr_assert_eq(isa_lint(program, &of_stack, &findings, &found), 0);
    for (uint32_t i = 0; i < found; i++)
        kinds |= 1u << findings[i].kind;
    if (found && first)
        *first = *findings;
    free(findings);
    isa_program_free(program);
    return kinds;
}

#define FOUND(first, ...)                                                                                              \
    ({                                                                                                                 \
        const uint32_t words[] = {__VA_ARGS__};                                                                        \
        found_in(words, COUNT_OF(words), first);                                                                       \
    })

#define LOCK_LOOP (1u << ISA_LINT_DEADLOCK)
#define POSSIBLE (1u << ISA_LINT_POSSIBLE_DEADLOCK)
#define STALE_SPIN (1u << ISA_LINT_STALE_SPIN)

Test(lint, a_lock_that_is_given_back_behind_its_loop_is_named_with_both_places)
{
    isa_finding f = {0};
    cr_expect_eq(FOUND(&f, LOAD_POINTER, SWAP, BACK_UNLESS_ZERO(-4), NOP_WORD, RELEASE_LOCK, RETURN_WORD), LOCK_LOOP);
    cr_expect_eq(f.access_pc, TEXT + 4);
    cr_expect_eq(f.branch_pc, TEXT + 8);
    cr_expect_eq(f.other_pc, TEXT + 16);
}

#define LI(to, value) WORD(ADDI, .rd = (to), .immediate = (value))
#define CAS WORD(AMOCAS_W, .rd = 6, .rs1 = 5, .rs2 = 28)

/* In a loop over elements gcc tries a lock once before the loop that waits for it. */
Test(lint, what_takes_a_lock_does_not_give_it_back)
{
    isa_finding f = {0};
    const uint32_t skip = WORD(BEQ, .rs1 = 6, .rs2 = 0, .immediate = 12),
                   again = WORD(BNE, .rs1 = 11, .immediate = -20);
    cr_expect_eq(FOUND(&f, LOAD_POINTER, SWAP, skip, SWAP, BACK_UNLESS_ZERO(-4), RELEASE_LOCK, again, RETURN_WORD),
                 LOCK_LOOP);
    cr_expect_eq(f.access_pc, TEXT + 12);
    cr_expect_eq(f.other_pc, TEXT + 20);
    cr_expect_eq(
        FOUND(NULL, LOAD_POINTER, SWAP, skip, SWAP, BACK_UNLESS_ZERO(-4), NOP_WORD, again, RETURN_WORD) & LOCK_LOOP, 0);
    /* A store of the same value is no try. */
    cr_expect_eq(FOUND(&f, LOAD_POINTER, SWAP, BACK_UNLESS_ZERO(-4), WORD(SW, .rs1 = 5, .rs2 = 7), RETURN_WORD),
                 LOCK_LOOP);
    /* What another swap writes may be 0. */
    cr_expect_eq(FOUND(&f, LOAD_POINTER, WORD(AMOSWAP_W, .rd = 6, .rs1 = 5, .rs2 = 12), skip, SWAP,
                       BACK_UNLESS_ZERO(-4), NOP_WORD, again, RETURN_WORD),
                 LOCK_LOOP);
    cr_expect_eq(f.other_pc, TEXT + 4);
}

/* A compare-and-swap of 0 and 1 takes it, one of 1 and 0 gives it back: it has its operands in two registers. */
static uint32_t freed_by(int32_t expected, uint32_t desired)
{
    isa_finding f = {0};
    const uint32_t words[] = {LOAD_POINTER,
                              LI(28, 1),
                              LI(6, 0),
                              CAS,
                              BACK_UNLESS_ZERO(-8),
                              LI(6, expected),
                              WORD(AMOCAS_W, .rd = 6, .rs1 = 5, .rs2 = desired),
                              RETURN_WORD};
    return found_in(words, COUNT_OF(words), &f) & LOCK_LOOP ? f.other_pc : 0;
}

Test(lint, compare_and_swaps_are_copies_if_both_operands_are_the_same)
{
    cr_expect_eq(freed_by(0, 28), 0);
    cr_expect_eq(freed_by(1, 28), TEXT + 24);
    cr_expect_eq(freed_by(0, 0), TEXT + 24);
}

Test(lint, the_same_address_counts_whichever_register_holds_it)
{
    const uint32_t again = WORD(LW, .rd = 28, .rs1 = 10), release = WORD(SW, .rs1 = 28, .rs2 = 0);
    const uint32_t other = WORD(LW, .rd = 28, .rs1 = 10, .immediate = 4);
    cr_expect_eq(FOUND(NULL, LOAD_POINTER, SWAP, BACK_UNLESS_ZERO(-4), again, release, RETURN_WORD), LOCK_LOOP);
    cr_expect_eq(FOUND(NULL, LOAD_POINTER, SWAP, BACK_UNLESS_ZERO(-4), other, release, RETURN_WORD), POSSIBLE);
}

Test(lint, a_lock_that_is_given_back_inside_the_loop_is_none)
{
    cr_expect_eq(FOUND(NULL, LOAD_POINTER, SWAP, BACK_UNLESS_ZERO(8), RELEASE_LOCK, BACK_UNLESS_ZERO(-12), RETURN_WORD),
                 0);
}

/* The head is the test of a flag on the stack; two edges lead back to it, one around the code that has the lock. */
Test(lint, lanes_that_meet_in_the_loop_wait_for_the_one_that_has_the_lock)
{
    const uint32_t flag = WORD(LW, .rd = 28, .rs1 = 2), again = WORD(BEQ, .rs1 = 28, .rs2 = 0, .immediate = -16);
    cr_expect_eq(
        FOUND(NULL, LOAD_POINTER, JUMP_WORD(16), SWAP, BACK_UNLESS_ZERO(8), RELEASE_LOCK, flag, again, RETURN_WORD), 0);
}

Test(lint, a_loop_that_counts_does_not_wait)
{
    const uint32_t count = WORD(ADDI, .rd = 7, .rs1 = 7, .immediate = 1);
    const uint32_t until = WORD(BLT, .rs1 = 7, .rs2 = 6, .immediate = -8);
    cr_expect_eq(FOUND(NULL, LOAD_POINTER, LOAD, count, until, RETURN_WORD), 0);
}

Test(lint, a_wait_for_a_plain_load_is_named_with_the_load)
{
    isa_finding f = {0};
    cr_expect_eq(FOUND(&f, LOAD_POINTER, NOP_WORD, LOAD, BACK_IF_ZERO(-4), RETURN_WORD), STALE_SPIN);
    cr_expect_eq(f.access_pc, TEXT + 8);
    cr_expect_eq(f.branch_pc, TEXT + 12);
}

Test(lint, a_wait_that_drops_old_lines_is_none)
{
    const uint32_t acquire = WORD(AMOADD_W, .rd = 0, .rs1 = 28, .rs2 = 0) | 1u << 26;
    const uint32_t relaxed = WORD(AMOADD_W, .rd = 0, .rs1 = 28, .rs2 = 0);
    const uint32_t past = WORD(LW_CG, .rd = 6, .rs1 = 5);
    cr_expect_eq(FOUND(NULL, LOAD_POINTER, LOAD, FENCE(3), BACK_IF_ZERO(-8), RETURN_WORD), 0);
    cr_expect_eq(FOUND(NULL, LOAD_POINTER, LOAD, FENCE(1), BACK_IF_ZERO(-8), RETURN_WORD), STALE_SPIN);
    cr_expect_eq(FOUND(NULL, LOAD_POINTER, LOAD, acquire, BACK_IF_ZERO(-8), RETURN_WORD), 0);
    cr_expect_eq(FOUND(NULL, LOAD_POINTER, LOAD, relaxed, BACK_IF_ZERO(-8), RETURN_WORD), STALE_SPIN);
    cr_expect_eq(FOUND(NULL, LOAD_POINTER, past, BACK_IF_ZERO(-4), RETURN_WORD), 0);
}

Test(lint, a_wait_on_memory_that_no_l1_line_keeps_is_none)
{
    const uint32_t scratchpad = WORD(LUI, .rd = 5, .immediate = 0x1000);
    const uint32_t global = WORD(LUI, .rd = 5, .immediate = 0x20000);
    const uint32_t stack = WORD(LW, .rd = 6, .rs1 = 2), constant = WORD(LW, .rd = 6, .rs1 = 10);
    cr_expect_eq(FOUND(NULL, scratchpad, LOAD, BACK_IF_ZERO(-4), RETURN_WORD), 0);
    cr_expect_eq(FOUND(NULL, global, LOAD, BACK_IF_ZERO(-4), RETURN_WORD), STALE_SPIN);
    cr_expect_eq(FOUND(NULL, stack, BACK_IF_ZERO(-4), RETURN_WORD), 0);
    cr_expect_eq(FOUND(NULL, constant, BACK_IF_ZERO(-4), RETURN_WORD), 0);
}

Test(lint, the_first_argument_of_a_function_that_is_called_may_point_anywhere)
{
    const uint32_t load = WORD(LW, .rd = 6, .rs1 = 10);
    const uint32_t words[] = {CALL_WORD(8), RETURN_WORD, load, BACK_IF_ZERO(-4), RETURN_WORD};
    cr_expect_eq(found_in(words, COUNT_OF(words), NULL), STALE_SPIN);
}

Test(lint, loops_are_found_wherever_the_compiler_lays_their_head)
{
    /* Into the loop at its test, which stands behind its body. */
    cr_expect_eq(FOUND(NULL, LOAD_POINTER, JUMP_WORD(8), NOP_WORD, LOAD, BACK_IF_ZERO(-8), RETURN_WORD), STALE_SPIN);
}

Test(lint, each_finding_is_one_line_with_places_and_advice)
{
    const uint32_t words[] = {LOAD_POINTER,     SWAP,       BACK_UNLESS_ZERO(-4), RELEASE_LOCK, LOAD,
                              BACK_IF_ZERO(-4), RETURN_WORD};
    isa_program *program = load_words(words, COUNT_OF(words));
    isa_finding *findings;
    uint32_t count;
    char text[512];
    cr_assert_eq(isa_lint(program, &of_stack, &findings, &count), 0);
    cr_assert_eq(count, 2);
    isa_finding_text(program, &findings[0], text, sizeof text);
    cr_expect(strstr(text, "pc 0x10000008 (kernel+0x8)") && strstr(text, "pc 0x1000000c (kernel+0xc)") &&
                  strstr(text, "simt_opaque") && !strchr(text, '\n'),
              "%s", text);
    isa_finding_text(program, &findings[1], text, sizeof text);
    cr_expect(strstr(text, "pc 0x10000014 (kernel+0x14)") && strstr(text, "pc 0x10000010 (kernel+0x10)") &&
                  strstr(text, "simt_load_cg") && !strchr(text, '\n'),
              "%s", text);
    cr_expect_str_eq(isa_lint_name(findings[0].kind), "simt_deadlock");
    cr_expect_str_eq(isa_lint_name(findings[1].kind), "stale_spin");
    free(findings);
    isa_program_free(program);
}

Test(lint, random_code_is_survived)
{
    const uint64_t seed = 4711;
    uint64_t random = seed;
    uint32_t found = 0;
    for (uint32_t round = 0; round < 3000; round++) {
        uint32_t words[48];
        for (uint32_t i = 0; i < COUNT_OF(words); i++) {
            static const enum isa_operation usual[] = {ISA_OP_BEQ, ISA_OP_BNE, ISA_OP_LW, ISA_OP_AMOSWAP_W,
                                                       ISA_OP_ADDI};
            uint64_t dice = next_random(&random) >> 20;
            enum isa_operation operation = usual[dice % COUNT_OF(usual)];
            int32_t distance = 4 * ((int32_t)(dice >> 20 & 15) - 12);
            words[i] = encode(operation,
                              (word_fields){.rd = dice >> 8 & 7,
                                            .rs1 = dice >> 11 & 7,
                                            .rs2 = dice >> 14 & 7,
                                            .immediate = isa_encodings[operation].form == ISA_FORM_B ? distance : 0});
        }
        words[47] = RETURN_WORD;
        found += found_in(words, COUNT_OF(words), NULL) != 0;
    }
    cr_expect_gt(found, 10, "the code is too poor to show anything: seed %lu", (unsigned long)seed);
}

/* It finds what there is, or says that it could not look. */
Test(lint, whatever_memory_it_lacks_it_says_so)
{
    const uint32_t words[] = {LOAD_POINTER, LOAD, BACK_IF_ZERO(-4), RETURN_WORD};
    isa_program *program = load_words(words, COUNT_OF(words));
    for (uint32_t left = 0;; left++) {
        isa_finding *findings;
        uint32_t found;
        allocations_refuse(left);
        const int failed = isa_lint(program, &of_stack, &findings, &found);
        if (!allocations_allow()) {
            cr_expect_eq(failed, 0);
            cr_expect_eq(found, 1);
            cr_expect_geq(left, 8);
            free(findings);
            break;
        }
        cr_expect_eq(failed, -1, "without allocation %u", left);
        cr_expect_null(findings);
        cr_expect_eq(found, 0);
    }
    isa_program_free(program);
}

/* ---- Barriers ---------------------------------------------------------------------------------------------------------- */

#define DIVERGENT_BARRIER (1u << ISA_LINT_DIVERGENT_BARRIER)
#define BARRIER WORD(BAR_SYNC)
#define CSR(csr) WORD(CSRRS, .rd = 6, .immediate = (csr))
#define SKIP_IF_ZERO(bytes) WORD(BEQ, .rs1 = 6, .rs2 = 0, .immediate = (bytes))

Test(lint, a_barrier_that_only_some_threads_come_to_is_named)
{
    isa_finding f = {0};
    cr_expect_eq(FOUND(&f, CSR(ISA_CSR_THREAD_X), SKIP_IF_ZERO(12), NOP_WORD, BARRIER, NOP_WORD, RETURN_WORD),
                 DIVERGENT_BARRIER);
    cr_expect_eq(f.branch_pc, TEXT + 4);
    cr_expect_eq(f.access_pc, TEXT + 12);
    cr_expect_eq(f.meeting_pc, TEXT + 16);
    /* By a number computed of the index and constants; by the lane, by the warp. */
    cr_expect_eq(FOUND(NULL, CSR(ISA_CSR_THREAD_X + 1), WORD(ANDI, .rd = 6, .rs1 = 6, .immediate = 3), SKIP_IF_ZERO(8),
                       BARRIER, NOP_WORD, RETURN_WORD),
                 DIVERGENT_BARRIER);
    cr_expect_eq(FOUND(NULL, CSR(ISA_CSR_LANE), SKIP_IF_ZERO(8), BARRIER, NOP_WORD, RETURN_WORD), DIVERGENT_BARRIER);
    cr_expect_eq(FOUND(NULL, CSR(ISA_CSR_WARP), SKIP_IF_ZERO(8), BARRIER, NOP_WORD, RETURN_WORD), DIVERGENT_BARRIER);
}

Test(lint, barriers_that_all_threads_may_come_to_are_none)
{
    const uint32_t csr = CSR(ISA_CSR_THREAD_X), end = RETURN_WORD, nop = NOP_WORD;
    /* Where lanes meet; and those that have left are not waited for. */
    cr_expect_eq(FOUND(NULL, csr, SKIP_IF_ZERO(8), nop, BARRIER, end), 0);
    cr_expect_eq(FOUND(NULL, csr, SKIP_IF_ZERO(12), BARRIER, end, end), 0);
    /* The block, its size, memory, and what a loop changes decide alike, or may. */
    cr_expect_eq(FOUND(NULL, CSR(ISA_CSR_BLOCK_X), SKIP_IF_ZERO(8), BARRIER, nop, end), 0);
    cr_expect_eq(FOUND(NULL, CSR(ISA_CSR_BLOCK_SIZE_X), SKIP_IF_ZERO(8), BARRIER, nop, end), 0);
    cr_expect_eq(FOUND(NULL, LOAD_POINTER, LOAD, SKIP_IF_ZERO(8), BARRIER, nop, end), 0);
    cr_expect_eq(
        FOUND(NULL, csr, WORD(ADDI, .rd = 6, .rs1 = 6, .immediate = -1), BARRIER, BACK_UNLESS_ZERO(-8), nop, end), 0);
}
