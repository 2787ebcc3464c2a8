/* SPDX-License-Identifier: MIT */
/* The RISC-V "V" Vector Extension 1.0, §15 and §16.1. */
#include "vec_parts.h"

static uint32_t combined(uint32_t operation, uint32_t a, uint32_t b)
{
    switch (operation) {
    case RVV_VMANDN: return a & !b;
    case RVV_VMAND: return a & b;
    case RVV_VMOR: return a | b;
    case RVV_VMXOR: return a ^ b;
    case RVV_VMORN: return a | !b;
    case RVV_VMNAND: return !(a & b);
    case RVV_VMNOR: return !(a | b);
    default: return !(a ^ b); /* vmxnor */
    }
}

void vec_masks(vec_hart *h, const rvv_instruction *i)
{
    uint8_t *vd = vec_register(h, i->vd);
    const uint8_t *vs1 = vec_register(h, i->vs1), *vs2 = vec_register(h, i->vs2);
    for (uint32_t e = 0; e < h->thread.vl; e++)
        vec_set_bit(vd, e, combined(i->operation, vec_bit(vs2, e), vec_bit(vs1, e)));
}

/* Before, at, or up to and with the first bit that is set. */
void vec_mask_set(vec_hart *h, const rvv_instruction *i)
{
    uint8_t *vd = vec_register(h, i->vd);
    const uint8_t *vs2 = vec_register(h, i->vs2);
    uint32_t is_found = 0;
    for (uint32_t e = 0; e < h->thread.vl; e++) {
        if (!vec_is_active(h, i, e))
            continue;
        const uint32_t is_first = !is_found && vec_bit(vs2, e);
        const uint32_t is_before = !is_found && !is_first;
        is_found |= is_first;
        const uint32_t value = i->operation == RVV_VMSBF   ? is_before
                               : i->operation == RVV_VMSOF ? is_first
                                                           : is_before | is_first;
        vec_set_bit(vd, e, value);
    }
}

void vec_identity(vec_hart *h, const rvv_instruction *i)
{
    const uint32_t bytes = vec_element_bytes(h);
    uint8_t *vd = vec_register(h, i->vd);
    for (uint32_t e = 0; e < h->thread.vl; e++)
        if (vec_is_active(h, i, e))
            vec_put(vd, e, bytes, e);
}

static uint32_t population(const vec_hart *h, const rvv_instruction *i)
{
    const uint8_t *vs2 = vec_register_const(h, i->vs2);
    uint32_t count = 0;
    for (uint32_t e = 0; e < h->thread.vl; e++)
        count += vec_is_active(h, i, e) & vec_bit(vs2, e);
    return count;
}

static uint32_t first(const vec_hart *h, const rvv_instruction *i)
{
    const uint8_t *vs2 = vec_register_const(h, i->vs2);
    for (uint32_t e = 0; e < h->thread.vl; e++)
        if (vec_is_active(h, i, e) & vec_bit(vs2, e))
            return e;
    return UINT32_MAX;
}

void vec_to_scalar(vec_hart *h, const rvv_instruction *i)
{
    const uint32_t bytes = vec_element_bytes(h);
    const uint32_t element = vec_get(vec_register(h, i->vs2), 0, bytes);
    switch (i->operation) {
    case RVV_VCPOP: vec_write_x(h, i->vd, population(h, i)); break;
    case RVV_VFIRST: vec_write_x(h, i->vd, first(h, i)); break;
    case RVV_VMV_X_S: vec_write_x(h, i->vd, (uint32_t)vec_signed(element, bytes)); break;
    default: h->thread.x[32 + i->vd] = element; break; /* vfmv.f.s */
    }
}

void vec_from_scalar(vec_hart *h, const rvv_instruction *i)
{
    const uint32_t from = i->operation == RVV_VFMV_S_F ? 32 + i->vs1 : i->vs1;
    if (h->thread.vl)
        vec_put(vec_register(h, i->vd), 0, vec_element_bytes(h), h->thread.x[from]);
}
