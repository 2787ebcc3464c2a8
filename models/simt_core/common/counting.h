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

/* In the order of enum instruction_group. */
#define COUNTING_GROUPS(X)                                                                                             \
    X(integer_instructions, "instructions", COUNT, "integer, multiply, divide and CSR instructions issued")            \
    X(float_instructions, "instructions", COUNT, "float instructions issued")                                          \
    X(memory_instructions, "instructions", COUNT, "loads, stores and atomics issued")                                  \
    X(control_instructions, "instructions", COUNT, "branches and jumps issued")                                        \
    X(synchronisation_instructions, "instructions", COUNT, "barriers, fences, votes, shuffles and warp.sync issued")

/* By lanes that are active, in the order of path_count.group. */
#define COUNTING_LANES(X)                                                                                              \
    X(lanes_1_4, "instructions", COUNT, "instructions issued with at most 1/8 of the lanes active")                    \
    X(lanes_5_8, "instructions", COUNT, "with more than 1/8, at most 2/8")                                             \
    X(lanes_9_12, "instructions", COUNT, "with more than 2/8, at most 3/8")                                            \
    X(lanes_13_16, "instructions", COUNT, "with more than 3/8, at most 4/8")                                           \
    X(lanes_17_20, "instructions", COUNT, "with more than 4/8, at most 5/8")                                           \
    X(lanes_21_24, "instructions", COUNT, "with more than 5/8, at most 6/8")                                           \
    X(lanes_25_28, "instructions", COUNT, "with more than 6/8, at most 7/8")                                           \
    X(lanes_29_32, "instructions", COUNT, "with more than 7/8")

/* A list in which A(X, array, ROWS) stands for rows that are counted in one array of the counters, by an enum. */
#define COUNTING_EXECUTION_AND(X, A)                                                                                   \
    A(X, groups, COUNTING_GROUPS)                                                                                      \
    X(divergent_branches, "branches", COUNT, "control transfers whose lanes diverged")                                 \
    A(X, lanes, COUNTING_LANES)                                                                                        \
    X(blocks_run, "blocks", COUNT, "thread blocks completed")                                                          \
    X(warps_run, "warps", COUNT, "warps launched")                                                                     \
    X(threads_run, "threads", COUNT, "threads that exited")                                                            \
    X(barriers_released, "barriers", COUNT, "barrier and warp.sync releases")                                          \
    X(maximum_blocks, "blocks", MAXIMUM, "most resident blocks at once")                                               \
    X(maximum_warps, "warps", MAXIMUM, "most resident warps at once")                                                  \
    X(maximum_stack_depth, "entries", MAXIMUM, "deepest SIMT stack, or most paths of a warp")

/* What A stands for: in the table of statistics the rows; in the struct of counters the array. */
#define COUNTING_ROWS(X, array, ROWS) ROWS(X)
#define COUNTING_ARRAY(X, array, ROWS) uint64_t array[0 ROWS(COUNTING_ONE)];
#define COUNTING_ONE(...) +1

/* What an instruction counts as. */
enum instruction_group { GROUP_INTEGER, GROUP_FLOAT, GROUP_MEMORY, GROUP_CONTROL, GROUP_SYNCHRONISATION };

static inline enum instruction_group instruction_group_of(uint32_t instruction_class)
{
    static const uint8_t groups[ISA_CLASS_COUNT] = {
        [ISA_CLASS_SPECIAL] = GROUP_FLOAT,
        [ISA_CLASS_FP] = GROUP_FLOAT,
        [ISA_CLASS_FP_FMA] = GROUP_FLOAT,
        [ISA_CLASS_FP_DIV] = GROUP_FLOAT,
        [ISA_CLASS_LOAD] = GROUP_MEMORY,
        [ISA_CLASS_STORE] = GROUP_MEMORY,
        [ISA_CLASS_ATOMIC] = GROUP_MEMORY,
        [ISA_CLASS_BRANCH] = GROUP_CONTROL,
        [ISA_CLASS_JUMP] = GROUP_CONTROL,
        [ISA_CLASS_JUMP_REGISTER] = GROUP_CONTROL,
        [ISA_CLASS_FENCE] = GROUP_SYNCHRONISATION,
        [ISA_CLASS_CROSS_LANE] = GROUP_SYNCHRONISATION,
        [ISA_CLASS_BARRIER] = GROUP_SYNCHRONISATION,
        [ISA_CLASS_WARP_SYNC] = GROUP_SYNCHRONISATION,
    };
    return (enum instruction_group)groups[instruction_class];
}
static inline enum instruction_group instruction_group(const isa_instruction *instruction)
{
    return instruction_group_of(instruction->instruction_class);
}

/* Instructions retired by lane. A path counts for all its lanes at once. */
typedef struct path_count {
    uint64_t lanes; /* that issued the last `instructions` */
    uint64_t instructions;
    uint8_t active; /* how many lanes these are */
    uint8_t group;  /* number of the one of COUNTING_LANES that their instructions count in */
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
