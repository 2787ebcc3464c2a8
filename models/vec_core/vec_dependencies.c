/* SPDX-License-Identifier: MIT */
/* What an instruction reads and writes, for the window. */
#include "vec_window.h"

static uint32_t registers_mask(uint32_t first, uint32_t count)
{
    const uint32_t mask = count >= 32 ? UINT32_MAX : (1u << count) - 1;
    return mask << first;
}

/* Registers of vd that a memory access has, and of vs2 that an index has. */
static uint32_t registers_with(const vec_hart *h, uint32_t bytes)
{
    const uint32_t count = vec_group(h) * bytes / vec_element_bytes(h);
    return count ? count : 1;
}

static void add_access(const vec_hart *h, const rvv_instruction *i, vec_dependencies *d)
{
    const uint32_t is_store = i->group == RVV_GROUP_STORE || i->group == RVV_GROUP_STORE_INDEXED;
    const uint32_t count = i->index_bytes ? vec_group(h) : i->data_bytes ? registers_with(h, i->data_bytes) : 1;
    d->reads |= UINT64_C(1) << i->vs1;
    if (i->index_bytes)
        d->vector_reads |= registers_mask(i->vs2, registers_with(h, i->index_bytes));
    *(is_store ? &d->vector_reads : &d->vector_writes) |= registers_mask(i->vd, count);
}

static void add_last(const rvv_instruction *i, uint32_t group, vec_dependencies *d)
{
    const uint32_t is_float = i->group == RVV_GROUP_FLOAT || i->operation == RVV_VFMV_S_F;
    if (i->source == RVV_SOURCE_VECTOR)
        d->vector_reads |= registers_mask(i->vs1, group);
    else if (i->source == RVV_SOURCE_SCALAR)
        d->reads |= UINT64_C(1) << (is_float ? 32 + i->vs1 : i->vs1);
}

static void add_computation(const vec_hart *h, const rvv_instruction *i, vec_dependencies *d)
{
    const uint32_t group = vec_group(h);
    switch (i->group) {
    case RVV_GROUP_TO_SCALAR:
        d->vector_reads |= registers_mask(i->vs2, 1);
        d->writes |= UINT64_C(1) << (i->operation == RVV_VFMV_F_S ? 32 + i->vd : i->vd);
        return;
    case RVV_GROUP_FROM_SCALAR:
        add_last(i, 1, d);
        d->vector_reads |= registers_mask(i->vd, 1);
        d->vector_writes |= registers_mask(i->vd, 1);
        return;
    case RVV_GROUP_MASK:
        d->vector_reads |= registers_mask(i->vs1, 1) | registers_mask(i->vs2, 1);
        d->vector_writes |= registers_mask(i->vd, 1);
        return;
    case RVV_GROUP_MASK_SET:
        d->vector_reads |= registers_mask(i->vs2, 1);
        d->vector_writes |= registers_mask(i->vd, 1);
        return;
    case RVV_GROUP_IDENTITY: d->vector_writes |= registers_mask(i->vd, group); return;
    case RVV_GROUP_REDUCE:
    case RVV_GROUP_FLOAT_SUM:
        d->vector_reads |= registers_mask(i->vs1, 1) | registers_mask(i->vs2, group);
        d->vector_writes |= registers_mask(i->vd, 1);
        return;
    default:
        add_last(i, group, d);
        if (i->group != RVV_GROUP_MERGE || i->masked)
            d->vector_reads |= registers_mask(i->vs2, group);
        d->vector_writes |= registers_mask(i->vd, i->group == RVV_GROUP_COMPARE ? 1 : group);
        return;
    }
}

static void add_configuration(const rvv_instruction *i, vec_dependencies *d)
{
    const uint32_t keeps = i->operation != RVV_VSETIVLI && i->vs1 == 0 && i->vd == 0;
    d->writes_vl = 1;
    d->reads_vl = (uint8_t)keeps;
    d->writes |= UINT64_C(1) << i->vd;
    if (i->operation != RVV_VSETIVLI)
        d->reads |= UINT64_C(1) << i->vs1;
    if (i->operation == RVV_VSETVL)
        d->reads |= UINT64_C(1) << i->vs2;
}

vec_dependencies vec_dependencies_of(const vec_hart *h, const vec_operation *op)
{
    vec_dependencies d = {.reads = op->scalar.reads, .writes = op->scalar.writes};
    const rvv_instruction *i = &op->vector;
    if (op->kind != VEC_VECTOR) {
        d.reads_vl = op->uses_vl;
        return d;
    }
    if (i->group == RVV_GROUP_SET) {
        add_configuration(i, &d);
    } else {
        d.reads_vl = 1;
        d.vector_reads = i->masked ? 1 : 0;
        if (i->group <= RVV_GROUP_STORE_INDEXED)
            add_access(h, i, &d);
        else
            add_computation(h, i, &d);
    }
    d.reads &= ~UINT64_C(1);
    d.writes &= ~UINT64_C(1);
    return d;
}
