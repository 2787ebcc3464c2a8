/* SPDX-License-Identifier: MIT */
/*
 * The usual case, round to nearest even, is done for all lanes at once in the host's own single precision, together with
 * whether each lane's result is exact; lanes where more can happen (NaN, infinity, overflow, underflow) are marked and
 * then done one by one (float_scalar.h), as are all lanes in other rounding modes. Conversions to integers are usually
 * towards zero, as C has it.
 */
#include "execute.h"
#include "float_scalar.h"
#include "vector.h"

#include <math.h>

#define NOTE_INEXACT UINT32_C(1)
#define NOTE_SPECIAL UINT32_C(0x80)

static const uint32_t no_operand[ISA_MAX_LANES];

/* Infinite, NaN, or of the largest exponent, where an intermediate sum could overflow. */
#define HUGE_BITS(bits) (((bits) & ~FLOAT_SIGN) >= UINT32_C(0x7F000000))
#define TINY_BITS(bits) (((bits) & ~FLOAT_SIGN) <= FLOAT_MIN_NORMAL)

typedef struct vectors {
    const uint32_t *a;
    const uint32_t *b;
    const uint32_t *c;
    uint32_t *result;
    uint32_t *note;
} vectors;

ISA_INLINE void add_lanes(const vectors *v, uint32_t lanes, uint32_t negate_b)
{
    const uint32_t *bits_a = v->a, *bits_b = v->b;
    uint32_t *result = v->result, *note = v->note;
    for (uint32_t lane = 0; lane < lanes; lane++) {
        float a = float_from_bits(bits_a[lane]);
        float b = float_from_bits(bits_b[lane] ^ negate_b);
        float sum = a + b;
        float b_part = sum - a;
        float error = (a - (sum - b_part)) + (b - b_part);
        uint32_t bits = float_to_bits(sum);
        uint32_t special = HUGE_BITS(bits) | HUGE_BITS(bits_a[lane]) | HUGE_BITS(bits_b[lane]);
        result[lane] = bits;
        note[lane] = special * NOTE_SPECIAL | (error != 0);
    }
}

ISA_INLINE void multiply_lanes(const vectors *v, uint32_t lanes)
{
    const uint32_t *bits_a = v->a, *bits_b = v->b;
    uint32_t *result = v->result, *note = v->note;
    for (uint32_t lane = 0; lane < lanes; lane++) {
        double exact = (double)float_from_bits(bits_a[lane]) * (double)float_from_bits(bits_b[lane]);
        float product = (float)exact;
        uint32_t bits = float_to_bits(product);
        uint32_t inexact = (double)product != exact;
        uint32_t special =
            HUGE_BITS(bits) | HUGE_BITS(bits_a[lane]) | HUGE_BITS(bits_b[lane]) | (TINY_BITS(bits) & inexact);
        result[lane] = bits;
        note[lane] = special * NOTE_SPECIAL | inexact;
    }
}

ISA_INLINE void multiply_add_lanes(const vectors *v, uint32_t lanes, uint32_t negate_product, uint32_t negate_c)
{
    const uint32_t *bits_a = v->a, *bits_b = v->b, *bits_c = v->c;
    uint32_t *result = v->result, *note = v->note;
    for (uint32_t lane = 0; lane < lanes; lane++) {
        double c = (double)float_from_bits(bits_c[lane] ^ negate_c);
        double product = (double)float_from_bits(bits_a[lane] ^ negate_product) * (double)float_from_bits(bits_b[lane]);
        double sum = product + c;
        double error = sum_error(product, c, sum);
        uint64_t sum_bits = double_to_bits(sum);
        uint64_t step = (error > 0) == (sum > 0) ? UINT64_C(1) : UINT64_MAX;
        uint64_t odd_bits = sum_bits + (error != 0 && !(sum_bits & 1) ? step : 0);
        float fused = (float)double_from_bits(odd_bits);
        uint32_t bits = float_to_bits(fused);
        uint32_t inexact = (error != 0) | ((double)fused != sum);
        uint32_t special = HUGE_BITS(bits) | HUGE_BITS(bits_a[lane]) | HUGE_BITS(bits_b[lane]) |
                           HUGE_BITS(bits_c[lane]) | (TINY_BITS(bits) & inexact);
        result[lane] = bits;
        note[lane] = special * NOTE_SPECIAL | inexact;
    }
}

