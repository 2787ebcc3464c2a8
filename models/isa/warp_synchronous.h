/* SPDX-License-Identifier: MIT */
/*
 * Code that is right only if the lanes of a warp run in step: what one lane stores, another one loads, and nothing between says that it
 * has to wait. Two forms are found:
 *
 *   at one address  some lanes of a warp store what all of them load behind the branch, at an address that is the same for all
 *   beside it       each lane stores to a word of its own, and loads from an address a constant away, where it stores nothing
 *
 * Both in the scratchpad alone: in global memory too much is shared with others than the warp.
 *
 * A barrier, warp.sync or atomic on the way, or a call, is order enough.
 */
#ifndef ISA_WARP_SYNCHRONOUS_H
#define ISA_WARP_SYNCHRONOUS_H

#include "program.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct isa_reliance {
    uint32_t store_pc;
    uint32_t load_pc;
} isa_reliance;

/* By ascending load_pc, each load once. 0 = done, and *found is to be freed; -1 = out of memory, and it is NULL. */
int isa_warp_synchronous(const isa_program *program, isa_reliance **found, uint32_t *count);

#ifdef __cplusplus
}
#endif

#endif
