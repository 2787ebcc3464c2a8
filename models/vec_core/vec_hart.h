/* SPDX-License-Identifier: MIT */
/*
 * A thread on a core with vector registers: RV32IMF_Zicsr, the subset of the vector extension that rvv_operations.def lists, and
 * pin.vl, unpin.vl and PIN_LEVEL (Beaumont 2019 §5.4). It knows nothing of time, links or caches: each instruction says first
 * which lines of memory it touches, and is executed when their bytes are there.
 *
 *     vec_prepare(&hart, operation, &plan);        plan.lines: what it reads or writes; or plan.cause: it cannot be executed
 *     ... fill plan.bytes ...
 *     vec_execute(&hart, operation, &plan);        of a store, plan.bytes and plan.enabled are then what to write
 */
#ifndef VEC_CORE_VEC_HART_H
#define VEC_CORE_VEC_HART_H

#include <stddef.h>

#include "hd_thread.h"
#include "lanes.h"
#include "rvv.h"

#define VEC_LINE_BYTES 64u
#define VEC_REGISTER_BYTES (HD_VECTOR_BITS_MAX / 8)
#define VEC_NO_CAUSE UINT32_MAX

#define VEC_CSR_VL 0xC20u
#define VEC_CSR_VTYPE 0xC21u
#define VEC_CSR_VLENB 0xC22u

#define VEC_VTYPE_ILLEGAL UINT32_C(0x80000000)
#define VEC_DEAD_BYTE 0xFF /* what vector registers hold after a thread has let go of its vector length */

/* mcause */
enum {
    VEC_CAUSE_FETCH_MISALIGNED = 0,
    VEC_CAUSE_FETCH_FAULT = 1,
    VEC_CAUSE_ILLEGAL = 2,
    VEC_CAUSE_BREAKPOINT = 3,
    VEC_CAUSE_LOAD_MISALIGNED = 4,
    VEC_CAUSE_LOAD_FAULT = 5,
    VEC_CAUSE_STORE_MISALIGNED = 6,
    VEC_CAUSE_STORE_FAULT = 7
};

enum vec_kind {
    VEC_SCALAR, /* arithmetic, integer or float */
    VEC_LOAD,
    VEC_STORE,
    VEC_BRANCH,
    VEC_JUMP,
    VEC_CSR,
    VEC_FENCE,
    VEC_PIN,
    VEC_UNPIN,
    VEC_CALL, /* ecall */
    VEC_VECTOR,
    VEC_ILLEGAL,
    VEC_KINDS
};

typedef struct vec_operation {
    isa_instruction scalar;
    rvv_instruction vector;
    uint8_t kind;
    uint8_t uses_vl; /* it depends on the vector length: vector instructions, and reads of vl, vtype and vlenb */
    uint32_t word;
} vec_operation;

/* What an instruction does with memory. */
typedef struct vec_plan {
    uint32_t *lines;                  /* addresses of lines, in the order of the elements; neighbours differ */
    uint8_t (*bytes)[VEC_LINE_BYTES]; /* [count] */
    uint64_t *enabled;                /* [count], of a store: bit i is byte i */
    uint32_t count;
    uint32_t capacity;
    uint32_t is_store;
    uint32_t vl_after; /* of a load that stops at its first fault: elements that it has */
    uint32_t cause;    /* VEC_NO_CAUSE: it can be executed */
    uint32_t value;    /* address, or instruction */
} vec_plan;

typedef struct vec_hart {
    hd_thread_context thread;                            /* vector_bytes aside */
    uint8_t v[HD_VECTOR_REGISTERS * VEC_REGISTER_BYTES]; /* side by side, bits / 8 bytes each */
    uint32_t native_bits;                                /* of the core */
    uint32_t bits;                                       /* that the thread sees */
    uint8_t fcsr;
    isa_lanes lanes; /* of one: the scalar part */
    uint64_t cycle;  /* what the CSR says */
} vec_hart;

/* 0: out of memory. */
int vec_plan_create(vec_plan *plan, uint32_t native_bits);
void vec_plan_destroy(vec_plan *plan);

void vec_hart_init(vec_hart *h, uint32_t native_bits);
/* The thread comes to this core. */
void vec_hart_enter(vec_hart *h, const hd_thread_context *thread);
/* Its vector registers, of a thread that is pinned: thread.vector_bytes of them. Of longer ones than the thread has here only the beginning is taken. */
void vec_hart_put_vectors(vec_hart *h, const uint8_t *bytes);
/* What leaves: with vector_bytes set. They are the first so many of v. */
hd_thread_context vec_hart_leave(const vec_hart *h);

vec_operation vec_decode(uint32_t word);
void vec_prepare(const vec_hart *h, const vec_operation *op, vec_plan *plan);
/* The pc is then that of the next instruction. */
void vec_execute(vec_hart *h, const vec_operation *op, vec_plan *plan);
/* An exception of the instruction at pc. 1: the thread has a handler, and goes on there. */
uint32_t vec_raise(vec_hart *h, uint32_t cause);

/* Registers in a group, elements at most, and bytes of an element, as vtype says. */
static inline uint32_t vec_group(const vec_hart *h)
{
    return 1u << (h->thread.vtype & 7);
}
static inline uint32_t vec_element_bytes(const vec_hart *h)
{
    return 1u << (h->thread.vtype >> 3 & 7);
}

static inline uint8_t *vec_register(vec_hart *h, uint32_t number)
{
    return h->v + (size_t)number * (h->bits / 8);
}
static inline const uint8_t *vec_register_const(const vec_hart *h, uint32_t number)
{
    return h->v + (size_t)number * (h->bits / 8);
}
static inline uint32_t vec_bit(const uint8_t *mask, uint32_t i)
{
    return mask[i / 8] >> i % 8 & 1;
}
static inline void vec_set_bit(uint8_t *mask, uint32_t i, uint32_t value)
{
    mask[i / 8] = (uint8_t)((mask[i / 8] & ~(1u << i % 8)) | value << i % 8);
}
/* Is element i one that the instruction works on? */
static inline uint32_t vec_is_active(const vec_hart *h, const rvv_instruction *i, uint32_t element)
{
    return !i->masked || vec_bit(h->v, element);
}

#endif
