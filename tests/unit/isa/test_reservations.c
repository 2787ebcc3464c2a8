/* SPDX-License-Identifier: MIT */
/* Which instructions stand between a load reserved and its store conditional. */
#include "assemble.h"
#include "loading.h"
#include "reservations.h"

#include <criterion/criterion.h>

#define LR WORD(LR_W, .rd = 12, .rs1 = 10)
#define SC WORD(SC_W, .rd = 13, .rs1 = 10, .rs2 = 14)
#define LOAD WORD(LW, .rd = 15, .rs1 = 11)

/* Bit i: word i. */
static uint32_t reserved(const uint32_t *words, uint32_t count)
{
    isa_program *program = load_words(words, count);
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++)
        found |= (uint32_t)((program->instructions[i].flags & ISA_FLAG_RESERVED) != 0) << i;
    isa_program_free(program);
    return found;
}
#define RESERVED(...) reserved((const uint32_t[]){__VA_ARGS__}, COUNT_OF(((const uint32_t[]){__VA_ARGS__})))

Test(reservations, reach_from_behind_the_load_to_the_store)
{
    cr_expect_eq(RESERVED(NOP_WORD, LR, BRANCH_WORD(8), SC, BRANCH_WORD(-12), RETURN_WORD), 0x0C);
    cr_expect_eq(RESERVED(LR, BRANCH_WORD(0), NOP_WORD, SC, RETURN_WORD), 0x0E);
    cr_expect_eq(RESERVED(LR, SC, LR, NOP_WORD, SC, RETURN_WORD), 0x1A);
}

Test(reservations, a_load_without_its_store_has_none)
{
    cr_expect_eq(RESERVED(LR, BRANCH_WORD(-4), RETURN_WORD), 0);
    cr_expect_eq(RESERVED(LR, LOAD, SC, RETURN_WORD), 0);
    cr_expect_eq(RESERVED(LR, CALL_WORD(8), SC, RETURN_WORD), 0);
    cr_expect_eq(RESERVED(SC, LR, RETURN_WORD), 0);
}

Test(reservations, are_no_longer_than_a_constrained_loop)
{
    for (uint32_t between = 14; between <= 15; between++) {
        uint32_t words[20];
        for (uint32_t i = 0; i < 20; i++)
            words[i] = NOP_WORD;
        words[0] = LR;
        words[between + 1] = SC;
        words[19] = RETURN_WORD;
        cr_expect_eq(reserved(words, 20), between == 14 ? 0xFFFEu : 0u, "%u between", between);
    }
}

/* A program that has been changed is analysed once more. */
Test(reservations, are_found_anew_in_changed_code)
{
    const uint32_t words[] = {LR, NOP_WORD, SC, RETURN_WORD};
    char error[256] = "";
    isa_program *program = load_words(words, COUNT_OF(words));
    program->instructions[2] = program->instructions[1];
    cr_assert_not(isa_program_analyse(program, error, sizeof error), "%s", error);
    for (uint32_t i = 0; i < COUNT_OF(words); i++)
        cr_expect_not(program->instructions[i].flags & ISA_FLAG_RESERVED, "word %u", i);
    isa_program_free(program);
}
