/* SPDX-License-Identifier: MIT */
/*
 * Random programs of a few functions, with post-dominators found by brute force, and what one lane does in them.
 * Instructions are 4 bytes; block b is instructions first .. first + length - 1, and its last one transfers control.
 */
#ifndef RECONVERGENCE_RANDOM_PROGRAM_H
#define RECONVERGENCE_RANDOM_PROGRAM_H

#include <stdint.h>

#define BASE_PC 0x1000u
#define MAX_BLOCKS 128u
#define MAX_TARGETS 4u
#define MAX_INSTRUCTIONS (3 * MAX_BLOCKS)
#define MAX_CALLS 512u

enum block_kind { FALL, EXIT_SOME, JUMP, BRANCH, INDIRECT, CALL, INDIRECT_CALL, TAIL_CALL, RETURN, EXIT, KIND_COUNT };

typedef struct block {
    uint32_t kind;
    uint32_t function;
    uint32_t first;
    uint32_t length;
    uint32_t targets[MAX_TARGETS]; /* blocks; of calls, entry blocks; of a branch, the taken one first */
    uint32_t target_count;
    uint32_t reconvergence_pc;
    uint32_t cost;            /* blocks to the return of the function by the shortest way */
    uint32_t uniform;         /* all lanes decide alike */
    uint32_t computed_return; /* RETURN: some lanes return to another block of the caller */
} block;

typedef struct program {
    uint64_t seed;
    uint32_t count;
    uint32_t functions;
    uint32_t entries[8]; /* entries[f] .. entries[f + 1] - 1 are the blocks of function f */
    block blocks[MAX_BLOCKS];
    uint32_t block_of[MAX_INSTRUCTIONS];
} program;

/* What a lane keeps in its registers. */
typedef struct lane_state {
    uint32_t number;
    uint32_t steps;
    uint32_t calls;
    uint32_t returns[MAX_CALLS]; /* blocks */
} lane_state;

typedef struct outcome {
    uint32_t pc;
    uint32_t depth;
    uint32_t exits;
} outcome;

uint64_t random_next(uint64_t *state);

/* 0: the dice gave a program in which some block cannot end; ask with another seed. */
uint32_t program_make(program *p, uint64_t seed);
uint32_t program_pc(const program *p, uint32_t block);

/* The last instruction of block b, at the lane's present depth. */
outcome lane_step(const program *p, lane_state *lane, uint32_t b);

/* Any place in its function, at some branches: what a stack takes as likely-convergence point of this block of code. 0: none. */
uint32_t program_likely_pc(const program *program, const block *block);

#endif
