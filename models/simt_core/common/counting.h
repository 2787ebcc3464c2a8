/* SPDX-License-Identifier: MIT */
/* Statistics that every type of the kind simt_core has, and how an instruction counts in them. */
#ifndef SIMT_CORE_COUNTING_H
#define SIMT_CORE_COUNTING_H

#include "bits.h"
#include "instruction.h"

/* X(identifier, unit, kind, doc); the name is the identifier. */
#define COUNTING_TOTALS(X)                                                                                             \
    X(cycles, "cycles", COUNT, "cycles with at least one resident block")                                              \
    X(warp_instructions, "instructions", COUNT, "instructions issued, one per warp or path")                           \
    X(thread_instructions, "instructions", COUNT, "instructions issued, times active lanes")

/* The first five are in the order of instruction_group, the eight of lanes in that of lane_group. */
#define COUNTING_EXECUTION(X)                                                                                          \
    X(integer_instructions, "instructions", COUNT, "integer, multiply, divide and CSR instructions issued")            \
    X(float_instructions, "instructions", COUNT, "float instructions issued")                                          \
    X(memory_instructions, "instructions", COUNT, "loads, stores and atomics issued")                                  \
    X(control_instructions, "instructions", COUNT, "branches and jumps issued")                                        \
    X(synchronisation_instructions, "instructions", COUNT, "barriers, fences, votes, shuffles and warp.sync issued")   \
    X(divergent_branches, "branches", COUNT, "control transfers whose lanes diverged")                                 \
    X(lanes_1_4, "instructions", COUNT, "instructions issued with at most 1/8 of the lanes active")                    \
    X(lanes_5_8, "instructions", COUNT, "with more than 1/8, at most 2/8")                                             \
    X(lanes_9_12, "instructions", COUNT, "with more than 2/8, at most 3/8")                                            \
    X(lanes_13_16, "instructions", COUNT, "with more than 3/8, at most 4/8")                                           \
    X(lanes_17_20, "instructions", COUNT, "with more than 4/8, at most 5/8")                                           \
    X(lanes_21_24, "instructions", COUNT, "with more than 5/8, at most 6/8")                                           \
    X(lanes_25_28, "instructions", COUNT, "with more than 6/8, at most 7/8")                                           \
    X(lanes_29_32, "instructions", COUNT, "with more than 7/8")                                                        \
    X(blocks_run, "blocks", COUNT, "thread blocks completed")                                                          \
    X(warps_run, "warps", COUNT, "warps launched")                                                                     \
    X(threads_run, "threads", COUNT, "threads that exited")                                                            \
    X(barriers_released, "barriers", COUNT, "barrier and warp.sync releases")                                          \
    X(maximum_blocks, "blocks", MAXIMUM, "most resident blocks at once")                                               \
    X(maximum_warps, "warps", MAXIMUM, "most resident warps at once")                                                  \
    X(maximum_stack_depth, "entries", MAXIMUM, "deepest SIMT stack, or most paths of a warp")

/* Which of the five groups, from integer_instructions on, an instruction counts in. */
static inline uint32_t instruction_group(const isa_instruction *instruction)
{
    static const uint8_t groups[ISA_CLASS_COUNT] = {
        [ISA_CLASS_SPECIAL] = 1, [ISA_CLASS_FP] = 1,       [ISA_CLASS_FP_FMA] = 1,     [ISA_CLASS_FP_DIV] = 1,
        [ISA_CLASS_LOAD] = 2,    [ISA_CLASS_STORE] = 2,    [ISA_CLASS_ATOMIC] = 2,     [ISA_CLASS_BRANCH] = 3,
        [ISA_CLASS_JUMP] = 3,    [ISA_CLASS_FENCE] = 4,    [ISA_CLASS_CROSS_LANE] = 4, [ISA_CLASS_JUMP_REGISTER] = 3,
        [ISA_CLASS_BARRIER] = 4, [ISA_CLASS_WARP_SYNC] = 4};
    return groups[instruction->instruction_class];
}

/* Instructions retired by lane. A path counts for all its lanes at once. */
typedef struct path_count {
    uint64_t lanes; /* that issued the last `instructions` */
    uint64_t instructions;
    uint8_t active; /* how many lanes these are */
    uint8_t group;  /* of the eight, from lanes_1_4 on: the one that their instructions count in */
} path_count;

/* Its lanes get what they did; the path may go on with none of them. */
static inline void path_count_settle(path_count *count, uint64_t *retired)
{
    for (uint64_t left = count->lanes; left; left &= left - 1)
        retired[__builtin_ctzll(left)] += count->instructions;
    count->lanes = 0;
    count->instructions = 0;
}

static inline void path_count_change(path_count *count, uint64_t lanes, uint32_t warp_lanes, uint64_t *retired)
{
    path_count_settle(count, retired);
    count->lanes = lanes;
    count->active = (uint8_t)bits_count(lanes);
    count->group = (uint8_t)((count->active * 8u - 1) / warp_lanes);
}

/* From now on these lanes, of a warp of so many, issue: if they are others, the former ones get what they did. retired is
 * by lane. */
static inline void path_count_lanes(path_count *count, uint64_t lanes, uint32_t warp_lanes, uint64_t *retired)
{
    if (count->lanes != lanes)
        path_count_change(count, lanes, warp_lanes, retired);
}

#endif