ISA_INLINE void divide_lanes(const vectors *v, uint32_t lanes)
{
    const uint32_t *bits_a = v->a, *bits_b = v->b;
    uint32_t *result = v->result, *note = v->note;
    for (uint32_t lane = 0; lane < lanes; lane++) {
        float a = float_from_bits(bits_a[lane]);
        float b = float_from_bits(bits_b[lane]);
        float quotient = a / b;
        uint32_t bits = float_to_bits(quotient);
        uint32_t inexact = (double)quotient * (double)b != (double)a;
        uint32_t special = HUGE_BITS(bits) | HUGE_BITS(bits_a[lane]) | HUGE_BITS(bits_b[lane]) | (b == 0) |
                           (TINY_BITS(bits) & inexact);
        result[lane] = bits;
        note[lane] = special * NOTE_SPECIAL | inexact;
    }
}

ISA_INLINE void square_root_lanes(const vectors *v, uint32_t lanes)
{
    const uint32_t *bits_a = v->a;
    uint32_t *result = v->result, *note = v->note;
    for (uint32_t lane = 0; lane < lanes; lane++) {
        float a = float_from_bits(bits_a[lane]);
        float root = sqrtf(a);
        result[lane] = float_to_bits(root);
        note[lane] = (HUGE_BITS(bits_a[lane]) | (bits_a[lane] >> 31)) * NOTE_SPECIAL |
                     ((double)root * (double)root != (double)a);
    }
}

ISA_INLINE void from_integer_lanes(const vectors *v, uint32_t lanes, int is_signed)
{
    const uint32_t *a = v->a;
    uint32_t *result = v->result, *note = v->note;
    for (uint32_t lane = 0; lane < lanes; lane++) {
        double exact = (double)(int32_t)a[lane] + (is_signed || (int32_t)a[lane] >= 0 ? 0.0 : 4294967296.0);
        float rounded = (float)exact;
        result[lane] = float_to_bits(rounded);
        note[lane] = (double)rounded != exact;
    }
}

/* Towards zero, as C converts. */
ISA_INLINE void to_integer_lanes(const vectors *v, uint32_t lanes, int is_signed)
{
    const uint32_t *a = v->a;
    uint32_t *result = v->result, *note = v->note;
    for (uint32_t lane = 0; lane < lanes; lane++) {
        uint32_t special = (a[lane] & ~FLOAT_SIGN) >= UINT32_C(0x4F000000) || (!is_signed && a[lane] >> 31);
        float value = float_from_bits(special ? 0 : a[lane]);
        int32_t integer = (int32_t)value;
        result[lane] = (uint32_t)integer;
        note[lane] = special * NOTE_SPECIAL | ((float)integer != value);
    }
}

ISA_INLINE void minimum_lanes(const vectors *v, uint32_t lanes, uint32_t maximum)
{
    const uint32_t *a = v->a, *b = v->b;
    uint32_t *result = v->result, *note = v->note;
    for (uint32_t lane = 0; lane < lanes; lane++) {
        int32_t key_a = (int32_t)(a[lane] ^ ((uint32_t)((int32_t)a[lane] >> 31) & ~FLOAT_SIGN));
        int32_t key_b = (int32_t)(b[lane] ^ ((uint32_t)((int32_t)b[lane] >> 31) & ~FLOAT_SIGN));
        result[lane] = (key_a < key_b) != maximum ? a[lane] : b[lane];
        note[lane] = (HUGE_BITS(a[lane]) | HUGE_BITS(b[lane])) * NOTE_SPECIAL;
    }
}

#define COMPARE_LANES(relation)                                                                                        \
    for (uint32_t lane = 0; lane < lanes; lane++) {                                                                    \
        result[lane] = float_from_bits(a[lane]) relation float_from_bits(b[lane]);                                     \
        note[lane] = (HUGE_BITS(a[lane]) | HUGE_BITS(b[lane])) * NOTE_SPECIAL;                                         \
    }                                                                                                                  \
    return 1

