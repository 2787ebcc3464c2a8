/* SPDX-License-Identifier: MIT */
/* An instruction in the words of hd_accesses.h. */
#ifndef SIMT_CORE_ACCESS_KIND_H
#define SIMT_CORE_ACCESS_KIND_H

#include "hd_accesses.h"
#include "instruction.h"

static inline uint32_t access_kind(const isa_instruction *instruction)
{
    switch (instruction->instruction_class) {
    case ISA_CLASS_LOAD: return HD_ACCESS_LOAD;
    case ISA_CLASS_STORE: return HD_ACCESS_STORE;
    default: return HD_ACCESS_ATOMIC;
    }
}

static inline uint32_t access_flags(const isa_instruction *instruction, uint32_t is_transactional)
{
    return (is_transactional ? HD_ACCESS_TRANSACTIONAL : 0) |
           (instruction->flags & ISA_FLAG_LOAD_UNCACHED ? HD_ACCESS_UNCACHED : 0) |
           (instruction->flags & ISA_FLAG_ACQUIRE ? HD_ACCESS_ACQUIRE : 0) |
           (instruction->flags & ISA_FLAG_RELEASE ? HD_ACCESS_RELEASE : 0) |
           (instruction->flags & ISA_FLAG_LOAD_RELAXED ? HD_ACCESS_RELAXED : 0) |
           (instruction->operation == ISA_OP_LR_W ? HD_ACCESS_READS : 0);
}

/* Is it reported when its lanes have their values? */
static inline uint32_t access_is_sampled(const hd_access *access)
{
    return !(access->flags & HD_ACCESS_TRANSACTIONAL) &&
           (access->kind == HD_ACCESS_ATOMIC || access->flags & HD_ACCESS_UNCACHED);
}

static inline uint32_t access_flags_of_fence(const isa_instruction *instruction)
{
    return instruction->flags & ISA_FLAG_FENCE_R ? HD_ACCESS_ACQUIRE : 0;
}

#endif
