/* SPDX-License-Identifier: MIT */
#include "float_scalar.h"
#include "vec_parts.h"

static uint32_t scalar_operation(uint32_t operation)
{
    switch (operation) {
    case RVV_VFSUB_VV: return ISA_OP_FSUB_S;
    case RVV_VFMUL_VV:
    case RVV_VFMUL_VF: return ISA_OP_FMUL_S;
    default: return ISA_OP_FADD_S;
    }
}

static uint32_t compute(vec_hart *h, uint32_t operation, uint32_t a, uint32_t b)
{
    uint8_t flags = 0;
    const uint32_t result = isa_float_scalar(operation, a, b, 0, h->fcsr >> 5, &flags);
    h->fcsr |= flags;
    return result;
}

void vec_float(vec_hart *h, const rvv_instruction *i)
{
    const uint32_t operation = scalar_operation(i->operation), of_vector = i->source == RVV_SOURCE_VECTOR;
    uint8_t *vd = vec_register(h, i->vd);
    const uint8_t *vs1 = vec_register(h, i->vs1), *vs2 = vec_register(h, i->vs2);
    for (uint32_t e = 0; e < h->thread.vl; e++)
        if (vec_is_active(h, i, e))
            vec_put(
                vd, e, 4,
                compute(h, operation, vec_get(vs2, e, 4), of_vector ? vec_get(vs1, e, 4) : h->thread.x[32 + i->vs1]));
}

/* One after the other, in the order of the elements. */
void vec_float_sum(vec_hart *h, const rvv_instruction *i)
{
    const uint8_t *vs2 = vec_register(h, i->vs2);
    uint32_t sum = vec_get(vec_register(h, i->vs1), 0, 4);
    for (uint32_t e = 0; e < h->thread.vl; e++)
        if (vec_is_active(h, i, e))
            sum = compute(h, ISA_OP_FADD_S, sum, vec_get(vs2, e, 4));
    if (h->thread.vl)
        vec_put(vec_register(h, i->vd), 0, 4, sum);
}