#define EACH_LANE(expression)                                                                                          \
    for (uint32_t lane = 0; lane < lanes; lane++) {                                                                    \
        result[lane] = (expression);                                                                                   \
        note[lane] = 0;                                                                                                \
    }                                                                                                                  \
    return 1

ISA_INLINE int compute_plain(uint32_t operation, const vectors *v, uint32_t lanes)
{
    const uint32_t *a = v->a, *b = v->b;
    uint32_t *result = v->result, *note = v->note;
    switch (operation) {
    case ISA_OP_FSGNJ_S: EACH_LANE((a[lane] & ~FLOAT_SIGN) | (b[lane] & FLOAT_SIGN));
    case ISA_OP_FSGNJN_S: EACH_LANE((a[lane] & ~FLOAT_SIGN) | (~b[lane] & FLOAT_SIGN));
    case ISA_OP_FSGNJX_S: EACH_LANE(a[lane] ^ (b[lane] & FLOAT_SIGN));
    case ISA_OP_FMV_X_W:
    case ISA_OP_FMV_W_X: EACH_LANE(a[lane]);
    case ISA_OP_FEQ_S: COMPARE_LANES(==);
    case ISA_OP_FLT_S: COMPARE_LANES(<);
    case ISA_OP_FLE_S: COMPARE_LANES(<=);
    default: return 0;
    }
}

/* Returns 0 for operations that are always done lane by lane. Rounds to nearest even, to integers towards zero. */
ISA_INLINE int compute(uint32_t operation, const vectors *v, uint32_t lanes)
{
    switch (operation) {
    case ISA_OP_FADD_S: add_lanes(v, lanes, 0); return 1;
    case ISA_OP_FSUB_S: add_lanes(v, lanes, FLOAT_SIGN); return 1;
    case ISA_OP_FMUL_S: multiply_lanes(v, lanes); return 1;
    case ISA_OP_FMADD_S: multiply_add_lanes(v, lanes, 0, 0); return 1;
    case ISA_OP_FMSUB_S: multiply_add_lanes(v, lanes, 0, FLOAT_SIGN); return 1;
    case ISA_OP_FNMSUB_S: multiply_add_lanes(v, lanes, FLOAT_SIGN, 0); return 1;
    case ISA_OP_FNMADD_S: multiply_add_lanes(v, lanes, FLOAT_SIGN, FLOAT_SIGN); return 1;
    case ISA_OP_FDIV_S: divide_lanes(v, lanes); return 1;
    case ISA_OP_FSQRT_S: square_root_lanes(v, lanes); return 1;
    case ISA_OP_FMIN_S: minimum_lanes(v, lanes, 0); return 1;
    case ISA_OP_FMAX_S: minimum_lanes(v, lanes, 1); return 1;
    case ISA_OP_FCVT_S_W: from_integer_lanes(v, lanes, 1); return 1;
    case ISA_OP_FCVT_S_WU: from_integer_lanes(v, lanes, 0); return 1;
    case ISA_OP_FCVT_W_S: to_integer_lanes(v, lanes, 1); return 1;
    case ISA_OP_FCVT_WU_S: to_integer_lanes(v, lanes, 0); return 1;
    default: return compute_plain(operation, v, lanes);
    }
}

/* Lanes of mask that are marked special. */
ISA_INLINE uint64_t special_lanes(const uint32_t *note, uint32_t lanes, uint64_t mask)
{
    uint64_t special = 0;
    for (uint32_t lane = 0; lane < lanes; lane++)
        special |= (uint64_t)(note[lane] >= NOTE_SPECIAL) << lane;
    return special & mask;
}

ISA_INLINE void accrue(const uint32_t *note, uint8_t *fcsr, uint32_t lanes, uint64_t mask)
{
    uint32_t flags[ISA_MAX_LANES] = {0};
    merge_lanes(flags, note, lanes, mask);
    for (uint32_t lane = 0; lane < lanes; lane++)
        fcsr[lane] |= (uint8_t)(flags[lane] & NOTE_INEXACT);
}

