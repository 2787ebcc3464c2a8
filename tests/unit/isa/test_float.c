/* SPDX-License-Identifier: MIT */
#include "assemble.h"
#include "float_scalar.h"
#include "vectors.h"

#include <criterion/criterion.h>
#include <string.h>

/* The register file halves an instruction's operands come from. */
static uint32_t bank(uint64_t set, uint32_t number)
{
    return set >> (number + 32) & 1 ? number + 32 : number;
}

static isa_instruction instruction_of(const float_vector *vector, uint32_t rounding)
{
    return isa_decode(encode((enum isa_operation)vector->operation,
                             (word_fields){.rd = 5, .rs1 = 6, .rs2 = 7, .rs3 = 8, .rounding = rounding}));
}

static void set_operands(warp *w, const isa_instruction *instruction, const float_vector *vector)
{
    warp_set(w, bank(instruction->reads, 6), vector->a);
    warp_set(w, 32 + 7, vector->b);
    warp_set(w, 32 + 8, vector->c);
}

static void check_vector(const float_vector *vector, uint32_t rounding, uint8_t frm, uint32_t lanes, uint64_t mask)
{
    warp w;
    warp_init(&w, lanes);
    isa_instruction instruction = instruction_of(vector, rounding);
    uint32_t rd = bank(instruction.writes, 5);
    set_operands(&w, &instruction, vector);
    memset(w.fcsr, frm << 5, lanes);
    cr_assert_eq(isa_execute(&instruction, TEXT, &w.lanes, mask), 0);
    for (uint32_t lane = 0; lane < lanes; lane++) {
        int active = mask >> lane & 1;
        cr_expect_eq(*warp_register(&w, rd, lane), active ? vector->result : warp_pattern(rd, lane),
                     "%s %08x %08x %08x mode %u gives %08x, not %08x, in lane %u", isa_mnemonic(vector->operation),
                     vector->a, vector->b, vector->c, vector->mode, *warp_register(&w, rd, lane), vector->result, lane);
        cr_expect_eq(w.fcsr[lane], frm << 5 | (active ? vector->flags : 0),
                     "%s %08x %08x %08x mode %u sets %02x, not %02x, in lane %u", isa_mnemonic(vector->operation),
                     vector->a, vector->b, vector->c, vector->mode, w.fcsr[lane], vector->flags, lane);
    }
}

static int has_rounding_mode(const float_vector *vector)
{
    uint32_t form = isa_encodings[vector->operation].form;
    return form == ISA_FORM_FLOAT_FUSED || form == ISA_FORM_FLOAT_ROUNDED || form == ISA_FORM_FLOAT_UNARY ||
           form == ISA_FORM_FLOAT_TO_INTEGER || form == ISA_FORM_INTEGER_TO_FLOAT;
}

Test(floats, give_what_the_manual_says_in_every_rounding_mode)
{
    for (uint32_t i = 0; i < float_vector_count; i++)
        check_vector(&float_vectors[i], float_vectors[i].mode, 0, 32, UINT32_MAX);
}

Test(floats, take_the_mode_of_the_lane_where_the_instruction_says_dynamic)
{
    for (uint32_t i = 0; i < float_vector_count; i++)
        if (has_rounding_mode(&float_vectors[i]))
            check_vector(&float_vectors[i], ISA_ROUND_DYNAMIC, (uint8_t)float_vectors[i].mode, 32, UINT32_MAX);
}

Test(floats, leave_inactive_lanes_and_their_flags_alone)
{
    for (uint32_t i = 0; i < float_vector_count; i++) {
        check_vector(&float_vectors[i], float_vectors[i].mode, 0, 32, 0x80F10007);
        check_vector(&float_vectors[i], float_vectors[i].mode, 0, 64, UINT64_C(0x8000000180000001));
        check_vector(&float_vectors[i], float_vectors[i].mode, 0, 3, 5);
    }
}

Test(floats, flags_add_up)
{
    warp w;
    warp_init(&w, 32);
    warp_set(&w, 38, 0x3F800000);
    warp_set(&w, 39, 0x40400000);
    memset(w.fcsr, ISA_FLOAT_OVERFLOW, 32);
    isa_instruction third = isa_decode(WORD(FDIV_S, .rd = 5, .rs1 = 6, .rs2 = 7));
    isa_execute(&third, TEXT, &w.lanes, 1);
    cr_expect_eq(w.fcsr[0], ISA_FLOAT_OVERFLOW | ISA_FLOAT_INEXACT);
    cr_expect_eq(w.fcsr[1], ISA_FLOAT_OVERFLOW);
}

