/* SPDX-License-Identifier: MIT */
/* Registers that may be needed yet, by hand and against threads that walk through random programs. */
#include "assemble.h"
#include "control_flow.h"
#include "decode.h"
#include "live_registers.h"

#include <criterion/criterion.h>
#include <string.h>

#define RA 1u
#define S0 8u
#define A0 10u
#define A1 11u

#define BIT(number) (UINT64_C(1) << (number))

static isa_program *analysed(const uint32_t *words, uint32_t count)
{
    char error[256] = "";
    isa_program *program = load_words(words, count);
    cr_assert_eq(isa_program_require(program, &isa_live_registers, error, sizeof error), 0, "%s", error);
    return program;
}

static isa_live live_at(const isa_program *program, uint32_t word)
{
    return isa_live_at(program, isa_program_table(program, "live_registers"),
                       isa_program_lists(program, "live_registers"), TEXT + 4 * word);
}

static void expect_after(const isa_program *program, uint32_t word, uint64_t expected)
{
    cr_expect_eq(live_at(program, word).after, expected, "after word %u: 0x%lx, not 0x%lx", word,
                 live_at(program, word).after, expected);
}

/* The last one that reads a register is the last one that needs it; the thread ends with the return. */
Test(live_registers, die_with_their_last_reader)
{
    const uint32_t words[] = {WORD(ADDI, .rd = A0, .rs1 = A1), WORD(ADD, .rd = 12, .rs1 = A0, .rs2 = A1),
                              WORD(SW, .rs1 = 12, .rs2 = A0), RETURN_WORD};
    isa_program *program = analysed(words, COUNT_OF(words));
    cr_expect_eq(live_at(program, 0).before, BIT(RA) | BIT(A1));
    expect_after(program, 0, BIT(RA) | BIT(A0) | BIT(A1));
    expect_after(program, 1, BIT(RA) | BIT(A0) | BIT(12));
    expect_after(program, 2, BIT(RA));
    expect_after(program, 3, 0);
    isa_program_free(program);
}

Test(live_registers, are_those_of_either_side_of_a_branch)
{
    const uint32_t words[] = {BRANCH_WORD(12), WORD(ADD, .rd = 5, .rs1 = 6, .rs2 = 38 - 32), JUMP_WORD(8),
                              WORD(FADD_S, .rd = 1, .rs1 = 2, .rs2 = 2), RETURN_WORD};
    isa_program *program = analysed(words, COUNT_OF(words));
    expect_after(program, 0, BIT(RA) | BIT(6) | BIT(32 + 2));
    expect_after(program, 1, BIT(RA));
    isa_program_free(program);
}

Test(live_registers, stay_so_around_a_loop)
{
    const uint32_t words[] = {WORD(ADD, .rd = 5, .rs1 = 5, .rs2 = 6), BRANCH_WORD(-4), RETURN_WORD};
    isa_program *program = analysed(words, COUNT_OF(words));
    expect_after(program, 0, BIT(RA) | BIT(5) | BIT(6) | BIT(A0) | BIT(A1));
    expect_after(program, 1, BIT(RA) | BIT(5) | BIT(6) | BIT(A0) | BIT(A1));
    isa_program_free(program);
}

/* No convention tells what a callee uses, or what it leaves alone: its code does. */
Test(live_registers, follow_calls_and_returns)
{
    const uint32_t words[] = {CALL_WORD(16), WORD(ADD, .rd = 5, .rs1 = 28, .rs2 = 28), WORD(ADDI, .rd = 1, .rs1 = S0),
                              RETURN_WORD,   WORD(ADD, .rd = 6, .rs1 = 7, .rs2 = 7),   RETURN_WORD};
    isa_program *program = analysed(words, COUNT_OF(words));
    cr_expect_eq(live_at(program, 0).before, BIT(7) | BIT(28) | BIT(S0));
    expect_after(program, 0, BIT(RA) | BIT(7) | BIT(28) | BIT(S0));
    expect_after(program, 1, BIT(28) | BIT(S0));
    expect_after(program, 4, BIT(RA) | BIT(28) | BIT(S0));
    expect_after(program, 5, BIT(28) | BIT(S0));
    isa_program_free(program);
}

Test(live_registers, are_all_where_nobody_knows)
{
    const uint32_t jump[] = {BRANCH_WORD(8), RETURN_WORD, WORD(JALR, .rs1 = 7)};
    const uint32_t call[] = {WORD(JALR, .rd = 1, .rs1 = 7), RETURN_WORD, NOP_WORD};
    isa_program *program = analysed(jump, COUNT_OF(jump));
    expect_after(program, 2, ISA_ALL_REGISTERS);
    cr_expect_eq(live_at(program, 0).before, ISA_ALL_REGISTERS);
    isa_program_free(program);
    program = analysed(call, COUNT_OF(call));
    expect_after(program, 0, ISA_ALL_REGISTERS);
    cr_expect_eq(live_at(program, 2).before, ISA_ALL_REGISTERS, "code that nothing leads to");
    isa_program_free(program);
}

