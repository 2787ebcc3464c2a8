/* SPDX-License-Identifier: MIT */
/*
 * Random programs of several harts on shared double words, and what they should see: an oracle that executes them in the documented
 * order, instruction for instruction. Every value that an instruction takes from memory goes into a log of its hart.
 */
#ifndef HARTS_PROGRAM_H
#define HARTS_PROGRAM_H

#include <stdint.h>

enum { PROGRAM_HARTS_MAX = 4, PROGRAM_STEPS_MAX = 64, PROGRAM_SLOTS = 4 };

enum step_kind {
    STEP_LOAD,
    STEP_STORE,
    STEP_ADD,
    STEP_SWAP,
    STEP_MAX,
    STEP_RESERVE,
    STEP_CONDITIONAL,
    STEP_PAUSE,
    STEP_KINDS
};

typedef struct step {
    enum step_kind kind;
    uint32_t slot;
    uint32_t value; /* stored or added; of a pause how many instructions, 1 to 3 */
} step;

typedef struct harts_program {
    uint32_t harts;
    uint32_t steps[PROGRAM_HARTS_MAX];
    step step[PROGRAM_HARTS_MAX][PROGRAM_STEPS_MAX];
} harts_program;

/* Cycles of an instruction, each and beyond. */
typedef struct program_costs {
    uint32_t each, load, store, atomic;
} program_costs;

typedef struct program_memory {
    uint64_t slots[PROGRAM_SLOTS];
    uint64_t log[PROGRAM_HARTS_MAX][PROGRAM_STEPS_MAX];
} program_memory;

void harts_program_random(harts_program *program, uint32_t harts, uint64_t *random);
void harts_program_expect(const harts_program *program, const program_costs *costs, program_memory *memory);
/* Runs it on a CPU with these parameters, as rig_open takes them: harts and costs are among them. */
void harts_program_run(const harts_program *program, const char *const *parameters, program_memory *memory);

#endif
