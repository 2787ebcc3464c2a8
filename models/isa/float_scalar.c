/* SPDX-License-Identifier: MIT */
#include "float_scalar.h"

#include "instruction.h"

#include <math.h>

static int is_nan(uint32_t a)
{
    return (a & ~FLOAT_SIGN) > FLOAT_INFINITY;
}

static int is_signalling(uint32_t a)
{
    return is_nan(a) && !(a & FLOAT_QUIET);
}

static int is_infinite(uint32_t a)
{
    return (a & ~FLOAT_SIGN) == FLOAT_INFINITY;
}

static int is_zero(uint32_t a)
{
    return !(a & ~FLOAT_SIGN);
}

/* Drops `shift` (1..63) bits of a magnitude. *inexact is set if they were not all zero. */
static uint64_t round_shift(uint64_t magnitude, uint32_t shift, uint32_t negative, uint32_t mode, int *inexact)
{
    uint64_t kept = magnitude >> shift;
    uint64_t rest = magnitude & ((UINT64_C(1) << shift) - 1);
    uint64_t half = UINT64_C(1) << (shift - 1);
    *inexact = rest != 0;
    switch (mode) {
    case ISA_ROUND_NEAREST_EVEN: return kept + (rest > half || (rest == half && kept & 1));
    case ISA_ROUND_NEAREST_MAX: return kept + (rest >= half);
    case ISA_ROUND_DOWN: return kept + (negative && rest);
    case ISA_ROUND_UP: return kept + (!negative && rest);
    default: return kept;
    }
}

static uint32_t overflow(uint32_t negative, uint32_t mode, uint8_t *flags)
{
    int to_infinity = mode == ISA_ROUND_NEAREST_EVEN || mode == ISA_ROUND_NEAREST_MAX ||
                      mode == (negative ? ISA_ROUND_DOWN : ISA_ROUND_UP);
    *flags |= ISA_FLOAT_OVERFLOW | ISA_FLOAT_INEXACT;
    return (to_infinity ? FLOAT_INFINITY : FLOAT_MAX) | negative << 31;
}

/* Below the smallest normal number; tininess is detected after rounding. */
static uint32_t round_tiny(uint64_t mantissa, int exponent, uint32_t negative, uint32_t mode, uint8_t *flags)
{
    int inexact, unused;
    uint32_t shift = 29 + (uint32_t)(-126 - exponent);
    uint64_t kept = round_shift(mantissa, shift < 60 ? shift : 60, negative, mode, &inexact);
    int reaches_normal = exponent == -127 && round_shift(mantissa, 29, negative, mode, &unused) == UINT64_C(1) << 24;
    if (inexact)
        *flags |= ISA_FLOAT_INEXACT | (reaches_normal ? 0 : ISA_FLOAT_UNDERFLOW);
    return (uint32_t)kept | negative << 31;
}

