/* SPDX-License-Identifier: MIT */
/*
 * Special functions: values by name, errors against the host's long double functions, and one digest of results over all
 * exponents, which is to be the same on every host and with every compiler.
 */
#include "assemble.h"
#include "float_scalar.h"
#include "float_special.h"

#include <criterion/criterion.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>

#define ONE 0x3F800000u
#define MINUS_ONE 0xBF800000u
#define TWO 0x40000000u
#define HALF 0x3F000000u
#define INFINITE 0x7F800000u
#define MINUS_INFINITE 0xFF800000u
#define MINUS_ZERO 0x80000000u
#define NOT_A_NUMBER 0x7FC00000u
#define SMALLEST 0x00000001u
#define LARGEST 0x7F7FFFFFu

static const struct {
    uint32_t operation, a, result;
} values[] = {
    {ISA_OP_SF_RCP, TWO, HALF},
    {ISA_OP_SF_RCP, 0x40400000, 0x3EAAAAAB},
    {ISA_OP_SF_RCP, MINUS_ZERO, MINUS_INFINITE},
    {ISA_OP_SF_RCP, 0, INFINITE},
    {ISA_OP_SF_RCP, MINUS_INFINITE, MINUS_ZERO},
    {ISA_OP_SF_RCP, LARGEST, 0x00200000},
    {ISA_OP_SF_RCP, SMALLEST, INFINITE},
    {ISA_OP_SF_SQRT, 0x40800000, TWO},
    {ISA_OP_SF_SQRT, MINUS_ZERO, MINUS_ZERO},
    {ISA_OP_SF_SQRT, MINUS_ONE, NOT_A_NUMBER},
    {ISA_OP_SF_SQRT, INFINITE, INFINITE},
    {ISA_OP_SF_SQRT, SMALLEST, 0x1A3504F3},
    {ISA_OP_SF_RSQRT, 0x40800000, HALF},
    {ISA_OP_SF_RSQRT, 0, INFINITE},
    {ISA_OP_SF_RSQRT, MINUS_ZERO, MINUS_INFINITE},
    {ISA_OP_SF_RSQRT, MINUS_ONE, NOT_A_NUMBER},
    {ISA_OP_SF_RSQRT, INFINITE, 0},
    {ISA_OP_SF_SIN, 0, 0},
    {ISA_OP_SF_SIN, MINUS_ZERO, MINUS_ZERO},
    {ISA_OP_SF_SIN, SMALLEST, SMALLEST},
    {ISA_OP_SF_SIN, ONE, 0x3F576AA4},
    {ISA_OP_SF_SIN, MINUS_ONE, 0xBF576AA4},
    {ISA_OP_SF_SIN, 0x40490FDB, 0xB3BBBD2E}, /* pi to nearest is above it */
    {ISA_OP_SF_SIN, LARGEST, 0xBF0599B3},
    {ISA_OP_SF_SIN, INFINITE, NOT_A_NUMBER},
    {ISA_OP_SF_COS, 0, ONE},
    {ISA_OP_SF_COS, MINUS_ZERO, ONE},
    {ISA_OP_SF_COS, ONE, 0x3F0A5140},
    {ISA_OP_SF_COS, MINUS_ONE, 0x3F0A5140},
    {ISA_OP_SF_COS, 0x40490FDB, MINUS_ONE},
    {ISA_OP_SF_COS, 0x40000000, 0xBED51133},
    {ISA_OP_SF_COS, MINUS_INFINITE, NOT_A_NUMBER},
    {ISA_OP_SF_EXP2, 0, ONE},
    {ISA_OP_SF_EXP2, MINUS_ZERO, ONE},
    {ISA_OP_SF_EXP2, HALF, 0x3FB504F3},
    {ISA_OP_SF_EXP2, MINUS_ONE, HALF},
    {ISA_OP_SF_EXP2, 0x43000000, INFINITE},
    {ISA_OP_SF_EXP2, 0x42FFFFFF, 0x7F7FFFA7},
    {ISA_OP_SF_EXP2, 0xC3150000, SMALLEST}, /* -149 */
    {ISA_OP_SF_EXP2, 0xC3160000, 0},        /* -150: a tie */
    {ISA_OP_SF_EXP2, MINUS_INFINITE, 0},
    {ISA_OP_SF_EXP2, INFINITE, INFINITE},
    {ISA_OP_SF_LOG2, ONE, 0},
    {ISA_OP_SF_LOG2, TWO, ONE},
    {ISA_OP_SF_LOG2, SMALLEST, 0xC3150000},
    {ISA_OP_SF_LOG2, ONE + 1, 0x3438AA3A},
    {ISA_OP_SF_LOG2, ONE - 1, 0xB3B8AA3C},
    {ISA_OP_SF_LOG2, 0, MINUS_INFINITE},
    {ISA_OP_SF_LOG2, MINUS_ZERO, MINUS_INFINITE},
    {ISA_OP_SF_LOG2, MINUS_ONE, NOT_A_NUMBER},
    {ISA_OP_SF_LOG2, INFINITE, INFINITE},
};

