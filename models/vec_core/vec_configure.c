/* SPDX-License-Identifier: MIT */
/* The RISC-V "V" Vector Extension 1.0, §6; vtype of this subset: elements of 8 or 32 bits in groups of 1, 2, 4 or 8. */
#include "vec_parts.h"

#define MASK_REGISTER 0u

static uint32_t is_supported(uint32_t vtype)
{
    const uint32_t group = vtype & 7, width = vtype >> 3 & 7;
    return (vtype >> 8) == 0 && group <= 3 && (width == 0 || width == 2);
}

static uint32_t elements_at_most(const vec_hart *h)
{
    return h->bits / 8 * vec_group(h) / vec_element_bytes(h);
}

void vec_configure(vec_hart *h, const rvv_instruction *i)
{
    const uint32_t *x = h->thread.x;
    const uint32_t is_immediate = i->operation == RVV_VSETIVLI;
    const uint32_t vtype = i->operation == RVV_VSETVL ? x[i->vs2] : (uint32_t)i->immediate;
    const uint32_t keeps = !is_immediate && i->vs1 == 0 && i->vd == 0;
    uint32_t wanted = is_immediate ? i->vs1 : x[i->vs1];
    if (!is_immediate && i->vs1 == 0)
        wanted = keeps ? h->thread.vl : UINT32_MAX;
    if (is_supported(vtype)) {
        h->thread.vtype = vtype;
        const uint32_t most = elements_at_most(h);
        h->thread.vl = wanted < most ? wanted : most;
    } else {
        h->thread.vtype = VEC_VTYPE_ILLEGAL;
        h->thread.vl = 0;
    }
    vec_write_x(h, i->vd, h->thread.vl);
}

uint32_t vec_registers_of(const vec_hart *h, uint32_t element_bytes)
{
    const uint32_t of_group = vec_group(h) * element_bytes, bytes = vec_element_bytes(h);
    const uint32_t registers = of_group > bytes ? of_group / bytes : 1;
    return registers <= 8 ? registers : 0;
}

static uint32_t is_group(uint32_t number, uint32_t registers)
{
    return registers != 0 && number % registers == 0;
}

static uint32_t access_fits(const vec_hart *h, const rvv_instruction *i)
{
    if (i->group == RVV_GROUP_LOAD_INDEXED || i->group == RVV_GROUP_STORE_INDEXED)
        return is_group(i->vd, vec_group(h)) && is_group(i->vs2, vec_registers_of(h, i->index_bytes));
    return i->data_bytes == 0 || is_group(i->vd, vec_registers_of(h, i->data_bytes));
}

static uint32_t operands_fit(const vec_hart *h, const rvv_instruction *i)
{
    const uint32_t registers = vec_group(h);
    const uint32_t last = i->source != RVV_SOURCE_VECTOR || is_group(i->vs1, registers);
    switch (i->group) {
    case RVV_GROUP_INTEGER:
    case RVV_GROUP_MERGE:
    case RVV_GROUP_MULTIPLY:
    case RVV_GROUP_FLOAT: return is_group(i->vd, registers) && is_group(i->vs2, registers) && last;
    case RVV_GROUP_COMPARE: return is_group(i->vs2, registers) && last;
    case RVV_GROUP_REDUCE:
    case RVV_GROUP_FLOAT_SUM: return is_group(i->vs2, registers);
    case RVV_GROUP_IDENTITY: return is_group(i->vd, registers);
    default: return access_fits(h, i) || (i->group > RVV_GROUP_STORE_INDEXED);
    }
}

/* A masked instruction that writes elements does not write the mask that it reads. */
static uint32_t overwrites_mask(const rvv_instruction *i)
{
    if (!i->masked || i->vd != MASK_REGISTER)
        return 0;
    switch (i->group) {
    case RVV_GROUP_LOAD:
    case RVV_GROUP_LOAD_INDEXED:
    case RVV_GROUP_INTEGER:
    case RVV_GROUP_MERGE:
    case RVV_GROUP_MULTIPLY:
    case RVV_GROUP_FLOAT:
    case RVV_GROUP_MASK_SET:
    case RVV_GROUP_IDENTITY: return 1;
    default: return 0;
    }
}

static uint32_t is_float(const rvv_instruction *i)
{
    return i->group == RVV_GROUP_FLOAT || i->group == RVV_GROUP_FLOAT_SUM || i->operation == RVV_VFMV_F_S ||
           i->operation == RVV_VFMV_S_F;
}

uint32_t vec_is_reserved(const vec_hart *h, const rvv_instruction *i)
{
    if (i->group == RVV_GROUP_SET)
        return 0;
    if (h->thread.vtype & VEC_VTYPE_ILLEGAL)
        return 1;
    if (is_float(i) && (vec_element_bytes(h) != 4 || h->fcsr >> 5 > 4))
        return 1;
    return overwrites_mask(i) || !operands_fit(h, i);
}