/* A load's register is needed no sooner than it comes; a trap needs nothing; what is printed is read. */
Test(live_registers, of_writes_and_traps)
{
    const uint32_t words[] = {WORD(LW, .rd = A0, .rs1 = A0), BRANCH_WORD(8), WORD(EBREAK),
                              WORD(ADDI, .rd = A1, .rs1 = A0), RETURN_WORD};
    isa_program *program = analysed(words, COUNT_OF(words));
    cr_expect_eq(live_at(program, 0).before, BIT(RA) | BIT(A0) | BIT(A1));
    expect_after(program, 2, 0);
    expect_after(program, 3, BIT(RA));
    isa_program_free(program);
}

/* ---- Against a thread that walks ------------------------------------------------------------------------------------- */

#define WORDS 14u
#define PROGRAMS 2000u
#define WALKS 20u
#define STEPS 80u
#define DEPTH 8u

static uint32_t below(uint64_t *random, uint32_t limit)
{
    return (uint32_t)(next_random(random) >> 33) % limit;
}

static uint32_t random_register(uint64_t *random)
{
    static const uint8_t some[] = {0, 5, S0, A0, A1, 28};
    return some[below(random, sizeof some)];
}

static int32_t random_distance(uint64_t *random, uint32_t at)
{
    return 4 * ((int32_t)below(random, WORDS) - (int32_t)at);
}

static uint32_t random_word(uint64_t *random, uint32_t at)
{
    switch (below(random, 16)) {
    case 0:
    case 1: return RETURN_WORD;
    case 2: return CALL_WORD(random_distance(random, at));
    case 3: return JUMP_WORD(random_distance(random, at));
    case 4:
    case 5:
    case 6:
        return WORD(BNE, .rs1 = random_register(random), .rs2 = random_register(random),
                    .immediate = random_distance(random, at));
    case 7: return WORD(FADD_S, .rd = A0, .rs1 = A1, .rs2 = random_register(random));
    default:
        return WORD(ADD, .rd = random_register(random), .rs1 = random_register(random), .rs2 = random_register(random));
    }
}

/* Where a thread at pc goes on, with the calls that it is in; 0: it has ended. */
static uint32_t go_on(const isa_program *program, uint32_t pc, uint32_t *stack, uint32_t *depth, uint64_t *random)
{
    const isa_instruction *instruction = isa_program_at(program, pc);
    uint32_t next[2], target;
    if (instruction->flags & ISA_FLAG_RETURN)
        return *depth ? stack[--*depth] : 0;
    if (instruction->flags & ISA_FLAG_CALL) {
        if (*depth == DEPTH || !isa_jump_target(program, pc, &target))
            return 0;
        stack[(*depth)++] = pc + 4;
        return target;
    }
    const uint32_t count = isa_successors(program, pc, next);
    return count ? next[below(random, count)] : 0;
}

/* Each value is needed from where it is made until it is read last. */
static uint32_t walk_once(const isa_program *program, uint64_t *random, uint64_t seed)
{
    uint32_t trail[STEPS], stack[DEPTH], depth = 0, steps = 0, dead = 0, pc = TEXT;
    for (; steps < STEPS && pc && isa_program_at(program, pc); steps++) {
        const uint32_t word = (pc - TEXT) / 4;
        const isa_live live = live_at(program, word);
        const isa_instruction *instruction = isa_program_at(program, pc);
        cr_assert_eq(live.before, instruction->reads | (live.after & ~instruction->writes));
        dead += live.after != ISA_ALL_REGISTERS;
        for (uint64_t left = instruction->reads; left; left &= left - 1) {
            const uint32_t number = (uint32_t)__builtin_ctzll(left);
            for (uint32_t back = steps; back-- > 0;) {
                cr_assert(live_at(program, trail[back]).after >> number & 1,
                          "seed %lu: word %u reads register %u, which is dead after word %u", seed, word, number,
                          trail[back]);
                if (isa_program_at(program, TEXT + 4 * trail[back])->writes >> number & 1)
                    break;
            }
        }
        trail[steps] = word;
        pc = go_on(program, pc, stack, &depth, random);
    }
    return dead;
}

Test(live_registers, are_all_that_a_thread_reads_later)
{
    uint32_t words[WORDS], dead = 0;
    for (uint64_t seed = 1; seed <= PROGRAMS; seed++) {
        uint64_t random = seed * UINT64_C(0x9E3779B97F4A7C15);
        for (uint32_t at = 0; at < WORDS; at++)
            words[at] = random_word(&random, at);
        words[WORDS - 1] = RETURN_WORD;
        isa_program *program = analysed(words, WORDS);
        for (uint32_t walk = 0; walk < WALKS; walk++)
            dead += walk_once(program, &random, seed);
        isa_program_free(program);
    }
    cr_expect_gt(dead, PROGRAMS);
}
