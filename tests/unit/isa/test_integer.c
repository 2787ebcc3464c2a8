/* SPDX-License-Identifier: MIT */
#include "assemble.h"
#include "vectors.h"

#include <criterion/criterion.h>

/* The vector's instruction, x5 = x6 op x7. */
static isa_instruction instruction_of(const integer_vector *vector)
{
    return isa_decode(encode((enum isa_operation)vector->operation,
                             (word_fields){.rd = 5, .rs1 = 6, .rs2 = 7, .immediate = (int32_t)vector->b}));
}

static void check_vector(const integer_vector *vector, uint32_t lanes, uint64_t mask)
{
    warp w;
    warp_init(&w, lanes);
    isa_instruction instruction = instruction_of(vector);
    warp_set(&w, 6, vector->a);
    warp_set(&w, 7, vector->b);
    cr_assert_eq(isa_execute(&instruction, TEXT, &w.lanes, mask), 0);
    for (uint32_t lane = 0; lane < lanes; lane++) {
        uint32_t expected = mask >> lane & 1 ? vector->result : warp_pattern(5, lane);
        cr_expect_eq(*warp_register(&w, 5, lane), expected, "%s 0x%08x, 0x%08x gives 0x%08x in lane %u of %u",
                     isa_mnemonic(vector->operation), vector->a, vector->b, *warp_register(&w, 5, lane), lane, lanes);
    }
}

Test(integer, gives_what_the_manual_says)
{
    for (uint32_t i = 0; i < integer_vector_count; i++)
        check_vector(&integer_vectors[i], 32, UINT32_MAX);
}

Test(integer, leaves_inactive_lanes_alone_in_warps_of_any_size)
{
    static const uint32_t sizes[] = {1, 2, 7, 16, 31, 32, 33, 64};
    for (uint32_t i = 0; i < integer_vector_count; i++)
        for (uint32_t s = 0; s < COUNT_OF(sizes); s++)
            check_vector(&integer_vectors[i], sizes[s],
                         UINT64_C(0xA5F0C3960F5A3C69) & (~UINT64_C(0) >> (64 - sizes[s])));
}

Test(integer, results_may_replace_operands)
{
    warp w;
    warp_init(&w, 32);
    warp_set(&w, 6, 10);
    isa_instruction twice = isa_decode(WORD(ADD, .rd = 6, .rs1 = 6, .rs2 = 6));
    isa_execute(&twice, TEXT, &w.lanes, UINT32_MAX);
    cr_expect_eq(*warp_register(&w, 6, 31), 20);
}

Test(integer, jumps_write_the_address_that_follows)
{
    warp w;
    warp_init(&w, 32);
    isa_instruction call = isa_decode(WORD(JAL, .rd = 1, .immediate = 64));
    isa_instruction indirect = isa_decode(WORD(JALR, .rd = 5, .rs1 = 10));
    isa_execute(&call, TEXT + 8, &w.lanes, 2);
    isa_execute(&indirect, TEXT + 12, &w.lanes, 4);
    cr_expect_eq(*warp_register(&w, 1, 1), TEXT + 12);
    cr_expect_eq(*warp_register(&w, 1, 0), warp_pattern(1, 0));
    cr_expect_eq(*warp_register(&w, 5, 2), TEXT + 16);
}

Test(integer, nothing_writes_x0)
{
    for (uint32_t operation = 0; operation < ISA_OP_ILLEGAL; operation++) {
        warp w;
        warp_init(&w, 32);
        isa_instruction instruction = isa_decode(
            encode((enum isa_operation)operation, (word_fields){.rd = 0, .rs1 = 6, .rs2 = 7, .immediate = 1}));
        if (instruction.instruction_class == ISA_CLASS_CROSS_LANE)
            isa_cross_lane(&instruction, &w.lanes, UINT32_MAX);
        else
            isa_execute(&instruction, TEXT, &w.lanes, UINT32_MAX);
        for (uint32_t lane = 0; lane < 32; lane++)
            cr_expect_eq(*warp_register(&w, 0, lane), 0, "%s writes x0", isa_mnemonic(operation));
    }
}

Test(integer, operations_of_other_classes_change_nothing)
{
    for (uint32_t i = 0; i < word_vector_count; i++) {
        warp before, after;
        isa_instruction instruction = isa_decode(word_vectors[i].word);
        if (instruction.instruction_class <= ISA_CLASS_SPECIAL || instruction.instruction_class == ISA_CLASS_JUMP ||
            instruction.instruction_class == ISA_CLASS_JUMP_REGISTER)
            continue;
        warp_init(&before, 32);
        warp_init(&after, 32);
        cr_expect_eq(isa_execute(&instruction, TEXT, &after.lanes, UINT32_MAX), 0);
        cr_expect_arr_eq(after.registers, before.registers, sizeof after.registers, "%s", word_vectors[i].text);
    }
}

static void check_branch(const integer_vector *vector, uint32_t lanes, uint64_t mask)
{
    warp w;
    warp_init(&w, lanes);
    isa_instruction branch =
        isa_decode(encode((enum isa_operation)vector->operation, (word_fields){.rs1 = 6, .rs2 = 7, .immediate = 8}));
    warp_set(&w, 6, vector->a);
    warp_set(&w, 7, vector->b);
    cr_expect_eq(isa_branch_taken(&branch, &w.lanes, mask), vector->result ? mask : 0, "%s 0x%08x, 0x%08x",
                 isa_mnemonic(vector->operation), vector->a, vector->b);
}

Test(branch, is_taken_by_the_lanes_whose_operands_say_so)
{
    for (uint32_t i = 0; i < branch_vector_count; i++) {
        check_branch(&branch_vectors[i], 32, UINT32_MAX);
        check_branch(&branch_vectors[i], 64, UINT64_C(0xF00000000000000F));
        check_branch(&branch_vectors[i], 5, 0x15);
    }
}

Test(branch, tells_lanes_apart)
{
    warp w;
    uint64_t random = 77, expected = 0;
    warp_init(&w, 64);
    for (uint32_t lane = 0; lane < 64; lane++) {
        uint64_t bit = next_random(&random) & 1;
        expected |= bit << lane;
        *warp_register(&w, 6, lane) = (uint32_t)bit;
        *warp_register(&w, 7, lane) = 1;
    }
    isa_instruction branch = isa_decode(WORD(BEQ, .rs1 = 6, .rs2 = 7, .immediate = 8));
    cr_expect_eq(isa_branch_taken(&branch, &w.lanes, ~UINT64_C(0)), expected);
}
