/* SPDX-License-Identifier: MIT */
/* The host's own FPU, in the four rounding modes it has, as an independent opinion. It too detects tininess after
 * rounding. Exempt is what IEEE 754 leaves open: the bits of a NaN, and the flag of fma(inf, 0, quiet NaN). */
#include "assemble.h"
#include "float_scalar.h"

#include <criterion/criterion.h>
#include <fenv.h>
#include <math.h>

static const int host_modes[] = {
    [ISA_ROUND_NEAREST_EVEN] = FE_TONEAREST,
    [ISA_ROUND_TO_ZERO] = FE_TOWARDZERO,
    [ISA_ROUND_DOWN] = FE_DOWNWARD,
    [ISA_ROUND_UP] = FE_UPWARD,
};

static float host_result(uint32_t operation, float a_bits, float b_bits, float c_bits)
{
    volatile float a = a_bits, b = b_bits, c = c_bits, result = 0;
    switch (operation) {
    case ISA_OP_FADD_S: result = a + b; break;
    case ISA_OP_FSUB_S: result = a - b; break;
    case ISA_OP_FMUL_S: result = a * b; break;
    case ISA_OP_FDIV_S: result = a / b; break;
    case ISA_OP_FSQRT_S: result = sqrtf(a); break;
    case ISA_OP_FMADD_S: result = fmaf(a, b, c); break;
    case ISA_OP_FMSUB_S: result = fmaf(a, b, -c); break;
    case ISA_OP_FNMSUB_S: result = fmaf(-a, b, c); break;
    default: result = fmaf(-a, b, -c); break;
    }
    return result;
}

static uint8_t host_flags(void)
{
    int raised = fetestexcept(FE_ALL_EXCEPT);
    return (uint8_t)((raised & FE_INEXACT ? ISA_FLOAT_INEXACT : 0) | (raised & FE_UNDERFLOW ? ISA_FLOAT_UNDERFLOW : 0) |
                     (raised & FE_OVERFLOW ? ISA_FLOAT_OVERFLOW : 0) |
                     (raised & FE_DIVBYZERO ? ISA_FLOAT_DIVIDE_BY_ZERO : 0) |
                     (raised & FE_INVALID ? ISA_FLOAT_INVALID : 0));
}

static int is_nan(uint32_t bits)
{
    return (bits & 0x7FFFFFFF) > 0x7F800000;
}

static void compare(uint32_t operation, const uint32_t operand[3], uint32_t mode, uint64_t seed)
{
    uint8_t flags = 0;
    uint32_t result = isa_float_scalar(operation, operand[0], operand[1], operand[2], mode, &flags);
    fesetround(host_modes[mode]);
    feclearexcept(FE_ALL_EXCEPT);
    float host =
        host_result(operation, float_from_bits(operand[0]), float_from_bits(operand[1]), float_from_bits(operand[2]));
    uint8_t expected_flags = host_flags();
    fesetround(FE_TONEAREST);
    uint32_t expected = is_nan(float_to_bits(host)) ? 0x7FC00000 : float_to_bits(host);
    cr_assert_eq(result, expected, "%s %08x %08x %08x mode %u: %08x, host %08x, seed %lu", isa_mnemonic(operation),
                 operand[0], operand[1], operand[2], mode, result, expected, (unsigned long)seed);
    if (is_nan(operand[2]))
        return;
    cr_assert_eq(flags, expected_flags, "%s %08x %08x %08x mode %u: flags %02x, host %02x, seed %lu",
                 isa_mnemonic(operation), operand[0], operand[1], operand[2], mode, flags, expected_flags,
                 (unsigned long)seed);
}

static uint32_t random_operand(uint64_t *random)
{
    static const uint32_t corner[] = {0x00000000, 0x00000001, 0x007FFFFF, 0x00800000, 0x00800001, 0x3F800000,
                                      0x3F7FFFFF, 0x7F7FFFFF, 0x7F800000, 0x7FC00000, 0x3F800001, 0x4B800000};
    uint64_t bits = next_random(random);
    uint32_t sign = (uint32_t)(bits >> 63) << 31;
    switch (bits & 7) {
    case 0: return corner[(bits >> 8) % COUNT_OF(corner)] | sign;
    case 1: return (uint32_t)(bits >> 20);
    case 2: return (uint32_t)(bits >> 20 & 0x01FFFFFF) | sign;
    case 3: return 0x7E000000 + (uint32_t)(bits >> 20 & 0x00FFFFFF) + sign;
    case 4: return (uint32_t)(bits >> 20 & 0x7F800000) | (uint32_t)(bits >> 56 & 3) | sign;
    default: return 0x3E000000 + (uint32_t)(bits >> 20 & 0x03FFFFFF) + sign;
    }
}

Test(floats_and_the_host, agree_in_four_rounding_modes)
{
    static const uint32_t operations[] = {ISA_OP_FADD_S,  ISA_OP_FSUB_S,   ISA_OP_FMUL_S,
                                          ISA_OP_FDIV_S,  ISA_OP_FSQRT_S,  ISA_OP_FMADD_S,
                                          ISA_OP_FMSUB_S, ISA_OP_FNMSUB_S, ISA_OP_FNMADD_S};
    const uint64_t seed = 4711;
    uint64_t random = seed;
    for (uint32_t round = 0; round < 40000; round++) {
        uint32_t operand[3] = {random_operand(&random), random_operand(&random), random_operand(&random)};
        for (uint32_t i = 0; i < COUNT_OF(operations); i++)
            for (uint32_t mode = 0; mode < COUNT_OF(host_modes); mode++)
                compare(operations[i], operand, mode, seed);
    }
}

Test(floats_and_the_host, agree_on_conversions)
{
    const uint64_t seed = 815;
    uint64_t random = seed;
    for (uint32_t round = 0; round < 40000; round++) {
        uint32_t bits = round & 1 ? random_operand(&random) : 0x4A000000 + (uint32_t)(next_random(&random) >> 38);
        volatile uint32_t integer = bits; /* else converted once for all modes */
        volatile float value = float_from_bits(bits);
        for (uint32_t mode = 0; mode < COUNT_OF(host_modes); mode++) {
            uint8_t flags = 0;
            fesetround(host_modes[mode]);
            volatile double rounded = nearbyint(value);
            volatile float from_signed = (float)(int32_t)integer;
            volatile float from_unsigned = (float)integer;
            fesetround(FE_TONEAREST);
            uint32_t to = isa_float_scalar(ISA_OP_FCVT_W_S, bits, 0, 0, mode, &flags);
            uint32_t expected = isnan(rounded)            ? 0x7FFFFFFF
                                : rounded >= 2147483648.0 ? 0x7FFFFFFF
                                : rounded < -2147483648.0 ? 0x80000000
                                                          : (uint32_t)(int32_t)rounded;
            cr_assert_eq(to, expected, "fcvt.w.s %08x mode %u: %08x, host %08x, seed %lu", bits, mode, to, expected,
                         (unsigned long)seed);
            cr_assert_eq(isa_float_scalar(ISA_OP_FCVT_S_W, bits, 0, 0, mode, &flags), float_to_bits(from_signed),
                         "fcvt.s.w %08x mode %u", bits, mode);
            cr_assert_eq(isa_float_scalar(ISA_OP_FCVT_S_WU, bits, 0, 0, mode, &flags), float_to_bits(from_unsigned),
                         "fcvt.s.wu %08x mode %u", bits, mode);
        }
    }
}
