/* SPDX-License-Identifier: MIT */
/* Which lines an access touches, and the elements in them. Elements are aligned, so that none lies in two lines. */
#include <stdlib.h>
#include <string.h>

#include "vec_parts.h"

/* Addresses of the elements of a vector access, one after the other. */
typedef struct elements {
    const vec_hart *h;
    const rvv_instruction *i;
    uint32_t base;
    uint32_t count;
    uint32_t bytes; /* of an element in memory */
    uint32_t is_indexed;
} elements;

int vec_plan_create(vec_plan *plan, uint32_t native_bits)
{
    memset(plan, 0, sizeof *plan);
    plan->capacity = native_bits; /* 8 registers of bytes, each in a line of its own */
    plan->lines = calloc(plan->capacity, sizeof *plan->lines);
    plan->bytes = calloc(plan->capacity, sizeof *plan->bytes);
    plan->enabled = calloc(plan->capacity, sizeof *plan->enabled);
    return plan->lines && plan->bytes && plan->enabled;
}

void vec_plan_destroy(vec_plan *plan)
{
    free(plan->lines);
    free(plan->bytes);
    free(plan->enabled);
}

static elements elements_of(const vec_hart *h, const rvv_instruction *i)
{
    const uint32_t is_indexed = i->group == RVV_GROUP_LOAD_INDEXED || i->group == RVV_GROUP_STORE_INDEXED;
    const uint32_t is_mask = i->operation == RVV_VLM || i->operation == RVV_VSM;
    return (elements){
        .h = h,
        .i = i,
        .base = h->thread.x[i->vs1],
        .count = is_mask ? (h->thread.vl + 7) / 8 : h->thread.vl,
        .bytes = is_indexed ? vec_element_bytes(h)
                 : is_mask  ? 1
                            : i->data_bytes,
        .is_indexed = is_indexed,
    };
}

static uint32_t address_of(const elements *from, uint32_t element)
{
    if (from->is_indexed)
        return from->base + vec_get(vec_register_const(from->h, from->i->vs2), element, from->i->index_bytes);
    return from->base + element * from->bytes;
}

/* ---- Plans ---------------------------------------------------------------------------------------------------------- */

static void add_line(vec_plan *plan, uint32_t address)
{
    const uint32_t line = address & ~(VEC_LINE_BYTES - 1);
    if (plan->count && plan->lines[plan->count - 1] == line)
        return;
    plan->lines[plan->count++] = line;
}

/* Why these bytes cannot be accessed; VEC_NO_CAUSE: they can. */
static uint32_t refusal(const vec_hart *h, uint32_t address, uint32_t bytes, uint32_t is_store)
{
    if (address % bytes)
        return is_store ? VEC_CAUSE_STORE_MISALIGNED : VEC_CAUSE_LOAD_MISALIGNED;
    if (address < h->thread.memory_base || address >= h->thread.memory_end || h->thread.memory_end - address < bytes)
        return is_store ? VEC_CAUSE_STORE_FAULT : VEC_CAUSE_LOAD_FAULT;
    return VEC_NO_CAUSE;
}

static void plan_scalar(const vec_hart *h, const vec_operation *op, vec_plan *plan)
{
    const isa_instruction *i = &op->scalar;
    const uint32_t address = h->thread.x[i->rs1] + (uint32_t)i->immediate;
    plan->cause = refusal(h, address, i->access_bytes, plan->is_store);
    plan->value = address;
    add_line(plan, address);
}

/* A load that stops at its first fault has what comes before it, but never nothing. */
static void plan_vector(const vec_hart *h, const vec_operation *op, vec_plan *plan)
{
    const rvv_instruction *i = &op->vector;
    const elements from = elements_of(h, i);
    const uint32_t may_stop = i->operation == RVV_VLE8FF || i->operation == RVV_VLE32FF;
    for (uint32_t e = 0; e < from.count; e++) {
        if (!vec_is_active(h, i, e))
            continue;
        const uint32_t address = address_of(&from, e);
        const uint32_t cause = refusal(h, address, from.bytes, plan->is_store);
        if (cause == VEC_NO_CAUSE) {
            add_line(plan, address);
            continue;
        }
        if (may_stop && e) {
            plan->vl_after = e;
            return;
        }
        plan->cause = cause;
        plan->value = address;
        return;
    }
}

void vec_plan_memory(const vec_hart *h, const vec_operation *op, vec_plan *plan)
{
    plan->vl_after = h->thread.vl;
    if (op->kind == VEC_VECTOR) {
        plan->is_store = op->vector.group == RVV_GROUP_STORE || op->vector.group == RVV_GROUP_STORE_INDEXED;
        plan_vector(h, op, plan);
    } else {
        plan->is_store = op->kind == VEC_STORE;
        plan_scalar(h, op, plan);
    }
    for (uint32_t line = 0; plan->is_store && line < plan->count; line++)
        plan->enabled[line] = 0;
}

/* ---- Accesses ------------------------------------------------------------------------------------------------------- */

/* The line that holds the address: that of the last element, or the next one. */
static uint32_t line_at(const vec_plan *plan, uint32_t *line, uint32_t address)
{
    if (plan->lines[*line] != (address & ~(VEC_LINE_BYTES - 1)))
        (*line)++;
    return *line;
}

static void store_element(vec_plan *plan, uint32_t line, uint32_t address, uint32_t value, uint32_t bytes)
{
    const uint32_t offset = address % VEC_LINE_BYTES;
    memcpy(plan->bytes[line] + offset, &value, bytes);
    plan->enabled[line] |= ((UINT64_C(1) << bytes) - 1) << offset;
}

static uint32_t load_element(const vec_plan *plan, uint32_t line, uint32_t address, uint32_t bytes)
{
    uint32_t value = 0;
    memcpy(&value, plan->bytes[line] + address % VEC_LINE_BYTES, bytes);
    return value;
}

void vec_scalar_access(vec_hart *h, const isa_instruction *i, vec_plan *plan)
{
    const uint32_t address = h->thread.x[i->rs1] + (uint32_t)i->immediate;
    if (plan->is_store) {
        store_element(plan, 0, address, h->thread.x[i->rs2], i->access_bytes);
        return;
    }
    const uint32_t raw = load_element(plan, 0, address, i->access_bytes);
    isa_load_values(i, &raw, &h->lanes, 1);
}

void vec_vector_access(vec_hart *h, const rvv_instruction *i, vec_plan *plan)
{
    const elements from = elements_of(h, i);
    const uint32_t count = plan->vl_after < from.count ? plan->vl_after : from.count;
    uint8_t *vd = vec_register(h, i->vd);
    uint32_t line = 0;
    for (uint32_t e = 0; e < count; e++) {
        if (!vec_is_active(h, i, e))
            continue;
        const uint32_t address = address_of(&from, e);
        line_at(plan, &line, address);
        if (plan->is_store)
            store_element(plan, line, address, vec_get(vd, e, from.bytes), from.bytes);
        else
            vec_put(vd, e, from.bytes, load_element(plan, line, address, from.bytes));
    }
    h->thread.vl = plan->vl_after;
}
