/* SPDX-License-Identifier: MIT */
/* What a core of any type answers who debugs kernels (hd_debug.h). */
#ifndef SIMT_CORE_DEBUG_LANES_H
#define SIMT_CORE_DEBUG_LANES_H

#include "hd_debug.h"
#include "instruction.h"
#include "warp_place.h"

/* A set of HD_DEBUG_READS and WRITES; 0: it accesses no memory. */
static inline uint32_t debug_access_of(const isa_instruction *instruction)
{
    switch (instruction->instruction_class) {
    case ISA_CLASS_LOAD: return HD_DEBUG_READS;
    case ISA_CLASS_STORE: return HD_DEBUG_WRITES;
    case ISA_CLASS_ATOMIC:
        return instruction->operation == ISA_OP_LR_W ? HD_DEBUG_READS : HD_DEBUG_READS | HD_DEBUG_WRITES;
    default: return 0;
    }
}

/* Of each lane. */
static inline uint32_t debug_access_bytes(const isa_instruction *instruction)
{
    return instruction->instruction_class == ISA_CLASS_ATOMIC ? 4 : instruction->access_bytes;
}

static inline uint32_t debug_read_fcsr(uint8_t fcsr, uint32_t number, uint64_t *value)
{
    switch (number) {
    case ISA_CSR_FFLAGS: *value = fcsr & 31; return 1;
    case ISA_CSR_FRM: *value = fcsr >> 5; return 1;
    case ISA_CSR_FCSR: *value = fcsr; return 1;
    default: return 0;
    }
}

/* Active with nobody. */
static inline hd_debug_thread debug_thread_at(const warp_place *place, uint32_t lane, const char *what)
{
    hd_debug_thread thread = {.warp = place->warp, .what = what};
    for (uint32_t axis = 0; axis < 3; axis++) {
        thread.block_index[axis] = place->launch->block_index[axis];
        thread.thread_index[axis] = warp_thread_index(place, lane, axis);
    }
    return thread;
}

#endif