/* All lanes of mask at once. *left = lanes whose results need the careful way; the others have theirs. */
ISA_INLINE void execute_lanes(const isa_instruction *instruction, const isa_lanes *lanes, const vectors *v, uint32_t n,
                              uint64_t mask, uint64_t *left)
{
    uint32_t notes = 0;
    *left = mask;
    if (!compute(instruction->operation, v, n))
        return;
    for (uint32_t lane = 0; lane < n; lane++)
        notes |= v->note[lane];
    *left = notes >= NOTE_SPECIAL ? special_lanes(v->note, n, mask) : 0;
    if (notes)
        accrue(v->note, lanes->fcsr, n, mask & ~*left);
    if (instruction->rd != 0)
        merge_lanes(lanes->registers + instruction->rd * n, v->result, n, mask & ~*left);
}

ISA_VECTORIZED static void execute_usual(const isa_instruction *instruction, const isa_lanes *lanes, const vectors *v,
                                         uint64_t mask, uint64_t *left)
{
    execute_lanes(instruction, lanes, v, ISA_USUAL_LANES, mask, left);
}

ISA_VECTORIZED static void execute_any(const isa_instruction *instruction, const isa_lanes *lanes, const vectors *v,
                                       uint64_t mask, uint64_t *left)
{
    execute_lanes(instruction, lanes, v, lanes->lanes, mask, left);
}

/* Lanes of mask whose rounding mode is a reserved one. */
static uint64_t illegal_lanes(const isa_lanes *lanes, uint64_t mask)
{
    uint64_t illegal = 0;
    for (uint32_t lane = 0; lane < lanes->lanes; lane++)
        illegal |= (uint64_t)(lanes->fcsr[lane] >> 5 > ISA_ROUND_NEAREST_MAX) << lane;
    return illegal & mask;
}

/* Do all lanes round as execute_lanes does? *illegal = the lanes that cannot round at all. */
static int usual_rounding(const isa_instruction *instruction, const isa_lanes *lanes, uint64_t mask, uint64_t *illegal)
{
    uint32_t to_integer = instruction->operation == ISA_OP_FCVT_W_S || instruction->operation == ISA_OP_FCVT_WU_S;
    uint32_t mode = instruction->rounding_mode;
    uint32_t other = 0;
    *illegal = 0;
    if (mode != ISA_ROUND_DYNAMIC)
        return mode == (to_integer ? ISA_ROUND_TO_ZERO : ISA_ROUND_NEAREST_EVEN);
    for (uint32_t lane = 0; lane < lanes->lanes; lane++)
        other |= lanes->fcsr[lane] & 0xE0u;
    if (!other)
        return !to_integer;
    *illegal = illegal_lanes(lanes, mask);
    return 0;
}

static void execute_scalar(const isa_instruction *instruction, const isa_lanes *lanes, const vectors *v, uint64_t mask)
{
    uint32_t *rd = lanes->registers + (size_t)instruction->rd * lanes->lanes;
    for (uint64_t left = mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctzll(left);
        uint32_t mode = instruction->rounding_mode;
        if (mode == ISA_ROUND_DYNAMIC)
            mode = lanes->fcsr[lane] >> 5;
        uint32_t result =
            isa_float_scalar(instruction->operation, v->a[lane], v->b[lane], v->c[lane], mode, &lanes->fcsr[lane]);
        if (instruction->rd != 0)
            rd[lane] = result;
    }
}

static const uint32_t *operand(const isa_lanes *lanes, uint8_t number)
{
    return number == ISA_NO_REGISTER ? no_operand : lanes->registers + (size_t)number * lanes->lanes;
}

uint64_t isa_execute_float(const isa_instruction *instruction, isa_lanes *lanes, uint64_t mask)
{
    uint32_t result[ISA_MAX_LANES];
    uint32_t note[ISA_MAX_LANES];
    const vectors v = {operand(lanes, instruction->rs1), operand(lanes, instruction->rs2),
                       operand(lanes, instruction->rs3), result, note};
    uint64_t illegal;
    int usual = usual_rounding(instruction, lanes, mask, &illegal);
    uint64_t left = mask & ~illegal;
    if (usual && lanes->lanes == ISA_USUAL_LANES)
        execute_usual(instruction, lanes, &v, mask, &left);
    else if (usual)
        execute_any(instruction, lanes, &v, mask, &left);
    if (left)
        execute_scalar(instruction, lanes, &v, left);
    return illegal;
}