Test(special, values_are_those_of_the_document)
{
    for (uint32_t i = 0; i < COUNT_OF(values); i++) {
        const uint32_t result = isa_float_special(values[i].operation, values[i].a);
        cr_expect_eq(result, values[i].result, "%s of %08x is %08x, not %08x", isa_mnemonic(values[i].operation),
                     values[i].a, result, values[i].result);
    }
    for (uint32_t operation = ISA_OP_SF_RCP; operation <= ISA_OP_SF_LOG2; operation++) {
        cr_expect_eq(isa_float_special(operation, 0x7F800001), NOT_A_NUMBER);
        cr_expect_eq(isa_float_special(operation, 0xFFC12345), NOT_A_NUMBER);
    }
}

static long double host_value(uint32_t operation, long double x)
{
    switch (operation) {
    case ISA_OP_SF_RCP: return 1 / x;
    case ISA_OP_SF_SQRT: return sqrtl(x);
    case ISA_OP_SF_RSQRT: return 1 / sqrtl(x);
    case ISA_OP_SF_SIN: return sinl(x);
    case ISA_OP_SF_COS: return cosl(x);
    case ISA_OP_SF_EXP2: return exp2l(x);
    default: return log2l(x);
    }
}

/* Distance in units of the last place of the single nearest to the exact value. */
static long double error_of(float result, long double exact)
{
    int exponent;
    frexpl(exact, &exponent);
    return fabsl(result - exact) / ldexpl(1, (exponent < -125 ? -125 : exponent) - 24);
}

Test(special, errors_are_at_most_what_the_document_says)
{
    uint64_t random = 1;
    long double worst[ISA_OP_SF_LOG2 - ISA_OP_SF_RCP + 1] = {0};
    for (uint32_t i = 0; i < 2000000; i++) {
        const uint32_t operation = ISA_OP_SF_RCP + i % COUNT_OF(worst);
        uint32_t a = (uint32_t)(next_random(&random) >> 32);
        if (operation == ISA_OP_SF_EXP2 && i & 8)
            a = (a & 0x81FFFFFF) | 0x3E000000 | (a >> 1 & 0x04000000); /* where it is neither 1 nor infinite */
        const uint32_t bits = isa_float_special(operation, a);
        const long double exact = host_value(operation, float_from_bits(a));
        if (!(fabsl(exact) <= FLT_MAX) || bits == INFINITE) {
            cr_assert(fabsl(exact) > 0x1.ffffffp127L || isnan(exact), "%s of %08x", isa_mnemonic(operation), a);
            continue;
        }
        const long double error = error_of(float_from_bits(bits), exact);
        worst[operation - ISA_OP_SF_RCP] = fmaxl(worst[operation - ISA_OP_SF_RCP], error);
    }
    for (uint32_t i = 0; i < COUNT_OF(worst); i++) {
        const uint32_t operation = ISA_OP_SF_RCP + i;
        cr_expect_leq((double)worst[i], operation <= ISA_OP_SF_SQRT ? 0.5L : 0.50001L, "%s: %.9Lf",
                      isa_mnemonic(operation), worst[i]);
        cr_expect_gt((double)worst[i], 0.499, "%s: hardly tried", isa_mnemonic(operation));
    }
}

Test(special, results_are_the_same_on_every_host)
{
    static const uint64_t digests[] = {0xA1D9188E989E8385, 0x1BBFB9E4457FF3D8, 0x7C5B141B22DBAB83, 0x38F60C61F37A111C,
                                       0x3BBCF5B00526FD1D, 0x934CF4A23415BB6B, 0x03D6ED3F405145A9};
    for (uint32_t i = 0; i < COUNT_OF(digests); i++) {
        uint64_t digest = UINT64_C(0xCBF29CE484222325);
        for (uint64_t a = 0; a <= UINT32_MAX; a += 32749)
            digest = (digest ^ isa_float_special(ISA_OP_SF_RCP + i, (uint32_t)a)) * UINT64_C(0x100000001B3);
        cr_expect_eq(digest, digests[i], "%s: 0x%016" PRIX64, isa_mnemonic(ISA_OP_SF_RCP + i), digest);
    }
}

Test(special, inactive_lanes_and_flags_are_left_alone)
{
    warp w;
    const isa_instruction instruction = isa_decode(WORD(SF_RCP, .rd = 5, .rs1 = 6));
    warp_init(&w, 4);
    warp_set(&w, 38, 0x40400000);
    w.fcsr[0] = ISA_ROUND_UP << 5;
    w.fcsr[2] = 7 << 5; /* a reserved mode */
    cr_expect_eq(isa_execute(&instruction, TEXT, &w.lanes, 5), 0);
    for (uint32_t lane = 0; lane < 4; lane++)
        cr_expect_eq(*warp_register(&w, 37, lane), lane & 1 ? warp_pattern(37, lane) : 0x3EAAAAAB);
    cr_expect(w.fcsr[0] == ISA_ROUND_UP << 5 && w.fcsr[2] == 7 << 5);
    cr_expect_eq(instruction.reads, UINT64_C(1) << 38);
    cr_expect_eq(instruction.writes, UINT64_C(1) << 37);
}

Test(special, a_second_operand_is_illegal)
{
    cr_expect_eq(isa_decode(WORD(SF_SIN, .rd = 5, .rs1 = 6) | 1u << 20).operation, ISA_OP_ILLEGAL);
    cr_expect_eq(isa_decode(0x0E00702B).operation, ISA_OP_ILLEGAL, "no eighth function");
}
