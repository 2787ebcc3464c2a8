/* SPDX-License-Identifier: MIT */
/* What the usual number of random sequences executes, and that nothing is exempt from the comparison without need. */
#include "assemble.h"
#include "oracle.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>

#define SEQUENCES 5000u
#define ENOUGH_LANES 500u
#define SOME_LANES 20u

static coverage covered;

static void run_sequences(void)
{
    static sequence s;
    static subject run;
    for (uint64_t seed = 1; seed <= SEQUENCES; seed++) {
        sequence_make(&s, seed);
        subject_run(&run, &s, MAX_STEPS, &covered);
    }
}

TestSuite(isa_oracle_coverage, .init = run_sequences);

Test(isa_oracle_coverage, every_operation_that_is_not_exempt_is_executed)
{
    for (uint32_t operation = 0; operation < ISA_OP_ILLEGAL; operation++)
        cr_expect(operation_is_exempt(operation) || covered.executed[operation] >= ENOUGH_LANES,
                  "%s: executed by %" PRIu64 " lanes only", isa_mnemonic(operation), covered.executed[operation]);
    printf("%" PRIu64 " lanes stopped at instructions that are exempt\n", covered.exempt);
}

static int rounds(uint32_t operation)
{
    switch (isa_encodings[operation].form) {
    case ISA_FORM_FLOAT_FUSED:
    case ISA_FORM_FLOAT_ROUNDED:
    case ISA_FORM_FLOAT_UNARY:
    case ISA_FORM_FLOAT_TO_INTEGER:
    case ISA_FORM_INTEGER_TO_FLOAT: return 1;
    default: return 0;
    }
}

Test(isa_oracle_coverage, every_operation_that_rounds_does_so_in_every_mode_of_its_own_and_of_the_lane)
{
    for (uint32_t operation = 0; operation < ISA_OP_ILLEGAL; operation++)
        for (uint32_t mode = 0; rounds(operation) && mode <= ISA_ROUND_NEAREST_MAX; mode++)
            for (uint32_t dynamic = 0; dynamic < 2; dynamic++)
                cr_expect(covered.rounded[operation][dynamic][mode] >= SOME_LANES,
                          "%s in %s mode %u: %" PRIu64 " lanes", isa_mnemonic(operation),
                          dynamic ? "dynamic" : "static", mode, covered.rounded[operation][dynamic][mode]);
}

/* Flags that an operation can raise. Not those of fmin.s and fmax.s: only signalling NaNs raise one, and are exempt. */
static uint32_t possible_flags(uint32_t operation)
{
    const uint32_t sum = ISA_FLOAT_INVALID | ISA_FLOAT_OVERFLOW | ISA_FLOAT_INEXACT;
    switch (operation) {
    case ISA_OP_FADD_S:
    case ISA_OP_FSUB_S: return sum;
    case ISA_OP_FDIV_S: return sum | ISA_FLOAT_UNDERFLOW | ISA_FLOAT_DIVIDE_BY_ZERO;
    case ISA_OP_FMUL_S:
    case ISA_OP_FMADD_S:
    case ISA_OP_FMSUB_S:
    case ISA_OP_FNMSUB_S:
    case ISA_OP_FNMADD_S: return sum | ISA_FLOAT_UNDERFLOW;
    case ISA_OP_FSQRT_S:
    case ISA_OP_FCVT_W_S:
    case ISA_OP_FCVT_WU_S: return ISA_FLOAT_INVALID | ISA_FLOAT_INEXACT;
    case ISA_OP_FCVT_S_W:
    case ISA_OP_FCVT_S_WU: return ISA_FLOAT_INEXACT;
    case ISA_OP_FEQ_S:
    case ISA_OP_FLT_S:
    case ISA_OP_FLE_S: return ISA_FLOAT_INVALID;
    default: return 0;
    }
}

