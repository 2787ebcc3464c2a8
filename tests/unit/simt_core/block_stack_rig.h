/* SPDX-License-Identifier: MIT */
/* Blocks of four lanes a warp on block_stack, and their threads as the publication numbers them: from 1 on. */
#ifndef BLOCK_STACK_RIG_H
#define BLOCK_STACK_RIG_H

#include "block_stack/block_stack.h"
#include "reconvergence_rig.h"

#define LANES 4u
#define WARPS 8u

/* With one other value than the standard ones; BLOCK_STACK_PARAMETERS: none. */
void block_start(rig *r, enum block_stack_parameter parameter, uint64_t value);
/* A block of so many threads, in warps from this slot on. */
void block_launch(rig *r, uint32_t slot, uint32_t threads, uint32_t pc);
const block_stack *block_unit(const rig *r);
const resident_block *block_at(const rig *r, uint32_t slot);
path *block_path(const rig *r, uint32_t path);

/* The path branches: those of its threads in `taken`, a bit each from bit 1 on, go to the target, all others to pc + 4. */
void block_branch(rig *r, uint32_t path, uint64_t taken, uint32_t target, uint32_t meeting_pc, uint64_t cycle);
/* The same with a likely-convergence point. */
void block_branch_likely(rig *r, uint32_t path, uint64_t taken, uint32_t target, uint32_t meeting_pc,
                         uint32_t likely_pc, uint64_t cycle);
void block_jump(rig *r, uint32_t path, uint32_t pc, uint64_t cycle);
/* Straight-line code to its stop point. */
void block_walk(rig *r, uint32_t path, uint64_t cycle);
void block_leave(rig *r, uint32_t path, uint64_t threads, uint64_t cycle);
/* All warps that the compactor has to make; the cycle behind. */
uint64_t block_compact(rig *r, uint64_t cycle);

/* Threads of a path, a bit each from bit 1 on; of an entry of the block's stack. */
uint64_t block_threads_of(const rig *r, uint32_t path);
uint64_t block_threads_in(const rig *r, uint32_t slot, uint32_t entry);

/* The whole stack, bottom first: pc, stop pc, threads. */
typedef struct level {
    uint32_t pc, stop_pc;
    uint64_t threads;
} level;
void block_expect(const rig *r, int line, uint32_t slot, const level *levels, uint32_t count);
#define EXPECT_LEVELS(r, slot, ...)                                                                                    \
    block_expect((r), __LINE__, (slot), (const level[]){__VA_ARGS__},                                                  \
                 sizeof((const level[]){__VA_ARGS__}) / sizeof(level))

/* A set of threads. */
#define T(n) (UINT64_C(1) << (n))

#endif
