/* SPDX-License-Identifier: MIT */
#include "vec_parts.h"

/* For all elements that the instruction works on: a is one of vs2, b one of vs1, or the scalar. */
#define EACH_ELEMENT(statement)                                                                                        \
    for (uint32_t e = 0; e < vl; e++) {                                                                                \
        if (!vec_is_active(h, i, e))                                                                                   \
            continue;                                                                                                  \
        const uint32_t a = vec_get(vs2, e, bytes);                                                                     \
        const uint32_t b = of_vector ? vec_get(vs1, e, bytes) : scalar;                                                \
        (void)a;                                                                                                       \
        (void)b;                                                                                                       \
        statement;                                                                                                     \
    }                                                                                                                  \
    break

#define RESULT(expression) EACH_ELEMENT(vec_put(vd, e, bytes, (uint32_t)(expression)))
#define VERDICT(expression) EACH_ELEMENT(vec_set_bit(vd, e, (expression)))
#define S(value) vec_signed(value, bytes)

#define OPERANDS                                                                                                       \
    const uint32_t vl = h->thread.vl, bytes = vec_element_bytes(h), of_vector = i->source == RVV_SOURCE_VECTOR;        \
    const uint32_t scalar = of_vector ? 0 : vec_operand(h, i) & (bytes == 1 ? 0xFFu : UINT32_MAX);                     \
    const uint32_t shift = 8 * bytes - 1;                                                                              \
    uint8_t *vd = vec_register(h, i->vd);                                                                              \
    const uint8_t *vs1 = vec_register(h, i->vs1), *vs2 = vec_register(h, i->vs2);                                      \
    (void)shift

void vec_integer(vec_hart *h, const rvv_instruction *i)
{
    OPERANDS;
    switch (i->operation) {
    case RVV_VADD: RESULT(a + b);
    case RVV_VSUB: RESULT(a - b);
    case RVV_VRSUB: RESULT(b - a);
    case RVV_VMINU: RESULT(a < b ? a : b);
    case RVV_VMIN: RESULT(S(a) < S(b) ? a : b);
    case RVV_VMAXU: RESULT(a > b ? a : b);
    case RVV_VMAX: RESULT(S(a) > S(b) ? a : b);
    case RVV_VAND: RESULT(a & b);
    case RVV_VOR: RESULT(a | b);
    case RVV_VXOR: RESULT(a ^ b);
    case RVV_VSLL: RESULT(a << (b & shift));
    case RVV_VSRL: RESULT(a >> (b & shift));
    default: RESULT(S(a) >> (b & shift)); /* vsra */
    }
}

void vec_compare(vec_hart *h, const rvv_instruction *i)
{
    OPERANDS;
    switch (i->operation) {
    case RVV_VMSEQ: VERDICT(a == b);
    case RVV_VMSNE: VERDICT(a != b);
    case RVV_VMSLTU: VERDICT(a < b);
    case RVV_VMSLT: VERDICT(S(a) < S(b));
    case RVV_VMSLEU: VERDICT(a <= b);
    case RVV_VMSLE: VERDICT(S(a) <= S(b));
    case RVV_VMSGTU: VERDICT(a > b);
    default: VERDICT(S(a) > S(b)); /* vmsgt */
    }
}

/* Masked: a choice by element; else a move. */
void vec_merge(vec_hart *h, const rvv_instruction *i)
{
    const uint32_t vl = h->thread.vl, bytes = vec_element_bytes(h), of_vector = i->source == RVV_SOURCE_VECTOR;
    const uint32_t scalar = of_vector ? 0 : vec_operand(h, i);
    uint8_t *vd = vec_register(h, i->vd);
    const uint8_t *vs1 = vec_register(h, i->vs1), *vs2 = vec_register(h, i->vs2);
    for (uint32_t e = 0; e < vl; e++) {
        const uint32_t chosen = of_vector ? vec_get(vs1, e, bytes) : scalar;
        vec_put(vd, e, bytes, vec_is_active(h, i, e) ? chosen : vec_get(vs2, e, bytes));
    }
}

void vec_multiply(vec_hart *h, const rvv_instruction *i)
{
    OPERANDS;
    switch (i->operation) {
    default: RESULT(a * b);
    }
}

static uint32_t reduced(uint32_t operation, uint32_t sum, uint32_t value, uint32_t bytes)
{
    switch (operation) {
    case RVV_VREDSUM: return sum + value;
    case RVV_VREDMINU: return value < sum ? value : sum;
    case RVV_VREDMIN: return S(value) < S(sum) ? value : sum;
    case RVV_VREDMAXU: return value > sum ? value : sum;
    default: return S(value) > S(sum) ? value : sum; /* vredmax */
    }
}

void vec_reduce(vec_hart *h, const rvv_instruction *i)
{
    const uint32_t vl = h->thread.vl, bytes = vec_element_bytes(h);
    const uint8_t *vs2 = vec_register(h, i->vs2);
    uint32_t sum = vec_get(vec_register(h, i->vs1), 0, bytes);
    for (uint32_t e = 0; e < vl; e++)
        if (vec_is_active(h, i, e))
            sum = reduced(i->operation, sum, vec_get(vs2, e, bytes), bytes);
    if (vl)
        vec_put(vec_register(h, i->vd), 0, bytes, sum);
}
