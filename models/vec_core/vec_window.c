/* SPDX-License-Identifier: MIT */
#include "vec_window.h"

#include <string.h>

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* ---- Dependencies --------------------------------------------------------------------------------------------------- */

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

static void add_last(const vec_hart *h, const rvv_instruction *i, uint32_t group, vec_dependencies *d)
{
    const uint32_t is_float = i->group == RVV_GROUP_FLOAT || i->operation == RVV_VFMV_S_F;
    (void)h;
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
        add_last(h, i, 1, d);
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
        add_last(h, i, group, d);
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

/* ---- The window ----------------------------------------------------------------------------------------------------- */

void vec_window_reset(vec_window *w, uint64_t cycle)
{
    const vec_window kept = {.width = w->width, .depth = w->depth, .size = w->size};
    *w = kept;
    w->entry = w->retirement = cycle;
}

void vec_window_hold(vec_window *w, uint64_t cycle)
{
    if (cycle <= w->entry)
        return;
    w->entry = cycle;
    w->entered = 0;
}

uint64_t vec_window_entry(const vec_window *w)
{
    const uint64_t in_turn = w->entered < w->width ? w->entry : w->entry + 1;
    return later(in_turn, w->leaves[w->oldest]);
}

static uint64_t operands(const vec_window *w, const vec_dependencies *of)
{
    uint64_t ready = of->reads_vl ? w->vl_ready : 0;
    for (uint64_t left = of->reads; left; left &= left - 1)
        ready = later(ready, w->ready[__builtin_ctzll(left)]);
    for (uint32_t left = of->vector_reads; left; left &= left - 1)
        ready = later(ready, w->vector_ready[__builtin_ctz(left)]);
    return ready;
}

static void results(vec_window *w, const vec_dependencies *of, uint64_t cycle)
{
    if (of->writes_vl)
        w->vl_ready = cycle;
    for (uint64_t left = of->writes; left; left &= left - 1)
        w->ready[__builtin_ctzll(left)] = cycle;
    for (uint32_t left = of->vector_writes; left; left &= left - 1)
        w->vector_ready[__builtin_ctz(left)] = cycle;
}

static void retire(vec_window *w, uint64_t cycle)
{
    const uint64_t in_turn = w->retired < w->width ? w->retirement : w->retirement + 1;
    const uint64_t leaves = later(in_turn, cycle);
    w->retired = leaves == w->retirement ? w->retired + 1 : 1;
    w->retirement = leaves;
    w->leaves[w->oldest] = leaves;
    w->oldest = (w->oldest + 1) % w->size;
}

/* The first cycle from this one on in which nothing passes the port. */
static uint64_t pass_port(vec_window *w, uint64_t cycle)
{
    while (w->port[cycle % VEC_PORT_CYCLES] == cycle + 1)
        cycle++;
    w->port[cycle % VEC_PORT_CYCLES] = cycle + 1;
    return cycle;
}

uint64_t vec_window_add(vec_window *w, const vec_dependencies *of, const vec_cost *cost)
{
    vec_window_hold(w, vec_window_entry(w));
    w->entered++;
    uint64_t begin = later(w->entry + w->depth, operands(w, of));
    for (uint32_t line = 0; line < cost->lines; line++)
        begin = pass_port(w, line ? begin + 1 : begin);
    const uint64_t end = later(begin + cost->latency, cost->until);
    results(w, of, end);
    retire(w, end);
    return end;
}