Test(isa_oracle_coverage, every_float_operation_raises_the_flags_it_can_and_no_other)
{
    for (uint32_t operation = ISA_OP_FMADD_S; operation <= ISA_OP_FMV_W_X; operation++)
        for (uint32_t flag = 0; flag < 5; flag++) {
            int possible = possible_flags(operation) >> flag & 1;
            uint64_t lanes = covered.raised[operation][flag];
            cr_expect(possible ? lanes >= SOME_LANES : lanes == 0, "%s raises flag %u in %" PRIu64 " lanes",
                      isa_mnemonic(operation), flag, lanes);
        }
}

/* One float instruction that is exempt, on both sides. */
typedef struct exempt_case {
    uint32_t operation;
    uint32_t operands[3];
    uint32_t result, flags;               /* as the manual says; tests/unit/isa/float_vectors.c has them too */
    uint32_t oracle_result, oracle_flags; /* as Unicorn says */
} exempt_case;

static const exempt_case exempt_cases[] = {
    {ISA_OP_FMIN_S, {0x3F800000, 0x7F800001}, 0x3F800000, ISA_FLOAT_INVALID, 0x7FC00000, ISA_FLOAT_INVALID},
    {ISA_OP_FMAX_S, {0x7F800001, 0x3F800000}, 0x3F800000, ISA_FLOAT_INVALID, 0x7FC00000, ISA_FLOAT_INVALID},
    {ISA_OP_FMADD_S, {0x7F800000, 0, 0x7FC12345}, 0x7FC00000, ISA_FLOAT_INVALID, 0x7FC00000, 0},
    {ISA_OP_FMSUB_S, {0, 0x7F800000, 0x7FC12345}, 0x7FC00000, ISA_FLOAT_INVALID, 0x7FC00000, 0},
    {ISA_OP_FNMSUB_S, {0x7F800000, 0, 0x7FC12345}, 0x7FC00000, ISA_FLOAT_INVALID, 0x7FC00000, 0},
    {ISA_OP_FNMADD_S, {0, 0x7F800000, 0x7FC12345}, 0x7FC00000, ISA_FLOAT_INVALID, 0x7FC00000, 0},
};

static sequence sequence_of(const exempt_case *e)
{
    sequence s = {.lanes = 1, .mask = 1, .count = 1};
    word_fields fields = {.rd = 1, .rs1 = 2, .rs2 = 3, .rs3 = 4};
    s.words[0] = encode((enum isa_operation)e->operation, fields);
    for (uint32_t i = 0; i < 3; i++)
        s.registers[32 + 2 + i] = e->operands[i];
    return s;
}

Test(isa_oracle, what_is_exempt_is_what_the_oracle_answers_against_the_manual)
{
    oracle *o = oracle_create();
    cr_assert(o);
    for (uint32_t i = 0; i < COUNT_OF(exempt_cases); i++) {
        const exempt_case *e = &exempt_cases[i];
        sequence s = sequence_of(e);
        isa_lanes lanes = {.registers = s.registers, .fcsr = s.fcsr, .lanes = 1};
        isa_instruction instruction = isa_decode(s.words[0]);
        oracle_lane expected;
        oracle_load(o, &s);
        oracle_run(o, &s, 0, 1, &expected);
        cr_expect(instruction_is_exempt(&instruction, &lanes, 0), "case %u", i);
        isa_execute(&instruction, CODE_PAGE, &lanes, 1);
        cr_expect_eq(s.registers[33], e->result, "case %u gives %08x", i, s.registers[33]);
        cr_expect_eq(s.fcsr[0], e->flags, "case %u sets %02x", i, s.fcsr[0]);
        cr_expect_eq(expected.registers[33], e->oracle_result, "case %u: oracle %08x", i, expected.registers[33]);
        cr_expect_eq(expected.fcsr, e->oracle_flags, "case %u: oracle sets %02x", i, expected.fcsr);
    }
    oracle_destroy(o);
}