/* The rounding to single of an exact value, or of one rounded to odd. */
static uint32_t round_to_single(double value, uint32_t mode, uint8_t *flags)
{
    uint64_t bits = double_to_bits(value);
    uint32_t negative = (uint32_t)(bits >> 63);
    int exponent = (int)(bits >> 52 & 0x7FF) - 1023;
    uint64_t mantissa = (bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
    int inexact;
    if (value == 0)
        return negative << 31;
    if (exponent == 1024)
        return FLOAT_INFINITY | negative << 31;
    if (exponent < -126)
        return round_tiny(mantissa, exponent, negative, mode, flags);
    uint64_t kept = round_shift(mantissa, 29, negative, mode, &inexact);
    if (kept >> 24) {
        kept >>= 1;
        exponent++;
    }
    if (exponent > 127)
        return overflow(negative, mode, flags);
    *flags |= inexact ? ISA_FLOAT_INEXACT : 0;
    return (negative << 31) + ((uint32_t)(exponent + 127) << 23) + (uint32_t)(kept - (UINT32_C(1) << 23));
}

/* a + b rounded to odd; the sign of an exact zero follows the mode. */
static double add_to_odd(double a, double b, uint32_t mode)
{
    double sum = a + b;
    if (sum == 0)
        return signbit(a) && signbit(b) ? -0.0 : signbit(a) || signbit(b) ? (mode == ISA_ROUND_DOWN ? -0.0 : 0.0) : 0.0;
    if (!isfinite(sum))
        return sum;
    double error = sum_error(a, b, sum);
    uint64_t bits = double_to_bits(sum);
    if (error == 0 || bits & 1)
        return sum;
    return double_from_bits((error > 0) == (sum > 0) ? bits + 1 : bits - 1);
}

static uint32_t invalid(uint8_t *flags)
{
    *flags |= ISA_FLOAT_INVALID;
    return FLOAT_NAN;
}

static uint32_t nan_of(uint32_t a, uint32_t b, uint32_t c, uint8_t *flags)
{
    if (is_signalling(a) || is_signalling(b) || is_signalling(c))
        *flags |= ISA_FLOAT_INVALID;
    return FLOAT_NAN;
}

static uint32_t add(uint32_t a, uint32_t b, uint32_t mode, uint8_t *flags)
{
    if (is_nan(a) || is_nan(b))
        return nan_of(a, b, 0, flags);
    if (is_infinite(a) && is_infinite(b) && a != b)
        return invalid(flags);
    return round_to_single(add_to_odd(float_from_bits(a), float_from_bits(b), mode), mode, flags);
}

static uint32_t multiply(uint32_t a, uint32_t b, uint32_t mode, uint8_t *flags)
{
    if (is_nan(a) || is_nan(b))
        return nan_of(a, b, 0, flags);
    if ((is_infinite(a) && is_zero(b)) || (is_zero(a) && is_infinite(b)))
        return invalid(flags);
    return round_to_single((double)float_from_bits(a) * float_from_bits(b), mode, flags);
}

static uint32_t multiply_add(uint32_t a, uint32_t b, uint32_t c, uint32_t mode, uint8_t *flags)
{
    if ((is_infinite(a) && is_zero(b)) || (is_zero(a) && is_infinite(b)))
        return invalid(flags);
    if (is_nan(a) || is_nan(b) || is_nan(c))
        return nan_of(a, b, c, flags);
    double product = (double)float_from_bits(a) * float_from_bits(b);
    if (isinf(product) && is_infinite(c) && !!signbit(product) != c >> 31)
        return invalid(flags);
    return round_to_single(add_to_odd(product, float_from_bits(c), mode), mode, flags);
}

/* |a| = mantissa * 2^exponent with a mantissa of 24 bits; a is finite and not zero. */
static uint64_t mantissa_of(uint32_t a, int *exponent)
{
    uint32_t mantissa = a & 0x7FFFFF;
    int biased = (int)(a >> 23 & 0xFF);
    if (biased) {
        *exponent = biased - 150;
        return mantissa | UINT32_C(1) << 23;
    }
    int shift = __builtin_clz(mantissa) - 8;
    *exponent = -149 - shift;
    return (uint64_t)mantissa << shift;
}

static double scale(uint64_t mantissa, int exponent)
{
    return (double)mantissa * double_from_bits((uint64_t)(exponent + 1023) << 52);
}

static uint32_t divide(uint32_t a, uint32_t b, uint32_t mode, uint8_t *flags)
{
    uint32_t sign = (a ^ b) & FLOAT_SIGN;
    int exponent_a, exponent_b;
    if (is_nan(a) || is_nan(b))
        return nan_of(a, b, 0, flags);
    if ((is_infinite(a) && is_infinite(b)) || (is_zero(a) && is_zero(b)))
        return invalid(flags);
    if (is_infinite(a))
        return FLOAT_INFINITY | sign;
    if (is_infinite(b) || is_zero(a))
        return sign;
    if (is_zero(b)) {
        *flags |= ISA_FLOAT_DIVIDE_BY_ZERO;
        return FLOAT_INFINITY | sign;
    }
    uint64_t dividend = mantissa_of(a, &exponent_a) << 39;
    uint64_t divisor = mantissa_of(b, &exponent_b);
    uint64_t quotient = dividend / divisor << 1 | (dividend % divisor != 0);
    double value = scale(quotient, exponent_a - exponent_b - 40);
    return round_to_single(sign ? -value : value, mode, flags);
}

static uint64_t integer_root(uint64_t square)
{
    uint64_t root = (uint64_t)sqrt((double)square);
    while (root * root > square)
        root--;
    while ((root + 1) * (root + 1) <= square)
        root++;
    return root;
}

static uint32_t square_root(uint32_t a, uint32_t mode, uint8_t *flags)
{
    int exponent;
    if (is_nan(a))
        return nan_of(a, 0, 0, flags);
    if (is_zero(a))
        return a;
    if (a & FLOAT_SIGN)
        return invalid(flags);
    if (is_infinite(a))
        return a;
    uint64_t mantissa = mantissa_of(a, &exponent);
    if (exponent & 1) {
        mantissa <<= 1;
        exponent--;
    }
    uint64_t square = mantissa << 38;
    uint64_t root = integer_root(square);
    return round_to_single(scale(root << 1 | (root * root != square), (exponent - 38) / 2 - 1), mode, flags);
}

static uint32_t to_integer(uint32_t a, int is_signed, uint32_t mode, uint8_t *flags)
{
    uint32_t negative = a >> 31;
    uint64_t positive_limit = is_signed ? INT32_MAX : UINT32_MAX;
    uint64_t negative_limit = is_signed ? UINT64_C(0x80000000) : 0;
    int biased = (int)(a >> 23 & 0xFF);
    uint64_t magnitude = (a & 0x7FFFFF) | (biased ? UINT32_C(1) << 23 : 0);
    int exponent = (biased ? biased : 1) - 150;
    int inexact = 0;
    if (is_nan(a)) {
        *flags |= ISA_FLOAT_INVALID;
        return (uint32_t)positive_limit;
    }
    if (exponent > 9)
        magnitude = UINT64_C(1) << 33;
    else if (exponent >= 0)
        magnitude <<= exponent;
    else
        magnitude = round_shift(magnitude, exponent < -40 ? 40 : (uint32_t)-exponent, negative, mode, &inexact);
    uint64_t limit = negative ? negative_limit : positive_limit;
    if (magnitude > limit) {
        *flags |= ISA_FLOAT_INVALID;
        return negative ? 0 - (uint32_t)limit : (uint32_t)limit;
    }
    *flags |= inexact ? ISA_FLOAT_INEXACT : 0;
    return negative ? 0 - (uint32_t)magnitude : (uint32_t)magnitude;
}

static uint32_t minimum_maximum(uint32_t a, uint32_t b, int maximum, uint8_t *flags)
{
    if (is_signalling(a) || is_signalling(b))
        *flags |= ISA_FLOAT_INVALID;
    if (is_nan(a))
        return is_nan(b) ? FLOAT_NAN : b;
    if (is_nan(b))
        return a;
    /* As sign-magnitude integers, with -0 below +0. */
    int32_t key_a = (int32_t)(a ^ (a >> 31 ? ~FLOAT_SIGN : 0));
    int32_t key_b = (int32_t)(b ^ (b >> 31 ? ~FLOAT_SIGN : 0));
    return (key_a < key_b) != maximum ? a : b;
}

static uint32_t compare(uint32_t operation, uint32_t a, uint32_t b, uint8_t *flags)
{
    if (is_nan(a) || is_nan(b)) {
        if (operation != ISA_OP_FEQ_S || is_signalling(a) || is_signalling(b))
            *flags |= ISA_FLOAT_INVALID;
        return 0;
    }
    float x = float_from_bits(a), y = float_from_bits(b);
    return operation == ISA_OP_FEQ_S ? x == y : operation == ISA_OP_FLT_S ? x < y : x <= y;
}

static uint32_t classify(uint32_t a)
{
    uint32_t negative = a >> 31;
    uint32_t magnitude = a & ~FLOAT_SIGN;
    if (is_nan(a))
        return is_signalling(a) ? 1u << 8 : 1u << 9;
    if (magnitude == FLOAT_INFINITY)
        return negative ? 1u << 0 : 1u << 7;
    if (magnitude >= FLOAT_MIN_NORMAL)
        return negative ? 1u << 1 : 1u << 6;
    if (magnitude)
        return negative ? 1u << 2 : 1u << 5;
    return negative ? 1u << 3 : 1u << 4;
}

uint32_t isa_float_scalar(uint32_t operation, uint32_t a, uint32_t b, uint32_t c, uint32_t mode, uint8_t *flags)
{
    switch (operation) {
    case ISA_OP_FADD_S: return add(a, b, mode, flags);
    case ISA_OP_FSUB_S: return add(a, b ^ FLOAT_SIGN, mode, flags);
    case ISA_OP_FMUL_S: return multiply(a, b, mode, flags);
    case ISA_OP_FDIV_S: return divide(a, b, mode, flags);
    case ISA_OP_FSQRT_S: return square_root(a, mode, flags);
    case ISA_OP_FMADD_S: return multiply_add(a, b, c, mode, flags);
    case ISA_OP_FMSUB_S: return multiply_add(a, b, c ^ FLOAT_SIGN, mode, flags);
    case ISA_OP_FNMSUB_S: return multiply_add(a ^ FLOAT_SIGN, b, c, mode, flags);
    case ISA_OP_FNMADD_S: return multiply_add(a ^ FLOAT_SIGN, b, c ^ FLOAT_SIGN, mode, flags);
    case ISA_OP_FSGNJ_S: return (a & ~FLOAT_SIGN) | (b & FLOAT_SIGN);
    case ISA_OP_FSGNJN_S: return (a & ~FLOAT_SIGN) | (~b & FLOAT_SIGN);
    case ISA_OP_FSGNJX_S: return a ^ (b & FLOAT_SIGN);
    case ISA_OP_FMIN_S: return minimum_maximum(a, b, 0, flags);
    case ISA_OP_FMAX_S: return minimum_maximum(a, b, 1, flags);
    case ISA_OP_FCVT_W_S: return to_integer(a, 1, mode, flags);
    case ISA_OP_FCVT_WU_S: return to_integer(a, 0, mode, flags);
    case ISA_OP_FCVT_S_W: return round_to_single((int32_t)a, mode, flags);
    case ISA_OP_FCVT_S_WU: return round_to_single(a, mode, flags);
    case ISA_OP_FEQ_S:
    case ISA_OP_FLT_S:
    case ISA_OP_FLE_S: return compare(operation, a, b, flags);
    case ISA_OP_FCLASS_S: return classify(a);
    default: return a; /* fmv.x.w, fmv.w.x */
    }
}
