/* SPDX-License-Identifier: MIT */
/* Shared by the hart's own files. */
#ifndef VEC_CORE_VEC_PARTS_H
#define VEC_CORE_VEC_PARTS_H

#include "vec_hart.h"

/* vec_pins.c */
void vec_pin_level_written(vec_hart *h, uint32_t level);
void vec_used_vl(vec_hart *h);

/* vec_configure.c */
void vec_configure(vec_hart *h, const rvv_instruction *i);
/* Is the vector instruction reserved with the vtype that holds? */
uint32_t vec_is_reserved(const vec_hart *h, const rvv_instruction *i);
/* Registers of an operand whose elements have so many bytes; 0: more than there may be. */
uint32_t vec_registers_of(const vec_hart *h, uint32_t element_bytes);

/* vec_memory.c */
void vec_plan_memory(const vec_hart *h, const vec_operation *op, vec_plan *plan);
void vec_scalar_access(vec_hart *h, const isa_instruction *i, vec_plan *plan);
void vec_vector_access(vec_hart *h, const rvv_instruction *i, vec_plan *plan);

/* vec_integer.c, vec_masks.c, vec_float.c */
void vec_integer(vec_hart *h, const rvv_instruction *i);
void vec_compare(vec_hart *h, const rvv_instruction *i);
void vec_merge(vec_hart *h, const rvv_instruction *i);
void vec_multiply(vec_hart *h, const rvv_instruction *i);
void vec_reduce(vec_hart *h, const rvv_instruction *i);
void vec_masks(vec_hart *h, const rvv_instruction *i);
void vec_mask_set(vec_hart *h, const rvv_instruction *i);
void vec_identity(vec_hart *h, const rvv_instruction *i);
void vec_to_scalar(vec_hart *h, const rvv_instruction *i);
void vec_from_scalar(vec_hart *h, const rvv_instruction *i);
void vec_float(vec_hart *h, const rvv_instruction *i);
void vec_float_sum(vec_hart *h, const rvv_instruction *i);

/* Element of a register group, of 1 or 4 bytes. */
static inline uint32_t vec_get(const uint8_t *group, uint32_t element, uint32_t bytes)
{
    uint32_t value;
    if (bytes == 1)
        return group[element];
    __builtin_memcpy(&value, group + 4 * (size_t)element, sizeof value);
    return value;
}
static inline void vec_put(uint8_t *group, uint32_t element, uint32_t bytes, uint32_t value)
{
    if (bytes == 1)
        group[element] = (uint8_t)value;
    else
        __builtin_memcpy(group + 4 * (size_t)element, &value, sizeof value);
}
static inline int32_t vec_signed(uint32_t value, uint32_t bytes)
{
    return bytes == 1 ? (int32_t)(int8_t)value : (int32_t)value;
}

/* The last operand, where it is not a vector. */
static inline uint32_t vec_operand(const vec_hart *h, const rvv_instruction *i)
{
    return i->source == RVV_SOURCE_IMMEDIATE ? (uint32_t)i->immediate : h->thread.x[i->vs1];
}

static inline void vec_write_x(vec_hart *h, uint32_t number, uint32_t value)
{
    if (number)
        h->thread.x[number] = value;
}

#endif
