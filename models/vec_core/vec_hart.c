/* SPDX-License-Identifier: MIT */
#include "vec_parts.h"

#define CSR_READ_ONLY_RANGE 3u /* top two bits of its number */

/* ---- Decoding ------------------------------------------------------------------------------------------------------- */

static uint32_t scalar_kind(const isa_instruction *i)
{
    switch (i->instruction_class) {
    case ISA_CLASS_INT:
    case ISA_CLASS_MUL:
    case ISA_CLASS_DIV:
    case ISA_CLASS_FP:
    case ISA_CLASS_FP_FMA:
    case ISA_CLASS_FP_DIV: return VEC_SCALAR;
    case ISA_CLASS_BRANCH: return VEC_BRANCH;
    case ISA_CLASS_JUMP:
    case ISA_CLASS_JUMP_REGISTER: return VEC_JUMP;
    case ISA_CLASS_LOAD: return i->flags & (ISA_FLAG_LOAD_UNCACHED | ISA_FLAG_LOAD_READ_ONLY) ? VEC_ILLEGAL : VEC_LOAD;
    case ISA_CLASS_STORE: return VEC_STORE;
    case ISA_CLASS_FENCE: return VEC_FENCE;
    case ISA_CLASS_CSR: return VEC_CSR;
    case ISA_CLASS_HINT:
        return i->operation == ISA_OP_PIN_VL ? VEC_PIN : i->operation == ISA_OP_UNPIN_VL ? VEC_UNPIN : VEC_ILLEGAL;
    case ISA_CLASS_SYSTEM: return i->operation == ISA_OP_ECALL ? VEC_CALL : VEC_ILLEGAL;
    default: return VEC_ILLEGAL;
    }
}

vec_operation vec_decode(uint32_t word)
{
    vec_operation op = {.word = word, .vector = {.operation = RVV_COUNT}, .scalar = isa_no_instruction};
    if (rvv_is_vector(word)) {
        op.vector = rvv_decode(word);
        op.kind = op.vector.operation == RVV_COUNT ? VEC_ILLEGAL : VEC_VECTOR;
        op.uses_vl = op.kind == VEC_VECTOR;
        return op;
    }
    op.scalar = isa_decode(word);
    op.kind = (uint8_t)scalar_kind(&op.scalar);
    const uint32_t csr = (uint32_t)op.scalar.immediate & 0xFFF;
    op.uses_vl = op.kind == VEC_CSR && (csr == VEC_CSR_VL || csr == VEC_CSR_VTYPE || csr == VEC_CSR_VLENB);
    return op;
}

/* ---- Before --------------------------------------------------------------------------------------------------------- */

static uint32_t touches_memory(const vec_operation *op)
{
    return op->kind == VEC_LOAD || op->kind == VEC_STORE ||
           (op->kind == VEC_VECTOR && op->vector.group >= RVV_GROUP_LOAD &&
            op->vector.group <= RVV_GROUP_STORE_INDEXED);
}

static uint32_t is_csr_known(uint32_t csr)
{
    switch (csr) {
    case ISA_CSR_FFLAGS:
    case ISA_CSR_FRM:
    case ISA_CSR_FCSR:
    case ISA_CSR_PIN_LEVEL:
    case VEC_CSR_VL:
    case VEC_CSR_VTYPE:
    case VEC_CSR_VLENB:
    case ISA_CSR_CYCLE:
    case ISA_CSR_TIME:
    case ISA_CSR_INSTRET:
    case ISA_CSR_CYCLE_HIGH:
    case ISA_CSR_TIME_HIGH:
    case ISA_CSR_INSTRET_HIGH: return 1;
    default: return 0;
    }
}

static uint32_t writes_csr(const isa_instruction *i)
{
    return i->operation == ISA_OP_CSRRW || i->operation == ISA_OP_CSRRWI || i->rs1 != 0;
}

static uint32_t csr_refused(const isa_instruction *i)
{
    const uint32_t csr = (uint32_t)i->immediate & 0xFFF;
    return !is_csr_known(csr) || (csr >> 10 == CSR_READ_ONLY_RANGE && writes_csr(i));
}

static uint32_t rounds_wrongly(const vec_hart *h, const isa_instruction *i)
{
    const uint32_t is_float = i->instruction_class == ISA_CLASS_FP || i->instruction_class == ISA_CLASS_FP_FMA ||
                              i->instruction_class == ISA_CLASS_FP_DIV;
    return is_float && i->rounding_mode == ISA_ROUND_DYNAMIC && h->fcsr >> 5 > ISA_ROUND_NEAREST_MAX;
}

static uint32_t refused(const vec_hart *h, const vec_operation *op)
{
    switch (op->kind) {
    case VEC_ILLEGAL: return op->scalar.operation == ISA_OP_EBREAK ? VEC_CAUSE_BREAKPOINT : VEC_CAUSE_ILLEGAL;
    case VEC_PIN: return h->thread.pin_level == UINT32_MAX ? HD_CAUSE_PIN_OVERFLOW : VEC_NO_CAUSE;
    case VEC_UNPIN: return h->thread.pin_level == 0 ? HD_CAUSE_UNPIN : VEC_NO_CAUSE;
    case VEC_CSR: return csr_refused(&op->scalar) ? VEC_CAUSE_ILLEGAL : VEC_NO_CAUSE;
    case VEC_SCALAR: return rounds_wrongly(h, &op->scalar) ? VEC_CAUSE_ILLEGAL : VEC_NO_CAUSE;
    case VEC_VECTOR: return vec_is_reserved(h, &op->vector) ? VEC_CAUSE_ILLEGAL : VEC_NO_CAUSE;
    default: return VEC_NO_CAUSE;
    }
}

