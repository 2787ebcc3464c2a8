/* SPDX-License-Identifier: MIT */
/* How large LLVM's types are in memory, and how they are aligned: the layout of retarget.c. */
#ifndef KERNELC_LAYOUT_H
#define KERNELC_LAYOUT_H

#include "ir_text.h"

typedef struct ir_layout {
    uint64_t bytes;
    uint32_t alignment; /* 0: the type is not known */
} ir_layout;

typedef struct ir_types {
    arena *memory;
    ir_piece program; /* in which structs have names */
    uint32_t pointer_bytes;
} ir_types;

ir_layout ir_layout_of(const ir_types *types, ir_piece type);

static inline uint64_t ir_aligned(uint64_t offset, uint32_t alignment)
{
    return (offset + alignment - 1) / alignment * alignment;
}

#endif