Test(floats, lanes_round_in_their_own_modes)
{
    static const uint32_t expected[5] = {0x3F800000, 0x3F800000, 0x3F800000, 0x3F800001, 0x3F800001};
    warp w;
    warp_init(&w, 5);
    warp_set(&w, 38, 0x3F800000);
    warp_set(&w, 39, 0x33800000);
    for (uint8_t lane = 0; lane < 5; lane++)
        w.fcsr[lane] = (uint8_t)(lane << 5);
    isa_instruction sum = isa_decode(WORD(FADD_S, .rd = 5, .rs1 = 6, .rs2 = 7, .rounding = ISA_ROUND_DYNAMIC));
    cr_expect_eq(isa_execute(&sum, TEXT, &w.lanes, 31), 0);
    for (uint32_t lane = 0; lane < 5; lane++)
        cr_expect_eq(*warp_register(&w, 37, lane), expected[lane], "lane %u", lane);
}

Test(floats, a_reserved_dynamic_mode_is_illegal_in_its_lanes_only)
{
    warp w;
    warp_init(&w, 32);
    w.fcsr[3] = 5 << 5;
    w.fcsr[4] = 7 << 5;
    w.fcsr[5] = 6 << 5;
    isa_instruction sum = isa_decode(WORD(FADD_S, .rd = 5, .rs1 = 6, .rs2 = 7, .rounding = ISA_ROUND_DYNAMIC));
    isa_instruction fixed = isa_decode(WORD(FADD_S, .rd = 5, .rs1 = 6, .rs2 = 7, .rounding = ISA_ROUND_UP));
    cr_expect_eq(isa_execute(&sum, TEXT, &w.lanes, 0xFFFFFFDF), 1 << 3 | 1 << 4);
    cr_expect_eq(*warp_register(&w, 37, 3), warp_pattern(37, 3));
    cr_expect_neq(*warp_register(&w, 37, 2), warp_pattern(37, 2));
    cr_expect_eq(isa_execute(&fixed, TEXT, &w.lanes, UINT32_MAX), 0);
}

/* Operands near each other, near the ends of the range, and anywhere. */
static uint32_t random_operand(uint64_t *random)
{
    static const uint32_t corner[] = {0x00000000, 0x00000001, 0x007FFFFF, 0x00800000, 0x00800001, 0x3F800000,
                                      0x3F7FFFFF, 0x7F7FFFFF, 0x7F800000, 0x7F800001, 0x7FC00000, 0x4B800000};
    uint64_t bits = next_random(random);
    uint32_t sign = (uint32_t)(bits >> 63) << 31;
    switch (bits & 7) {
    case 0: return corner[(bits >> 8) % COUNT_OF(corner)] | sign;
    case 1: return (uint32_t)(bits >> 20);
    case 2: return (uint32_t)(bits >> 20 & 0x01FFFFFF) | sign;
    case 3: return 0x7E000000 + (uint32_t)(bits >> 20 & 0x01FFFFFF) + sign;
    default: return 0x3E000000 + (uint32_t)(bits >> 20 & 0x03FFFFFF) + sign;
    }
}

Test(floats, all_lanes_at_once_and_one_by_one_agree)
{
    const uint64_t seed = 20240611;
    uint64_t random = seed;
    for (uint32_t round = 0; round < 3000; round++) {
        warp w;
        warp_init(&w, 32);
        const float_vector *vector = &float_vectors[next_random(&random) % float_vector_count];
        uint32_t mode = round & 1 ? ISA_ROUND_TO_ZERO : ISA_ROUND_NEAREST_EVEN;
        isa_instruction instruction = instruction_of(vector, mode);
        uint32_t rd = bank(instruction.writes, 5);
        for (uint32_t lane = 0; lane < 32; lane++) {
            *warp_register(&w, bank(instruction.reads, 6), lane) = random_operand(&random);
            *warp_register(&w, 39, lane) = random_operand(&random);
            *warp_register(&w, 40, lane) = random_operand(&random);
        }
        isa_execute(&instruction, TEXT, &w.lanes, UINT32_MAX);
        for (uint32_t lane = 0; lane < 32; lane++) {
            uint8_t flags = 0;
            uint32_t a = *warp_register(&w, bank(instruction.reads, 6), lane);
            uint32_t b = instruction.rs2 == ISA_NO_REGISTER ? 0 : *warp_register(&w, 39, lane);
            uint32_t c = instruction.rs3 == ISA_NO_REGISTER ? 0 : *warp_register(&w, 40, lane);
            uint32_t result = isa_float_scalar(instruction.operation, a, b, c, mode, &flags);
            cr_assert_eq(*warp_register(&w, rd, lane), result, "%s %08x %08x %08x: %08x, not %08x, seed %lu",
                         isa_mnemonic(instruction.operation), a, b, c, *warp_register(&w, rd, lane), result,
                         (unsigned long)seed);
            cr_assert_eq(w.fcsr[lane], flags, "%s %08x %08x %08x: flags %02x, not %02x, seed %lu",
                         isa_mnemonic(instruction.operation), a, b, c, w.fcsr[lane], flags, (unsigned long)seed);
        }
    }
}