void vec_prepare(const vec_hart *h, const vec_operation *op, vec_plan *plan)
{
    plan->count = 0;
    plan->is_store = 0;
    plan->value = op->word;
    plan->cause = refused(h, op);
    if (plan->cause == VEC_NO_CAUSE && touches_memory(op))
        vec_plan_memory(h, op, plan);
}

/* ---- Execution ------------------------------------------------------------------------------------------------------ */

static int read_csr(void *context, uint32_t csr, uint32_t lane, uint32_t *value)
{
    const vec_hart *h = context;
    (void)lane;
    switch (csr) {
    case ISA_CSR_PIN_LEVEL: *value = h->thread.pin_level; return 0;
    case VEC_CSR_VL: *value = h->thread.vl; return 0;
    case VEC_CSR_VTYPE: *value = h->thread.vtype; return 0;
    case VEC_CSR_VLENB: *value = h->bits / 8; return 0;
    case ISA_CSR_CYCLE:
    case ISA_CSR_TIME: *value = (uint32_t)h->cycle; return 0;
    case ISA_CSR_CYCLE_HIGH:
    case ISA_CSR_TIME_HIGH: *value = (uint32_t)(h->cycle >> 32); return 0;
    case ISA_CSR_INSTRET: *value = (uint32_t)h->thread.instructions; return 0;
    default: *value = (uint32_t)(h->thread.instructions >> 32); return 0;
    }
}

static int write_csr(void *context, uint32_t csr, uint32_t lane, uint32_t value)
{
    (void)lane;
    if (csr == ISA_CSR_PIN_LEVEL)
        vec_pin_level_written(context, value);
    return csr != ISA_CSR_PIN_LEVEL;
}

static void execute_vector(vec_hart *h, const rvv_instruction *i, vec_plan *plan)
{
    switch (i->group) {
    case RVV_GROUP_SET: vec_configure(h, i); break;
    case RVV_GROUP_LOAD:
    case RVV_GROUP_LOAD_INDEXED:
    case RVV_GROUP_STORE:
    case RVV_GROUP_STORE_INDEXED: vec_vector_access(h, i, plan); break;
    case RVV_GROUP_INTEGER: vec_integer(h, i); break;
    case RVV_GROUP_MERGE: vec_merge(h, i); break;
    case RVV_GROUP_COMPARE: vec_compare(h, i); break;
    case RVV_GROUP_MULTIPLY: vec_multiply(h, i); break;
    case RVV_GROUP_REDUCE: vec_reduce(h, i); break;
    case RVV_GROUP_MASK: vec_masks(h, i); break;
    case RVV_GROUP_MASK_SET: vec_mask_set(h, i); break;
    case RVV_GROUP_IDENTITY: vec_identity(h, i); break;
    case RVV_GROUP_TO_SCALAR: vec_to_scalar(h, i); break;
    case RVV_GROUP_FROM_SCALAR: vec_from_scalar(h, i); break;
    case RVV_GROUP_FLOAT: vec_float(h, i); break;
    default: vec_float_sum(h, i); break;
    }
}

static uint32_t jump(vec_hart *h, const isa_instruction *i)
{
    uint32_t target = h->thread.pc + (uint32_t)i->immediate;
    if (i->instruction_class == ISA_CLASS_JUMP_REGISTER)
        isa_addresses(i, &h->lanes, 1, &target);
    isa_execute(i, h->thread.pc, &h->lanes, 1);
    return target;
}

void vec_execute(vec_hart *h, const vec_operation *op, vec_plan *plan)
{
    const isa_instruction *i = &op->scalar;
    uint32_t next = h->thread.pc + 4;
    if (op->uses_vl)
        vec_used_vl(h);
    switch (op->kind) {
    case VEC_SCALAR: isa_execute(i, h->thread.pc, &h->lanes, 1); break;
    case VEC_LOAD:
    case VEC_STORE: vec_scalar_access(h, i, plan); break;
    case VEC_BRANCH:
        if (isa_branch_taken(i, &h->lanes, 1))
            next = h->thread.pc + (uint32_t)i->immediate;
        break;
    case VEC_JUMP: next = jump(h, i); break;
    case VEC_CSR: isa_csr(i, &h->lanes, 1, read_csr, write_csr, h); break;
    case VEC_PIN: vec_pin_level_written(h, h->thread.pin_level + 1); break;
    case VEC_UNPIN: vec_pin_level_written(h, h->thread.pin_level - 1); break;
    case VEC_VECTOR: execute_vector(h, &op->vector, plan); break;
    default: break;
    }
    h->thread.pc = next;
    h->thread.instructions++;
}

uint32_t vec_raise(vec_hart *h, uint32_t cause)
{
    if (!h->thread.handler)
        return 0;
    h->thread.x[10] = cause;
    h->thread.x[11] = h->thread.pc;
    h->thread.pc = h->thread.handler;
    h->thread.handler = 0;
    return 1;
}
